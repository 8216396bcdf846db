import { entityOf } from '@data-brain/contract'
import {
  classInTitle,
  gradeWithin,
  isClassHeading,
  isOfAnyGrade,
  readClass,
  readGrade,
} from '@data-brain/contract/import/class-name'
import { namesSubject } from '@data-brain/contract/import/entity-forms'
import type { FormKind } from '@data-brain/contract/import/place'
import { type Part, parts } from '@data-brain/contract/import/student-form'
import { hoursOf } from '../entity/teaching.ts'
import { nameCohort } from '../student/name-cohort.ts'
import { nameGuardians, nameIdNo, nameParents } from '../student/name-guardians.ts'
import { looseField, ofSomebodyElse, roleOf } from '../student/people.ts'
import { type Heading, type Match, People } from '../student/people-columns.ts'
import { fold, namesIn, waysOf, yourName } from './heading-ways.ts'

export type { Heading, Match }

/** What the columns of a file mean, and what their headings say for all rows: 父亲电话 is the number of a father. */
export interface ColumnMeanings {
  readonly matches: ReadonlyMap<number, Match>
  readonly fixed: Readonly<Record<string, string>>
}

/** Where the class and the grade of a row stand, which a title or the name of a sheet may say for many rows. */
const placed: Readonly<
  Partial<Record<FormKind, { readonly class: string; readonly ofRow: boolean; readonly grade: string }>>
> = {
  student: { class: 'student.classId', ofRow: false, grade: 'student.gradeId' },
  studentparents: { class: 'student.classId', ofRow: false, grade: 'student.gradeId' },
  schoolclass: { class: 'schoolclass.className', ofRow: true, grade: 'schoolclass.gradeId' },
  teacherclass: { class: 'teacherclass.classId', ofRow: false, grade: 'ref.grade' },
  classschedule: { class: 'classschedule.classId', ofRow: false, grade: 'ref.grade' },
}

/** Whether a heading says for which subject or class its cells name a teacher. */
const isTaught = (heading: string): boolean => namesSubject(fold(heading)) || isClassHeading(heading)

/** Forms with a column for each subject or class, by what their headings are. */
const isHeaded: Readonly<Partial<Record<FormKind, (heading: string) => boolean>>> = {
  teacherclass: isTaught,
  schoolclass: isClassHeading,
}

/** Whether a heading is known: by name, or as one of a guardian. */
const knownAs = (kind: FormKind, heading: string): string | undefined => {
  const folded = fold(heading)
  const match = namesIn(kind).exact.get(folded)
  if (match || !hasPeople(kind)) return match?.key ?? (isHeaded[kind]?.(heading) ? `taught.${heading}` : undefined)
  const role = roleOf(folded)
  return role ? `${role.who}.${role.field}` : looseField(folded)
}

/** What a heading means by itself: of two sheets one may write 班级 and the other 班. */
export const meaningOf = (kind: FormKind, heading: string): string | undefined =>
  knownAs(kind, heading)?.replace(/^(监护人|联系人)(?=1?\.)/, '家长')

/** Whether a heading is one of the form, or of a guardian. */
export const isKnownHeading = (kind: FormKind, heading: string): boolean => knownAs(kind, heading) !== undefined

/** Forms whose rows name the guardians of a pupil. */
const hasPeople = (kind: FormKind): boolean => kind === 'student' || kind === 'studentparents'

/** A paper that foreign pupils have in place of an identity card. */
const passport = /^(学生)?护照(号码?|编号|证号)?$|^passport(no|number|id)?$/

/** Where a list says in which room pupils sit, it is about an examination: 座位号 there is no number in class. */
const examRoom = /^(考场|试场|试室|考室|考点)(号码?|名称|编号|序号|安排)?$/
const seatHeading = /^(座|座位)号?$|^(考试|考场)?座位?号$|^seat(no|number)?$/

/** How many headings of a row are known names: what makes a row the heading. */
export const knownHeadings = (kind: FormKind, cells: readonly string[]): number =>
  new Set(cells.map((cell) => knownAs(kind, cell)).filter(Boolean)).size

const pairsOf = (text: string): string[] => [...text].slice(1).map((sign, at) => [...text][at] + sign)

/** How alike two names are: the share of their neighbouring pairs that they have in common. */
function likeness(a: string, b: string): number {
  const left = pairsOf(a)
  const right = pairsOf(b)
  if (left.length === 0 || right.length === 0) return 0
  const common = left.filter((pair) => right.includes(pair)).length
  return (2 * common) / (left.length + right.length)
}

/** Whether a heading of several rows stands under a subject: 教师 and 节数 below 书法. */
const ofSubject = ({ heading, parts = [] }: Heading): boolean =>
  parts.length > 1 ? parts.slice(0, -1).some((part) => namesSubject(fold(part))) : namesSubject(fold(heading))

const alikeEnough = 0.7

/** Matches the headings of a file to the fields of the form, each field at most once: known names, contents, the most alike. */
export function matchColumns(kind: FormKind, columns: readonly Heading[]): ColumnMeanings {
  const { exact, all } = namesIn(kind)
  const matches = new Map<number, Match>()
  const taken = new Set<string>()
  const put = (at: number, match: Match): boolean => {
    if (matches.has(at) || taken.has(match.key)) return false
    matches.set(at, match)
    taken.add(match.key)
    return true
  }
  // Who fills in a questionnaire is the pupil where nobody else is asked for a name: 您的姓名.
  const asksPupil =
    columns.some(({ heading }) => yourName.test(fold(heading))) &&
    !columns.some((column) => waysOf(column, false).some((form) => exact.get(form)?.key === 'student.name'))
  const ways = columns.map((column) => waysOf(column, asksPupil))
  const ofFile = (at: number): boolean => (columns[at]?.from ?? 'file') === 'file'
  if (hasPeople(kind)) {
    nameParents(ways, columns)
    nameGuardians(ways, kind === 'studentparents')
    nameIdNo(ways, columns)
  }
  if (kind === 'student') nameCohort(ways, columns)
  const people = hasPeople(kind) ? new People(columns, ways, exact, { isOfPupils: kind === 'student' }) : undefined
  const namesClasses = ways.some((forms) => forms.some((form) => exact.get(form)?.key === 'student.classId'))
  const isExam = ways.some((forms) => forms.some((form) => examRoom.test(form)))
  if (kind === 'student') byScript(columns, ways, exact, put)
  for (const sure of [1, 0.9])
    for (const [at, forms] of ways.entries()) {
      if (
        !ofFile(at) ||
        people?.claims(at) ||
        people?.hasMail(at, ways) ||
        (kind === 'teacherclass' && ofSubject(columns[at]!))
      )
        continue
      const match = forms.map((form) => exact.get(form)).find(Boolean)
      if (match?.confidence !== sure || (people && contradicts(match.key, columns[at]!))) continue
      if (match.key === 'student.gradeId' && !namesClasses && holdsClasses(columns[at]!)) continue
      if (isExam && match.key === 'student.seatNo' && forms.some((form) => seatHeading.test(form))) continue
      put(at, match)
    }
  const byHeading = (part: string, is: (column: Heading) => boolean): void => {
    const found = columns.flatMap((column, at) => (!matches.has(at) && ofFile(at) && is(column) ? [at] : []))
    for (const [index, at] of found.entries()) put(at, { key: `${part}.${index + 1}`, confidence: 1 })
  }
  const fixed: Record<string, string> = {}
  if (people) {
    for (const [at, match] of people.matches) put(at, match)
    for (const [at, forms] of ways.entries())
      if (forms.some((form) => passport.test(form)) && put(at, { key: 'student.idNo', confidence: 0.9 }))
        if (!taken.has('student.idType')) fixed['student.idType'] = '护照'
    byContents(columns, put, matches, taken)
  }
  if (kind === 'teacherclass') {
    byHeading('lessons', ({ heading }) => hoursOf(heading) !== undefined)
    byHeading('taught', ({ heading }) => isTaught(heading))
  }
  // 1班, 2班 beside a column of grades: below each stands the class teacher of one.
  const isByGrade = kind === 'schoolclass' && taken.has('schoolclass.gradeId') && !taken.has('schoolclass.className')
  if (isByGrade) byHeading('headed', ({ heading }) => isClassHeading(heading))
  byPlace(kind, columns, put, matches, taken)
  for (const [at, forms] of ways.entries()) {
    const heading = forms[0]!
    if (matches.has(at) || !ofFile(at) || exact.has(heading) || heading.length < 3) continue
    if (people && (forms.some(ofSomebodyElse) || people.hasMail(at, ways))) continue
    const best = all
      .filter(
        ({ key, folded: name }) =>
          !taken.has(key) && !/^member|^check|\.phone$/.test(key) && isDated(heading, key) && endsAlike(heading, name),
      )
      .map(({ key, folded: name }) => ({ key, confidence: Math.min(0.8, likeness(heading, name)) }))
      .reduce<Match | undefined>(
        (top, each) => (each.confidence >= alikeEnough && each.confidence > (top?.confidence ?? 0) ? each : top),
        undefined,
      )
    if (best) put(at, best)
  }
  return { matches, fixed: { ...fixed, ...people?.fixed } }
}

/** Of two columns of names the one in Chinese is the name, and the one in Latin letters that in English: Full Name, Chinese Name. */
function byScript(
  columns: readonly Heading[],
  ways: readonly (readonly string[])[],
  exact: ReadonlyMap<string, Match>,
  put: (at: number, match: Match) => boolean,
): void {
  const columnsOf = (key: string): number[] =>
    ways.flatMap((forms, at) => (forms.some((form) => exact.get(form)?.key === key) ? [at] : []))
  const isAll = (at: number, form: RegExp): boolean => {
    const samples = columns[at]?.facts?.samples ?? []
    return samples.length > 0 && samples.every((each) => form.test(each))
  }
  const named = columnsOf('student.name')
  const latin = named.find((at) => isAll(at, /^[\p{Script=Latin}\s.,'’-]+$/u))
  const own = named.find((at) => isAll(at, /\p{Script=Han}/u))
  if (latin === undefined || own === undefined) return
  put(own, { key: 'student.name', confidence: 0.9 })
  if (columnsOf('student.nameEn').length === 0) put(latin, { key: 'student.nameEn', confidence: 0.9 })
}

/** A heading that asks for a date is no likeness of a number: Admission Date is no admission no. */
function isDated(folded: string, key: string): boolean {
  if (!/日期|时间|年月|date$|^date/.test(folded)) return true
  const [part = '', field = ''] = key.split('.')
  const kind = part in parts ? entityOf(parts[part as Part]).fields[field]?.kind : undefined
  return part !== 'student' && part !== 'detail' ? true : kind === 'date' || kind === 'instant'
}

/** What says at the end of a heading that it is about a paper, a figure or a state of what stands before it: 独生子女证, 健康码. */
const ofThing =
  /(?:号|证|码|状态|年龄|专业|复印件|扫描件|照片|签名|签字|原因|费|成绩|分数?|排名|名次|人数|材料|证明|户主|老师|教师|主任|变更|变动)$/
/** A likeness ends in the same: 健康码 is no 健康. */
function endsAlike(folded: string, name: string): boolean {
  const ending = (text: string): string | undefined => ofThing.exec(text.replace(/(?<=号|编)码$/, ''))?.[0]
  return ending(folded) === ending(name) && ofRegister.test(folded) === ofRegister.test(name)
}
/** What is said of the register is said of nothing else: 学籍所在地 is no 户籍所在地. */
const ofRegister = /学籍/

/** Headings alone, as the reading thread and tests have them. */
export const matchHeadings = (kind: FormKind, headings: readonly string[]): ReadonlyMap<number, Match> =>
  matchColumns(
    kind,
    headings.map((heading) => ({ heading })),
  ).matches

const share = (count: number, { filled }: { readonly filled: number }): number => (filled > 0 ? count / filled : 0)

/** 户口所在地 with 城镇 and 农村 says of what kind the household is, and not where. */
const household = /^(城镇|城市|农村|(非)?农业|居民)(居民)?(家庭)?(户口?)?$/

/** Where a pupil sleeps, whatever the heading. */
const bed = /^(走读|住读|住校|住宿|寄宿|通学|通校|跑校|内宿|外宿|寄读)生?$/

const nationalCode = /^[GJLgjl]\d{17}[\dXx]$/

/** 座号/学号 in one column is a number in class, or one of the school: its length says which. */
const eitherNumber = /^(?=.*学号)(?:(?:班内|班级)?(?:学|座位?|序|编)号[或和及与]?){2}$/
/** 左眼 and 裸眼右 beside sights, in five-mark records or in decimals, are those of the eyes. */
const eye = /^(?:裸眼[左右]眼?|[左右]眼(?:裸眼)?)$/
const sight = /^(?:[3-5](?:\.\d)?|[0-2](?:\.\d{1,2})?)$/

/** Whether the cells say that a known heading means something else: a 学号 of 1, 2, 3 is the number in class. */
function contradicts(key: string, { facts, heading }: Heading): boolean {
  if (!facts || facts.filled === 0) return false
  const all = (form: RegExp): boolean =>
    facts.samples.length > 0 && facts.samples.every((each) => form.test(each.trim()))
  if (key === 'student.studentNo') return all(/^\d{1,2}$/)
  if (key === 'student.nationalCode') return !facts.samples.some((each) => nationalCode.test(each.trim()))
  if (key === 'detail.hukouRegionCode') return all(household)
  if (key === 'check.status') return all(bed)
  // A year alone is that of entry, or of birth, and no year group.
  if (key === 'student.gradeId') return /^year$/i.test(heading.trim()) && all(/^(19|20)\d\d$/)
  if (key === 'ignored.serial') return facts.samples.some((each) => /^[A-Za-z]?\d{4,}$/.test(each.trim()))
  return false
}

/** Whether cells name a class with its grade, and not a grade alone: 一年级（1）班. */
const holdsClasses = ({ facts }: Heading): boolean =>
  facts !== undefined &&
  facts.samples.length > 0 &&
  facts.samples.every((each) => readClass(each).some(({ no, grade }) => no !== undefined && grade !== undefined))

/** What the cells themselves say of columns whose heading does not. */
function byContents(
  columns: readonly Heading[],
  put: (at: number, match: Match) => boolean,
  matches: ReadonlyMap<number, Match>,
  taken: ReadonlySet<string>,
): void {
  for (const [at, { heading, facts, from = 'file' }] of columns.entries()) {
    if (matches.has(at) || !facts || facts.filled === 0) continue
    const folded = fold(heading)
    const every = (form: RegExp): boolean =>
      facts.samples.length > 0 && facts.samples.every((each) => form.test(each.trim()))
    if (from !== 'file' || ofSomebodyElse(folded)) continue
    // XH is 序号 as often as 学号.
    const isNumber = folded === fold('学号') && !/^xh$/i.test(heading.trim())
    if ((isNumber || eitherNumber.test(folded)) && every(/^\d{1,2}$/))
      put(at, { key: 'student.seatNo', confidence: 0.9 })
    else if (eitherNumber.test(folded) && every(/^[A-Za-z]?\d{4,20}$/))
      put(at, { key: 'student.studentNo', confidence: 0.9 })
    else if (eye.test(folded) && every(sight) && facts.samples.some((each) => each.includes('.')))
      put(at, { key: folded.includes('左') ? 'detail.visionLeft' : 'detail.visionRight', confidence: 0.8 })
    else if (!taken.has('student.nationalCode') && every(nationalCode))
      put(at, { key: 'student.nationalCode', confidence: 0.9 })
    else if (/学籍(辅|副|主)?(号码?|编号|编码)?$/.test(folded) && every(/^[A-Za-z]?[\dA-Za-z]{5,30}$/))
      put(at, { key: 'student.auxCode', confidence: 0.9 })
    else if (folded === '号' && !taken.has('student.seatNo') && every(/^\d{1,2}$/) && isBetween(at, matches))
      put(at, { key: 'student.seatNo', confidence: 0.9 })
    else if (/^(编号|序号)$/.test(folded) && every(/^[A-Za-z]?\d{4,20}$/))
      put(at, { key: 'student.studentNo', confidence: 0.8 })
    else if (share(facts.idNos, facts) > 0.6 && !taken.has('student.idNo'))
      put(at, { key: 'student.idNo', confidence: 0.8 })
    else if (/^户/.test(folded) && every(household)) put(at, { key: 'detail.hukouType', confidence: 0.9 })
    // 否 in all of its cells says what a kind of disability would say; 是 says of no kind.
    else if (/^残疾(学生|儿童)?$/.test(folded) && every(/^(否|无|不是|没有|无残疾|非残疾|×)$/))
      put(at, { key: 'detail.disabilityType', confidence: 0.9 })
    else if (every(bed)) put(at, { key: 'student.studyWay', confidence: 0.9 })
    else if (every(/^(男|女|男生|女生)$/)) put(at, { key: 'student.sex', confidence: 0.8 })
    else if (facts.filled > 1 && every(/班$/) && facts.samples.every((each) => readClass(lastOf(each)).length > 0))
      put(at, { key: 'student.classId', confidence: 0.8 })
    else if (
      share(facts.names, facts) > 0.8 &&
      !taken.has('student.name') &&
      (folded === '' || /名|^[a-z]{1,2}列$/.test(folded))
    )
      put(at, { key: 'student.name', confidence: 0.8 })
  }
}

/** Whether a column stands behind the class or before the name: 班 号 姓名. */
const isBetween = (at: number, matches: ReadonlyMap<number, Match>): boolean =>
  matches.get(at - 1)?.key === 'student.classId' || matches.get(at + 1)?.key === 'student.name'

/** The end of a path of departments: 育才学校/小学部/三年级/1班, 滨江小学-四年级-2班. 物理-3班, of no grade, is a group. */
const lastOf = (text: string): string =>
  text.split(gradeWithin(text) ? /[/\\>]|(?<=\p{Script=Han})\s*[-—–|]\s*/u : /[/\\>]/).at(-1) ?? text

/** What stands once for many rows: over a block, on the sheet, in the title; nearest first. */
function byPlace(
  kind: FormKind,
  columns: readonly Heading[],
  put: (at: number, match: Match) => boolean,
  matches: ReadonlyMap<number, Match>,
  taken: ReadonlySet<string>,
): void {
  const keys = placed[kind]
  if (!keys) return
  const needs = (each: Heading, at: number): boolean => matches.get(at)?.key === keys.class && needsGrade(each)
  // Classes in headings may leave their grade to the title as well.
  const open =
    kind === 'teacherclass' && columns.some(({ heading }) => needsGrade({ facts: { ...noFacts, samples: [heading] } }))
  for (const where of ['section', 'sheet', 'title', 'figures', 'title'] as const)
    for (const [at, { from, facts }] of columns.entries()) {
      if (!facts || facts.samples.length === 0) continue
      // The one sheet that is called 1.3 may be a class, or a day: it speaks where nothing else does.
      const isFigures = from === 'sheet' && facts.samples.length === 1 && figures.test(facts.samples[0]!.trim())
      if ((isFigures ? 'figures' : from) !== where) continue
      const classes = facts.samples.map((each) => readClass(classInTitle(each) ?? each)[0])
      const alone = classes.every(Boolean)
      const graded =
        classes.every((each) => each && !isOfAnyGrade(each)) ||
        facts.samples.every((each) => readGrade(each) ?? gradeWithin(each))
      if (alone && !keys.ofRow && !taken.has(keys.class)) put(at, { key: keys.class, confidence: 0.9 })
      else if (
        graded &&
        !taken.has(keys.grade) &&
        (open || columns.some(needs) || (!keys.ofRow && !taken.has(keys.class)))
      )
        put(at, { key: keys.grade, confidence: 0.9 })
    }
}

const figures = /^[\d.\-—_ ]+$/

const noFacts = { filled: 1, idNos: 0, mobiles: 0, days: 0, numbers: 0, names: 0, samples: [] as string[] }

/** A column of classes that leaves the grade open: 1班. */
export const needsGrade = ({ facts }: Pick<Heading, 'facts'>): boolean =>
  facts?.samples.some((each) => readClass(each).slice(0, 1).some(isOfAnyGrade)) ?? false
