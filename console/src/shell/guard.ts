import { localLogout } from '../session/end.ts'
import { guard } from '../session/guard.ts'
import { isLocked } from '../session/lock-state.ts'
import { sessionStore } from '../session/session.ts'
import { accessToken } from '../session/tokens.ts'
import { createStore } from '../ui/store.ts'
import { homePath, routeOf } from './routes.tsx'

/** Whether the menus of this session are known: before, an unknown path may be one they add. */
export const menusKnown = createStore(false)

const leave = { to: (address: string) => window.location.replace(address) }

/** For tests: where leaving leads, instead of loading another page. */
export const setGuardLeave = (to: (address: string) => void): void => {
  leave.to = to
}

/** Where a navigation goes instead; undefined lets it pass. The log-in page is a page of its own, so it is loaded. */
export function guardPlace(path: string, full: string = path): string | undefined {
  if (path === '/' || path === '/wel' || path === '/wel/') return guardPlace(homePath, homePath) ?? homePath
  const found = routeOf(path)
  const sent = guard(
    { path, full, isAuth: found?.route.meta.isAuth !== false },
    {
      hasToken: accessToken() !== '',
      locked: isLocked(),
      mustChange: sessionStore.get()?.mustChange === true,
    },
  )
  if (sent?.startsWith('/login')) {
    localLogout({ keepDrafts: true })
    leave.to(sent)
    return undefined
  }
  if (sent !== undefined) return sent
  return found || !menusKnown.get() ? undefined : '/404'
}
