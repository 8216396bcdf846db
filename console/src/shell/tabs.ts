import { countVisit } from '../session/visits.ts'
import { createStore, useStore } from '../ui/store.ts'
import { readStored, writeStored } from '../ui/stored.ts'
import { useT } from '../ui/words.ts'
import type { RouteMeta } from './page.ts'

/** An open page. The label is a key of words, never a text: a change of language reaches it. */
export interface Tab {
  label: string
  /** The path: what makes it this tab. */
  value: string
  params: Readonly<Record<string, string>>
  /** As text, without the question mark. */
  query: string
  meta: RouteMeta
  /** The code of the menu entry it belongs to. */
  group: string
  pinned?: boolean
}

/** What is known of a tab only while this page lives. */
export interface TabState {
  dirty?: boolean
  /** Name of the record shown; not stored, because it is personal. */
  name?: string
  /** Counts the refreshes: another number is another page. */
  turn?: number
}

export interface OpenTabs {
  list: readonly Tab[]
  active: string
  /** Paths of the tabs kept alive, the last used first. */
  alive: readonly string[]
  states: Readonly<Record<string, TabState>>
  closed: readonly Tab[]
}

/** So many tabs keep their page; older ones are made again from their address and drafts. */
export const aliveAtMost = 12

const empty: OpenTabs = { list: [], active: '', alive: [], states: {}, closed: [] }

export const tabStore = createStore<OpenTabs>(empty)

tabStore.subscribe(() => {
  const { list, active } = tabStore.get()
  writeStored('tabs', { list, active }, sessionStorage)
})

/** Whether the row of open pages is shown; where it is not, its count stands beside the bell. */
export const stripStore = createStore<'shown' | 'hidden'>(readStored('tab-strip') === 'hidden' ? 'hidden' : 'shown')

export function setStrip(next: 'shown' | 'hidden'): void {
  writeStored('tab-strip', next)
  stripStore.set(next)
}

/** The words of a tab: its page's label, or the name of the record it shows. */
export function useTabName(): (tab: Tab) => string {
  const t = useT()
  const { states } = useStore(tabStore)
  return (tab) => states[tab.value]?.name ?? t(tab.label)
}

/** The tabs as they were before a reload, with home first. */
export function restoreTabs(home: Tab): void {
  const kept = readStored<Pick<OpenTabs, 'list' | 'active'>>('tabs', sessionStorage)
  const others = kept?.list.filter((tab) => tab.value !== home.value) ?? []
  tabStore.set({
    ...empty,
    list: [kept?.list.find((tab) => tab.value === home.value) ?? home, ...others],
    active: kept?.active ?? home.value,
  })
}

function alive(list: readonly Tab[], before: readonly string[], active: string): string[] {
  const keeps = (path: string) => path === active || list.find((tab) => tab.value === path)?.meta.keepAlive !== false
  const open = before.filter((path) => path !== active && list.some((tab) => tab.value === path))
  // What is framed cannot be made again as it was left.
  return [active, ...open].filter(keeps).filter((path, at) => at < aliveAtMost || path.startsWith('/myiframe/'))
}

/** Whether a visit becomes a tab: not when meta isTab is false, nor without a label or a path. */
export const becomesTab = (tab: Pick<Tab, 'label' | 'value' | 'meta'>): boolean =>
  tab.meta.isTab !== false && tab.label !== '' && tab.value !== ''

/** Opens the tab of a visit, or brings it to the front with its new query. */
export function visitTab(tab: Tab): void {
  if (!becomesTab(tab)) return
  if (tabStore.get().active !== tab.value) countVisit(tab.value)
  tabStore.set((now) => {
    const known = now.list.find((other) => other.value === tab.value)
    const list = known
      ? now.list.map((other) => (other === known ? { ...known, params: tab.params, query: tab.query } : other))
      : [...now.list, tab]
    return { ...now, list, active: tab.value, alive: alive(list, now.alive, tab.value) }
  })
}

/** The first tab is never closed, a pinned one only by its own command. */
export const isClosable = (tabs: OpenTabs, value: string): boolean =>
  tabs.list.length > 1 && tabs.list[0]?.value !== value

/** Keeps only the tabs that `keep` wants, and those that cannot be closed; answers the path to show. */
function keepOnly(keep: (tab: Tab, at: number) => boolean): string {
  tabStore.set((now) => {
    const list = now.list.filter((tab, at) => !isClosable(now, tab.value) || keep(tab, at))
    const gone = now.list.filter((tab) => !list.includes(tab))
    const at = now.list.findIndex((tab) => tab.value === now.active)
    const next =
      list.find((tab) => tab.value === now.active) ?? now.list.slice(0, at).findLast((tab) => list.includes(tab))
    const active = next?.value ?? list[0]?.value ?? ''
    const states = Object.fromEntries(
      Object.entries(now.states).filter(([path]) => list.some((tab) => tab.value === path)),
    )
    return {
      ...now,
      list,
      active,
      states,
      alive: alive(list, now.alive, active),
      closed: [...now.closed, ...gone].slice(-10),
    }
  })
  const { active } = tabStore.get()
  return addressOf(active)
}

/** The address of an open tab, its query included. */
export function addressOf(value: string): string {
  const query = tabStore.get().list.find((tab) => tab.value === value)?.query
  return query ? `${value}?${query}` : value
}

// Each of these answers the address that is to be shown afterwards.
export const closeTab = (value: string): string => keepOnly((tab) => tab.value !== value)
export const closeOthers = (value: string): string => {
  keepOnly((tab) => tab.value === value || tab.pinned === true)
  return addressOf(value)
}
export const closeRight = (value: string): string => {
  const from = tabStore.get().list.findIndex((tab) => tab.value === value)
  return keepOnly((tab, at) => at <= from || tab.pinned === true)
}
/** Closes everything and returns to the first tab, home. */
export const closeAll = (): string => {
  keepOnly((tab) => tab.pinned === true)
  return addressOf(tabStore.get().list[0]?.value ?? '/')
}

/** The tabs that a command would close and that hold unsaved changes. */
export const dirtyAmong = (values: readonly string[]): string[] =>
  values.filter((value) => tabStore.get().states[value]?.dirty === true)

/** Moves a tab one place; the first tab stays first. */
export function moveTab(value: string, by: -1 | 1): void {
  tabStore.set((now) => {
    const from = now.list.findIndex((tab) => tab.value === value)
    const to = from + by
    const tab = now.list[from]
    if (!tab || from < 1 || to < 1 || to >= now.list.length) return now
    const rest = now.list.filter((other) => other !== tab)
    return { ...now, list: [...rest.slice(0, to), tab, ...rest.slice(to)] }
  })
}

export function setTabState(value: string, patch: TabState): void {
  tabStore.set((now) => {
    const before = now.states[value] ?? {}
    if (Object.entries(patch).every(([key, part]) => before[key as keyof TabState] === part)) return now
    return { ...now, states: { ...now.states, [value]: { ...before, ...patch } } }
  })
}

export function pinTab(value: string, pinned: boolean): void {
  tabStore.set((now) => ({ ...now, list: now.list.map((tab) => (tab.value === value ? { ...tab, pinned } : tab)) }))
}

/** Makes the page of a tab again, from its address. */
export function refreshTab(value: string): void {
  setTabState(value, { turn: (tabStore.get().states[value]?.turn ?? 0) + 1, dirty: false })
}

/** The tab closed last, taken off the list of closed ones. */
export function takeClosedTab(): Tab | undefined {
  const last = tabStore.get().closed.at(-1)
  if (last) tabStore.set((now) => ({ ...now, closed: now.closed.slice(0, -1) }))
  return last
}

/** After log-out: nothing is open. */
export const resetTabs = (): void => tabStore.set(empty)
