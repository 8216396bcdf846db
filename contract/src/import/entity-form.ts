import { type Entity, ownerOf } from '../entity.ts'
import type { Field, Words } from '../field.ts'
import type { FormColumn } from './form.ts'

/**
 * How a file of an entity is understood. A column's part is the name of the entity; `ref` columns help to find what a
 * reference means, and `taught`, `lessons` and `headed` ones hold a value for each heading: a teacher under 语文, the class
 * teacher under 1班. It is data.
 */
export interface EntityForm {
  /** The name of the entity. */
  readonly kind: string
  /** What its rows are called, several of them, where the menu entry of their list does not say it. */
  readonly called?: Words
  readonly columns: readonly FormColumn[]
  /** Fields by which a row is known for one that stands, the surest first. */
  readonly identity: readonly (readonly string[])[]
  /** Of rows with these values at most one may stand. */
  readonly alone?: readonly { readonly fields: readonly string[]; readonly where: Readonly<Record<string, string>> }[]
  /** What is proposed for all rows where no column says it; somebody looks at it before anything is checked. */
  readonly usual: Readonly<Record<string, string>>
  /** Cells of the example row of the template, by field. */
  readonly example: Readonly<Record<string, string>>
  /** Fields of the template's columns; the others are understood where a file has them. */
  readonly template: readonly string[]
  /** Rows of one file at most. */
  readonly rows: number
  /** How many known names a row needs to be the heading, and what they are, as somebody is told. */
  readonly headings: number
  readonly such: Words
  /** Entities whose rows are made along, beside those that every reference to them makes. */
  readonly makes?: readonly string[]
}

/** What the import of an entity says beyond the entity's definition. */
export interface ImportDeclaration<N extends string = string> {
  /** The fields that have a column, in the order of the template, each with other headings that mean it. */
  readonly columns: Readonly<Partial<Record<N, readonly string[]>>>
  /** Where the keys of the definition do not say by which fields a row is known for one that stands. */
  readonly identity?: readonly (readonly N[])[]
  /** What is proposed for all rows where no column says it; somebody looks at it before anything is checked. */
  readonly usual?: Readonly<Partial<Record<N, string>>>
  /** Cells of the example row of the template. */
  readonly example?: Readonly<Partial<Record<N, string>>>
  /** Rows of one file at most: 10,000 where nothing is said. */
  readonly rows?: number
}

/** Whether a row needs a cell of the field: what has a default does without. */
const isNeeded = ({ required, default: usual }: Field): boolean => required === true && usual === undefined

/** What a file may say besides, which every form knows and passes over. */
const passedOver: readonly FormColumn[] = (
  [
    ['fault', '未导入原因', 'Why it was left out', []],
    ['serial', '序号', 'Row number', ['编号', '序', '次序', 'no', 's/n', '#']],
  ] as const
).map(([field, zh, en, aka]) => ({
  ...{ key: `ignored.${field}`, part: 'ignored', field, label: { zh, en }, starred: false, aka },
}))

/**
 * Declares that rows of an entity come out of spreadsheets, by a list of columns. What a cell may hold, what it refers to,
 * whether it is needed and what it is called, the entity's definition says.
 */
export function importOf<const E extends Entity>(
  entity: E,
  said: ImportDeclaration<keyof E['fields'] & string>,
): EntityForm {
  const { name, fields, unique = [] } = entity
  const listed: Readonly<Record<string, readonly string[] | undefined>> = said.columns
  const own = Object.entries(listed).map(([field, aka = []]): FormColumn => {
    const { label } = fields[field]!
    return {
      ...{ key: `${name}.${field}`, part: name, field, label, starred: isNeeded(fields[field]!) },
      aka,
    }
  })
  const known = new Set(own.flatMap(({ label, aka }) => [label.zh, label.en, ...aka]))
  const others = passedOver.map((column) => ({ ...column, aka: column.aka.filter((each) => !known.has(each)) }))
  const owner = ownerOf(entity)?.field
  const keys = unique
    .map((key) => key.filter((each) => each !== owner))
    .filter((key) => key.length > 0 && key.every((each) => listed[each] !== undefined))
  const told = [...own.filter(({ starred }) => starred), ...own.filter(({ starred }) => !starred)].slice(0, 3)
  const headings = Math.min(2, own.length)
  const { usual = {} }: { readonly usual?: Readonly<Partial<Record<string, string>>> } = said
  return {
    kind: name,
    columns: [...own, ...others],
    identity: said.identity ?? keys,
    usual: Object.fromEntries(Object.entries(usual).map(([field, value = '']) => [`${name}.${field}`, value])),
    example: (said.example ?? {}) as Readonly<Record<string, string>>,
    template: own.map(({ field }) => field),
    rows: said.rows ?? 10_000,
    headings,
    such: {
      zh: told.map(({ label }) => label.zh).join('、'),
      en: told.map(({ label }) => label.en).join(', '),
    },
  }
}
