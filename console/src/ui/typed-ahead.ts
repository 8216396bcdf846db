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
/** Gives up what is on its way. */
let off: (() => void) | undefined

const isText = (target: EventTarget | null): boolean =>
  target instanceof HTMLTextAreaElement ||
  (target instanceof HTMLInputElement && !/^(checkbox|radio|button|submit|file)$/.test(target.type))

function drop(): void {
  ahead.take = undefined
  document.removeEventListener('focusin', onFocus, true)
  document.removeEventListener('pointerdown', drop, true)
  window.removeEventListener('popstate', drop)
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

/** Keys that would do something with what stands beneath. */
const ofPage = /^(Delete|Insert|Home|End|Page|Arrow)/

const isLate = (): boolean => performance.now() - since > LIMIT

/** Takes a key that is text of what is on its way; true when it did. */
function take(event: KeyboardEvent): boolean {
  const { key, target } = event
  if (event.ctrlKey || event.metaKey || event.altKey) return false
  if (isText(target) && target !== left) {
    drop()
    return false
  }
  if (key === 'Escape') {
    const callOff = off
    drop()
    if (!callOff) return false
    // However long it has been waited for, it does not come any more; and nothing beneath it is closed by the same key.
    event.preventDefault()
    event.stopImmediatePropagation()
    callOff()
    return true
  }
  if (isLate()) {
    text = ''
    return false
  }
  if (key === 'Backspace') text = text.slice(0, -1)
  else if (key === 'Tab' || key === 'Enter') isOver = true
  else if (key.length > 1 && !ofPage.test(key)) return false
  else if (key.length > 1) isOver = true
  else if (!isOver) text += key
  event.preventDefault()
  return true
}

/**
 * Holds what is typed from now on until a field has the focus; a click, Esc or the focus elsewhere gives it up. Esc also
 * calls off what is on its way, where `callOff` says how.
 */
export function holdTyping(callOff?: () => void): void {
  // What is held already is of the same way: a list asks for the form before the form itself does.
  if (ahead.take && !isLate()) {
    // What has come as far as that knows best how it is left.
    off = callOff ?? off
    return
  }
  text = ''
  off = callOff
  isOver = false
  since = performance.now()
  left = document.activeElement
  ahead.take = take
  document.addEventListener('focusin', onFocus, true)
  document.addEventListener('pointerdown', drop, true)
  // Back leaves what was asked for, too.
  window.addEventListener('popstate', drop)
}

/** Holds nothing any more of what is left in that way: it has gone without having stood. */
export function forgetTyping(callOff: () => void): void {
  if (ahead.take && off === callOff) drop()
}

ahead.hold = () => holdTyping()
