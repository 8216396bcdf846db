import { isDeepStrictEqual } from 'node:util'
import { hiddenSecret, isMasked, type Kind, rules, tidy, type Words } from '@data-brain/contract'
import { dayBeyond, isDay } from '@data-brain/contract/rules/day'
import { documentFaults, documentFields } from '@data-brain/contract/rules/documents'
import { readValue } from '@data-brain/contract/rules/values'
import { isId } from '../database/id.ts'
import { isBrokenText } from '../kernel/parameter.ts'
import { type FieldFault, Problem } from '../kernel/problem.ts'
import { disagreements } from './agreement.ts'
import type { Model, ModelField } from './model.ts'

/** Values of a draft by field name, ready to be stored; a field that was not sent is not there. */
export type Values = Record<string, unknown>

export interface Checked {
  readonly values: Values
  readonly faults: FieldFault[]
  readonly status: number | undefined
  readonly extId: string | null | undefined
}

type Read = { value: unknown } | { fault: Words }

const fault = (zh: string, en: string): Read => ({ fault: { zh, en } })
const wrongType = fault('类型不正确', 'has the wrong type')
const idsPerField = 1_000

/** Whether a text holds signs that no one-line text has (a tab may come along from a spreadsheet). */
const hasControl = (text: string): boolean =>
  [...text].some((sign) => {
    const code = sign.charCodeAt(0)
    return (code < 32 && code !== 9) || code === 127
  })

const readText = (value: unknown, field: ModelField): Read => {
  if (typeof value === 'number' && Number.isFinite(value)) return readText(String(value), field)
  if (typeof value !== 'string') return wrongType
  if (isBrokenText(value)) return fault('含有无法保存的字符', 'contains a character that cannot be stored')
  // A rule folds look-alike letters; free text keeps its full-width punctuation.
  const text = field.rule ? tidy(field.rule, value) : value.normalize('NFC').trim()
  if (field.kind !== 'area' && hasControl(text)) return fault('含有控制字符', 'contains control characters')
  const max = field.max ?? 255
  if ([...text].length > max) return fault(`不能超过${max}个字符`, `at most ${max} characters`)
  if (field.rule && field.rule !== 'idNo' && text !== '') {
    const wrong = rules[field.rule].check(text)
    if (wrong) return { fault: wrong }
  }
  return { value: text }
}

const readNumber = (value: unknown, field: ModelField): Read => {
  const number = typeof value === 'string' && /^-?[0-9]+(\.[0-9]+)?$/.test(value.trim()) ? Number(value) : value
  if (typeof number !== 'number' || !Number.isFinite(number)) return fault('须为数字', 'must be a number')
  if (field.kind === 'integer' && !Number.isInteger(number)) return fault('须为整数', 'must be a whole number')
  const scale = field.scale ?? 2
  if (field.kind === 'decimal' && Math.abs(number * 10 ** scale - Math.round(number * 10 ** scale)) > 1e-6)
    return fault(`最多${scale}位小数`, `at most ${scale} digits after the point`)
  if (number < (field.min ?? Number.NEGATIVE_INFINITY) || number > (field.max ?? Number.POSITIVE_INFINITY))
    return fault(`须在${field.min}到${field.max}之间`, `must be from ${field.min} to ${field.max}`)
  return { value: number }
}

const readKey = (value: unknown): Read => {
  const key = typeof value === 'number' ? String(value) : value
  if (typeof key !== 'string') return wrongType
  return key.length > 32 || isBrokenText(key)
    ? fault('不是可选的值', 'is not one of the choices')
    : { value: key.trim() }
}

const readList = (value: unknown): string[] | undefined => {
  const list = typeof value === 'string' ? value.split(',').filter(Boolean) : value
  return Array.isArray(list) && list.every((each) => typeof each === 'string')
    ? [...new Set(list as string[])]
    : undefined
}

/** China has one zone, and no summer time. */
const todayInChina = (): string => new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10)

/** How a value of each kind is read; an empty one is null before it comes here. */
const readers: Record<Kind, (value: unknown, field: ModelField) => Read> = {
  text: readText,
  area: readText,
  personal: readText,
  secret: readText,
  integer: readNumber,
  decimal: readNumber,
  flag: (value) => {
    const flag = value === true ? 1 : value === false ? 0 : typeof value === 'string' ? Number(value) : value
    return flag === 0 || flag === 1 ? { value: flag } : fault('须为0或1', 'must be 0 or 1')
  },
  choice: readKey,
  choices: (value) => {
    const keys = readList(value)
    return keys && keys.length <= 100 && keys.every((key) => key.length <= 32) ? { value: keys } : wrongType
  },
  date: (value, field) => {
    const day = typeof value === 'string' ? value.trim().slice(0, 10) : ''
    if (typeof value !== 'string' || !/^.{10}( 00:00:00)?$/.test(value.trim()) || !isDay(day))
      return fault('不是有效的日期，应形如2026-09-01', 'is not a date such as 2026-09-01')
    const beyond = dayBeyond(day, field, todayInChina())
    return beyond ? { fault: beyond } : { value: day }
  },
  instant: (value) =>
    typeof value === 'string' &&
    isDay(value.slice(0, 10)) &&
    /^.{10}[ T]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$/.test(value)
      ? { value }
      : fault('时间格式应为 yyyy-MM-dd HH:mm:ss', 'should look like yyyy-MM-dd HH:mm:ss'),
  reference: (value) => (isId(value) ? { value } : fault('不是有效的编号', 'is not an id')),
  references: (value, field) => {
    const ids = readList(value)
    if (!ids?.every(isId)) return fault('含有无效的编号', 'contains something that is not an id')
    const max = field.max ?? idsPerField
    return ids.length > max ? fault(`最多选择${max}个`, `at most ${max}`) : { value: ids }
  },
  region: (value) =>
    typeof value === 'string' && /^[0-9]{2,12}$/.test(value)
      ? { value }
      : fault('不是行政区划代码', 'is not a region code'),
  json: (value, field) =>
    JSON.stringify(value).length > 65_536 ? fault('内容过长', 'is too long') : readValue(field, value),
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
export function checkDraft(model: Model, draft: unknown, before?: Values, stood = false): Checked {
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
      if (field.required && isEmpty(value)) faults.push({ field: field.name, label: field.label, reason: required })
      else if (!isEmpty(value)) values[field.name] = value
      continue
    }
    if (isEmpty(raw) || (typeof raw === 'string' && raw.trim() === '')) {
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
    const read = readers[field.kind](raw, field)
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
  for (const { field, reason } of disagreements(model.entity.name, whole, changed)) add(field, reason)
  const row = Object.fromEntries(documentFields.map((name) => [name, text(whole[name])]))
  for (const { field, reason } of documentFaults(model.entity.fields, row, touches)) add(field, reason)
}

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
