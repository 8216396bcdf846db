import { useMemo } from 'react'
import { allNodes, menuStore } from '../session/menus.ts'
import { noticesPath } from '../session/unread.ts'
import { type Binding, isCovered, useKeys } from '../ui/keys.ts'
import { go } from '../ui/place.ts'
import { useStore } from '../ui/store.ts'
import { tellUnloaded } from '../ui/unloaded.ts'
import { language, setLanguage } from '../ui/words.ts'
import { openDialog } from './dialogs.tsx'
import { closePalette, openPalette, paletteStore } from './palette-store.ts'
import { homePath, routeOf } from './routes.ts'
import { closeAsking } from './tab-close.ts'
import { addressOf, closeTab, isClosable, refreshTab, tabStore, takeClosedTab } from './tabs.ts'

/** Pages that two letters lead to: by a path, or by the code of a menu entry. */
const places: readonly { keys: string; label: string; path?: string; code?: string }[] = [
  { keys: 'KeyG KeyH', label: 'keys.home', path: homePath },
  { keys: 'KeyG KeyB', label: 'keys.dashboard', path: '/wel/dashboard' },
  { keys: 'KeyG KeyS', label: 'keys.students', code: 'student' },
  { keys: 'KeyG KeyC', label: 'keys.classes', code: 'schoolclass' },
  { keys: 'KeyG KeyK', label: 'keys.timetable', code: 'classschedule' },
  { keys: 'KeyG KeyT', label: 'keys.todo', code: 'worktodo' },
  { keys: 'KeyG KeyN', label: 'keys.notices', path: noticesPath },
]

function step(by: 1 | -1): void {
  const { list, active } = tabStore.get()
  const at = list.findIndex((tab) => tab.value === active)
  const next = list[(at + by + list.length) % list.length]
  if (next) go(addressOf(next.value))
}

const digits = [1, 2, 3, 4, 5, 6, 7, 8, 9]

/** The parts of the window, in the order in which F6 goes through them. */
const regions = ['.header', '.sidebar', '.tab-strip', '#main', '#main aside.detail']
const focusable = 'a[href],button:not(:disabled),input:not(:disabled),select,textarea,[tabindex="0"]'

const isShown = (element: Element): boolean => element.getClientRects().length > 0

/** Brings the focus into the next part of the window; false where something modal holds it. */
export function nextRegion(by: 1 | -1): boolean {
  if (isCovered()) return false
  const parts = regions
    .map((region) => [...document.querySelectorAll<HTMLElement>(region)].find(isShown))
    .filter((part) => part !== undefined)
  const now = parts.findLastIndex((part) => part.contains(document.activeElement))
  const part = parts[(Math.max(now, by > 0 ? -1 : 0) + by + parts.length) % parts.length]
  if (!part) return false
  // The part's own place first: the chosen tab, the entry of the page shown; the page itself takes the focus whole.
  const inside = part.id === 'main' ? [] : [...part.querySelectorAll<HTMLElement>(focusable)].filter(isShown)
  const current = inside.find((one) => one.matches('[aria-selected=true],[aria-current]'))
  ;(current ?? inside[0] ?? part).focus()
  return true
}

/** Keys that work everywhere in the shell. */
export function useShellKeys(toggleSidebar: () => void): void {
  const menus = useStore(menuStore)
  const goes = useMemo(
    () =>
      places.flatMap(({ keys, label, path, code }): Binding[] => {
        const to = path ?? allNodes(menus).find((node) => node.code === code)?.path
        return to && routeOf(to) ? [{ keys: [keys], label, run: () => go(addressOf(to)) }] : []
      }),
    [menus],
  )
  const bindings: Binding[] = [
    {
      keys: ['Mod+KeyK'],
      label: 'keys.palette',
      typing: true,
      run: () => (paletteStore.get() ? closePalette() : openPalette()),
    },
    { keys: ['?'], label: 'keys.sheet', run: () => openDialog('keys') },
    ...goes,
    { keys: ['Alt+Digit1'], label: 'keys.tab', run: () => toTab(1) },
    ...digits.slice(1).map((n): Binding => ({ keys: [`Alt+Digit${n}`], run: () => toTab(n) })),
    { keys: ['['], label: 'keys.previousTab', run: () => step(-1) },
    { keys: [']'], label: 'keys.nextTab', run: () => step(1) },
    {
      keys: ['Alt+KeyW'],
      label: 'keys.closeTab',
      run: () => {
        const { active: value } = tabStore.get()
        if (isClosable(tabStore.get(), value)) void closeAsking([value], () => closeTab(value))
      },
    },
    {
      keys: ['Alt+Shift+KeyT'],
      label: 'keys.reopenTab',
      run: () => {
        const tab = takeClosedTab()
        if (tab) go(tab.query ? `${tab.value}?${tab.query}` : tab.value)
      },
    },
    { keys: ['Alt+KeyR'], label: 'keys.refreshTab', run: () => refreshTab(tabStore.get().active) },
    { keys: ['Alt+KeyS'], label: 'keys.sidebar', run: toggleSidebar },
    { keys: ['Alt+KeyL'], label: 'keys.lock', run: () => openDialog('lock') },
    { keys: ['Alt+KeyT'], label: 'keys.theme', run: () => openDialog('themes') },
    { keys: ['Alt+KeyG'], label: 'keys.language', run: () => void setLanguage(language() === 'zh' ? 'en' : 'zh') },
    {
      keys: ['Mod+KeyZ'],
      label: 'keys.undo',
      run: () => void import('../ui/undo.ts').then(({ undoLast }) => undoLast(), tellUnloaded),
    },
    { keys: ['F6'], label: 'keys.region', run: () => nextRegion(1) },
    { keys: ['Shift+F6'], label: 'keys.regionBack', run: () => nextRegion(-1) },
  ]
  useKeys(true, { name: 'keys.anywhere', over: true, outer: true, bindings })
}

function toTab(n: number): boolean {
  const tab = tabStore.get().list[n - 1]
  if (tab) go(addressOf(tab.value))
  return true
}
