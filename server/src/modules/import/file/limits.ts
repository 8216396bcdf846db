import type { Words } from '@data-brain/contract'
import type { FormKind } from '@data-brain/contract/import/all'

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

/** What a file of each form must be like. */
export const fileShapes: Readonly<
  Record<FormKind, { readonly rows: number; readonly headings: number; readonly such: Words }>
> = {
  student: { rows: limits.rows, headings: 3, such: { zh: '姓名、性别、班级', en: '姓名, 性别, 班级' } },
  studentparents: {
    rows: limits.rows,
    headings: 3,
    such: { zh: '学生姓名、班级、家长姓名、电话', en: '学生姓名, 班级, 家长姓名, 电话' },
  },
  // A password is made for each, and each costs a fortieth of a second.
  user: { rows: 5_000, headings: 2, such: { zh: '账号、姓名', en: '账号, 姓名 or Account, Name' } },
  schoolclass: { rows: 1_000, headings: 2, such: { zh: '班级、班主任', en: '班级, 班主任 or Class, Class teacher' } },
  schoolclassroom: {
    rows: 2_000,
    headings: 2,
    such: { zh: '教室名称、座位数', en: '教室名称, 座位数 or Room, Seats' },
  },
  teacherclass: {
    rows: 5_000,
    headings: 2,
    such: { zh: '教师、学科、班级', en: '教师, 学科, 班级 or Teacher, Subject, Class' },
  },
  // Two hundred classes of forty lessons.
  classschedule: {
    rows: 8_000,
    headings: 3,
    such: { zh: '班级、星期、节次', en: '班级, 星期, 节次 or Class, Weekday, Period' },
  },
}

/** What is wrong with a cell before its meaning is asked: the text cannot be trusted. */
export type Mark = 'formula' | 'error' | 'rounded'
