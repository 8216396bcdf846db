import { createStore, useStore } from './store.ts'
import { readStored, storedKey, writeStored } from './stored.ts'

/* The keys that a person has put in the place of others (WCAG 2.1.4), by the label of what they do. */

export type Keymap = Readonly<Record<string, string>>

const kept = 'keymap'

/** Signs that are known by what they are, whatever key gives them. */
export const signKeys: ReadonlySet<string> = new Set(['/', '?', '#', '.', '[', ']'])

const chord = /^(Mod\+)?(Alt\+)?(Shift\+)?(Key[A-Z]|Digit[0-9]|F([1-9]|1[0-2]))$/

/** Whether it is a letter, a digit or a sign without Ctrl or Alt. */
export const isPlain = (keys: string): boolean => signKeys.has(keys) || /^(Shift\+)?(Key[A-Z]|Digit[0-9])$/.test(keys)

/** Whether keys can be chosen at all: one chord, or two plain keys in turn. */
export function isChoice(keys: string): boolean {
  const [first = '', second, ...more] = keys.split(' ')
  if (second === undefined) return signKeys.has(first) || chord.test(first)
  return more.length === 0 && isPlain(first) && isPlain(second)
}

/** What the browser keeps, without what another version or another hand has left there that is no choice. */
function read(): Keymap {
  const found = readStored<unknown>(kept)
  if (typeof found !== 'object' || found === null || Array.isArray(found)) return {}
  return Object.fromEntries(
    Object.entries(found).filter((pair): pair is [string, string] => typeof pair[1] === 'string' && isChoice(pair[1])),
  )
}

export const keymapStore = createStore<Keymap>(read())

// What is chosen in one tab of the browser holds in all.
window.addEventListener('storage', ({ key }) => {
  if (key === storedKey(kept)) keymapStore.set(read())
})

/** Puts keys in the place of others, at once and from now on. */
export function keepKeymap(next: Keymap): void {
  writeStored(kept, next)
  keymapStore.set(next)
}

/**
 * The one of a binding's keys that a person may replace: a letter or sign where there is one, else a chord. Arrows,
 * Enter, Delete and their like stay what they are everywhere, and so do the numbers of the tabs.
 */
export function ownKey(keys: readonly string[]): string | undefined {
  const choices = keys.filter((each) => isChoice(each) && !/^Alt\+Digit/.test(each))
  return choices.find((each) => isPlain(each) || each.includes(' ')) ?? choices[0]
}

/** The keys that do it, with the person's own among them. */
export function keysOf(keys: readonly string[], label: string | undefined, map = keymapStore.get()): readonly string[] {
  const chosen = label !== undefined && Object.hasOwn(map, label) ? map[label] : undefined
  const own = chosen === undefined ? undefined : ownKey(keys)
  return own === undefined ? keys : keys.map((each) => (each === own ? chosen! : each))
}

const mac = /Mac|iPhone|iPad/.test(navigator.userAgent)
const drawn: Readonly<Record<string, string>> = {
  Mod: mac ? '⌘' : 'Ctrl',
  Alt: mac ? '⌥' : 'Alt',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
  PageUp: 'PgUp',
  PageDown: 'PgDn',
}

/** A chord as it is printed on the keys: each key of each chord. */
export function printedKeys(keys: string): string[][] {
  return keys
    .split(' ')
    .map((each) =>
      (signKeys.has(each) ? [each] : each.split('+')).map((key) => drawn[key] ?? key.replace(/^(Key|Digit)/, '')),
    )
}

export interface KeyHint {
  /** For `aria-keyshortcuts`, which has no way to tell of keys in turn. */
  readonly aria: string | undefined
  /** As a person reads it. */
  readonly text: string
}

/** What a control says of the keys that do the same as it. */
export function useKeyHint(keys: string, label: string): KeyHint {
  const map = useStore(keymapStore)
  const now = keysOf([keys], label, map)[0]!
  const text = printedKeys(now)
    .map((each) => each.join(mac && each[0] === '⌘' ? '' : each[0] === 'Ctrl' ? ' ' : '+'))
    .join(' ')
  if (now.includes(' ')) return { aria: undefined, text }
  const plain = now.replace(/(Key|Digit)(?=.$)/, '').replace(/^[A-Z]$/, (letter) => letter.toLowerCase())
  const aria = plain.startsWith('Mod+') ? `Control+${plain.slice(4)} Meta+${plain.slice(4)}` : plain
  return { aria, text }
}
