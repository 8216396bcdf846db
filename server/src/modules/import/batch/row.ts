import {
  idNoRegion,
  regionUnknown,
  student,
  studentdetail,
  studentparents,
  tidyText,
  type Words,
} from '@data-brain/contract'
import { formColumn, memberParts, type Part, parts, type StudentColumn } from '@data-brain/contract/import/student-form'
import type { DayOrder } from '@data-brain/contract/rules/day'
import { checkDraft, type Values } from '../../../entity/check.ts'
import { type Model, modelOf } from '../../../entity/model.ts'
import { guardianUnknown } from '../../student/index.ts'
import type { Mark } from '../file/limits.ts'
import type { SheetRow } from '../file/table.ts'
import type { ClassMade } from '../student/class-placement.ts'
import type { ClassPlace, FileLookups } from './lookups.ts'

/** What is wrong with a cell: the column of the form, and words that never carry the value. */
export interface Fault {
  readonly key: string
  readonly zh: string
  readonly en: string
  /** The class that could be made. */
  readonly make?: ClassMade
  /** The row shares what only one row may have with others of the file. */
  readonly repeats?: true
}

/** What is told of a row that comes in all the same, so that nothing happens without a word. */
export interface RowNote {
  readonly kind: NoteKind
  readonly key: string
  /** The word that an earlier answer was for, as it is kept. */
  readonly word?: string
}

/**
 * `noClass`: no class yet; `inRemark`: a text that no field holds is kept in the remarks; `wider`: of a place only the
 * province or city could be read; `copied`: the first guardian is the emergency contact; `learned`: read as somebody
 * answered in an earlier file; `noRoom`: more guardians than a row has seats.
 */
export type NoteKind = 'noClass' | 'inRemark' | 'wider' | 'copied' | 'learned' | 'noRoom'

/** The fault of a row that somebody has chosen to leave out. */
export const leftOut: Words = { zh: '已选择不导入这一行', en: 'is chosen to be left out' }

/** What becomes of a row: left out as somebody chose, wrong, there already, or new. */
export function stateOf(faults: readonly Fault[], isKnown: boolean): 'out' | 'bad' | 'duplicate' | 'good' {
  if (faults.some((fault) => fault.zh === leftOut.zh)) return 'out'
  return faults.length > 0 ? 'bad' : isKnown ? 'duplicate' : 'good'
}

/** A row as it is kept: as it was read, and as its cells have been corrected since. */
export interface KeptRow extends Omit<SheetRow, 'no' | 'cells' | 'marks'> {
  cells: string[]
  marks?: Record<number, Mark>
}

/** Which column of the file fills which column of the form. */
export type Mapping = Readonly<Record<string, string>>

/** A text that no field holds, and of whom its column is. */
export interface KeptRemark {
  readonly part: string
  readonly text: string
}

/** A row whose cells have been read, before anything is known of the database's rows. */
export interface ReadRow {
  readonly no: number
  readonly drafts: Record<Part, Values>
  /** Faults of cells that could not be read. */
  readonly faults: Fault[]
  readonly notes: readonly RowNote[]
  /** What no field holds and is kept in the remarks. */
  readonly remarks: readonly KeptRemark[]
  readonly place: ClassPlace | undefined
  /** The status of a new pupil, where somebody chose another one than that of who is there. */
  readonly status?: number | undefined
}

export const models = {
  student: modelOf(student),
  detail: modelOf(studentdetail),
  member1: modelOf(studentparents),
  member2: modelOf(studentparents),
  member3: modelOf(studentparents),
  member4: modelOf(studentparents),
  member5: modelOf(studentparents),
  member6: modelOf(studentparents),
} satisfies Record<Part, Model>
export const allParts = Object.keys(parts) as Part[]

/** The mapped columns of a file, resolved once per job. */
export interface MappedColumn {
  readonly at: number
  readonly column: StudentColumn
  /** How the days of the column are read, where that was found out or answered. */
  readonly order?: DayOrder | undefined
  /** What stands over the column in the file: 是 under 是否团员 is 团员. */
  readonly heading?: string | undefined
}
export const mappedColumns = (
  mapping: Mapping,
  orders: Readonly<Record<string, DayOrder>> = {},
  columns: readonly { readonly heading: string }[] = [],
): MappedColumn[] =>
  Object.entries(mapping).flatMap(([at, key]) => {
    const column = formColumn(key)
    return column ? [{ at: Number(at), column, order: orders[at], heading: columns[Number(at)]?.heading }] : []
  })

/** Whether a part of a line is a guardian. */
export const isMember = (part: string): part is (typeof memberParts)[number] =>
  (memberParts as readonly string[]).includes(part)

/** The drafts of a row, checked: what will be stored, and everything that is wrong. */
export interface JudgedRow {
  readonly values: Partial<Record<Part, Values>>
  readonly faults: Fault[]
}

/** The stored rows that a line of the file updates. */
export type StoredParts = Partial<Record<Part, Values>> & {
  /** How many guardians the pupil has. */
  readonly guardians?: number
}

/** Stands for the number of a student that is made when the batch is stored. */
export const numberLater = 'AUTO'
const someId = '1'

/**
 * Checks what was read by the rules that every save obeys (entity/check.ts). With `before`, cells that are empty
 * change nothing; without it, all that is required must be there.
 */
export function judgeRow(row: ReadRow, lookups: FileLookups, before: StoredParts = {}): JudgedRow {
  const faults = [...row.faults]
  const values: Partial<Record<Part, Values>> = {}
  let order = 0
  const first = allParts.find((part) => isMember(part) && isThere(row.drafts[part]))
  const called = calledFirst(row.drafts) ?? first
  // A list that says of every guardian whether to call them may name several.
  const isSaid = allParts.some((part) => isMember(part) && row.drafts[part].isEmergency === 1)
  const unread = new Set(faults.map((fault) => fault.key))
  const add = (key: string, words: Words): void => {
    if (!faults.some((known) => known.key === key)) faults.push({ key, zh: words.zh, en: words.en })
  }
  for (const part of allParts) {
    const draft = { ...row.drafts[part] }
    const old = before[part]
    if (part !== 'student' && Object.keys(draft).length === 0) continue
    if (part === 'student' && !old) {
      draft.schoolId = lookups.schoolId
      draft.studentNo ??= numberLater
    }
    if (part === 'student' && row.remarks.length > 0)
      draft.remark = withRemarks(draft.remark ?? old?.remark, row.remarks)
    // A number says of what kind it is unless a column does; where there is none, nothing is known of the papers.
    if (part === 'student' && draft.idNo !== undefined && !old?.idType)
      draft.idType ??= models.student.byName.get('idType')?.default ?? '1'
    if (part !== 'student' && !old) draft.studentId = someId
    if (isMember(part) && !old) {
      order += 1
      draft.contactPriority = order
      draft.isEmergency = !before.guardians && (isSaid ? draft.isEmergency === 1 : called === part) ? 1 : 0
      // Parents are guardians by law; of anybody else the file must say it, unless nobody else stands there.
      draft.isGuardian ??= order === 1 || ['51', '52', '57', '58'].includes(String(draft.relation)) ? 1 : 0
      if (draft.parentName === undefined && draft.mobile === undefined) {
        add(`${part}.parentName`, guardianUnknown)
        continue
      }
    }
    const checked = checkDraft(models[part], draft, old)
    if (!old) forgetDefaults(part, checked.values, draft)
    for (const fault of checked.faults)
      if (!unread.has(`${part}.${fault.field}`)) add(`${part}.${fault.field}`, fault.reason)
    values[part] = checked.values
    checkKeys(part, checked.values, lookups, add)
  }
  judgeTogether(row, values, before, lookups, new Set(faults.map((fault) => fault.key)), add)
  return { values, faults }
}

/** Whether somebody stands there who can be called: not whoever has died. */
const isThere = (draft: Values): boolean => Object.keys(draft).length > 0 && draft.isEmergency !== 0

/** Remarks with what else is to be kept there, as far as there is room. */
export function withRemarks(own: unknown, more: readonly KeptRemark[]): string {
  const before = typeof own === 'string' ? own : ''
  const most = models.student.byName.get('remark')?.max ?? 500
  return more.reduce((all, { text }) => {
    const longer = all === '' ? text : `${all}；${text}`
    return all.includes(text) || longer.length > most ? all : longer
  }, before)
}

/** The guardian whom the row names as the emergency contact, by number or by name. */
function calledFirst({ detail, ...drafts }: ReadRow['drafts']): Part | undefined {
  const is = (name: 'mobile' | 'parentName', value: unknown) =>
    value === undefined ? undefined : allParts.filter(isMember).find((part) => drafts[part]?.[name] === value)
  return is('mobile', detail.emergencyPhone) ?? is('parentName', detail.emergencyName)
}

/** What a form offers as the usual is no fact about a child of whom the file does not say it. */
function forgetDefaults(part: Part, values: Values, given: Values): void {
  for (const field of models[part].fields)
    if (!field.required && field.kind === 'choice' && given[field.name] === undefined) delete values[field.name]
}

/** A default is a choice too: one that the tenant has sealed is not offered. */
function checkKeys(part: Part, values: Values, lookups: FileLookups, add: (key: string, words: Words) => void): void {
  for (const field of models[part].fields) {
    const value = values[field.name]
    if (field.dict && typeof value === 'string' && !lookups.keys.get(field.dict)?.has(value))
      add(`${part}.${field.name}`, { zh: '不是可选的值', en: 'is not one of the choices' })
  }
}

/** Of which a pupil has one each: the father and the mother. */
const oneEach: ReadonlySet<unknown> = new Set(['51', '52'])
const saidTwice: Words = {
  zh: '这一行已有同样关系的家长，一名学生只有一位父亲和一位母亲',
  en: 'is that of another parent of the row: a student has one father and one mother',
}

/** Whether a relation has to be told in words: another relative, or somebody else. */
export const saysOther = (relation: unknown): boolean => ['97', '99'].includes(String(relation))

function judgeTogether(
  row: ReadRow,
  values: Partial<Record<Part, Values>>,
  before: StoredParts,
  lookups: FileLookups,
  faulty: ReadonlySet<string>,
  add: (key: string, words: Words) => void,
): void {
  const own: Values = { ...before.student, ...values.student }
  for (const part of ['student', ...memberParts] as const) {
    const whole = part === 'student' ? own : { ...before[part], ...values[part] }
    const idNo = row.drafts[part].idNo
    if (typeof idNo !== 'string' || (whole.idType ?? '1') !== '1') continue
    if (faulty.has(`${part}.idNo`)) continue
    const region = idNoRegion(tidyText('idNo', idNo))
    if (region && !lookups.regionCodes.has(region)) add(`${part}.idNo`, regionUnknown)
  }
  if (before.student?.classId && values.student?.classId && before.student.classId !== values.student.classId)
    add('student.classId', {
      zh: '与该生现在的班级不同，请在学生档案中调班',
      en: 'is not the student’s present class: move the student in the record',
    })
  const relations = new Set<unknown>()
  for (const part of memberParts) {
    const whole: Values = { ...before[part], ...values[part] }
    if (values[part] && oneEach.has(whole.relation) && relations.has(whole.relation)) add(`${part}.relation`, saidTwice)
    if (values[part]) relations.add(whole.relation)
    // At the cell that says no more than 其他: one answer mends all of them.
    if (values[part] && saysOther(whole.relation) && !whole.relationNote)
      add(`${part}.relation`, { zh: '请说明关系', en: 'does not say what the relation is' })
  }
}
