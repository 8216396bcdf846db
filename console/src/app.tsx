import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { connectHttp, HttpProblem } from './http/client.ts'
import { queryClient } from './http/query.ts'
import { commonWords } from './locales/common.ts'
import { shellWords } from './locales/shell.ts'
import { unknownError } from './locales/unknown-error.ts'
import { keepDraftsNow } from './session/draft.ts'
import { followUser, gaveWay, isOthers, onForget, sessionLost } from './session/end.ts'
import { loadSession } from './session/load.ts'
import { lockedElsewhere, lockStore } from './session/lock-state.ts'
import { menuStore } from './session/menus.ts'
import { standingReason } from './session/read-reason-store.ts'
import { startRefreshing } from './session/refresh.ts'
import { sessionStore } from './session/session.ts'
import { accessToken } from './session/tokens.ts'
import { startWork } from './shell/after-switch.ts'
import { newBuildStore } from './shell/build.ts'
import { Boundary, FailedPanel, LoadedPage, PageSkeleton } from './shell/fallback.tsx'
import { Frame } from './shell/frame.tsx'
import { guardPlace, menusKnown } from './shell/guard.ts'
import { startLocking } from './shell/locking.ts'
import { startLog } from './shell/log.ts'
import { Panels } from './shell/panels.tsx'
import { ReasonHost } from './shell/reason-host.tsx'
import { fetchPages, firstPasswordPage, homePath, lockPage, routeOf, workPage } from './shell/routes.ts'
import { resetTabs, restoreTabs, type Tab, tabStore, visitTab } from './shell/tabs.ts'
import { LiveRegions } from './ui/announce.tsx'
import { ConfirmHost } from './ui/confirm.tsx'
import { go, onPlace, place, startPlaces } from './ui/place.ts'
import { useStore } from './ui/store.ts'
import { followPerson, startTheme } from './ui/theme.ts'
import { toast } from './ui/toast.ts'
import { ToastHost } from './ui/toast-host.tsx'
import { addWords, language, onLanguage, translate, useT } from './ui/words.ts'

function tabOf(path: string, query: string): Tab | undefined {
  const found = routeOf(path)
  if (!found) return undefined
  const { route, params } = found
  return { label: route.label, value: path, params, query, meta: route.meta, group: route.code ?? '' }
}

function visitPlace(): void {
  const { path, query } = place()
  const tab = tabOf(path, query.toString())
  if (tab && accessToken()) visitTab(tab)
}

/** The page's title is the name of its tab and of the product. */
function writeTitle(): void {
  const { path } = place()
  const label = tabStore.get().states[path]?.name ?? (routeOf(path) ? translate(routeOf(path)!.route.label) : '')
  const product = translate('common.product')
  document.title = label ? `${label} · ${product}` : product
}

/**
 * The browser asks before it throws away what is not saved. Drafts outlive a reload, which the browser does not tell from
 * closing; where a key asks for one, and everything typed is kept, nobody is asked.
 */
function watchLeaving(): void {
  let reloadAt = Number.NEGATIVE_INFINITY
  const hear = ({ key, ctrlKey, metaKey, timeStamp }: KeyboardEvent) => {
    if (key === 'F5' || ((ctrlKey || metaKey) && key.toLowerCase() === 'r')) reloadAt = timeStamp
  }
  window.addEventListener('keydown', hear, true)
  window.addEventListener('beforeunload', (event) => {
    const { states, active } = tabStore.get()
    const dirty = Object.keys(states).filter((path) => states[path]?.dirty)
    if (dirty.length === 0) return
    const isReload = event.timeStamp - reloadAt < 1000
    if (!isReload || dirty.some((path) => path !== active) || !keepDraftsNow()) event.preventDefault()
  })
}

/** Joins the parts, before anything is drawn. */
export function startConsole(): void {
  addWords({ ...commonWords, ...shellWords, ...unknownError })
  startTheme(sessionStore.get()?.userId)
  sessionStore.subscribe(() => followPerson(sessionStore.get()?.userId ?? ''))
  startLog()
  connectHttp({
    // Nothing is asked or saved as somebody else than whom this window shows.
    token: () => (isOthers() ? undefined : accessToken() || undefined),
    language,
    unknown: () => translate('spec.unknownError'),
    offline: () => translate('http.offline'),
    timedOut: () => translate('http.timeout'),
    failed: (problem) => toast.error(problem.message),
    unauthorized: (problem) => {
      toast.error(problem.message)
      sessionLost(problem)
    },
    locked: lockedElsewhere,
    explain: async (children) => (await import('./session/read-reason.ts')).askReason(children),
    reason: standingReason.get,
    newBuild: (build) => newBuildStore.set(build),
  })
  onForget(() => {
    queryClient.clear()
    resetTabs()
  })
  const home = tabOf(homePath, '')
  if (home) restoreTabs(home)
  menusKnown.set(menuStore.get().length > 0)
  startLocking()
  startWork()
  followUser()
  onPlace(visitPlace)
  onPlace(writeTitle)
  onLanguage(writeTitle)
  tabStore.subscribe(writeTitle)
  watchLeaving()
  // Beside the menus, and not after them.
  if (window.location.pathname !== homePath) fetchPages().catch(() => {})
  startPlaces({ guard: guardPlace, params: (path) => routeOf(path)?.params ?? {} })
  writeTitle()
  const was = gaveWay()
  if (was)
    import('./shell/window-taken-over.ts').then(({ tellWindowTakenOver }) => tellWindowTakenOver(was)).catch(() => {})
}

/** Reads the session once the page stands, and keeps it fresh. */
function useSessionLoad(): { known: boolean; problem: HttpProblem | undefined; again: () => void } {
  const session = useStore(sessionStore)
  const known = useStore(menusKnown)
  const [problem, setProblem] = useState<HttpProblem>()
  const locked = useStore(lockStore)
  const [turn, setTurn] = useState(0)
  useEffect(() => (accessToken() ? startRefreshing(sessionLost) : undefined), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: `turn` is the retry
  useEffect(() => {
    // A locked session is told nothing but who it is.
    if (!accessToken() || locked) return
    loadSession().then(
      () => {
        menusKnown.set(true)
        setProblem(undefined)
        // What the menus now say may add this path, or take it away.
        go(window.location.pathname + window.location.search, { replace: true })
      },
      (error: unknown) => error instanceof HttpProblem && setProblem(error),
    )
  }, [turn, locked])
  return { known: known && session !== null, problem, again: () => setTurn((now) => now + 1) }
}

function Content() {
  const t = useT()
  const locked = useStore(lockStore)
  const session = useStore(sessionStore)
  const { known, problem, again } = useSessionLoad()
  if (accessToken() && locked) {
    // Not hidden: taken down. What is hidden would still be in the document for whoever looks.
    return (
      <main id="main" className="main alone">
        <Boundary>
          <LoadedPage load={lockPage} />
        </Boundary>
      </main>
    )
  }
  if (!accessToken()) {
    return (
      <main id="main" className="main alone">
        <Panels />
      </main>
    )
  }
  if (known && session?.mustChange) {
    return (
      <main id="main" className="main alone">
        <Boundary>
          <LoadedPage load={firstPasswordPage} />
        </Boundary>
      </main>
    )
  }
  if (known && session?.switching?.choose && !session.mustChange && !session.mustSecond) {
    return (
      <main id="main" className="main alone">
        <Boundary>
          <LoadedPage load={workPage} />
        </Boundary>
      </main>
    )
  }
  if (known)
    return (
      <>
        <Frame />
        <ReasonHost />
      </>
    )
  return (
    <main id="main" className="main alone">
      {problem ? (
        <FailedPanel title={t('shell.startFailed')} text={problem.message} onRetry={again} />
      ) : (
        <PageSkeleton />
      )}
    </main>
  )
}

/** The whole console. */
export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <Boundary>
        <Content />
      </Boundary>
      <ToastHost />
      <ConfirmHost />
      <LiveRegions />
    </QueryClientProvider>
  )
}
