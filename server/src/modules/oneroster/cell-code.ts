import { isMasked, maskOf, type Nature, natureOf, type Words } from '@data-brain/contract'
import type { ModelField } from '../../entity/model.ts'

/** What a cell needs to be written or read: names of rows here and there, and who asks. */
export interface CellNames {
  /** The sourcedId of a row that is exported; undefined of one that is not. */
  sourcedIdOf(entity: string, id: string): string | undefined
  /** The row that a sourcedId stands for. */
  idOf(entity: string, sourcedId: string): string | undefined
  /** Rows known by a code of their own: grades, system subjects, posts. */
  codeOf(entity: string, id: string): string | undefined
  idOfCode(entity: string, code: string): string | undefined
  /** Whether personal values of an entity may leave in full. */
  reveals(entity: string): boolean
}

/** `left` says of a cell that it says nothing here, and is kept as it came. */
export type ReadCell = { readonly value: unknown; readonly left?: Words } | { readonly fault: Words }

/** How a value becomes a cell and comes back. An empty cell never comes to `take`. */
export interface Code {
  give(value: unknown, names: CellNames): string
  take(cell: string, names: CellNames): ReadCell
}

const fault = (zh: string, en: string): ReadCell => ({ fault: { zh, en } })

/** Cells hold no line breaks; what free text has of them is written as `\n`. */
const oneLine = (text: string): string =>
  text.replace(/[\\\n\r\t]/g, (sign) => ({ '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' })[sign]!)
const manyLines = (cell: string): string =>
  cell.replace(/\\([\\nrt])/g, (_, sign: string) => ({ '\\': '\\', n: '\n', r: '\r', t: '\t' })[sign]!)

const list = (value: unknown): string[] => (Array.isArray(value) ? (value as string[]) : [])
const parts = (cell: string): string[] =>
  cell
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)

/** A text that stands in a column of OneRoster's own: as it is, on one line. */
export const plainCode: Code = {
  give: (value) => String(value ?? '').replace(/[\r\n\t]+/g, ' '),
  take: (cell) => ({ value: cell }),
}
const free: Code = { give: (value) => oneLine(String(value ?? '')), take: (cell) => ({ value: manyLines(cell) }) }
const number: Code = { give: (value) => String(value ?? ''), take: (cell) => ({ value: cell }) }

export const flagCode: Code = {
  give: (value) => (value === 1 ? 'true' : 'false'),
  take: (cell) =>
    cell === 'true' || cell === 'false'
      ? { value: cell === 'true' ? 1 : 0 }
      : fault('须为true或false', 'must be true or false'),
}

/** A day here is the last one; an endDate there is the day after it. */
export const lastDay: Code = {
  give: (value) => (value ? shiftDay(String(value), 1) : ''),
  take: (cell) => ({ value: shiftDay(cell, -1) }),
}
const shiftDay = (day: string, by: number): string => {
  const at = Date.parse(`${day}T00:00:00Z`)
  return Number.isNaN(at) ? day : new Date(at + by * 86_400_000).toISOString().slice(0, 10)
}

const sexes: Readonly<Record<string, string>> = { '1': 'male', '2': 'female', '0': 'unspecified', '9': 'other' }
export const sexCode: Code = {
  give: (value) => sexes[String(value)] ?? '',
  take: (cell) => {
    const key = Object.keys(sexes).find((each) => sexes[each] === cell)
    return key ? { value: key } : fault('不是可选的值', 'is not one of the choices')
  },
}

/** A row that is known by its sourcedId. */
export const toRow = (entity: string): Code => ({
  give: (value, names) => (value ? (names.sourcedIdOf(entity, String(value)) ?? '') : ''),
  take: (cell, names) => {
    const id = names.idOf(entity, cell)
    return id
      ? { value: id }
      : fault(`没有sourcedId为“${cell}”的记录`, `there is no record with the sourcedId "${cell}"`)
  },
})
export const toRows = (entity: string): Code => ({
  give: (value, names) =>
    list(value)
      .flatMap((id) => names.sourcedIdOf(entity, id) ?? [])
      .join(','),
  take: (cell, names) => {
    const ids = parts(cell).map((part) => names.idOf(entity, part))
    return ids.every((id) => id !== undefined)
      ? { value: ids }
      : fault('其中有找不到的sourcedId', 'names a sourcedId that is not there')
  },
})

/** A row that every tenant has, known by a code. */
export const byCode = (entity: string): Code => ({
  give: (value, names) => (value ? (names.codeOf(entity, String(value)) ?? '') : ''),
  take: (cell, names) => {
    const id = names.idOfCode(entity, cell)
    return id
      ? { value: id }
      : fault(`没有代码为“${cell}”的数据，请先新增`, `there is nothing with the code "${cell}": add it first`)
  },
})
/** Where other systems have codes of their own: one that is not known here is kept beside the row, which goes without. */
export const byKnownCode = (entity: string): Code => ({
  give: byCode(entity).give,
  take: (cell, names) => {
    const id = names.idOfCode(entity, cell)
    return id
      ? { value: id }
      : {
          value: null,
          left: {
            zh: '代码在这里没有，按没有代码导入，原样保留',
            en: 'codes that are not known here: taken as none, and kept as they came',
          },
        }
  },
})
export const byCodes = (entity: string): Code => ({
  give: (value, names) =>
    list(value)
      .flatMap((id) => names.codeOf(entity, id) ?? [])
      .join(','),
  take: (cell, names) => {
    const ids = parts(cell).map((part) => names.idOfCode(entity, part))
    return ids.every((id) => id !== undefined)
      ? { value: ids }
      : fault('其中有不存在的代码，请先新增', 'names a code that is not there: add it first')
  },
})

/** Weekly hours name grades by id here, and by code there. */
export const weekHours: Code = {
  give: (value, names) =>
    Array.isArray(value)
      ? JSON.stringify(
          (value as { gradeId?: unknown }[]).map(({ gradeId, ...rest }) => ({
            grade: names.codeOf('sysgrade', String(gradeId)) ?? '',
            ...rest,
          })),
        )
      : '',
  take: (cell, names) => {
    const read = readJson(cell)
    if (!Array.isArray(read)) return fault('不是有效的JSON', 'is not valid JSON')
    return {
      value: (read as { grade?: unknown }[]).map(({ grade, ...rest }) => ({
        gradeId: names.idOfCode('sysgrade', String(grade)) ?? null,
        ...rest,
      })),
    }
  },
}

const readJson = (cell: string): unknown => {
  try {
    return JSON.parse(manyLines(cell))
  } catch {
    return undefined
  }
}

/** Personal values leave in full only for those who may see them; a mask that comes back changes nothing. */
const personal = (_field: ModelField, entity: string): Code => ({
  give: (value, names) => (value ? (names.reveals(entity) ? String(value) : maskOf(String(value))) : ''),
  take: (cell) => ({ value: isMasked(cell) ? undefined : cell }),
})

/** The code of a field by its nature. */
const codes: Record<Nature, (field: ModelField, entity: string) => Code> = {
  text: () => free,
  number: () => number,
  flag: () => flagCode,
  key: () => plainCode,
  keys: () => ({ give: (value) => list(value).join(','), take: (cell) => ({ value: parts(cell) }) }),
  day: () => plainCode,
  moment: () => plainCode,
  row: (field) => toRow(field.to!),
  rows: (field) => toRows(field.to!),
  region: () => plainCode,
  personal,
  secret: () => ({ give: () => '', take: () => ({ value: undefined }) }),
  json: () => ({
    give: (value) => (value === null || value === undefined ? '' : oneLine(JSON.stringify(value))),
    take: (cell) => {
      const value = readJson(cell)
      return value === undefined ? fault('不是有效的JSON', 'is not valid JSON') : { value }
    },
  }),
}
export const codeFor = (field: ModelField, entity: string): Code => codes[natureOf(field.kind)](field, entity)
