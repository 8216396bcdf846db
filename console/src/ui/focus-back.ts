/**
 * Gives the focus back to what opened a dialog. That may be gone, or hidden, as the form is whose saving a dialog tells of:
 * keys then go on from the heading of the page in sight, unless another dialog stands over it. A form that was closed stays
 * in the document, without a place on the screen.
 */
export function focusBack(opener: Element | null): void {
  if (opener instanceof HTMLElement) opener.focus()
  if (document.activeElement !== document.body) return
  const dialogs = [...document.querySelectorAll('dialog[open], [role=dialog]')]
  if (dialogs.some((each) => each.getClientRects().length > 0)) return
  const heading = [...document.querySelectorAll<HTMLElement>('h1')].find(
    (each) => getComputedStyle(each.closest('[role=tabpanel]') ?? each).display !== 'none',
  )
  if (!heading) return
  if (!heading.hasAttribute('tabindex')) heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}
