import { isDeepStrictEqual } from 'node:util'
import { hiddenSecret, isMasked, tidyFreeText, type Words } from '@data-brain/contract'
import { documentFaults, documentFields } from '@data-brain/contract/rules/documents'
import { kinds } from '../database/kinds.ts'
import { type FieldFault, Problem } from '../kernel/problem.ts'
import { rowDisagreements } from './agreement.ts'
import type { Model, ModelField } from './model.ts'

/** Values of a draft by field name, ready to be stored; a field that was not sent is not there. */
export type Values = Record<string, unknown>

export interface CheckedDraft {
  readonly values: Values
  readonly faults: FieldFault[]
  readonly status: number | undefined
  readonly extId: string | null | undefined
}

const isHidden = (text: string): boolean => text === hiddenSecret
/** A flag that is off where nothing was said; without a default it may be unknown. */
const isSwitch = (field: ModelField): boolean =>
  field.kind === 'flag' && (field.required === true || field.default !== undefined)
const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0)
const required: Words = { zh: '不能为空', en: 'is required' }

/**
 * Reads a draft: every field by its kind and rule, then the fields against each other. `before` is the row as it
 * stands (plain values by field name) when one is changed; without it all required fields must be there.
 * A name that is no field is refused. Everything that is wrong is told at once. A json value whose shape nobody knows is
 * kept where it stands already, or `stood` once and comes back.
 */
export function checkDraft(model: Model, draft: unknown, before?: Values, stood = false): CheckedDraft {
  if (typeof draft !== 'object' || draft === null || Array.isArray(draft)) throw new Problem('bad_request')
  const given = draft as Record<string, unknown>
  const values: Values = {}
  const faults: FieldFault[] = []
  const { status, extId } = readSystem(given, faults)
  for (const name of Object.keys(given)) {
    if (model.byName.has(name) || model.noise.has(name) || ['id', 'version', 'status', 'extId'].includes(name)) continue
    throw new Problem('field_unknown', { field: name.slice(0, 64) }, { field: name.slice(0, 64), fields: [] })
  }
  for (const field of model.fields) {
    if (field.computed) {
      // Rules may fill it in; until then it is what the definition says.
      if (!before && field.default !== undefined) values[field.name] = field.default
      continue
    }
    const raw = given[field.name]
    if (raw === undefined) {
      if (before) continue
      const value =
        field.default ?? (isSwitch(field) ? 0 : field.kind === 'references' || field.kind === 'choices' ? [] : null)
      // Of a tenant's own only whoever fills in a form is asked (custom.ts).
      if (field.required && field.custom === undefined && isEmpty(value))
        faults.push({ field: field.name, label: field.label, reason: required })
      else if (!isEmpty(value)) values[field.name] = value
      continue
    }
    if (isEmpty(raw) || (typeof raw === 'string' && tidyFreeText(raw) === '')) {
      if (field.required && !(field.default !== undefined && !before))
        faults.push({ field: field.name, label: field.label, reason: required })
      else
        values[field.name] = before
          ? field.kind === 'references' || field.kind === 'choices'
            ? []
            : isSwitch(field)
              ? 0
              : null
          : (field.default ?? null)
      continue
    }
    // A masked number or a hidden secret that comes back unread is not a change.
    const hidden = field.kind === 'personal' ? isMasked : field.kind === 'secret' ? isHidden : undefined
    if (typeof raw === 'string' && hidden?.(raw)) {
      if (!before) faults.push({ field: field.name, label: field.label, reason: { zh: '含有*号', en: 'contains *' } })
      continue
    }
    if (field.kind === 'json' && (stood || isDeepStrictEqual(raw, before?.[field.name]))) {
      values[field.name] = raw
      continue
    }
    const read = kinds[field.kind].read(raw, field)
    if ('fault' in read) faults.push({ field: field.name, label: field.label, reason: read.fault })
    else values[field.name] = read.value
  }
  checkTogether(model, { ...before, ...values }, values, faults)
  return { values, faults, status, extId }
}

function readSystem(
  given: Record<string, unknown>,
  faults: FieldFault[],
): { status: number | undefined; extId: string | null | undefined } {
  const { status, extId } = given
  const level = typeof status === 'string' && /^[0-9]{1,4}$/.test(status) ? Number(status) : status
  if (level !== undefined && !(typeof level === 'number' && Number.isInteger(level) && level >= 0 && level <= 9999))
    faults.push({
      field: 'status',
      label: { zh: '状态', en: 'Status' },
      reason: { zh: '类型不正确', en: 'has the wrong type' },
    })
  if (extId !== undefined && extId !== null && (typeof extId !== 'string' || !/^[A-Za-z0-9._/@-]{0,255}$/.test(extId)))
    faults.push({
      field: 'extId',
      label: { zh: '外部标识', en: 'External ID' },
      reason: { zh: '只能包含字母、数字和 . - _ / @', en: 'may contain only letters, digits and . - _ / @' },
    })
  return {
    status: typeof level === 'number' ? level : undefined,
    extId: extId === '' ? null : (extId as string | null | undefined),
  }
}

/** What fields must agree on: order of days, exactly-one-of, and the facts an identity number carries. */
function checkTogether(model: Model, whole: Values, changed: Values, faults: FieldFault[]): void {
  const add = (name: string, reason: Words): void => {
    const field = model.byName.get(name)
    if (field && !faults.some((known) => known.field === name)) faults.push({ field: name, label: field.label, reason })
  }
  const touches = (...names: string[]): boolean => names.some((name) => name in changed)
  for (const [begin, end] of model.entity.ranges ?? []) {
    const from = whole[begin]
    const to = whole[end]
    if (touches(begin, end) && from !== null && from !== undefined && to !== null && to !== undefined && from > to)
      add(end, {
        zh: `必须不早于${model.byName.get(begin)?.label.zh}`,
        en: `must not be before ${model.byName.get(begin)?.label.en.toLowerCase()}`,
      })
  }
  for (const names of model.entity.oneOf ?? [])
    if (touches(...names) && names.filter((name) => !isEmpty(whole[name] ?? null)).length !== 1)
      add(names[0]!, {
        zh: `与${names
          .slice(1)
          .map((name) => model.byName.get(name)?.label.zh)
          .join('、')}须且只能填一项`,
        en: `give exactly one of this and ${names
          .slice(1)
          .map((name) => model.byName.get(name)?.label.en.toLowerCase())
          .join(', ')}`,
      })
  for (const { field, reason } of rowDisagreements(model.entity.name, whole, changed)) add(field, reason)
  const row = Object.fromEntries(documentFields.map((name) => [name, text(whole[name])]))
  for (const { field, reason } of documentFaults(model.entity.fields, row, touches)) add(field, reason)
}

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
