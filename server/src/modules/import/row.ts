import {
  checkIdNo,
  type Entity,
  idNoFacts,
  idNoRegion,
  regionUnknown,
  student,
  studentdetail,
  studentparents,
  tidy,
  type Words,
} from '@data-brain/contract'
import { formColumn, type Part, parts, type StudentColumn } from '@data-brain/contract/import/student-form'
import { checkDraft, type Values } from '../../entity/check.ts'
import { type Model, modelOf } from '../../entity/model.ts'
import { lostDigits, readCell } from './cell.ts'
import type { Mark } from './limits.ts'
import { type ClassPlace, foldClass, foldWord, type Lookups } from './lookups.ts'
import type { SheetRow } from './read/table.ts'

/** What is wrong with a cell: the column of the form, and words that never carry the value. */
export interface Fault {
  readonly key: string
  readonly zh: string
  readonly en: string
}

/** A row as it is kept: as it was read, and as its cells have been corrected since. */
export interface Kept extends Omit<SheetRow, 'no' | 'cells' | 'marks'> {
  cells: string[]
  marks?: Record<number, Mark>
}

/** Which column of the file fills which column of the form. */
export type Mapping = Readonly<Record<string, string>>

/** A row whose cells have been read, before anything is known of the database's rows. */
export interface ReadRow {
  readonly no: number
  readonly drafts: Record<Part, Values>
  /** Faults of cells that could not be read. */
  readonly faults: Fault[]
  readonly place: ClassPlace | undefined
}

export const models: Record<Part, Model> = {
  student: modelOf(student as Entity),
  detail: modelOf(studentdetail as Entity),
  member1: modelOf(studentparents as Entity),
  member2: modelOf(studentparents as Entity),
}
export const allParts = Object.keys(parts) as Part[]

/** The mapped columns of a file, resolved once per job. */
export interface MappedColumn {
  readonly at: number
  readonly column: StudentColumn
}
export const mappedColumns = (mapping: Mapping): MappedColumn[] =>
  Object.entries(mapping).flatMap(([at, key]) => {
    const column = formColumn(key)
    return column ? [{ at: Number(at), column }] : []
  })

/** Reads the cells of a row into drafts. */
export function readRow(no: number, kept: Kept, columns: readonly MappedColumn[], lookups: Lookups): ReadRow {
  const drafts: Record<Part, Values> = { student: {}, detail: {}, member1: {}, member2: {} }
  const faults: Fault[] = []
  const add = (key: string, words: Words): void => {
    faults.push({ key, zh: words.zh, en: words.en })
  }
  let gradeId: string | undefined
  let className = ''
  for (const { at, column } of columns) {
    const text = (kept.cells[at] ?? '').trim()
    const mark = kept.marks?.[at]
    if ((text === '' && !mark) || column.part === 'ignored') continue
    if (column.part === 'check') {
      if (!mark && lookups.schoolCode && text !== lookups.schoolCode)
        add(column.key, { zh: '与所选学校的标识码不一致', en: 'is not the code of the chosen school' })
      continue
    }
    const field = models[column.part].byName.get(column.field)!
    if (field.kind === 'reference' && !mark) {
      if (field.name === 'classId') className = text
      else {
        gradeId = lookups.grades.get(foldWord(text))
        if (!gradeId) add(column.key, { zh: '没有这个年级', en: 'is no grade' })
      }
      continue
    }
    const cell = readCell(text, mark, field, lookups)
    const number = field.rule === 'idNo' && !mark ? tidy('idNo', text) : ''
    if ('fault' in cell) add(column.key, cell.fault)
    else if (/^\d{15}000$/.test(number) && checkIdNo(number)) add(column.key, lostDigits)
    else drafts[column.part][field.name] = cell.value
  }
  const place = className ? placeOf(className, gradeId, lookups, add) : undefined
  if (place) Object.assign(drafts.student, { classId: place.id, gradeId: place.gradeId })
  else if (gradeId) drafts.student.gradeId = gradeId
  fillIn(drafts)
  return { no, drafts, faults, place }
}

/** The class that a name means, within the grade where one is given. */
function placeOf(
  name: string,
  gradeId: string | undefined,
  lookups: Lookups,
  add: (key: string, words: Words) => void,
): ClassPlace | undefined {
  const named = lookups.classesByName.get(foldClass(name)) ?? []
  const fitting = gradeId ? named.filter((place) => place.gradeId === gradeId) : named
  if (fitting.length === 1) return fitting[0]
  if (fitting.length > 1)
    add('student.classId', { zh: '有几个班级叫这个名字,请填写年级', en: 'fits several classes: give the grade too' })
  else if (named.length > 0) add('student.classId', { zh: '该年级没有这个班级', en: 'is no class of that grade' })
  else add('student.classId', { zh: `${lookups.yearName}没有这个班级`, en: `is no class of ${lookups.yearName}` })
  return undefined
}

/** What a person leaves out because it stands elsewhere in the row. */
function fillIn(drafts: Record<Part, Values>): void {
  const { student: own, detail, member1 } = drafts
  const asked = own.birthDate === undefined || own.sex === undefined
  const idNo = asked && typeof own.idNo === 'string' ? tidy('idNo', own.idNo) : ''
  const facts = idNo && (own.idType ?? '1') === '1' ? idNoFacts(idNo) : null
  if (facts) {
    own.birthDate ??= facts.birthDate
    own.sex ??= facts.sex
  }
  if (Object.keys(detail).length > 0 && detail.emergencyName === undefined && member1.parentName !== undefined) {
    detail.emergencyName = member1.parentName
    detail.emergencyPhone ??= member1.mobile
    detail.emergencyRelation ??= member1.relation
  }
}

/** The drafts of a row, checked: what will be stored, and everything that is wrong. */
export interface JudgedRow {
  readonly values: Partial<Record<Part, Values>>
  readonly faults: Fault[]
}

/** The rows that a line is about, where they are stored already. */
export type Before = Partial<Record<Part, Values>>

/** Stands for the number of a student that is made when the batch is stored. */
export const numberLater = 'AUTO'
const someId = '1'

/**
 * Checks what was read by the rules that every save obeys (entity/check.ts). With `before`, cells that are empty
 * change nothing; without it, all that is required must be there.
 */
export function judgeRow(row: ReadRow, lookups: Lookups, mapped: ReadonlySet<string>, before: Before = {}): JudgedRow {
  const faults = [...row.faults]
  const values: Partial<Record<Part, Values>> = {}
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
    if (part !== 'student' && !old) draft.studentId = someId
    if ((part === 'member1' || part === 'member2') && !old) {
      draft.contactPriority = part === 'member1' ? 1 : 2
      draft.isEmergency = part === 'member1' ? 1 : 0
    }
    const checked = checkDraft(models[part], draft, old)
    if (!old) forgetDefaults(part, checked.values, row.drafts[part])
    for (const fault of checked.faults)
      if (!unread.has(`${part}.${fault.field}`)) add(`${part}.${fault.field}`, fault.reason)
    values[part] = checked.values
    checkKeys(part, checked.values, lookups, add)
  }
  judgeTogether(row, values, before, lookups, mapped, new Set(faults.map((fault) => fault.key)), add)
  return { values, faults }
}

/** What a form offers as the usual is no fact about a child of whom the file does not say it. */
function forgetDefaults(part: Part, values: Values, given: Values): void {
  for (const field of models[part].fields)
    if (!field.required && field.kind === 'choice' && given[field.name] === undefined) delete values[field.name]
}

/** A default is a choice too: one that the tenant has sealed is not offered. */
function checkKeys(part: Part, values: Values, lookups: Lookups, add: (key: string, words: Words) => void): void {
  for (const field of models[part].fields) {
    const value = values[field.name]
    if (field.dict && typeof value === 'string' && !lookups.keys.get(field.dict)?.has(value))
      add(`${part}.${field.name}`, { zh: '不是可选的值', en: 'is not one of the choices' })
  }
}

function judgeTogether(
  row: ReadRow,
  values: Partial<Record<Part, Values>>,
  before: Before,
  lookups: Lookups,
  mapped: ReadonlySet<string>,
  faulty: ReadonlySet<string>,
  add: (key: string, words: Words) => void,
): void {
  const own: Values = { ...before.student, ...values.student }
  for (const part of ['student', 'member1', 'member2'] as const) {
    const whole = part === 'student' ? own : { ...before[part], ...values[part] }
    const idNo = row.drafts[part].idNo
    if (typeof idNo !== 'string' || (whole.idType ?? '1') !== '1') continue
    if (faulty.has(`${part}.idNo`)) continue
    const region = idNoRegion(tidy('idNo', idNo))
    if (region && !lookups.regionCodes.has(region)) add(`${part}.idNo`, regionUnknown)
  }
  if (!own.classId && !faulty.has('student.classId')) add('student.classId', { zh: '不能为空', en: 'is required' })
  if (before.student?.classId && values.student?.classId && before.student.classId !== values.student.classId)
    add('student.classId', {
      zh: '与该生现在的班级不同,请在学生档案中调班',
      en: "is not the pupil's present class: move the pupil in the record",
    })
  for (const part of ['member1', 'member2'] as const) {
    const whole: Values = { ...before[part], ...values[part] }
    if (values[part] && ['97', '99'].includes(String(whole.relation)) && !whole.relationNote)
      add(`${part}.relationNote`, { zh: '请说明关系', en: 'is required for this relation' })
  }
  if (values.member1?.mobile && values.member1.mobile === values.member2?.mobile)
    add('member2.mobile', { zh: '与成员1的电话相同', en: 'is the number of member 1' })
  if (!before.student && mapped.has('member1.parentName') && !values.member1 && !values.member2)
    add('member1.parentName', { zh: '至少填写一名监护人', en: 'give at least one guardian' })
}
