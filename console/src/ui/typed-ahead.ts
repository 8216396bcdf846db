import { ahead } from './keys.ts'

/*
 * A form or a dialog takes a moment to come. What somebody types meanwhile is meant for its first field: it is held, acts
 * on nothing that stands beneath, and is typed into the field that gets the focus.
 */

/** What has not come by then does not come: keys belong to the page again. In milliseconds. */
const LIMIT = 5000

let text = ''
/** What comes after Tab or Enter is meant for a field that does not stand yet: better lost than in the wrong one. */
let isOver = false
let since = 0
/** What had the focus when it began, and is left with that. */
let left: Element | null

const isText = (target: EventTarget | null): boolean =>
  target instanceof HTMLTextAreaElement ||
  (target instanceof HTMLInputElement && !/^(checkbox|radio|button|submit|file)$/.test(target.type))

function drop(): void {
  ahead.take = undefined
  document.removeEventListener('focusin', onFocus, true)
  document.removeEventListener('pointerdown', drop, true)
}

function onFocus({ target }: FocusEvent): void {
  if (!(target instanceof HTMLElement)) return
  // A drawer takes the focus itself before its fields stand, and a dialog gives it to its corner first.
  const corner = target.closest('.modal-head') && target.closest('dialog')?.querySelector('input,textarea')
  if (corner || target.matches('.ant-drawer, .ant-modal')) return
  drop()
  // After what the field itself does when it gets the focus.
  if (text && isText(target))
    queueMicrotask(() => target === document.activeElement && document.execCommand('insertText', false, text))
}

/** Takes a key that is text of what is on its way; true when it did. */
function take(event: KeyboardEvent): boolean {
  const { key, target } = event
  if (event.ctrlKey || event.metaKey || event.altKey) return false
  if (key === 'Escape' || (isText(target) && target !== left) || performance.now() - since > LIMIT) {
    drop()
    return false
  }
  if (key === 'Backspace') text = text.slice(0, -1)
  else if (key === 'Tab' || key === 'Enter') isOver = true
  else if (key.length > 1) return false
  else if (!isOver) text += key
  event.preventDefault()
  return true
}

/** Holds what is typed from now on until a field has the focus; a click, Esc or the focus elsewhere gives it up. */
export function holdTyping(): void {
  // What is held already is of the same way: a list asks for the form before the form itself does.
  if (ahead.take) return
  text = ''
  isOver = false
  since = performance.now()
  left = document.activeElement
  ahead.take = take
  document.addEventListener('focusin', onFocus, true)
  document.addEventListener('pointerdown', drop, true)
}

ahead.hold = holdTyping
