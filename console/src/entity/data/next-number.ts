import type { Entity } from '@data-brain/contract'
import { type RefObject, useEffect, useRef } from 'react'
import { type FormStore, sameValue } from '../../ui/form/store.ts'
import { begin, fill } from '../form/autofill.ts'
import type { EntityClient } from './client.ts'

/** The next number among the rows that belong to another one: such as that of a pupil in a class. */
export async function nextNumber(
  entity: Entity,
  client: EntityClient,
  { field, within }: NumberedField,
  owner: string,
): Promise<number | null> {
  const query = { [within]: owner, [`${field}_notnull`]: '1', columns: field, current: 1, size: MOST }
  const { records } = await client.page(query)
  const next = Math.max(0, ...records.map((row) => Number(row[field] ?? 0))) + 1
  return next > (entity.fields[field]?.max ?? next) ? null : next
}

/** What counts within a field that is about to change. */
export const countedWithin = (entity: Entity, name: string): NumberedField | undefined =>
  entity.numbers?.find(({ within }) => within === name)

/** A number that counts within what a row belongs to. */
export type NumberedField = NonNullable<Entity['numbers']>[number]

/** As many rows are looked at for the largest number among them. */
const MOST = 200

/**
 * Proposes the next number within what a row belongs to, when that changes: a pupil who changes class is asked for the
 * number there, with the next one in the field. A new row (`isNew`) that is made where it belongs has its number at once.
 * What somebody has typed stays. Who saves waits for what is answered.
 */
export function useNumbers(
  entity: Entity,
  form: FormStore,
  client: EntityClient,
  open: boolean,
  isNew: boolean,
): RefObject<Promise<void>> {
  const asked = useRef(Promise.resolve())
  useEffect(() => {
    if (!open || !entity.numbers) return
    const stops = entity.numbers.map(({ field, within }) => {
      let before = form.value(within)
      const propose = (owner: unknown): void => {
        if (typeof owner !== 'string' || owner === '') return
        asked.current = nextNumber(entity, client, { field, within }, owner).then(
          (next) => {
            // The form may hold another row by now, or be where it was.
            if (next === null || !sameValue(form.value(within), owner)) return
            if (!sameValue(owner, form.initial(within))) fill(form, field, next, 'form.nextNumber')
            else if (isNew) begin(form, field, next, 'form.nextNumber')
          },
          // Without it the field is asked for all the same.
          () => {},
        )
      }
      if (isNew) propose(before)
      return form.watch(within, () => {
        const owner = form.value(within)
        if (sameValue(owner, before)) return
        before = owner
        // The row’s own number holds where it was, and nowhere else.
        if (sameValue(owner, form.initial(within))) form.set(field, form.initial(field))
        else if (sameValue(form.value(field), form.initial(field))) form.set(field, null)
        if (isNew || !sameValue(owner, form.initial(within))) propose(owner)
      })
    })
    return () => {
      for (const stop of stops) stop()
    }
  }, [entity, form, client, open, isNew])
  return asked
}
