import { localLogout } from '../session/end.ts'
import { guard } from '../session/guard.ts'
import { chosenLanding } from '../session/landing.ts'
import { isLocked } from '../session/lock-state.ts'
import { sessionStore } from '../session/session.ts'
import { accessToken } from '../session/tokens.ts'
import { createStore } from '../ui/store.ts'
import { homePath, routeOf } from './routes.ts'

/** Whether the menus of this session are known: before, an unknown path may be one they add. */
export const menusKnown = createStore(false)

const leave = { to: (address: string) => window.location.replace(address) }

/** For tests: where leaving leads, instead of loading another page. */
export const setGuardLeave = (to: (address: string) => void): void => {
  leave.to = to
}

/** What `/` opens: the page that the person chose to begin with, where it still is one of theirs. */
function landingPage(): string {
  const chosen = chosenLanding(sessionStore.get()?.userId)
  return chosen !== undefined && routeOf(chosen) ? chosen : homePath
}

/** Where a navigation goes instead; undefined lets it pass. The log-in page is a page of its own, so it is loaded. */
export function guardPlace(path: string, full: string = path): string | undefined {
  if (path === '/' || path === '/wel' || path === '/wel/') {
    const first = path === '/' ? landingPage() : homePath
    return guardPlace(first, first) ?? first
  }
  const found = routeOf(path)
  const sent = guard(
    { path, full, isAuth: found?.route.meta.isAuth !== false },
    {
      hasToken: accessToken() !== '',
      locked: isLocked(),
      mustChange: sessionStore.get()?.mustChange === true,
      mustSecond: sessionStore.get()?.mustSecond === true,
    },
  )
  if (sent?.startsWith('/login')) {
    localLogout({ keepDrafts: true })
    leave.to(sent)
    return undefined
  }
  if (sent !== undefined) return sent
  if (found || !menusKnown.get()) return undefined
  // The page that was chosen to begin with may have been taken away.
  return path === chosenLanding(sessionStore.get()?.userId) ? homePath : '/404'
}
