import { type Nature, nameOf, natureOf, type Words } from '@data-brain/contract'
import { valueText } from '@data-brain/contract/rules/values'
import type { Values } from '../../entity/check.ts'
import type { Model, ModelField } from '../../entity/model.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Dictionaries } from '../system/index.ts'

type Language = keyof Words
export type Cell = string | number | null

/** A column of an exported list: its heading, and what a row shows in it. */
export interface Column {
  readonly name: string
  readonly heading: string
  /** Characters that it needs. */
  readonly width: number
  readonly cell: (row: Values) => Cell
}

type Show = (value: unknown, field: ModelField, row: Values, told: Told) => Cell

interface Told {
  readonly dictionaries: Dictionaries
  readonly language: Language
}

const yes: Words = { zh: '是', en: 'Yes' }
const no: Words = { zh: '否', en: 'No' }
const separator: Words = { zh: '、', en: ', ' }

const list = (value: unknown): string[] =>
  Array.isArray(value) ? value.map(String) : String(value).split(',').filter(Boolean)
const word = (told: Told, dict: string | undefined, key: string): string =>
  told.dictionaries.get(`${dict}|${key}`) ?? key
const text: Show = (value) => String(value)
const number: Show = (value) => Number(value)
const shownName: Show = (value, field, row) => {
  const name = row[nameOf(field.name)]
  return typeof name === 'string' && name !== '' ? name : String(value)
}

/** What a value is in a cell, by its nature; called with values that are there. */
const shows: Record<Nature, Show> = {
  text,
  number,
  flag: (value, _field, _row, { language }) => (Number(value) === 1 ? yes : no)[language],
  key: (value, field, _row, told) => word(told, field.dict, String(value)),
  keys: (value, field, _row, told) =>
    list(value)
      .map((key) => word(told, field.dict, key))
      .join(separator[told.language]),
  day: text,
  moment: text,
  row: shownName,
  rows: (value, field, row, { language }) => {
    const names = row[nameOf(field.name)]
    return list(names ?? value).join(separator[language])
  },
  region: shownName,
  personal: text,
  secret: () => null,
  json: (value, field, row, { dictionaries, language }) => {
    const names = (row[nameOf(field.name)] ?? {}) as Readonly<Record<string, string>>
    const said = {
      language,
      name: (id: string) => names[id],
      word: (dict: string, key: string) => dictionaries.get(`${dict}|${key}`) ?? key,
    }
    return valueText(field, value, said, row) || null
  },
}

const system: Readonly<Record<string, { label: Words; cell: (row: Values) => Cell }>> = {
  createTime: { label: { zh: '创建时间', en: 'Created' }, cell: (row) => String(row.createTime ?? '') },
  updateTime: { label: { zh: '更新时间', en: 'Updated' }, cell: (row) => String(row.updateTime ?? '') },
}
const statusLabel: Words = { zh: '状态', en: 'Status' }

const empty = (value: unknown): boolean => value === null || value === undefined || value === ''

/** The names that may be asked for: the entity's fields, its status where that means something, and two times. */
export function namesFor({ entity, byName }: Model, wanted: readonly string[] | undefined): string[] {
  if (!wanted || wanted.length === 0) return [...entity.list, ...(entity.status ? ['status'] : []), 'createTime']
  const known = (name: string): boolean => byName.has(name) && byName.get(name)?.inner !== true
  for (const name of wanted)
    if (!known(name) && !Object.hasOwn(system, name) && !(name === 'status' && entity.status))
      throw new Problem('field_unknown', { field: name.slice(0, 64) }, { field: 'columns', fields: [] })
  return [...new Set(wanted)]
}

/** The columns of these names, in their order. */
export function columnsOf({ entity, byName }: Model, names: readonly string[], told: Told): Column[] {
  return names.map((name): Column => {
    const field = byName.get(name)
    if (field)
      return {
        name,
        heading: field.label[told.language],
        width: field.kind === 'area' || field.kind === 'region' ? 30 : field.kind === 'integer' ? 10 : 18,
        cell: (row) => (empty(row[name]) ? null : shows[natureOf(field.kind)](row[name], field, row, told)),
      }
    const own = system[name]
    if (own) return { name, heading: own.label[told.language], width: 20, cell: own.cell }
    const dict = entity.status?.dict
    return {
      name,
      heading: statusLabel[told.language],
      width: 10,
      cell: (row) => word(told, dict, String(row.status ?? '')),
    }
  })
}
