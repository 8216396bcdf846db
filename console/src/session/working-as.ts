import { readStored, storedKey, writeStored } from '../ui/stored.ts'
import { keepDraftsNow } from './draft.ts'
import { loadSession } from './load.ts'
import { refreshAs } from './refresh.ts'
import { type Session, type SwitchMode, sessionStore } from './session.ts'

/** The department and the role of a session; empty where there is none to choose. */
export interface Work {
  deptId: string
  roleId: string
}

const lastName = (userId: string): string => `working:${userId}`

/** What is chosen for a start: what the session works as, else what was chosen here last, else the first. */
export function proposedWork({ userId, switching }: Session): Work {
  const last = readStored<Partial<Work>>(lastName(userId)) ?? {}
  const pick = (now: string, before: string | undefined, among: SwitchMode['depts']): string =>
    [now, before].find((id) => among.some((each) => each.id === id)) ?? among[0]?.id ?? ''
  return {
    deptId: pick(switching?.deptId ?? '', last.deptId, switching?.depts ?? []),
    roleId: pick(switching?.roleId ?? '', last.roleId, switching?.roles ?? []),
  }
}

/** As what the session works, in words; empty where nothing is chosen. */
export function workName(switching: SwitchMode | undefined): string {
  if (!switching || switching.choose) return ''
  const { depts, roles, deptId, roleId } = switching
  const named = [depts.find((dept) => dept.id === deptId), roles.find((role) => role.id === roleId)]
  return named.flatMap((each) => (each ? [each.name] : [])).join(' · ')
}

let windows: BroadcastChannel | undefined

/**
 * Works as something else from the next call on, in every window of this browser: menus and buttons follow. What was
 * typed is kept first. Throws `HttpProblem` where the server refuses.
 */
export async function workAs(work: Work): Promise<void> {
  const userId = sessionStore.get()?.userId ?? ''
  keepDraftsNow()
  await refreshAs(work)
  writeStored(lastName(userId), work)
  await loadSession()
  windows?.postMessage(userId)
}

/** Hears, from now on, that another window works as something else; returns how to stop. */
export function followWork(changed: () => void): () => void {
  if (typeof BroadcastChannel === 'undefined') return () => {}
  const channel = new BroadcastChannel(storedKey('working'))
  windows = channel
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (data !== sessionStore.get()?.userId) return
    keepDraftsNow()
    // A failure here is told by the next call of a page.
    loadSession().then(changed, () => undefined)
  }
  return () => {
    windows = undefined
    channel.close()
  }
}
