import {
  type AnchorHTMLAttributes,
  createContext,
  createElement,
  type MouseEvent,
  useContext,
  useSyncExternalStore,
} from 'react'

/** Where the person is: the path without its query, what the route's pattern took from it, and the query. */
export interface Place {
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
}

interface History {
  /** May send a navigation elsewhere; undefined lets it pass. */
  guard: (path: string, full: string) => string | undefined
  params: (path: string) => Readonly<Record<string, string>>
}

const rules: History = { guard: () => undefined, params: () => ({}) }
const listeners = new Set<() => void>()
let now: Place = read()

function read(): Place {
  const { pathname, search } = window.location
  return { path: pathname, params: rules.params(pathname), query: new URLSearchParams(search) }
}

function tell(): void {
  now = read()
  for (const listener of [...listeners]) listener()
}

/** The parts of `path` that a pattern names (`/task/:id`), or undefined when it does not match. */
export function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const wanted = pattern.split('/')
  const given = path.split('/')
  if (wanted.length !== given.length) return undefined
  const params: Record<string, string> = {}
  for (const [at, part] of wanted.entries()) {
    const value = given[at] ?? ''
    if (part.startsWith(':')) params[part.slice(1)] = decodeURIComponent(value)
    else if (part !== value) return undefined
  }
  return params
}

/** Starts the history; the guard is asked before every step, the browser's own back and forward included. */
export function startPlaces(given: Partial<History>): void {
  Object.assign(rules, given)
  window.addEventListener('popstate', () => {
    const elsewhere = rules.guard(window.location.pathname, window.location.pathname + window.location.search)
    if (elsewhere !== undefined) go(elsewhere, { replace: true })
    else tell()
  })
  go(window.location.pathname + window.location.search, { replace: true })
}

export const place = (): Place => now

export function onPlace(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * Goes to a path of the console. A query parameter `target` opens it in a new window instead (R-NAV-5); the first
 * page of a window has nowhere else to open, so there the parameter is only taken away.
 */
export function go(to: string, { replace = false }: { replace?: boolean } = {}): void {
  const url = new URL(to, window.location.origin)
  if (url.origin !== window.location.origin) return
  if (url.searchParams.has('target')) {
    url.searchParams.delete('target')
    if (!replace) {
      window.open(url.pathname + url.search, '_blank', 'noopener')
      return
    }
  }
  const elsewhere = rules.guard(url.pathname, url.pathname + url.search)
  if (elsewhere !== undefined) {
    const next = new URL(elsewhere, window.location.origin)
    if (next.pathname !== url.pathname) {
      go(elsewhere, { replace: true })
      return
    }
  }
  const next = url.pathname + url.search
  const here = window.location.pathname + window.location.search
  if (replace || next === here) window.history.replaceState(null, '', next)
  else window.history.pushState(null, '', next)
  tell()
}

export type QueryPatch = Record<string, string | number | null | undefined>

function patched(query: URLSearchParams, patch: QueryPatch): URLSearchParams {
  const next = new URLSearchParams(query)
  for (const [key, value] of Object.entries(patch)) {
    if (value === null || value === undefined || value === '') next.delete(key)
    else next.set(key, String(value))
  }
  return next
}

/**
 * Changes parameters of the query and keeps the others; null, undefined and '' take one away. `replace` for filters,
 * sort and page number, a step in the history (the default) for a place such as an opened record. With `path`, nothing
 * happens once that page is not the one shown: a late timer of a hidden tab must not write into another page's address.
 */
export function setQuery(
  patch: QueryPatch,
  { replace = false, path }: { replace?: boolean; path?: string } = {},
): void {
  if (path !== undefined && path !== now.path) return
  const query = patched(now.query, patch)
  if (query.toString() === now.query.toString()) return
  go(query.toString() ? `${now.path}?${query}` : now.path, { replace })
}

/** What a page inside a tab knows of its tab. */
export interface TabHandle {
  readonly key: string
  readonly subscribe: (listener: () => void) => () => void
  /** The tab's own place: while the tab is hidden it stays what it was. */
  readonly place: () => Place
  readonly active: () => boolean
  /** Marks the tab as holding changes that are not saved; closing it then asks. */
  readonly setDirty: (dirty: boolean) => void
  /** The name of the record that the tab shows, beside the page's own label. */
  readonly setName: (text: string) => void
}

export const TabContext = createContext<TabHandle | null>(null)

/** The place of the tab that the component is in; outside any tab, of the window. */
export function usePlace(): Place {
  const tab = useContext(TabContext)
  return useSyncExternalStore(tab?.subscribe ?? onPlace, tab?.place ?? place)
}

const nothing = () => {}
const always = () => true

export function useTab(): { active: boolean; setDirty: (dirty: boolean) => void; setName: (text: string) => void } {
  const tab = useContext(TabContext)
  const active = useSyncExternalStore(tab?.subscribe ?? onPlace, tab?.active ?? always)
  return { active, setDirty: tab?.setDirty ?? nothing, setName: tab?.setName ?? nothing }
}

export interface LinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  to: string
  replace?: boolean
}

/** A real link: middle click, a modifier key and copying its address work as anywhere. */
export function Link({ to, replace, onClick, ...rest }: LinkProps) {
  return createElement('a', {
    ...rest,
    href: to,
    onClick: (event: MouseEvent<HTMLAnchorElement>) => {
      onClick?.(event)
      if (event.defaultPrevented || event.button !== 0 || rest.target === '_blank') return
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
      event.preventDefault()
      go(to, { replace })
    },
  })
}
