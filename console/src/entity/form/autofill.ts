import type { Entity } from '@data-brain/contract'
import { checkDocumentNo, isMasked, tidyText } from '@data-brain/contract'
import { useEffect } from 'react'
import { type FormStore, sameValue } from '../../ui/form/store.ts'

/** What was filled in for somebody, and why: the key of the words that say so. */
const filled = new WeakMap<FormStore, Map<string, { readonly value: unknown; readonly why: string }>>()

/** The words that say where a value comes from, while it is the one that was filled in. */
export function isFilled(form: FormStore, name: string): string | undefined {
  const found = filled.get(form)?.get(name)
  return found && sameValue(found.value, form.value(name)) ? found.why : undefined
}

/** Fills in what nobody has typed: an empty field, or one that was filled in before. */
export function fill(form: FormStore, name: string, value: unknown, why: string): void {
  const mine = filled.get(form) ?? new Map()
  filled.set(form, mine)
  const now = form.value(name)
  const isFree = sameValue(now, null) || (mine.has(name) && sameValue(mine.get(name)!.value, now))
  if (!isFree) return
  mine.set(name, { value, why })
  form.set(name, value)
  if (form.wrong(name)) form.setWrong(name, null)
}

/** Gives an empty field of a new row what it begins with: no change of the form's, so that leaving it asks nothing. */
export function begin(form: FormStore, name: string, value: unknown, why: string): void {
  if (!sameValue(form.value(name), null) || !sameValue(form.initial(name), null)) return
  filled.set(form, new Map(filled.get(form)).set(name, { value, why }))
  form.settle({ [name]: value })
  if (form.wrong(name)) form.setWrong(name, null)
}

/** A choice fills in what it nearly always means, while the form of a new row is open. */
export function useProposals(entity: Entity, form: FormStore, open: boolean): void {
  useEffect(() => {
    if (!open || !entity.proposes) return
    const stops = entity.proposes.map(({ field, by, as }) =>
      form.watch(by, () => {
        const value = as[String(form.value(by))]
        if (value !== undefined) fill(form, field, value, 'form.fromChoice')
      }),
    )
    return () => {
      for (const stop of stops) stop()
    }
  }, [entity, form, open])
}

/** Sex and birth of an identity number that is right; other documents say neither. */
export function factsOf(idNo: string): { sex: string; birthDate: string } | null {
  if (isMasked(idNo) || checkDocumentNo('1', idNo) !== null || !/^\d{17}[\dX]$/.test(idNo)) return null
  return {
    sex: Number(idNo[16]) % 2 === 1 ? '1' : '2',
    birthDate: `${idNo.slice(6, 10)}-${idNo.slice(10, 12)}-${idNo.slice(12, 14)}`,
  }
}

/** The document fills in what it says of its holder, as soon as it is left. */
export function fillFromDocument(entity: Entity, form: FormStore): void {
  const { idType, idNo } = form.values()
  if (typeof idNo !== 'string' || (entity.fields.idType && idType !== '1')) return
  const facts = factsOf(tidyText('idNo', idNo))
  if (!facts) return
  for (const [name, value] of Object.entries(facts))
    if (entity.fields[name] && !entity.fields[name].computed) fill(form, name, value, 'form.fromDocument')
}
