import { logOut } from '@data-brain/contract/calls/auth'
import { call } from '../http/call.ts'
import type { HttpProblem } from '../http/client.ts'
import { dropStored, dropStoredBeginning, readStored, storedKey, writeStored } from '../ui/stored.ts'
import { keepDraftsNow } from './draft.ts'
import { loginAddress } from './landing.ts'
import { menuStore } from './menus.ts'
import { codesStore, type Session, sessionStore } from './session.ts'
import { dropTokens } from './tokens.ts'

/** What the log-in page says to somebody whose session has ended. */
export interface Notice {
  readonly text: string
  readonly account: string
  /** Something that was typed waits to be gone on with. */
  readonly isKept: boolean
}

/** Has the log-in page say something to whoever is logged out now; called before their session is forgotten. */
export function keepNotice(text: string): void {
  const isKept = Object.keys(sessionStorage).some((name) => name.startsWith(storedKey('draft:')))
  const notice: Notice = { text, account: sessionStore.get()?.account ?? '', isKept }
  writeStored('notice', notice, sessionStorage)
}

/** What else has to be forgotten when a session ends: caches of the parts above. */
const forgetting: (() => void)[] = []
export const onForget = (forget: () => void): number => forgetting.push(forget)

/** What is still to be sent before somebody logs out: decisions that could be taken back until then. */
const finishing: (() => Promise<unknown>)[] = []
export const onLogout = (finish: () => Promise<unknown>): number => finishing.push(finish)

const leave = { to: (address: string) => window.location.assign(address) }

/** For tests: where leaving leads, instead of loading another page. */
export const setLeave = (to: (address: string) => void): void => {
  leave.to = to
}

/** Forgets everything this browser knows of the session: tokens, user, menus, buttons, tabs, lock. */
export function localLogout({ keepDrafts = false }: { keepDrafts?: boolean } = {}): void {
  dropTokens()
  for (const name of ['user', 'buttons', 'menus']) dropStored(name)
  forgetWindow(keepDrafts)
}

/** Forgets what this window alone knows of the session. */
function forgetWindow(keepDrafts: boolean): void {
  for (const name of ['tabs', 'lock', 'lock-password', 'lock-failures', 'lock-unattended'])
    dropStored(name, sessionStorage)
  if (!keepDrafts) dropStoredBeginning('draft:', sessionStorage)
  sessionStore.set(null)
  codesStore.set(new Set())
  menuStore.set([])
  for (const forget of forgetting) forget()
}

let leaving = false

/** Leaving takes a moment, in which further calls come back refused; afterwards this page is gone. */
function leaveOnce(): void {
  leaving = true
  setTimeout(() => {
    leaving = false
  }, 3000)
}

/**
 * Ends the session on the server, then here, then shows the log-in page. Without a network it ends here all the same.
 * Drafts stay for the same person where the log-out was not meant to throw anything away.
 */
export async function logout(options: { keepDrafts?: boolean } = {}): Promise<void> {
  // Calls on their way are refused once the server has ended the session: who logs out is not told that it was lost.
  leaving = true
  await Promise.allSettled(finishing.map((finish) => finish()))
  await call(logOut, {}, { silent: true }).catch(() => undefined)
  localLogout(options)
  leave.to('/login')
  leaveOnce()
}

/**
 * The server refused the session (401): what the server said is shown on the log-in page, drafts stay for the same
 * user, and log-in leads back to where the person was. Several refused calls at once leave once.
 */
export function sessionLost(problem: Pick<HttpProblem, 'message'>): void {
  if (leaving || giveWay()) return
  leaveOnce()
  const here = window.location.pathname + window.location.search
  keepDraftsNow()
  keepNotice(problem.message)
  localLogout({ keepDrafts: true })
  leave.to(loginAddress(here))
}

/** Whether another window has logged in as somebody else: the tokens of this browser are theirs. */
export function isOthers(): boolean {
  const [mine, now] = [sessionStore.get(), readStored<Session>('user')]
  return mine !== null && now !== undefined && (now.userId !== mine.userId || now.tenantId !== mine.tenantId)
}

/**
 * A window whose browser is somebody else's by now must show and save nothing more: it keeps its drafts for its own
 * person, and begins anew as the other. Answers whether it is so.
 */
export function giveWay(): boolean {
  if (!isOthers()) return false
  if (leaving) return true
  leaveOnce()
  keepDraftsNow()
  const was = sessionStore.get()?.account ?? ''
  forgetWindow(true)
  writeStored('gave-way', was, sessionStorage)
  leave.to('/wel/index')
  return true
}

/** Hears from now on when another window logs in as somebody else; returns how to stop. */
export function followUser(): () => void {
  const look = (): void => void giveWay()
  const heard = ({ key }: StorageEvent): void => {
    if (key === storedKey('user')) look()
  }
  window.addEventListener('storage', heard)
  // A page that the browser had put aside has heard nothing meanwhile.
  window.addEventListener('pageshow', look)
  return () => {
    window.removeEventListener('storage', heard)
    window.removeEventListener('pageshow', look)
  }
}

/** Whose window it was until it gave way, said once. */
export function gaveWay(): string | undefined {
  const was = readStored<string>('gave-way', sessionStorage)
  dropStored('gave-way', sessionStorage)
  return was
}
