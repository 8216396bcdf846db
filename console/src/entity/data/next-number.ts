import type { Entity } from '@data-brain/contract'
import { type RefObject, useEffect, useRef } from 'react'
import { type FormStore, sameValue } from '../../ui/form/store.ts'
import { fill } from '../form/autofill.ts'
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
 * number there, with the next one in the field. What somebody has typed stays. Who saves waits for what is answered.
 */
export function useNumbers(
  entity: Entity,
  form: FormStore,
  client: EntityClient,
  open: boolean,
): RefObject<Promise<void>> {
  const asked = useRef(Promise.resolve())
  useEffect(() => {
    if (!open || !entity.numbers) return
    const stops = entity.numbers.map(({ field, within }) => {
      let before = form.value(within)
      return form.watch(within, () => {
        const owner = form.value(within)
        if (sameValue(owner, before)) return
        before = owner
        // The row’s own number holds where it was, and nowhere else.
        if (sameValue(owner, form.initial(within))) return form.set(field, form.initial(field))
        if (sameValue(form.value(field), form.initial(field))) form.set(field, null)
        if (typeof owner !== 'string' || owner === '') return
        asked.current = nextNumber(entity, client, { field, within }, owner).then(
          (next) => {
            // The form may hold another row by now, which is where it was.
            const isMoved = sameValue(form.value(within), owner) && !sameValue(owner, form.initial(within))
            if (next !== null && isMoved) fill(form, field, next, 'form.nextNumber')
          },
          // Without it the field is asked for all the same.
          () => {},
        )
      })
    })
    return () => {
      for (const stop of stops) stop()
    }
  }, [entity, form, client, open])
  return asked
}
