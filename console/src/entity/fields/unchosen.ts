import { type FormStore, sameValue } from '../../ui/form/store.ts'
import { sayBilingual } from './validate.ts'

/** A text that was typed into a list and chose nothing, and what is chosen there all the same. */
interface Unchosen {
  readonly text: string
  readonly value: unknown
}

type Texts = ReadonlyMap<string, Unchosen>

const unchosen = new WeakMap<FormStore, Texts>()
/** What the last save waited for. */
const held = new WeakMap<FormStore, Texts>()

/** Keeps that a text was typed into the list of a field, and left without anything being chosen by it. */
export function noteUnchosen(form: FormStore, name: string, text: string): void {
  unchosen.set(form, new Map([...(unchosen.get(form) ?? []), [name, { text, value: form.value(name) }]]))
}

/** Begins anew. */
function forgetUnchosen(form: FormStore): void {
  unchosen.delete(form)
  held.delete(form)
}

/**
 * Whether a save has to wait: somebody typed into a list, chose nothing, and saves. The field says so once; whoever saves
 * again means what is chosen there. A list that still has the focus, as with a key that saves, counts as well.
 */
export function holdUnchosen(form: FormStore, root: HTMLElement | null): boolean {
  const input = document.activeElement
  if (input instanceof HTMLInputElement && input.role === 'combobox' && root?.contains(input) && input.value.trim()) {
    const name = input.closest<HTMLElement>('[data-field]')?.dataset.field
    if (name !== undefined) noteUnchosen(form, name, input.value.trim())
  }
  const before = held.get(form)
  const texts = [...(unchosen.get(form) ?? [])].filter(
    ([name, { text, value }]) => sameValue(value, form.value(name)) && before?.get(name)?.text !== text,
  )
  forgetUnchosen(form)
  if (texts.length === 0) return false
  held.set(form, new Map(texts))
  for (const [name, { text }] of texts) form.setWrong(name, sayBilingual('form.unchosen', { text }))
  return true
}
