import { useEffect, useRef } from 'react'
import { isPlain, keymapStore, keysOf, signKeys } from './keymap.ts'
import { readStored } from './stored.ts'

/*
 * Every key that the console hears, in one place: parts of a page register what they do with which key while they are
 * the ones worked with, and one listener hands each key to the first that wants it.
 */

/**
 * One thing that keys do. A chord is modifiers and a key joined by `+`: `Mod` is Ctrl, or ⌘ on a Mac; letters and
 * digits go by their place on the keyboard (`KeyJ`, `Digit1`), so that an input method or another layout changes
 * nothing; signs and named keys by what they are (`/`, `Enter`). Two chords with a space between are pressed in turn.
 */
export interface Binding {
  readonly keys: readonly string[]
  /** A key of words that says what it does; without one the sheet does not tell of it. */
  readonly label?: string
  /** What it does; false where it does not want the key after all. Without it, it is only told of: another part hears it. */
  readonly run?: (event: KeyboardEvent) => unknown
  /** Also while somebody types; without it only chords with Alt, and function keys. */
  readonly typing?: boolean
}

export interface KeyScope {
  /** A key of words that names the part of the page. */
  readonly name: string
  readonly bindings: readonly Binding[]
  /** Whether its chords with a modifier work while something modal is over the page; plain keys never do. */
  readonly over?: boolean
  /** It is what is over the page: all of its keys work while nothing else is over it. */
  readonly modal?: boolean
  /** Heard after all others, whenever it came. */
  readonly outer?: boolean
}

/** Scopes that are at work, the innermost last. */
const scopes: { current: () => KeyScope }[] = []

/** Whether the person has switched off the shortcuts of letters and signs without a modifier. */
export const areLettersOff = (): boolean => readStored<unknown>('shortcuts') === false

/** Whether keys belong to what has the focus, and not to the page. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.closest('textarea,select,[role=combobox],[role=listbox],[contenteditable]') !== null ||
      (target instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'submit'].includes(target.type)))
  )
}

/** How many modal things are over the page; a drawer that was closed stays in the document, without a box. */
const covers = (): number =>
  [...document.querySelectorAll('dialog[open], [aria-modal=true]')].filter((over) => over.getClientRects().length > 0)
    .length
/** Whether something modal is over the page. */
export const isCovered = (): boolean => covers() > 0

const modifiersOf = (event: KeyboardEvent): string =>
  `${event.ctrlKey || event.metaKey ? 'Mod+' : ''}${event.altKey ? 'Alt+' : ''}${event.shiftKey ? 'Shift+' : ''}`

/** Where signs stand that another layout, or an input method, gives other signs. */
const places: Readonly<Record<string, string>> = {
  Slash: '/',
  'Shift+Slash': '?',
  'Shift+Digit3': '#',
  Period: '.',
  BracketLeft: '[',
  BracketRight: ']',
}

/** The ways in which a key that was pressed may be written in a binding. */
export function chordsOf(event: KeyboardEvent): string[] {
  const modifiers = modifiersOf(event)
  if (signKeys.has(event.key)) return [event.altKey || event.ctrlKey || event.metaKey ? '' : event.key]
  // What the keyboard gives is a sign of another script: then the place counts.
  const foreign = event.key.length === 1 && event.key > '\u007f'
  const placed = foreign ? places[`${event.shiftKey ? 'Shift+' : ''}${event.code}`] : undefined
  if (placed && !event.altKey && !event.ctrlKey && !event.metaKey) return [placed]
  if (event.key === ' ') return [`${modifiers}Space`]
  return [`${modifiers}${event.code}`, ...(event.key.length > 1 ? [`${modifiers}${event.key}`] : [])]
}

const isFree = (chord: string): boolean => chord.startsWith('Alt+') || /^(Shift\+)?F[0-9]+$/.test(chord)

/** Pressed in turn: the first of two waits this long for the second. */
const TURN = 1200
let waiting: { readonly chord: string; readonly at: number } | undefined

function mayRun(scope: KeyScope, binding: Binding, chord: string, typing: boolean, over: number): boolean {
  // What is typed is text, also where a person has chosen a letter for what works while somebody types.
  if (typing && (!binding.typing || isPlain(chord)) && !isFree(chord)) return false
  const isCover = scope.modal === true && over === 1
  if (over > 0 && !isCover && !(scope.over && (isFree(chord) || chord.startsWith('Mod+')))) return false
  return !(isPlain(chord) && areLettersOff())
}

/** What is at work now, the innermost first. */
export function scopesNow(): KeyScope[] {
  const all = scopes.toReversed().map(({ current }) => current())
  return [...all.filter(({ outer }) => !outer), ...all.filter(({ outer }) => outer)]
}

/** What comes before all scopes: `hold` is set by `typed-ahead.ts` once that is loaded, the first page does without it. */
export const ahead: {
  /** Holds what is typed until what has been asked for stands. */
  hold?: () => void
  /** Takes the keys that it answers true of. */
  take?: ((event: KeyboardEvent) => boolean) | undefined
} = {}

/** Hands a key to whoever wants it; true when somebody did. */
export function handleKey(event: KeyboardEvent): boolean {
  // Keys of an input method at work are the input method's.
  if (event.defaultPrevented || event.isComposing || event.keyCode === 229) return false
  if (ahead.take?.(event)) return true
  const chords = chordsOf(event)
  const before = waiting && event.timeStamp - waiting.at < TURN ? waiting.chord : undefined
  if (!/^(Shift|Control|Alt|Meta)/.test(event.key)) waiting = undefined
  const wanted = [...(before ? chords.map((chord) => `${before} ${chord}`) : []), ...chords]
  const typing = isTyping(event.target)
  const over = covers()
  const chosen = keymapStore.get()
  let begins = false
  for (const scope of scopesNow()) {
    // Keys that the person chose come before those that a later version of the console gives to something else.
    const own = ({ label }: Binding): boolean => label !== undefined && Object.hasOwn(chosen, label)
    for (const binding of scope.bindings.toSorted((a, b) => Number(own(b)) - Number(own(a)))) {
      for (const keys of keysOf(binding.keys, binding.label, chosen)) {
        const last = keys.slice(keys.indexOf(' ') + 1)
        if (!binding.run || !mayRun(scope, binding, last, typing, over)) continue
        if (wanted.includes(keys)) {
          if (binding.run(event) === false) continue
          waiting = undefined
          event.preventDefault()
          return true
        }
        if (keys.includes(' ') && chords.includes(keys.slice(0, keys.indexOf(' ')))) begins = true
      }
    }
  }
  if (begins) waiting = { chord: chords[0]!, at: event.timeStamp }
  return false
}

const listen = (event: KeyboardEvent): void => {
  handleKey(event)
}

/** Hears keys while `active`. What it does is always that of the last render; a new `scope` registers nothing again. */
export function useKeys(active: boolean, scope: KeyScope): void {
  const now = useRef(scope)
  now.current = scope
  useEffect(() => {
    if (!active) return
    const entry = { current: () => now.current }
    if (scopes.length === 0) window.addEventListener('keydown', listen)
    scopes.push(entry)
    return () => {
      scopes.splice(scopes.indexOf(entry), 1)
      if (scopes.length === 0) window.removeEventListener('keydown', listen)
    }
  }, [active])
}
