import { importsByColumns } from '@data-brain/contract/import/all'
import type { EntityForm } from '@data-brain/contract/import/entity-form'
import type { FormKind } from '@data-brain/contract/import/place'

export { FileFault } from '../../../kernel/file-fault.ts'

/** What an import takes. A file of 10,000 rows and 90 columns is 5 MB packed and 45 MB unpacked. */
export const limits = {
  /** Bytes of the file itself. */
  file: 20 * 1_048_576,
  /** Parts in the package; Excel writes about a dozen. */
  entries: 100,
  /** Bytes of all parts unpacked. */
  unpacked: 200 * 1_048_576,
  /** Unpacked bytes per packed one; a sheet of equal rows reaches 40. */
  ratio: 100,
  rows: 20_000,
  columns: 200,
  /** Characters of one cell. */
  cell: 4_000,
  /** Characters of all cells: a text that stands once in the file may be shown in all of them. */
  characters: 60_000_000,
  /** Old-space megabytes of the reading thread, and how long it may run. */
  memory: 192,
  /** The same for binary formats, which a library reads as a whole. */
  libraryMemory: 448,
  seconds: 60,
} as const

/** What a file must be like. */
export type FileShape = Pick<EntityForm, 'rows' | 'headings' | 'such'>

const ofPeople: Readonly<Partial<Record<FormKind, FileShape>>> = {
  student: { rows: limits.rows, headings: 3, such: { zh: '姓名、性别、班级', en: '姓名, 性别, 班级' } },
  studentparents: {
    rows: limits.rows,
    headings: 3,
    such: { zh: '学生姓名、班级、家长姓名、电话', en: '学生姓名, 班级, 家长姓名, 电话' },
  },
  // A password is made for each, and each costs a fortieth of a second.
  user: { rows: 5_000, headings: 2, such: { zh: '账号、姓名', en: '账号, 姓名 or Account, Name' } },
}

/** What a file of a form must be like. */
export function fileShapeOf(kind: FormKind): FileShape {
  const own = ofPeople[kind]
  if (own) return own
  const form = importsByColumns.get(kind)
  if (!form) throw new Error(`There is no form of ${kind}`)
  const { rows, headings, such } = form
  return { rows, headings, such: { zh: such.zh, en: `${such.zh.replaceAll('、', ', ')} or ${such.en}` } }
}

/** What is wrong with a cell before its meaning is asked: the text cannot be trusted. */
export type Mark = 'formula' | 'error' | 'rounded'
