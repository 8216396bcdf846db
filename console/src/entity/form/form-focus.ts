import type { Entity } from '@data-brain/contract'

const TYPED_INTO = 'input:not(:disabled),textarea,button'

const fieldsIn = (body: HTMLElement | null): HTMLElement[] => [
  ...(body?.querySelectorAll<HTMLElement>('[data-field]') ?? []),
]

/** Brings a field of the form into sight and the focus into it. */
export function focusField(body: HTMLElement | null, name: string | undefined): void {
  const field = fieldsIn(body).find((one) => one.dataset.field === name)
  const input = field?.querySelector<HTMLElement>('input[type=radio]:checked') ?? field?.querySelector(TYPED_INTO)
  input?.focus()
  field?.scrollIntoView({ block: 'center' })
}

/** Focuses the first field that is shown and can be typed into, unless the form has the focus already. */
export function focusFirst(body: HTMLElement | null, entity: Entity, isNew: boolean): void {
  if (!body || body.contains(document.activeElement)) return
  const names = fieldsIn(body).map((field) => field.dataset.field!)
  focusField(
    body,
    names.find((name) => isNew || !entity.fields[name]?.fixed),
  )
}

/** Goes to the next or the previous group of fields that is open. */
export function leapGroup(body: HTMLElement | null, step: 1 | -1): void {
  const groups = [...(body?.querySelectorAll<HTMLElement>('.ff-grid:not([hidden])') ?? [])]
  const now = groups.findIndex((group) => group.contains(document.activeElement))
  const next = groups[(Math.max(now, 0) + step + groups.length) % groups.length]
  next?.querySelector<HTMLElement>(TYPED_INTO)?.focus()
  next?.scrollIntoView({ block: 'nearest' })
}

/** The names of the fields that are in sight, in the order in which they stand. */
export const shownFields = (body: HTMLElement | null): string[] => fieldsIn(body).map((field) => field.dataset.field!)
