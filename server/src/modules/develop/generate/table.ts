import { defineEntity, type Entity, entityOf, type Field } from '@data-brain/contract'
import type { CodeField } from '@data-brain/contract/code'
import { createTable, foreignKeys } from '../../../database/ddl.ts'

/** A table of which an entity is made. */
export interface CodeTable {
  readonly name: string
  readonly zh: string
  readonly en: string
  readonly area: string
  readonly bySchool: boolean
  readonly fields: readonly CodeField[]
}

const numberMost = 999_999_999
const decimalMost = 99_999_999
/** Columns that a list begins with. */
const listMost = 8
/** Fields that a form shows without headings. */
const formMost = 10

/** What a declaration says of a field after its labels: the same that its definition holds. */
export function optionsOf(field: CodeField): Record<string, string | number | boolean> {
  const { kind, max, scale, required } = field
  return {
    ...(required ? { required: true } : {}),
    ...(kind === 'text' ? { max: max ?? 100 } : {}),
    ...(kind === 'area' ? { max: max ?? 500 } : {}),
    ...(kind === 'personal' ? { max: Math.min(max ?? 50, 200) } : {}),
    ...(kind === 'integer' ? { min: -numberMost, max: numberMost } : {}),
    ...(kind === 'decimal' ? { min: -decimalMost, max: decimalMost, scale: Math.min(scale ?? 2, 6) } : {}),
  }
}

const mayBeKey = ({ kind }: CodeField): boolean => ['text', 'integer', 'date', 'reference'].includes(kind)
const mayBeFound = ({ kind }: CodeField): boolean => ['text', 'reference', 'date', 'flag', 'integer'].includes(kind)

/** What stands in the definition beside its fields. */
export function partsOf({ bySchool, fields }: CodeTable) {
  const texts = fields.filter(({ kind, max = 100 }) => kind === 'text' && max <= 255)
  const title = (texts.find((field) => field.required) ?? texts[0]!).name
  const school = bySchool ? ['schoolId'] : []
  const shown = fields.filter(({ kind }) => kind !== 'area').map(({ name }) => name)
  const asked = [...school, ...fields.map(({ name }) => name)]
  // Required ones come first: a later part of a form begins folded.
  const needed = new Set([...school, title, ...fields.filter((field) => field.required).map(({ name }) => name)])
  const first = [title, ...shown.filter((name) => name !== title)]
  return {
    title,
    unique: fields.filter((field) => field.unique && mayBeKey(field)).map(({ name }) => [...school, name]),
    list: [...school, ...first.slice(0, listMost)],
    search: [
      ...first.filter((name) => mayBeFound(fields.find((field) => field.name === name)!)).slice(0, 4),
      ...school,
    ],
    groups:
      asked.length <= formMost
        ? []
        : [
            { label: { zh: '基本信息', en: 'Basics' }, fields: asked.filter((name) => needed.has(name)) },
            { label: { zh: '其他信息', en: 'More' }, fields: asked.filter((name) => !needed.has(name)) },
          ].filter(({ fields: each }) => each.length > 0),
  }
}

/** The definition of a table as data, as the generated file declares it. */
export function entityOfTable(table: CodeTable): Entity {
  const { title, unique, list, search, groups } = partsOf(table)
  const fields: Record<string, Field> = {}
  if (table.bySchool)
    fields.schoolId = {
      kind: 'reference',
      label: { zh: '学校', en: 'School' },
      to: 'school',
      required: true,
      fixed: true,
    }
  for (const field of table.fields)
    fields[field.name] = {
      kind: field.kind,
      label: { zh: field.zh, en: field.en },
      ...(field.to && field.kind === 'reference' ? { to: field.to } : {}),
      ...optionsOf(field),
    } as Field
  return defineEntity({
    name: table.name,
    path: pathOf(table),
    label: { zh: table.zh, en: table.en },
    ownership: table.bySchool ? 'school' : 'tenant',
    title,
    fields,
    ...(unique.length > 0 ? { unique } : {}),
    list,
    search,
    sort: title,
    find: [title],
    ...(groups.length > 0 ? { groups } : {}),
  })
}

export const pathOf = ({ name }: CodeTable): string => `blade-user/${name}`

/** The migration of a table, as `server/src/database/draft.ts` prints it. */
export function migrationOf(table: CodeTable): string {
  const entity = entityOfTable(table)
  const target = (name: string): Entity => (name === entity.name ? entity : entityOf(name))
  return `${[createTable(entity), foreignKeys(entity, target)].filter(Boolean).join('\n\n')}\n`
}
