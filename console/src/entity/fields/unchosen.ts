import { type FormStore, sameValue } from '../../ui/form/store.ts'
import { sayBilingual } from './validate.ts'

/** A text that was typed into a list and chose nothing, and what is chosen there all the same. */
interface Unchosen {
  readonly text: string
  readonly value: unknown
  /** How many acts there had been when it was left. */
  readonly act: number
}

type Texts = ReadonlyMap<string, Unchosen>

const unchosen = new WeakMap<FormStore, Texts>()
/** What the last save waited for. */
const held = new WeakMap<FormStore, Texts>()
/** What of that has gone from its list, which was left for the button that saves. */
const lost = new WeakMap<FormStore, Map<string, string>>()

/** Counts keys and clicks: a list that is left by clicking on Save is left in the act that saves. */
let acts = 0
for (const kind of ['keydown', 'pointerdown']) addEventListener(kind, () => (acts += 1), true)

/** Keeps that a text was typed into the list of a field, and left without anything being chosen by it. */
export function noteUnchosen(form: FormStore, name: string, text: string): void {
  const texts = unchosen.get(form) ?? []
  unchosen.set(form, new Map([...texts, [name, { text, value: form.value(name), act: acts }]]))
}

/** What was typed into the list of a field that a save waits for, once: it stands there again with the focus. */
export function takeHeldText(form: FormStore, name: string): string | undefined {
  const texts = lost.get(form)
  const text = texts?.get(name)
  texts?.delete(name)
  return text
}

/** Begins anew, as with another row. */
export function forgetUnchosen(form: FormStore): void {
  unchosen.delete(form)
  held.delete(form)
  lost.delete(form)
}

/**
 * Whether a save has to wait: somebody typed into a list, chose nothing, and saves. The field says so once; whoever saves
 * again means what is chosen there. A list that still has the focus, as with a key that saves, counts as well. With
 * `isTold`, a list that was left before counts no more: a message has said that nothing was chosen.
 */
export function holdUnchosen(form: FormStore, root: HTMLElement | null, isTold = false): boolean {
  const input = document.activeElement
  let at: string | undefined
  if (input instanceof HTMLInputElement && input.role === 'combobox' && root?.contains(input) && input.value.trim()) {
    const name = input.closest<HTMLElement>('[data-field]')?.dataset.field
    if (name !== undefined) noteUnchosen(form, name, input.value.trim())
    at = name
  }
  const before = held.get(form)
  const texts = [...(unchosen.get(form) ?? [])].filter(
    ([name, { text, value, act }]) =>
      (act === acts || !isTold) && sameValue(value, form.value(name)) && before?.get(name)?.text !== text,
  )
  forgetUnchosen(form)
  if (texts.length === 0) return false
  held.set(form, new Map(texts))
  lost.set(form, new Map(texts.flatMap(([name, { text }]) => (name === at ? [] : [[name, text]]))))
  for (const [name, { text }] of texts) form.setWrong(name, sayBilingual('form.unchosen', { text }))
  return true
}
