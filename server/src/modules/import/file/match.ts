import { entityOf } from '@data-brain/contract'
import { type FormKind, forms } from '@data-brain/contract/import/all'
import {
  classInTitle,
  gradeWithin,
  isClassHeading,
  isOfAnyGrade,
  readClass,
  readGrade,
} from '@data-brain/contract/import/class-name'
import { namesSubject } from '@data-brain/contract/import/entity-forms'
import { foldHeading } from '@data-brain/contract/import/form'
import { formColumn, type Part, parts } from '@data-brain/contract/import/student-form'
import { spelledOut } from '../batch/initials.ts'
import { hoursOf } from '../entity/teaching.ts'
import { nameCohort } from '../student/name-cohort.ts'
import { nameGuardians, nameIdNo } from '../student/name-guardians.ts'
import { eitherFirst, looseField, ofEmergency, ofSomebodyElse, ofStaff, roleOf, whoFirst } from '../student/people.ts'
import { type Heading, type Match, People } from '../student/people-columns.ts'

export type { Heading, Match }

/** What the columns of a file mean, and what their headings say for all rows: 父亲电话 is the number of a father. */
export interface ColumnMeanings {
  readonly matches: ReadonlyMap<number, Match>
  readonly fixed: Readonly<Record<string, string>>
}

/** What the headings of one form are known by. */
interface Names {
  readonly exact: ReadonlyMap<string, Match>
  readonly all: readonly { readonly key: string; readonly folded: string }[]
}

function namesOf(kind: FormKind): Names {
  const exact = new Map<string, Match>()
  for (const column of forms[kind])
    for (const other of column.aka) exact.set(foldHeading(other), { key: column.key, confidence: 0.9 })
  for (const { key, label } of forms[kind])
    for (const name of [label.zh, label.en, label.zh + label.en]) exact.set(foldHeading(name), { key, confidence: 1 })
  return {
    exact,
    all: forms[kind].flatMap((column) =>
      [column.label.zh, column.label.en, ...column.aka].map((name) => ({ key: column.key, folded: foldHeading(name) })),
    ),
  }
}

const names = Object.fromEntries((Object.keys(forms) as FormKind[]).map((kind) => [kind, namesOf(kind)])) as Record<
  FormKind,
  Names
>

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

/** A heading as it is compared; a figure in brackets tells members apart and stays: 家长(1). */
const fold = (text: string): string =>
  spelledOut(foldHeading(whoFirst(eitherFirst(text)).replace(/(?<=\S\s*)[([（【]([1-4１-４一二三四])[)\]）】]/g, '$1')))

/** Whether a heading is known: by name, or as one of a guardian. */
const knownAs = (kind: FormKind, heading: string): string | undefined => {
  const folded = fold(heading)
  const match = names[kind].exact.get(folded)
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

const yourName = /^(请(填写|输入))?[您你]的(姓名|名字)$/

/** What a question to a parent asks for: 您孩子的姓名 is 学生姓名, 您的手机号码 the parent's, 所在的班级 is 所在班级. */
function askedFor(folded: string, ofPupils: boolean): string[] {
  const plain = folded.replace(/^请(?:您)?(?:填写|输入|选择|提供)?/, '').replace(/(所在|就读|与孩子|与学生)的/, '$1')
  const asked = /^(?:what(?:is|s)|pleaseenter|enter)(?:your|the)?(child)?s?(.{2,})$/.exec(plain)
  if (asked) return [asked[2]!]
  if (
    /^(?:in)?(?:which|what)(class|grade|yeargroup)(?:isyourchild|isthechild|ischild|aretheyin|isheshe)?(?:in)?$/.test(
      plain,
    )
  )
    return [/class|grade|yeargroup/.exec(plain)![0]]
  const had = /^(?:does|do|has|have|is)(?:your|the)child(?:have|got|had)?(?:any)?(?:known)?(.{4,})$/.exec(plain)?.[1]
  if (had) return [had]
  // 是否有过敏史 asks for 过敏史; 是否 before it is folded away already, unless 孩子 stands there.
  const there = /^(?:(?:您|你)?家?的?(?:孩子|小孩|宝宝))?(?:是否有|是否存在|有没有|有无|有)(.{2,})$/.exec(plain)?.[1]
  if (there) return [there]
  // 是否属于留守儿童, 是否需要校车 and 是否接受过学前教育 ask for what stands at the end.
  const whether = /^(?:属于|需要|需|为|是|享受|参加|接受|上|乘坐?|有)过?(.{2,})$/.exec(plain)?.[1]
  if (whether && plain === folded) return [whether]
  const ofChild = /^[您你]?家?的?(?:孩子|小孩|宝宝)的?(.+)$/.exec(plain)?.[1]
  if (ofChild) return [`学生${ofChild}`, ofChild]
  const ofParent = /^[您你]的?(.+)$/.exec(plain)?.[1]
  return ofParent ? [ofPupils ? ofParent : `家长${ofParent}`] : plain === folded ? [] : [plain]
}

/**
 * The last part of a heading by itself, unless what stands over it is about somebody else: 姓名 under 其他监护人 is not the
 * pupil's, and 电话 under 班主任 is no guardian's either.
 */
function lastAlone(parts: readonly string[]): string[] {
  const own = parts.at(-1)!
  const over = parts.slice(0, -1).map(fold).join('')
  if (ofStaff(over)) return []
  return ofSomebodyElse(over) && !looseField(fold(own)) ? [] : [own]
}

/** The ways to read a heading of several rows: all of it, its last two, its last. */
const waysOf = ({ heading, parts = [] }: Heading, ofPupils: boolean): string[] => {
  const tidied = parts.map((part) => part.replace(/(信息|情况|资料|基本)$/, ''))
  const ways =
    parts.length > 1
      ? [heading, tidied.join(''), parts.slice(-2).join(''), tidied.slice(-2).join(''), ...lastAlone(parts)]
      : [heading]
  const folded = [...ways, ...ways.flatMap(withoutHint)].map(fold)
  return [
    ...new Set([
      ...folded,
      ...folded.flatMap(inOneLanguage),
      ...folded.flatMap((each) => askedFor(each, ofPupils)),
      ...folded.flatMap(ofPupil),
      ...folded.flatMap(ofEmergency),
      ...folded.flatMap(byBed),
      ...folded.flatMap(ofCode),
    ]),
  ]
}

/** A heading without what it asks of whoever fills it in: 是否有过敏史，请填写过敏原; 家庭住址（具体到门牌号） is folded so already. */
function withoutHint(heading: string): string[] {
  const [, asked = ''] =
    /^(.{2,}?)[\s,，;；。:：、-]+(?:请|如|若|例|没有|有则|无则|有的|无的|可|须|需|必须|具体|精确|注|填|写|须填|不).*$/su.exec(
      heading.trim(),
    ) ?? []
  return asked === '' ? [] : [asked]
}

/** A heading in two languages is that of either: 电话phone. A Latin word that is no heading (家长qq) is not left out. */
function inOneLanguage(folded: string): string[] {
  const latin = folded.match(/[a-z]+/g)?.join('') ?? ''
  const han = folded.replace(/[a-z]+/g, '')
  if (latin.length < 2 || han.length < 2 || !/^\p{Script=Han}+$/u.test(han)) return []
  return names.student.exact.has(latin) || looseField(latin) || roleOf(latin) ? [han] : []
}

/** 住校走读, 走读或住宿 and 内宿 ask where the pupil sleeps. 走读 alone would turn 是 and 否 round, and is asked about. */
const byBed = (folded: string): string[] =>
  /^(?:(?:走读|通校|通学|跑校|外宿|住校|住宿|寄宿|内宿|住读)生?[或与和]?){1,3}(?:情况|类型|方式|类别)?$/.test(folded) &&
  /住校|住宿|寄宿|内宿|住读/.test(folded)
    ? ['就读方式']
    : []

/** 民族代码 and 性别码 are 民族 and 性别: a list is known by its words and by its codes. 学生代码 is no 学生. */
function ofCode(folded: string): string[] {
  const bare = /^(.{2,}?)代?码$/.exec(folded)?.[1] ?? ''
  const column = formColumn(names.student.exact.get(bare)?.key ?? '')
  return column && column.part in parts && entityOf(parts[column.part as Part]).fields[column.field]?.dict ? [bare] : []
}

/** What is said of the pupil by that word: 幼儿民族 is 民族. Whose telephone 学生电话 is, the form itself says. */
function ofPupil(folded: string): string[] {
  const bare =
    /^(?:学生|儿童|幼儿|孩子|小孩|宝宝|宝贝|小朋友|学员|新生|考生)的?(.{2,})$/.exec(folded)?.[1] ??
    /^(?:your|the)?(?:child|student|pupil|learner)(?:ren)?s?(?:legal|full)?(.{3,})$/.exec(folded)?.[1]
  return bare && !looseField(bare) && !roleOf(bare) ? [bare] : []
}

/** Matches the headings of a file to the fields of the form, each field at most once: known names, contents, the most alike. */
export function matchColumns(kind: FormKind, columns: readonly Heading[]): ColumnMeanings {
  const { exact, all } = names[kind]
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
    nameGuardians(ways, kind === 'studentparents')
    nameIdNo(ways, columns)
  }
  if (kind === 'student') nameCohort(ways, columns)
  const people = hasPeople(kind) ? new People(columns, ways, exact, { isOfPupils: kind === 'student' }) : undefined
  const namesClasses = ways.some((forms) => forms.some((form) => exact.get(form)?.key === 'student.classId'))
  const isExam = ways.some((forms) => forms.some((form) => examRoom.test(form)))
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
    if (people && (ofSomebodyElse(heading) || people.hasMail(at, ways))) continue
    const best = all
      .filter(({ key }) => !taken.has(key) && !/^member|^check|\.phone$/.test(key) && isDated(heading, key))
      .map(({ key, folded: name }) => ({ key, confidence: Math.min(0.8, likeness(heading, name)) }))
      .reduce<Match | undefined>(
        (top, each) => (each.confidence >= alikeEnough && each.confidence > (top?.confidence ?? 0) ? each : top),
        undefined,
      )
    if (best) put(at, best)
  }
  return { matches, fixed: { ...fixed, ...people?.fixed } }
}

/** A heading that asks for a date is no likeness of a number: Admission Date is no admission no. */
function isDated(folded: string, key: string): boolean {
  if (!/日期|时间|年月|date$|^date/.test(folded)) return true
  const [part = '', field = ''] = key.split('.')
  const kind = part in parts ? entityOf(parts[part as Part]).fields[field]?.kind : undefined
  return part !== 'student' && part !== 'detail' ? true : kind === 'date' || kind === 'instant'
}

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
    if (isNumber && every(/^\d{1,2}$/)) put(at, { key: 'student.seatNo', confidence: 0.9 })
    else if (!taken.has('student.nationalCode') && every(nationalCode))
      put(at, { key: 'student.nationalCode', confidence: 0.9 })
    else if (/学籍(辅|副|主)?(号码?|编号|编码)?$/.test(folded) && every(/^[A-Za-z]?[\dA-Za-z]{5,30}$/))
      put(at, { key: 'student.auxCode', confidence: 0.9 })
    else if (/^(编号|序号)$/.test(folded) && every(/^[A-Za-z]?\d{4,20}$/))
      put(at, { key: 'student.studentNo', confidence: 0.8 })
    else if (share(facts.idNos, facts) > 0.6 && !taken.has('student.idNo'))
      put(at, { key: 'student.idNo', confidence: 0.8 })
    else if (/^户/.test(folded) && every(household)) put(at, { key: 'detail.hukouType', confidence: 0.9 })
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

/** The end of a path of departments: 育才学校/小学部/三年级/1班. */
const lastOf = (text: string): string => text.split(/[/\\>]/).at(-1) ?? text

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
