import { type Entity, entityOf, type Field } from '@data-brain/contract'
import { type SmsField, smsFields, smsServices } from '@data-brain/contract/sms'
import type { FormParts } from '../../entity/form/index.ts'

// Whether one is enabled is said by the switch in the list, and by nothing else.
const { status: _, ...entity } = entityOf('sms')
const seenAs = new Map<string, Entity>()

/** The form of one kind of service: what it needs and takes, under the names that its own console uses. */
export function formOf(whole: Entity, category: unknown): Entity {
  const key = String(category ?? '')
  const known = seenAs.get(key)
  if (known) return known
  const service = smsServices[key]
  const fits = (name: string): boolean =>
    !(smsFields as readonly string[]).includes(name) ||
    [...(service?.needs ?? []), ...(service?.takes ?? [])].includes(name as SmsField)
  const fields = Object.entries(whole.fields).flatMap(([name, field]): [string, Field][] => {
    if (!fits(name)) return []
    const label = service?.labels[name as SmsField] ?? field.label
    const needed = service?.needs.includes(name as SmsField) === true
    return [[name, { ...field, label, ...(needed ? { required: true } : {}) }]]
  })
  const seen: Entity = { ...whole, fields: Object.fromEntries(fields) }
  seenAs.set(key, seen)
  return seen
}

export const formParts: FormParts = {
  of: () => entity,
  seen: { by: 'category', as: formOf },
}
