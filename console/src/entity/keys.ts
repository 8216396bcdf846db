import { type RefObject, useEffect } from 'react'

/** What the keys of a list do; names as in the keyboard map. */
export interface ListKeys {
  quick(): void
  add(): void
  move(step: 1 | -1, extend: boolean): void
  edge(last: boolean): void
  tick(): void
  tickPage(): void
  view(): void
  edit(): void
  remove(): void
  page(step: 1 | -1): void
  reload(): void
  escape(): void
}

/** Whether keys belong to what has the focus, and not to the page. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.closest('textarea,select,[role=combobox],[role=listbox],[contenteditable]') !== null ||
      (target instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'submit'].includes(target.type)))
  )
}

const letters: Readonly<Record<string, (keys: ListKeys) => void>> = {
  KeyN: (keys) => keys.add(),
  KeyJ: (keys) => keys.move(1, false),
  KeyK: (keys) => keys.move(-1, false),
  KeyX: (keys) => keys.tick(),
  KeyE: (keys) => keys.edit(),
  KeyR: (keys) => keys.reload(),
}

const named: Readonly<Record<string, (keys: ListKeys, event: KeyboardEvent) => void>> = {
  '/': (keys) => keys.quick(),
  '#': (keys) => keys.remove(),
  Delete: (keys) => keys.remove(),
  ArrowDown: (keys, event) => keys.move(1, event.shiftKey),
  ArrowUp: (keys, event) => keys.move(-1, event.shiftKey),
  Home: (keys) => keys.edge(false),
  End: (keys) => keys.edge(true),
  Enter: (keys) => keys.view(),
  PageDown: (keys) => keys.page(1),
  PageUp: (keys) => keys.page(-1),
  Escape: (keys) => keys.escape(),
}

/** Keys that a focused button or link has its own use for. */
const owned = new Set(['Enter', ' '])

/** Hands a key to the list; true when it was one of its own. */
export function handleKey(keys: ListKeys, event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing || event.keyCode === 229 || event.altKey) return false
  const target = event.target as HTMLElement | null
  if (isTyping(target)) return false
  if (event.ctrlKey || event.metaKey) {
    if (event.code !== 'KeyA' || event.shiftKey) return false
    keys.tickPage()
    return true
  }
  if (owned.has(event.key) && target?.closest('a,button,input,summary')) return false
  if (event.key === ' ') {
    keys.tick()
    return true
  }
  // Letters by their place on the keyboard, so that an input method or another layout changes nothing.
  const run = named[event.key] ?? (event.shiftKey ? undefined : letters[event.code])
  if (!run) return false
  run(keys, event)
  return true
}

/** Whether something modal is over the page; a drawer that was closed stays in the document, without a box. */
function isCovered(): boolean {
  return [...document.querySelectorAll('dialog[open], [aria-modal=true]')].some(
    (over) => over.getClientRects().length > 0,
  )
}

/** Listens while the page is the one shown and nothing modal is over it. */
export function useListKeys(active: boolean, keys: RefObject<ListKeys>): void {
  useEffect(() => {
    if (!active) return
    const press = (event: KeyboardEvent) => {
      if (isCovered()) return
      if (handleKey(keys.current, event)) event.preventDefault()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [active, keys])
}
