import { checkIdNo, tidyText, type Words } from '@data-brain/contract'
import { bareGrade, isOfAnyGrade, readClass, readGrade } from '@data-brain/contract/import/class-name'
import { readNamedClass } from '@data-brain/contract/import/named-class'
import { formColumn, memberParts, type Part, type StudentColumn } from '@data-brain/contract/import/student-form'
import type { Values } from '../../../entity/check.ts'
import type { ModelField } from '../../../entity/model.ts'
import type { Mark } from '../file/limits.ts'
import { type ClassMade, cohortOf, gradesMeant, placeOf, unplaced, withMajor } from '../student/class-placement.ts'
import { relationOf } from '../student/people.ts'
import { fetchersOf, saysParents } from '../student/people-cells.ts'
import { isNobody, type NamedPerson } from '../student/people-read.ts'
import { sameAddresses } from '../student/same-address.ts'
import {
  type Fetchers,
  forgetNobody,
  giveSecond,
  letFetch,
  type NamedBeside,
  type SecondNumber,
  seatFetchers,
  seatPeople,
  takeEmergency,
  takePeople,
  uniteSame,
} from '../student/seat-people.ts'
import { type ImportAnswers, wordOf } from './answers.ts'
import { kindsOf, lostDigits, readCell } from './cell.ts'
import { saysEnrolled, saysNoNumber, saysNothing, tidyName, wholeNumber, withoutMark } from './cell-words.ts'
import { dropGuardiansNumber, fillIn, tellPassport } from './fill-in.ts'
import { type ClassPlace, type FileLookups, foldWord, type GradeOf } from './lookups.ts'
import { isNothing, isNumber, monthOf, preparedText, regionText } from './prepared-cell.ts'
import { beyondRegion } from './region-names.ts'
import {
  allParts,
  type Fault,
  isMember,
  type KeptRemark,
  type KeptRow,
  leftOut,
  type MappedColumn,
  models,
  type ReadRow,
  type RowNote,
  saysOther,
} from './row.ts'
import { isNotMember, offeredAs, onlyOther, yesMeans } from './said-by-heading.ts'
import { isAddress, registrar, residence, unreadable } from './unreadable.ts'

/** For the value that is made of the grade: the September of the year in which the class entered. */
export const byCohort = '@cohort'

/** Reads the cells of a row into drafts. */
export function readRow(
  no: number,
  kept: KeptRow,
  columns: readonly MappedColumn[],
  lookups: FileLookups,
  answers: ImportAnswers,
): ReadRow {
  const drafts = Object.fromEntries(allParts.map((part) => [part, {}])) as Record<Part, Values>
  const faults: Fault[] = []
  const notes: RowNote[] = []
  const remarks: KeptRemark[] = []
  let status: number | undefined
  const isPlace = (word: string): boolean => lookups.regionNames.get(foldWord(word))?.endsWith('00') === true
  const more: NamedBeside[] = []
  const second: SecondNumber[] = []
  const fetched: {
    readonly column: StudentColumn
    readonly heading: string | undefined
    readonly text: string
    readonly who: Fetchers
  }[] = []
  const add = (key: string, words: Words, make?: ClassMade): void => {
    faults.push({ key, zh: words.zh, en: words.en, ...(make ? { make } : {}) })
  }
  const said = (key: string): string | undefined =>
    kept.cells[columns.find((each) => each.column.key === key)?.at ?? -1] ?? answers.fixed[key]
  if (kept.hidden && answers.hidden !== 'take') add(hiddenRow.key, answers.hidden === 'leave' ? leftOut : hiddenRow)
  // Clerks compute sex and birth from the identity number; a formula without a result loses nothing that it says, and
  // no more does a month of birth. Whether the number says it is known when the whole row is read.
  const uncomputed = new Map<string, { readonly words: Words; readonly begins: string }>()
  let grades: readonly GradeOf[] | undefined
  let className = ''
  /** What the place of registration says beyond its county. */
  let registered = ''
  /** The politics that a pupil has not, where that is all that is said. */
  let notMember = ''
  const read = ({ column, order, heading }: Omit<MappedColumn, 'at'>, cell: string, mark: Mark | undefined): void => {
    const text = yesMeans(cell, heading, column, lookups)
    if (column.part === 'ignored' || column.key === 'check.major') return
    const not = isNotMember(cell, heading, column, lookups)
    if (not) {
      notMember = not
      return
    }
    if (column.part === 'check') {
      const words = text === '' || mark ? undefined : compared(column.key, text, lookups)
      if (!words) return
      const said = answers.instead(column.key, text)
      const chosen =
        column.key === 'check.status' ? lookups.choices.get('student_status')?.get(foldWord(said ?? '')) : undefined
      if (answers.leavesOut(column.key, text)) add(column.key, leftOut)
      else if (chosen !== undefined) status = Number(chosen)
      else if (said !== '') add(column.key, words)
      return
    }
    const { key, part } = column
    const field = models[part].byName.get(column.field)!
    if (mark ? false : isNothing(text, field, lookups)) return
    if (isNumber.has(field.name) && saysNoNumber(text)) {
      keepAs(heading, column, text)
      return
    }
    if (isMember(part) && field.name === 'parentName') {
      if (isNobody(text)) {
        keepAs(heading, column, text)
        return
      }
      const isCalled = (said(`${part}.mobile`) ?? '').trim() !== ''
      const who = !isCalled && /接送/.test(heading ?? '') ? fetchersOf(text) : undefined
      if (who) {
        fetched.push({ column, heading, text, who })
        return
      }
      // 奶奶 below 主要带养人 says who it is, and names nobody.
      if (saysParents(text) || (!isCalled && relationOf(text))) {
        keepAs(heading, column, text)
        return
      }
    }
    const word = wordOf(key, text, said)
    if (answers.leavesOut(key, word)) {
      add(key, leftOut)
      return
    }
    // What 其他 was answered to mean is said of those rows that do not say it themselves.
    const isTold = field.name === 'relation' && (said(`${part}.relationNote`) ?? '').trim() !== ''
    const instead = isTold ? undefined : answers.instead(key, word)
    const learned = isTold ? undefined : answers.learned(key, word)
    if (learned !== undefined) notes.push({ kind: 'learned', key, word: learned })
    // Which illness it is no answer says.
    if (instead !== undefined && key === 'student.health') keep(column, text)
    if (instead === '') {
      if (keepsKind(text, field, lookups) || field.kind === 'region') keep(column, text)
      // 一年级 without a class yet still says the grade.
      const meant = key === 'student.classId' && !grades ? gradesMeant(text, lookups) : []
      if (meant.length > 0) grades = meant
      return
    }
    if (instead !== undefined) {
      take({ column, order, heading }, field, instead, undefined)
      if (isMember(part) && field.name === 'relation' && saysOther(drafts[part].relation))
        drafts[part].relationNote ??= notTold
      return
    }
    const bare = key === 'student.name' && !mark ? withoutMark(text) : undefined
    // What a mark means stands in a note or in nobody's but the clerk's mind: the cell is kept as it is.
    if (bare) keepAs(heading, column, text)
    const ofMajor = key === 'student.classId' ? withMajor(text, said('check.major') ?? '', lookups) : undefined
    take({ column, order, heading }, field, bare ?? ofMajor ?? text, mark)
  }
  /** A text that no field holds stands in the remarks, under the name of its column. */
  const keep = (
    { key, part, label }: Pick<StudentColumn, 'key' | 'part' | 'label'>,
    text: string,
    kind: RowNote['kind'] = 'inRemark',
  ): void => {
    remarks.push({ part, text: `${label.zh.replace(/^是否/, '')}：${text.trim()}` })
    notes.push({ kind, key })
  }
  /** Likewise under the heading of the file: 接送人 says more than that it is the third guardian. */
  const keepAs = (heading: string | undefined, { key, part, label }: StudentColumn, text: string): void =>
    keep({ key, part, label: heading ? { ...label, zh: heading.trim() } : label }, text)
  /** What a cell says of people besides who and which numbers they are, without the numbers. */
  const keepNotes = (heading: string | undefined, column: StudentColumn, people: readonly NamedPerson[]): void => {
    for (const { name, word, note } of people)
      if (note) keepAs(heading, column, people.length > 1 ? `${name ?? word ?? ''}${note}` : note)
  }
  const take = (
    { column, order, heading }: Omit<MappedColumn, 'at'>,
    field: ModelField,
    text: string,
    mark: Mark | undefined,
  ): void => {
    const { key } = column
    const part = column.part as Part
    if (field.kind === 'reference' && !mark) {
      if (field.name === 'classId') className = ofGrades(heading, text)
      else {
        const meant = gradesMeant(yearOfLeaving(text, heading, lookups), lookups)
        if (meant.length > 0) grades = meant
        else if (readGrade(text)) add(key, { zh: '本校没有该年级', en: 'is a grade that the school has not' })
        else add(key, { zh: '没有这个年级', en: 'is no grade' })
      }
      return
    }
    if (!mark && part === 'detail' && (field.name === 'emergencyName' || field.name === 'emergencyPhone')) {
      const people = takeEmergency(drafts.detail, field.name, text, isPlace)
      if (people) {
        keepNotes(heading, column as StudentColumn, people)
        return
      }
    }
    if (!mark && isMember(part) && (field.name === 'parentName' || field.name === 'mobile')) {
      const cell = {
        ...{ text, heading },
        pupil: tidyName(said('student.name') ?? ''),
        named: tidyName(said(`${part}.parentName`) ?? ''),
        relation: relationOf(said(`${part}.relation`) ?? '')?.relation,
        isPlace,
      }
      const people = takePeople(drafts[part], field.name, cell, more, second)
      if (people) {
        keepNotes(heading, column as StudentColumn, people)
        return
      }
    }
    if (field.kind === 'region' && !mark) {
      if (residence.test(foldWord(text)) && !lookups.regionNames.get(foldWord(text))) {
        keep(column as StudentColumn, text)
        return
      }
      const rest = beyondRegion(text, lookups)
      if (rest && key === registration) {
        notes.push({ kind: 'wider', key })
      } else if (rest) keep(column as StudentColumn, text, 'wider')
    }
    const cell = readCell(preparedText(text, field, lookups), mark, field, lookups, order)
    const number = field.rule === 'idNo' && !mark ? tidyText('idNo', text) : ''
    const month = key === 'student.birthDate' && !mark ? monthOf(text) : undefined
    if ('fault' in cell && (month || (mark === 'formula' && key in saidByIdNo))) {
      uncomputed.set(key, { words: cell.fault, begins: month ?? '' })
    } else if ('fault' in cell && key === registration && isAddress.test(text)) {
      // A street or a village says where somebody is registered, and not in which county.
      registered = text
    } else if ('fault' in cell && field.kind === 'region' && registrar.test(text.trim()))
      keepAs(heading, column as StudentColumn, text)
    else if ('fault' in cell) {
      unreadable(key, text, field, drafts, cell.fault, add)
    } else if (/^\d{15}000$/.test(number) && checkIdNo(number)) add(key, lostDigits)
    else drafts[part][field.name] ??= cell.value
    if (key === registration && regionText(text, lookups) !== text.trim()) registered = text
  }
  for (const { at, ...column } of columns) {
    const text = wholeNumber((kept.cells[at] ?? '').trim())
    const mark = kept.marks?.[at]
    if (text !== '' || mark) read(column, text, mark)
  }
  // The address of the household may have a column of its own.
  if (registered !== '') {
    drafts.detail.hukouAddress ??= registered
    if (
      drafts.detail.hukouAddress !== registered &&
      notes.some(({ kind, key }) => kind === 'wider' && key === registration)
    )
      remarks.push({ part: 'detail', text: `户口所在地：${registered}` })
  }
  sameAddresses(drafts)
  // 父亲姓名 says who that is before the numbers that say so too are given out.
  for (const part of memberParts) {
    const relation = relationOf(answers.fixed[`${part}.relation`] ?? '')
    const { parentName, mobile } = drafts[part]
    if (relation && !relation.note && (parentName ?? mobile) !== undefined) drafts[part].relation ??= relation.relation
  }
  for (const number of second) giveSecond(number, more, drafts)
  const unseated = seatPeople(drafts, more)
  if (unseated.length > 0) notes.push({ kind: 'noRoom', key: 'member1.parentName' })
  for (const { name, word } of unseated)
    remarks.push({ part: 'member1', text: `其他家长：${[name, word].filter(Boolean).join('，')}` })
  for (const [key, text] of Object.entries(answers.fixed)) {
    const column = formColumn(key)
    if (!column || text === '' || text === byCohort || columns.some((each) => each.column.key === key)) continue
    // What is said of a guardian for all rows is no guardian where a row names none.
    if (isMember(column.part) && Object.keys(drafts[column.part]).length === 0) continue
    if (isMember(column.part) && drafts[column.part][column.field] !== undefined) continue
    read({ column }, text, undefined)
  }
  seatFetchers(drafts, columns)
  uniteSame(drafts)
  forgetNobody(drafts)
  for (const { column, heading, text, who } of fetched) if (!letFetch(drafts, who)) keepAs(heading, column, text)
  dropGuardiansNumber(drafts, columns)
  tellPassport(drafts, columns)
  // Where the grade is asked about, its answer says which 2班 is meant.
  const waits = faults.some(({ key }) => key === 'student.gradeId') && saysNoGrade(className)
  const place = className && !waits ? findPlace(className, grades, lookups, add) : undefined
  if (place) Object.assign(drafts.student, { classId: place.id, gradeId: place.gradeId })
  else if (grades?.length === 1) drafts.student.gradeId = grades[0]!.id
  if (notMember) {
    const stages = new Set(
      (drafts.student.gradeId ? offeredAs(drafts.student.gradeId, lookups) : lookups.offered).map(({ stage }) => stage),
    )
    const [stage] = stages.size === 1 ? [...stages] : []
    const masses = lookups.choices.get('politics')?.get(foldWord('群众'))
    if (masses && stage === onlyOther[notMember]) drafts.student.politics ??= masses
  }
  if (fillIn(drafts)) notes.push({ kind: 'copied', key: 'detail.emergencyName' })
  for (const [key, { words, begins }] of uncomputed) {
    const said = drafts.student[saidByIdNo[key as keyof typeof saidByIdNo]]
    // A short year is told from the right of the century: 15-03 is 2015-03.
    const day = String(said ?? '').slice(/^\d{2}-/.test(begins) ? 2 : 0)
    if (said === undefined || !day.startsWith(begins)) add(key, words)
  }
  if (answers.fixed['student.enrollDate'] === byCohort && drafts.student.enrollDate === undefined) {
    const cohort = place?.cohortYear ?? (grades?.length === 1 ? cohortOf(grades[0]!, lookups) : undefined)
    if (cohort !== undefined) drafts.student.enrollDate = `${cohort}-09-01`
  }
  return { no, drafts, faults, notes, remarks, place, status }
}

/** What stands for the relation of somebody of whom it was answered that nobody knows more than 其他. */
const notTold = '未说明'

/** Whether a cell says that there is something, and not of which of several kinds: 是 under 是否留守儿童. */
const keepsKind = (text: string, field: ModelField, lookups: FileLookups): boolean =>
  field.kind === 'choice' && kindsOf(text, field.dict, lookups) !== undefined

/**
 * Under 届 a year alone is that of leaving where it lies ahead. One that lies behind names nobody who is there, unless it
 * is the year of entry.
 */
function yearOfLeaving(text: string, heading: string | undefined, { startYear }: FileLookups): string {
  const year = /^(20\d{2})年?$/.exec(text.normalize('NFKC').trim())?.[1]
  return year && startYear && /届/.test(heading ?? '') && Number(year) > startYear ? `${year}届` : text
}

/** What is wrong with a cell that is compared and not stored. */
function compared(key: string, text: string, { schoolCode, otherSchools }: FileLookups): Words | undefined {
  if (key === 'check.schoolCode')
    return schoolCode && text !== schoolCode
      ? { zh: '与所选学校的标识码不一致', en: 'is not the code of the chosen school' }
      : undefined
  if (key === 'check.schoolName')
    return otherSchools.has(foldWord(text))
      ? { zh: `是${text}的学生，不是所选学校的`, en: `is of ${text}, not of the chosen school` }
      : undefined
  return saysNothing(text) || saysEnrolled(text)
    ? undefined
    : { zh: '不是在读，请选择按哪种状态导入', en: 'is not enrolled: say with which state to import' }
}

/** Columns of a pupil that the identity number says as well, with their fields. */
const saidByIdNo = { 'student.sex': 'sex', 'student.birthDate': 'birthDate' } as const

/** What is asked of rows that are hidden in the file. */
export const hiddenRow = {
  key: 'check.hiddenRow',
  zh: '这一行在文件里是隐藏的，请选择是否导入',
  en: 'is hidden in the file: say whether it is meant',
}

const registration = 'detail.hukouRegionCode'

/** Whether the name of a class leaves its grade to another column: 2班, 护理1班. */
const saysNoGrade = (name: string): boolean =>
  [...readClass(name).slice(0, 1), readNamedClass(name)].some((each) => each && isOfAnyGrade(each))

/** Where a column of grades stands in the place of classes, 五 is 五年级 and no fifth class. */
const ofGrades = (heading: string | undefined, text: string): string =>
  bareGrade.test(text) && /年级|grade/i.test(heading ?? '') && !/班|class/i.test(heading ?? '')
    ? `${text.trim()}年级`
    : text

/** The class that a name means, or what was said once of all rows with that name. */
function findPlace(
  name: string,
  grades: readonly GradeOf[] | undefined,
  lookups: FileLookups,
  add: (key: string, words: Words, make?: ClassMade) => void,
): ClassPlace | undefined {
  if (unplaced.test(name)) return undefined
  const chosen = lookups.classes.find((place) => `=${place.id}` === name)
  if (chosen) return chosen
  const placed = placeOf(name, grades, lookups)
  if ('place' in placed) return placed.place
  add(placed.key, placed.fault, placed.make)
  return undefined
}
