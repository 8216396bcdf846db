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

const fromWindow = (): string => window.location.pathname + window.location.search
/** The address as it is meant: the window's own may be a moment behind. */
let address = fromWindow()

/** What the history keeps of one of its entries: how deep it stands, and by which parameters it was opened. */
interface Entry {
  readonly depth: number
  /** Where it stands over the same page: a record over its list is known by its id. */
  readonly over?: readonly string[] | undefined
}
const entryOf = (state: unknown): Entry =>
  typeof (state as Entry | null)?.depth === 'number' ? (state as Entry) : { depth: 0 }
let entry = entryOf(window.history.state)

/** Browsers count the writes: a key that is held down may not write more often than this. */
const PAUSE = 300
let rest: ReturnType<typeof setTimeout> | undefined
let behind = false

function write(): void {
  behind = false
  window.history.replaceState(entry, '', address)
}

/** Writes the address now, or a little later where it was just written. */
function writeSoon(): void {
  behind = true
  if (rest !== undefined) return
  write()
  rest = setTimeout(() => {
    rest = undefined
    if (behind) writeSoon()
  }, PAUSE)
}

let now: Place = read()

function read(): Place {
  const { pathname, search } = new URL(address, window.location.origin)
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
  window.addEventListener('popstate', (event) => {
    const left = entry
    entry = entryOf(event.state)
    behind = false
    address = fromWindow()
    const elsewhere = rules.guard(window.location.pathname, address)
    if (elsewhere !== undefined) go(elsewhere, { replace: true })
    else if (carry(left)) window.history.back()
    else tell()
  })
  window.addEventListener('pagehide', () => behind && write())
  go(fromWindow(), { replace: true })
}

/**
 * Between a page and what was opened over it, a step in the history opens or closes that and nothing else: filters that
 * were set meanwhile stay as they are. Answers whether nothing was left to close, so that the step would be none.
 */
function carry(left: Entry): boolean {
  if (new URL(address, window.location.origin).pathname !== now.path) return false
  const over = entry.depth === left.depth - 1 ? left.over : entry.depth === left.depth + 1 ? entry.over : undefined
  if (!over) return false
  const query = new URLSearchParams(now.query)
  const there = read().query
  for (const key of over) {
    const value = there.get(key)
    if (value === null) query.delete(key)
    else query.set(key, value)
  }
  address = query.toString() ? `${now.path}?${query}` : now.path
  write()
  return entry.depth < left.depth && entry.depth > 0 && query.toString() === now.query.toString()
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
export function go(
  to: string,
  {
    replace = false,
    soon = false,
    over,
  }: { replace?: boolean; soon?: boolean; over?: readonly string[] | undefined } = {},
): void {
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
  if (replace || next === address) {
    if (url.pathname !== now.path) entry = { depth: entry.depth }
    address = next
    if (soon) writeSoon()
    else write()
  } else {
    if (behind) write()
    entry = { depth: entry.depth + 1, over }
    address = next
    window.history.pushState(entry, '', next)
  }
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
 * sort and page number, a step in the history (the default) for a place such as an opened record. `soon` for what
 * changes in bursts: the page follows at once, and the browser's address a moment later. With `path`, nothing happens
 * once that page is not the one shown: a late timer of a hidden tab must not write into another page's address.
 */
export function setQuery(
  patch: QueryPatch,
  { replace = false, soon = false, path }: { replace?: boolean; soon?: boolean; path?: string } = {},
): void {
  if (path !== undefined && path !== now.path) return
  const query = patched(now.query, patch)
  if (query.toString() === now.query.toString()) return
  const over = Object.keys(patch)
  // What was closed here leaves its entry to what is opened next.
  const isFree =
    entry.over?.every((key) => !now.query.has(key)) === true && over.every((key) => entry.over?.includes(key))
  go(query.toString() ? `${now.path}?${query}` : now.path, { replace: replace || isFree, soon, over })
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
