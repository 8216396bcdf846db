import {
  beforeNumber,
  type ClassMeant,
  classInTitle,
  gradeWithin,
  hasOwnWord,
  isOfAnyGrade,
  readClass,
  readGrade,
  type YearMeant,
  yearOf,
} from './class-name.ts'

/*
 * Classes that have a word of their own: 26学前教育1班, 幼教2601班, 文科1班, 火箭班. Two of them are never one because their
 * numbers are.
 */

/** What such a name says besides: its grade, or the year in which its pupils entered, and its number. */
export type NamedClass = YearMeant & Pick<ClassMeant, 'grade' | 'no'> & { readonly name: string }

/** The name of a class in a title: 江宁中等专业学校24级幼师3班学生名册 is about 24级幼师3班. */
function nameIn(text: string): string {
  const plain = text.normalize('NFKC').replace(/\s/g, '')
  const list =
    /^(.{2,}?班)(?:学生|新生|全体|幼儿)*(?:基本|个人)?(?:信息|情况|资料|花?名册|名单|登记|统计|通讯录|汇总|采集|点名|一览|分班).*$/
  const cut = list.exec(plain)?.[1]
  if (cut === undefined) return text.trim()
  return cut.replace(/^.*(?:学校|小学|中学|幼儿园|学院)(?=.)|^20\d{2}年(?:[春秋]季?)?/, '')
}

const number = '\\d{1,2}|[一二三四五六七八九十]{1,3}'
/** A word, the year of entry, and a number: 幼教2601班, 护理24-2班, 学前教育2026级1班. */
const wordAndYear = new RegExp(
  `^(\\p{Script=Han}{2}[\\p{Script=Han}A-Za-z()]*?)(20\\d{2}|1[3-9]|[2-9]\\d)(级|届)?[-.(]?(${number})?[)]?(班)?$`,
  'u',
)
/** A grade, and what else is no word of a class. */
const noWord = /[初高小][一二三四五六]$|[一二三四五六七八九十]$|班$/

function yearBehind(name: string): (YearMeant & Pick<ClassMeant, 'no'>) | undefined {
  const [, word = '', year = '', sign, no, ending] = wordAndYear.exec(name) ?? []
  if (word === '' || beforeNumber.test(word) || noWord.test(word)) return undefined
  // 幼教26 may be anything; 幼教2601 and 幼教26级 are classes.
  if (!ending && !(no && /^\d{2}$/.test(no))) return undefined
  const meant = sign === '届' ? { leaving: yearOf(year) } : { cohort: yearOf(year) }
  const [counted] = no ? readClass(`${no}班`) : []
  return { ...meant, ...(counted?.no === undefined ? {} : { no: counted.no }) }
}

/** Whether the name of a class only has a number in common with those that are counted: 文科1班, 26学前教育1班, 幼教2601班. */
export function isNamedApart(text: string): boolean {
  if (readClass(text).length > 0) return false
  const name = nameIn(text).normalize('NFKC').replace(/\s/g, '')
  if (yearBehind(name)) return true
  const [part] = readClass(classInTitle(name) ?? '')
  return part !== undefined && isOfAnyGrade(part) && hasOwnWord(name)
}

/** A letter in the place of a number: 小A班, 三年级（B）班, 护理A班; the end of VIP班 is none. */
const letter = /(?<![A-Za-z\d])\(?([A-Za-z])\)?班$/
const countedAs = (name: string): string =>
  name.replace(letter, (_all, sign: string) => `${sign.toUpperCase().charCodeAt(0) - 64}班`)

/** Whether a text is about a class with a grade or year and a letter. */
export function isLettered(text: string): boolean {
  const name = nameIn(text).normalize('NFKC').replace(/\s/g, '')
  const [meant] = letter.test(name) ? readClass(countedAs(name)) : []
  return meant !== undefined && !isOfAnyGrade(meant)
}

/** The year before the word: 26学前教育1班, 24级幼师3班, 2025级机电班. */
const yearBefore =
  /^(?:高|初|职高|中专)?(?:(20\d{2})([级届])?|(\d{2})([级届])|(1[3-9]|[2-9]\d))(?=[\p{Script=Han}(])(?!班|年)/u

/**
 * Reads such a name: 26学前教育1班 and 幼教2601班 tell the year of entry, 高二（3）班火箭班 and 高一文科1班 the grade, and
 * 火箭班 neither. Undefined where the name is one of those that are only counted, or of no class.
 */
export function readNamedClass(text: string): NamedClass | undefined {
  const own = nameIn(text)
  const name = own.normalize('NFKC').replace(/\s/g, '')
  if (name.length > 30 || readClass(name).length > 0) return undefined
  const behind = yearBehind(name)
  if (behind) return { ...behind, name: own }
  if (letter.test(name)) {
    const counted = countedAs(name)
    const meant = readClass(counted)[0] ?? readNamedClass(counted)
    return meant && { ...meant, name: own }
  }
  if (!/班\)?$/.test(name)) return undefined
  const inside = classInTitle(name)
  const [part] = readClass(inside ?? '')
  const isNicknamed = part !== undefined && /^.+班/.test(name.slice(name.indexOf(inside!) + inside!.length))
  if (part && !isNicknamed && !isNamedApart(name)) return undefined
  if (!part && !/\p{Script=Han}{2,}班\)?$/u.test(name)) return undefined
  const counted = part?.no === undefined ? {} : { no: part.no }
  if (part && !isOfAnyGrade(part)) return { ...part, name: own }
  const year = yearBefore.exec(name)
  const entered = year?.[1] ?? year?.[3] ?? year?.[5]
  if (entered) {
    const leaves = (year?.[2] ?? year?.[4]) === '届'
    return { ...(leaves ? { leaving: yearOf(entered) } : { cohort: yearOf(entered) }), ...counted, name: own }
  }
  const graded = readGrade(gradeWithin(name) ?? /^[高初小][一二三四五六]/.exec(name)?.[0] ?? '')
  return { ...graded, ...counted, name: own }
}

/** The year or the grade at either end of such a name, with which it is one class still: 26级护理1班, 2026级护理1班, 护理2601班. */
const yearOrGrade =
  /^(?:高|初|职高|中专)?(?:20\d{2}[级届]?|\d{2}[级届]|(?:1[3-9]|[2-9]\d)(?=[\p{Script=Han}(]))|^(?:小学|初中|高中)?(?:[一二三四五六七八九]|\d{1,2})年级|^[高初小][一二三四五六](?=\p{Script=Han}{2})/u
const countAtEnd = new RegExp(`[-.(第]*(?:${number})?[)]?班$`)

/**
 * What such a name says without its year and grade, for all of its spellings: 26级护理1班, 高一护理（1）班 and 护理2601班 are
 * the same within a grade. Undefined where nothing is left that tells two classes apart.
 */
export function namedClassKey(text: string): string | undefined {
  const named = readNamedClass(text)
  if (!named) return undefined
  if (isLettered(text)) return `|${letter.exec(named.name.normalize('NFKC').replace(/\s/g, ''))![1]!.toUpperCase()}`
  const name = named.name.normalize('NFKC').toLowerCase().replace(/\s/g, '')
  const behind = yearBehind(name) ? wordAndYear.exec(name)?.[1] : undefined
  const word = (behind ?? name.replace(yearOrGrade, '').replace(countAtEnd, '')).replace(/[-.()]+$/, '')
  return /\p{Script=Han}{2}/u.test(word) && !/班/.test(word) ? `${word}|${named.no ?? ''}` : undefined
}

/** A major as a word of the name of a class. */
function wordOfMajor(major: string): string | undefined {
  const word = major.normalize('NFKC').replace(/\s/g, '')
  return /^\p{Script=Han}[\p{Script=Han}A-Za-z()]+$/u.test(word) ? word : undefined
}

/** A class of a major as it is called: 护理 beside 1班 is 护理1班. One that has a word of its own, or says its grade, stands as it is. */
export function classOfMajor(text: string, major: string): string | undefined {
  const word = wordOfMajor(major)
  const [meant] = readClass(text)
  return meant && isOfAnyGrade(meant) && meant.no !== undefined && word ? `${word}${meant.no}班` : undefined
}

/** The same where the class says the year of entry: 护理 beside 2026级1班 may be 2026级护理1班. */
export function classOfYearAndMajor(text: string, major: string): string | undefined {
  const word = wordOfMajor(major)
  const [meant] = readClass(text)
  const year = /^(?:20)?\d{2}级/.exec(text.normalize('NFKC').trim())?.[0]
  return word && year && meant?.cohort !== undefined ? `${year}${word}${meant.no}班` : undefined
}
