import type { Words } from '@data-brain/contract'
import {
  type ClassMeant,
  classInTitle,
  type GradeMeant,
  gradeInTitle,
  gradeWithin,
  isOfAnyGrade,
  readClass,
  readGrade,
  type YearMeant,
} from '@data-brain/contract/import/class-name'
import {
  classOfMajor,
  classOfYearAndMajor,
  isNamedApart,
  namedClassKey,
  readNamedClass,
} from '@data-brain/contract/import/named-class'
import { type ClassPlace, type FileLookups, foldClass, foldWord, type GradeOf } from '../batch/lookups.ts'

/** What says of a pupil that there is no class yet. */
export const unplaced = /^(暂不分班|未分班|待分班|暂未分班|none yet|no class yet)$/i

/** A class that does not exist and could be made. */
export interface ClassMade {
  readonly gradeId: string
  /** 0 where the name has none: one that is free is taken. */
  readonly classNo: number
  /** The name as it is written, where it has a word of its own. */
  readonly name?: string
}

export type PlacedCell =
  | { readonly place: ClassPlace }
  | { readonly fault: Words; readonly key: 'student.classId' | 'student.gradeId'; readonly make?: ClassMade }

const no = (zh: string, en: string, make?: ClassMade): PlacedCell => ({
  key: 'student.classId',
  fault: { zh, en },
  ...(make ? { make } : {}),
})

/** The grades of the school that are meant: within a stage, or counted from primary school on. */
function gradesOf({ stage, no }: GradeMeant, { offered }: FileLookups): GradeOf[] {
  if (stage) return offered.filter((grade) => grade.stage === stage && grade.no === no)
  const has = (each: string): boolean => offered.some((grade) => grade.stage === each)
  const counted: readonly (readonly [string, number])[] =
    no > 9
      ? [['4', no - 9]]
      : no > 6
        ? [['3', no - 6]]
        : has('2')
          ? [['2', no]]
          : [
              ['3', no],
              ['4', no],
              ['1', no],
            ]
  return offered.filter((grade) => counted.some(([of, at]) => grade.stage === of && grade.no === at))
}

/** The year in which the pupils of a grade entered. */
export const cohortOf = (grade: GradeOf, { startYear }: FileLookups): number | undefined =>
  startYear === undefined ? undefined : startYear - grade.no + 1

/**
 * The grades whose pupils entered or leave in a year. A year of leaving that lies behind names nobody who is there; some
 * write 届 for the year of entry, and are asked.
 */
function ofYear({ cohort, leaving, stage }: YearMeant, lookups: FileLookups): GradeOf[] {
  const { offered, startYear = 0 } = lookups
  const years = (grade: GradeOf): number => offered.filter((each) => each.stage === grade.stage).length
  return offered.filter((grade) => {
    if (stage && grade.stage !== stage) return false
    if (leaving === undefined) return cohortOf(grade, lookups) === cohort
    return leaving > startYear && cohortOf(grade, lookups) === leaving - years(grade)
  })
}

/** The grades that a cell of a column of grades means; none where it is no grade of the school. */
export function gradesMeant(text: string, lookups: FileLookups): GradeOf[] {
  const id = lookups.grades.get(foldWord(text))
  const named = lookups.offered.filter((grade) => grade.id === id)
  if (named.length > 0) return named
  const meant = readGrade(text) ?? readGrade(classInTitle(text) ?? '') ?? readGrade(gradeWithin(text) ?? '')
  if (meant?.grade) return gradesOf(meant.grade, lookups)
  return meant ? ofYear(meant, lookups) : []
}

/** What a name can mean at the school: 小一 is a class of a kindergarten, and a grade of a primary school. */
const meantHere = (name: string, { offered }: FileLookups): ClassMeant[] => {
  const has = (stage: string): boolean => offered.some((grade) => grade.stage === stage)
  const isGrade = !has('1') || (has('2') && !/班/.test(name))
  return readClass(name).filter(({ grade }) => !isGrade || grade?.stage !== '1')
}

/** The class that a name means, within grades where a column or a title names them. */
export function placeOf(name: string, given: readonly GradeOf[] | undefined, lookups: FileLookups): PlacedCell {
  const ids = given && new Set(given.map((grade) => grade.id))
  // 月亮班幼儿信息登记表 of a title is about 月亮班.
  const byName = (text: string): readonly ClassPlace[] | undefined => lookups.classesByName.get(foldClass(text))
  const named = byName(name) ?? byName(readNamedClass(name)?.name ?? '') ?? []
  const meanings = meantHere(name, lookups)
  // 2班 by itself is not the only class of that number: those of the other grades may not be there yet.
  const isOpen = !given && meanings[0] !== undefined && isOfAnyGrade(meanings[0])
  const fitting = ids
    ? named.filter((place) => ids.has(place.gradeId))
    : isOpen
      ? named.filter((place) => foldClass(place.name) === foldClass(name))
      : named
  if (fitting.length === 1) return { place: fitting[0]! }
  const parts = meanings.length > 0 ? [] : meantHere(classInTitle(name) ?? '', lookups)
  const respelled = fitting.length === 0 ? sameNamed(name, given, lookups) : []
  if (respelled.length === 1) return { place: respelled[0]! }
  if (respelled.length > 1) return no('有几个班级叫这个名字，请填写年级', 'fits several classes: give the grade too')
  // 文科1班 and 理科1班 are two classes, and neither is the first of those that are counted.
  const isOther = isNamedApart(name)
  const all = meanings.length > 0 ? meanings : isOther ? [] : parts
  const within =
    given ?? (meanings.length === 0 && all[0] && isOfAnyGrade(all[0]) ? saidBefore(name, lookups) : undefined)
  if (within !== given) return placeOf(classInTitle(name)!, within, lookups)
  for (const meant of all) {
    const found = placesOf(meant, ids, lookups)
    if (found.length > 0 && !given && isOfAnyGrade(meant))
      return no('没有写明年级，请选择班级', 'names no grade: choose the class')
    if (found.length === 1) return { place: found[0]! }
    if (found.length > 1) return no('有几个班级叫这个名字，请填写年级', 'fits several classes: give the grade too')
  }
  if (fitting.length > 1) return no('有几个班级叫这个名字，请填写年级', 'fits several classes: give the grade too')
  const alone =
    all.length === 0 && (readGrade(name) || gradeInTitle(name))
      ? gradesMeant(name, lookups).filter((grade) => !ids || ids.has(grade.id))
      : []
  // 大班 of a small kindergarten: there is one class in its grade, and where there are more somebody says which is meant.
  const inGrade = alone.length === 1 ? lookups.classes.filter((place) => place.gradeId === alone[0]!.id) : []
  if (inGrade.length === 1) return { place: inGrade[0]! }
  if (alone.length === 1 && inGrade.length === 0)
    return no(`${lookups.yearName}没有这个班级`, `is no class of ${lookups.yearName}`, {
      gradeId: alone[0]!.id,
      classNo: 1,
    })
  if (alone.length > 0) return no('只写了年级，请选择班级', 'is a grade: choose its class')
  const own = readNamedClass(name)
  const made = own
    ? makeOf({ no: 0, ...own }, given, lookups, own.name)
    : all.map((meant) => makeOf(meant, given, lookups)).find(Boolean)
  if (!made && all.length > 0 && all.every((meant) => gradesSaid(meant, lookups)?.length === 0))
    return no('本校没有该年级', 'is of a grade that the school has not')
  if (named.length > 0 && ids) return no('该年级没有这个班级', 'is no class of that grade', made)
  return no(`${lookups.yearName}没有这个班级`, `is no class of ${lookups.yearName}`, made)
}

/**
 * The name of a class of a vocational school with the major that another column says. 2026级1班 of two majors are two
 * classes, unless the school has a 2026级1班 and none of the major's name: then it counts through all majors.
 */
export function withMajor(text: string, major: string, lookups: FileLookups): string | undefined {
  const ofYear = classOfYearAndMajor(text, major)
  if (ofYear === undefined) return classOfMajor(text, major)
  const isThere = (name: string): boolean => 'place' in placeOf(name, undefined, lookups)
  return isThere(ofYear) || !isThere(text) ? ofYear : undefined
}

/** The classes with a word of their own that a name means in another spelling of its year: 2026级护理1班 is 26级护理1班. */
function sameNamed(name: string, given: readonly GradeOf[] | undefined, lookups: FileLookups): ClassPlace[] {
  const key = namedClassKey(name)
  const own = key === undefined ? undefined : readNamedClass(name)
  if (!own) return []
  const said = gradesSaid(own, lookups)
  const grades = said && given ? said.filter((grade) => given.some((each) => each.id === grade.id)) : (said ?? given)
  if (!grades) return []
  return lookups.classes.filter(
    (place) => grades.some((grade) => grade.id === place.gradeId) && namedClassKey(place.name) === key,
  )
}

/** The grades that stand somewhere before the number of a class: 小学部/三年级/1班 is no 1班 of another grade. */
function saidBefore(name: string, lookups: FileLookups): GradeOf[] | undefined {
  const grade = gradeWithin(name)
  const meant = grade === undefined ? [] : gradesMeant(grade, lookups)
  return meant.length > 0 ? meant : undefined
}

const gradesSaid = (meant: ClassMeant, lookups: FileLookups): GradeOf[] | undefined =>
  meant.grade ? gradesOf(meant.grade, lookups) : isOfAnyGrade(meant) ? undefined : ofYear(meant, lookups)

function placesOf(meant: ClassMeant, ids: ReadonlySet<string> | undefined, lookups: FileLookups): ClassPlace[] {
  const said = gradesSaid(meant, lookups)?.map((grade) => grade.id)
  return lookups.classes.filter(
    (place) =>
      // 26学前教育1班 is not the first of those that are counted.
      place.classNo === meant.no &&
      !isNamedApart(place.name) &&
      (!ids || ids.has(place.gradeId)) &&
      (said ? said.includes(place.gradeId) : true),
  )
}

/** The class that would be made: where the name says its grade and number, and the school has that grade. */
function makeOf(
  meant: ClassMeant,
  given: readonly GradeOf[] | undefined,
  lookups: FileLookups,
  name?: string,
): ClassMade | undefined {
  const said = gradesSaid(meant, lookups)
  const grades =
    said && given ? said.filter((grade) => given.some((each) => each.id === grade.id)) : (said ?? given ?? [])
  const [grade] = grades
  return grade && grades.length === 1 && meant.no !== undefined
    ? { gradeId: grade.id, classNo: meant.no, ...(name ? { name } : {}) }
    : undefined
}
