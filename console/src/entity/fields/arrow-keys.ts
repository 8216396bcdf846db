import type { KeyboardEvent } from 'react'

/** Arrows walk over what can be chosen, from the search too. */
export function walkByArrows(event: KeyboardEvent<HTMLElement>): void {
  const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  const target = event.target as HTMLElement
  if (by === 0 || target.matches('[type=radio]')) return
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-option]')]
  const next = all[all.indexOf(target) + by]
  if (!next) return
  event.preventDefault()
  next.focus()
}
