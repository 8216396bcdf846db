import { hearFirst } from './keys.ts'

/*
 * A form takes a moment to come. What somebody types meanwhile is meant for its first field: it is held, acts on nothing
 * that stands beneath, and is typed into the field that gets the focus.
 */

/** A form that has not come by then does not come: keys belong to the page again. */
const LIMIT = 5000

let held: { text: string; open: boolean; readonly at: number } | undefined

const isText = (target: EventTarget | null): target is HTMLInputElement | HTMLTextAreaElement =>
  target instanceof HTMLTextAreaElement ||
  (target instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'submit', 'file'].includes(target.type))

function drop(): void {
  held = undefined
  hearFirst(undefined)
  document.removeEventListener('focusin', onFocus, true)
  document.removeEventListener('pointerdown', drop, true)
}

function onFocus({ target }: FocusEvent): void {
  // A drawer takes the focus itself before its fields stand.
  if (target instanceof Element && target.matches('.ant-drawer, .ant-modal')) return
  const text = held?.text
  drop()
  if (!text || !isText(target)) return
  // After what the field itself does when it gets the focus.
  queueMicrotask(() => {
    if (document.activeElement === target) document.execCommand('insertText', false, text)
  })
}

/** Holds what is typed from now on until a field has the focus; a click, Esc or the focus elsewhere gives it up. */
export function holdTyping(): void {
  if (held) return
  held = { text: '', open: true, at: performance.now() }
  hearFirst(takeHeld)
  document.addEventListener('focusin', onFocus, true)
  document.addEventListener('pointerdown', drop, true)
}

/** Takes a key that is text of the form on its way; true when it did. */
function takeHeld(event: KeyboardEvent): boolean {
  if (!held || event.ctrlKey || event.metaKey || event.altKey) return false
  if (event.key === 'Escape' || isText(event.target) || performance.now() - held.at > LIMIT) {
    drop()
    return false
  }
  if (event.key === 'Backspace') held.text = held.text.slice(0, -1)
  // What comes after Tab or Enter is meant for a field that does not stand yet: better lost than in the wrong one.
  else if (event.key === 'Tab' || event.key === 'Enter') held.open = false
  else if (event.key.length === 1) held.text += held.open ? event.key : ''
  else return false
  event.preventDefault()
  return true
}
