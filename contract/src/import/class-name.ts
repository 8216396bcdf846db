/*
 * What people mean by the name of a class. A name is read into what it says: a grade, a year of entry, a number. Which
 * class of a school that is, or would be, the caller looks up.
 */

import { simplified } from './form.ts'

/** 2 primary, 3 junior, 4 senior, as in the dictionary of stages; 1 kindergarten. */
export type SchoolStage = '1' | '2' | '3' | '4'

/** A grade: counted within its stage, or, without one, from the first year of primary school on (七 is 7). */
export interface GradeMeant {
  readonly stage?: SchoolStage
  readonly no: number
}

/** One way to understand the name of a class. */
export interface ClassMeant {
  readonly grade?: GradeMeant
  /** The year its pupils entered: 2023级. */
  readonly cohort?: number
  /** The year in which its pupils leave: 2027届. */
  readonly leaving?: number
  readonly stage?: SchoolStage
  /** The number of the class; absent where only a grade is named. */
  readonly no?: number
}

const digits = '零一二三四五六七八九'
const han = '[一二三四五六七八九十]'

/** A number in Arabic or Chinese digits up to 99. */
function numberOf(text: string): number | undefined {
  if (/^\d{1,2}$/.test(text)) return Number(text)
  const found = /^([二三四五六七八九])?(十)?([一二三四五六七八九])?$/.exec(text)
  if (!found || text === '') return undefined
  const [, tens, ten, ones] = found
  if (!ten) return tens && ones ? undefined : digits.indexOf(tens ?? ones ?? '')
  return (tens ? digits.indexOf(tens) : 1) * 10 + (ones ? digits.indexOf(ones) : 0)
}

/** 年段 and 级部 are what some schools call a grade. */
const oneGradeWord = (text: string): string =>
  text.replace(/(?<=[一二三四五六七八九\d])(?:年段|年级部|级部|年组)(?=[(|\d一二三四五六七八九十]|$)/g, '年级')

/** Letters in one width and case, any bracket, dash or dot as one stroke, no blanks. */
const plain = (text: string): string =>
  oneGradeWord(simplified(text.normalize('NFKC')).toLowerCase().replace(/[\s​﻿]/g, ''))
    .replace(/^(\d{1,4})\.0$/, '$1')
    .replace(/^新(?=[初高一七]|1年)/, '')
    .replace(/中队$/, '班')
    .replace(/(?<=班)(?:全体|的)?(?:学生|幼儿|同学)?(?:名单|名册|花名册)?$/, '')
    .replace(/[壹贰叁肆伍陆]/g, (sign) => '一二三四五六'['壹贰叁肆伍陆'.indexOf(sign)]!)
    .replace(/[()[\]【】〔〕〈〉<>{}《》"“”'‘’_.·•/,、,#:：~—–‐-]+/g, '|')
    .replace(/\|?(班)\|?/g, '$1')
    .replace(/^\||\|$/g, '')

const stages: Readonly<Record<string, SchoolStage>> = {
  小学: '2',
  小: '2',
  p: '2',
  初中: '3',
  初级中学: '3',
  初: '3',
  高中: '4',
  高级中学: '4',
  高: '4',
  职高: '4',
}
const stageWords = '(小学|小|初级中学|初中|初|高级中学|高中|职高|高)?'
const num = `(\\d{1,2}|${han}{1,3})`

const stageOf = (word: string | undefined): { stage?: SchoolStage } => {
  const stage = word ? stages[word] : undefined
  return stage ? { stage } : {}
}

const gradeOf = (word: string | undefined, text: string): GradeMeant | undefined => {
  const no = numberOf(text)
  if (no === undefined || no < 1 || no > 12) return undefined
  const { stage } = stageOf(word)
  // 初七 and 高十 count on; 小六 and 初二 within their stage.
  if (stage === '3' && no >= 7 && no <= 9) return { stage, no: no - 6 }
  if (stage === '4' && no >= 10) return { stage, no: no - 9 }
  return stage ? { stage, no } : { no }
}

const classNoOf = (text: string): number | undefined => {
  const no = numberOf(text)
  return no !== undefined && no >= 1 && no <= 60 ? no : undefined
}

export const yearOf = (text: string): number => (text.length === 2 ? 2000 + Number(text) : Number.parseInt(text, 10))

/** What is said of pupils by a year: that of their entry (级), or of their leaving (届). */
export type YearMeant = Pick<ClassMeant, 'cohort' | 'leaving' | 'stage'>

const yearMeant = (word: string | undefined, year: string, sign: string): YearMeant => ({
  ...stageOf(word),
  ...(sign === '届' ? { leaving: yearOf(year) } : { cohort: yearOf(year) }),
})

type Pattern = readonly [RegExp, (found: RegExpExecArray) => (ClassMeant | undefined)[]]

const withGrade = (grade: GradeMeant | undefined, no: number | undefined): ClassMeant[] =>
  grade && no !== undefined ? [{ grade, no }] : []

/** The forms of a whole name, the surest first. Every form of a name with a grade or a year of entry ends it. */
const named: readonly Pattern[] = [
  // 高2023级3班, 2023级（3）班, 23级3班; 2027届3班
  [
    new RegExp(`^${stageWords}\\|?(20\\d{2}|\\d{2})(级|届)\\|?${num}班?$`),
    (found) => [{ ...yearMeant(found[1], found[2]!, found[3]!), no: classNoOf(found[4]!) }],
  ],
  // 三年级（1）班, 小学三年级一班, 七年级2, 高中一年级3班, 八年2班
  [
    new RegExp(`^${stageWords}\\|?${num}\\|?(?:年级|年)第?\\|?${num}班?$`),
    (found) => withGrade(gradeOf(found[1], found[2]!), classNoOf(found[3]!)),
  ],
  // 三（1）班, 初一（2）班, 3-1, 3.1, 高一-3班
  [
    new RegExp(`^${stageWords}${num}\\|${num}班?$`),
    (found) => withGrade(gradeOf(found[1], found[2]!), classNoOf(found[3]!)),
  ],
  // 初2026（2）班, 高2026（3）班: the year of entry stands behind the stage without 级
  [
    new RegExp(`^(小学|小|初中|初|高中|高)\\|?(20\\d{2})\\|${num}班?$`),
    (found) => [{ ...stageOf(found[1]), cohort: yearOf(found[2]!), no: classNoOf(found[3]!) }],
  ],
  // 高二十二班 is 高二（12）班: no school counts its classes by stage
  [
    /^(初中|初|高中|高)([一二三])(十[一二三四五六七八九]?)班$/,
    (found) => withGrade(gradeOf(found[1], found[2]!), classNoOf(found[3]!)),
  ],
  // 24-2班, 2024（2）班: the year of entry, as there is no thirteenth grade
  [
    new RegExp(`^(20\\d{2}|1[3-9]|[2-9]\\d)\\|${num}班?$`),
    (found) => [{ cohort: yearOf(found[1]!), no: classNoOf(found[2]!) }],
  ],
  // 三1班, 小三1班, 初一2班, 高一12
  [
    new RegExp(`^${stageWords}(${han}{1,2})(\\d{1,2})班?$`),
    (found) => withGrade(gradeOf(found[1], found[2]!), classNoOf(found[3]!)),
  ],
  // 3三班, 3年一班 stands above; 初3一班
  [
    new RegExp(`^${stageWords}(\\d{1,2})(${han}{1,3})班?$`),
    (found) => withGrade(gradeOf(found[1], found[2]!), classNoOf(found[3]!)),
  ],
  // 小三班, 中一班, 大（2）班, 大班2班, 中班一 and 大二 of a kindergarten; of K1 to K3 of one that counts so
  [
    new RegExp(`^(托|小|中|大|k1|k2|k3)班?\\|?${num}班?$`),
    (found) => {
      const no = classNoOf(found[2]!)
      const own = { 小: 1, 中: 2, 大: 3, k1: 1, k2: 2, k3: 3 }[found[1]!]
      const kinder: ClassMeant[] = own && no !== undefined ? [{ grade: { stage: '1', no: own }, no }] : []
      return kinder
    },
  ],
  // 三一班, 初二三班: two Chinese digits are a grade and a number
  [
    new RegExp(`^${stageWords}([一二三四五六七八九])([一二三四五六七八九])班?$`),
    (found) => withGrade(gradeOf(found[1], found[2]!), classNoOf(found[3]!)),
  ],
  // 三〇一班, as the plate at the door of a class has it
  [
    /^([一二三四五六七八九])[零〇○]([一二三四五六七八九])班?$/,
    (found) => withGrade(gradeOf(undefined, found[1]!), classNoOf(found[2]!)),
  ],
  // 初301班, 高1203
  [
    /^(初中|初|高中|高|小学|小)(\d)(\d{2})班?$/,
    (found) => withGrade(gradeOf(found[1], found[2]!), classNoOf(found[3]!)),
  ],
  // Grade 3 Class 1, G3C1, Year 3-1, Class 3(1)
  [
    /^(?:grade|gr|g|year|y|p|class|c)\|?(\d{1,2})\|?(?:class|cls|c)?\|?(\d{1,2})$/,
    (found) => withGrade(gradeOf(undefined, found[1]!), classNoOf(found[2]!)),
  ],
  // 301, 0301, 1003
  [/^0?([1-9])(\d{2})班?$/, (found) => withGrade({ no: Number(found[1]) }, classNoOf(found[2]!))],
  [/^(1[0-2])(\d{2})班?$/, (found) => withGrade({ no: Number(found[1]) }, classNoOf(found[2]!))],
  // 202301, 2301: the year of entry and the number
  [/^(20\d{2})(\d{2})班?$/, (found) => [{ cohort: Number(found[1]), no: classNoOf(found[2]!) }]],
  [/^([12]\d)(\d{2})班?$/, (found) => [{ cohort: 2000 + Number(found[1]), no: classNoOf(found[2]!) }]],
  // 1班, （1）班, 一班, 十二班, Class 1; where nothing names the grade, 31班 may be 三1班
  [
    new RegExp(`^第?${num}班?$`),
    (found) => {
      const no = classNoOf(found[1]!)
      const two = /^([1-9])([1-9])$/.exec(found[1]!)
      return [
        ...(no === undefined ? [] : [{ no }]),
        ...(two ? [{ grade: { no: Number(two[1]) }, no: Number(two[2]) }] : []),
      ]
    },
  ],
  [/^(?:class|cls|c)\|?(\d{1,2})$/, (found) => [{ no: classNoOf(found[1]!) }]],
]

const gradeAlone: readonly RegExp[] = [
  new RegExp(`^${stageWords}\\|?${num}\\|?(?:年级|年)$`),
  new RegExp(`^(小学|小|初级中学|初中|初|高级中学|高中|高)\\|?${num}$`),
  new RegExp(`^()(${han}{1,2}|\\d{1,2})$`),
  /^()(?:grade|gr|g|year|y)\|?(\d{1,2})$/,
]

const yearAlone = new RegExp(`^${stageWords}(20\\d{2}年?|\\d{2})(级|届)(?:学生|新生|毕业生)?$`)

/** Everything that the name of a class can mean, the likeliest first; nothing where it says neither grade nor number. */
export function readClass(text: string): ClassMeant[] {
  const name = plain(text)
  for (const [form, meant] of named) {
    const found = form.exec(name)
    if (!found) continue
    const all = meant(found).filter((each): each is ClassMeant => each?.no !== undefined)
    if (all.length > 0) return all
  }
  return []
}

/**
 * What the name of a class says, as one text for all of its spellings: 文科1班, 文科（1）班 and 文科第一班 are one, and so are
 * 三（1）班 and 三年级1班.
 */
export function foldClassName(text: string): string {
  const [meant] = readClass(text)
  if (meant)
    return JSON.stringify([meant.grade?.stage, meant.grade?.no, meant.cohort, meant.leaving, meant.stage, meant.no])
  return plain(text)
    .replace(/第(?=[\d一二三四五六七八九十|])/g, '')
    .replace(/(?<!\d)\||\|(?!\d)/g, '')
    .replace(new RegExp(`${han}{1,3}(?=班|年级|$)`, 'g'), (word) => String(numberOf(word) ?? word))
}

/** What a cell of a column of grades means: 三年级, 初一, 3, Grade 3, 2023级, 2023, 2027届; a class there (三1班) names its grade. */
export function readGrade(text: string): (YearMeant & Pick<ClassMeant, 'grade'>) | undefined {
  const name = plain(text)
  const year = yearAlone.exec(name)
  if (year) return yearMeant(year[1], year[2]!, year[3]!)
  // A year alone is that of entry.
  if (/^20\d{2}年?$/.test(name)) return { cohort: Number(name.slice(0, 4)) }
  // No school has a thirteenth grade: 24 is the year 2024.
  if (/^(1[3-9]|[2-9]\d)年?$/.test(name)) return { cohort: yearOf(name.slice(0, 2)) }
  const kinder = /^(小|中|大)班$/.exec(name)
  if (kinder) return { grade: { stage: '1', no: '小中大'.indexOf(kinder[1]!) + 1 } }
  for (const form of gradeAlone) {
    const found = form.exec(name)
    const grade = found && gradeOf(found[1], found[2]!)
    if (grade) return { grade }
  }
  const [meant] = readClass(text)
  if (!meant || isOfAnyGrade(meant)) return undefined
  const { no: _no, ...rest } = meant
  return rest
}

/** A grade by its number alone, as a column of grades has it: 五. Elsewhere that is the number of a class. */
export const bareGrade = /^\s*[一二三四五六七八九1-9]\s*$/

/** Whether a class names neither its grade nor a year of its pupils: 1班. */
export const isOfAnyGrade = ({ grade, cohort, leaving }: ClassMeant): boolean =>
  grade === undefined && cohort === undefined && leaving === undefined

/** The part of a school that a path of departments goes through: 育才学校/初中部/二年级/1班. */
const partOfSchool = /(小学|初中|高中)部/

/**
 * The grade that a title names somewhere in it: 三年级任课教师安排表; else the year of entry or leaving: 高2025级学生信息表.
 * Below 初中部 a 二年级 is one of junior school.
 */
export const gradeWithin = (text: string): string | undefined => {
  const title = simplified(text.normalize('NFKC'))
  const part = partOfSchool.exec(title)
  const below = part && gradeNamed(title.slice(part.index + part[0].length))
  if (!part || !below) return gradeNamed(title)
  return /^([一二三四五六]年级|\d)/.test(below) ? part[1] + below : below
}

const gradeNamed = (title: string): string | undefined => {
  const grade =
    /(?<![一二三四五六七八九、]|[一二三四五六七八九十\d级]\s*-)(小学|初中|高中)?([一二三四五六七八九]|\d{1,2})年级|(小|初|高)[一二三四五六]|(?<!\p{Script=Han})[小中大]班|(?<=园)[小中大]班/u
  const year = /(?:小学|初中|高中|职高|小|初|高)?(?<!\d)(?:20\d{2}|\d{2})[级届]/
  return (grade.exec(title) ?? year.exec(title.replace(/\s/g, '')))?.[0]
}

/** 大班 of a kindergarten is a grade, though it says 班. */
const kinderGrade = /(?<=^|园|[^\p{Script=Han}])[小中大]班/gu

/** The grade that a title names where it names no class: 实验小学四年级学生名册, 六年级（20人）. */
export const gradeInTitle = (text: string): string | undefined =>
  /班/.test(text.replace(kinderGrade, '')) || readClass(text).length > 0 ? undefined : gradeWithin(text)

/** What may stand before the number of a class and names no class of its own: a school or a part of it, a grade, a year, a list. */
export const beforeNumber =
  /(?:^|[^\p{L}]|小学|中学|学校|初中|高中|校|部|园|院|区|年级|年|级|届|季|学期|高|初|小|第|的|班级|学生|新生|名册|花名册|名单|表|grade|gr|class|cls|year)$/iu

/** Whether a word of its own stands right before the number: 文科1班, 三年级火箭（1）班 are none of the classes that are only counted. */
export function hasOwnWord(text: string): boolean {
  const name = text.normalize('NFKC').replace(/\s/g, '')
  const before = new RegExp(`^(.*?)[(]?(?:\\d{1,2}|${han}{1,3})[)]?班`).exec(name)?.[1]
  // 汽修(高考)1班 is one of 汽修, whatever stands in brackets.
  const word = before?.replace(/(?<=.)\([^()]*\p{Script=Han}[^()]*\)$/u, '')
  return word !== undefined && !beforeNumber.test(word.replace(/第?[(]?$/, ''))
}

/** The class that a title names somewhere in it: 实验小学三年级（1）班学生名册. */
export function classInTitle(text: string): string | undefined {
  const title = oneGradeWord(simplified(text.normalize('NFKC')))
    // A blank between figures keeps two numbers apart: 13 4年级2班 is no 134.
    .replace(/(?<!\d)\s+|\s+(?!\d)/g, '')
    .replace(/20\d{2}\s*[-—–~至]+\s*20\d{2}\s*(学年度?|年度?)?/g, '')
    .replace(/20\d{2}(学年度?|年(?!级))(度)?/g, '')
    .replace(/第[一二三四12]学期|[春秋]季(学期)?/g, '')
  const number = `(?:\\d{1,2}|${han}{1,3})`
  const forms = [
    new RegExp(`(?:小学|初中|高中|小|初|高)?(?:20\\d{2}|\\d{2})[级届][(]?${number}[)]?班`),
    new RegExp(`(?:初中|高中)?${number}年级?[(]?${number}[)]?班`),
    new RegExp(`(?:小|初|高)?${han}{1,2}[(]?${number}[)]?班`),
    // 大一班 of a kindergarten; 初中一班 is none.
    new RegExp(`(?<![初高])[小中大]班?[(]?${number}[)]?班`),
    /(?<!\d)\d{1,2}[-.(]\d{1,2}[)]?班/,
    /(?<!\d)(?:[1-9]|1[0-2])\d{2}班/,
    new RegExp(`[(]?${number}[)]?班`),
    // 高一.5 and 初二(3) leave 班 out; 高一5名 is a number of pupils.
    new RegExp(`(?:小|初|高)${han}(?:[.\\-]\\d{1,2}(?!\\d)|[(]${number}[)])`),
    /(?:grade|g)\s*\d{1,2}\s*(?:class|c)\s*\d{1,2}/i,
  ]
  for (const form of forms) {
    const found = form.exec(title)
    if (found) return found[0]
  }
  return readClass(title).length > 0 ? title : undefined
}

/** Whether a heading is the name of a class, for whose cells it stands: 三（1）班, 三1, 3.1, 301. A grade alone is none. */
export const isClassHeading = (heading: string): boolean =>
  /班$|^(\d{1,2}[(.-]|[一二三四五六七八九][(.-]?)\d{1,2}\)?$|^[1-9]\d{2}$/.test(
    heading.normalize('NFKC').replace(/\s/g, ''),
  ) && readClass(heading).some(({ no }) => no !== undefined)
