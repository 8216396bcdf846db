import { importsByColumns } from '@data-brain/contract/import/all'
import {
  bareGrade,
  classInTitle,
  gradeInTitle,
  gradeWithin,
  isOfAnyGrade,
  readClass,
  readGrade,
} from '@data-brain/contract/import/class-name'
import { foldHeading } from '@data-brain/contract/import/form'
import { isLettered, readNamedClass } from '@data-brain/contract/import/named-class'
import type { FormKind } from '@data-brain/contract/import/place'
import { noClassYet } from '@data-brain/contract/import/place'
import { sql } from '../../../database/statement.ts'
import type { Tx } from '../../../database/transaction.ts'
import { answersKnown, headingsKnown } from '../batch/answer-memory.ts'
import type { Settings } from '../batch/batch.ts'
import type { Form } from '../batch/form.ts'
import { readLookups } from '../batch/lookups.ts'
import { byCohort } from '../batch/read-row.ts'
import { isOfForm, matchCustom } from '../custom.ts'
import { gradesMeant, placeOf } from '../student/class-placement.ts'
import { entrantsOfFile, ofEntrants } from './line.ts'
import { type Heading, matchColumns, needsGrade } from './match.ts'
import type { Column } from './table.ts'

/** A column of a file as a batch keeps it, with how sure its proposed match is. */
export interface FileColumn {
  readonly heading: string
  readonly confidence?: number
  /** What the file says once for many rows is no column of it: a title, a line over a block, the name of a sheet. */
  readonly from?: Column['from']
}

/** What is proposed for a file that was read. */
export interface Proposal {
  readonly columns: readonly FileColumn[]
  readonly mapping: Readonly<Record<string, string>>
  readonly settings: Pick<Settings, 'fixed' | 'answers'>
}

/** What is proposed for all rows, where no column says it. */
const usualOf = (kind: FormKind, mapping: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(importsByColumns.get(kind)?.usual ?? {}).filter(([key]) => !Object.values(mapping).includes(key)),
  )

/** The building that is proposed for rooms of which the file says none: the one with the most floors. */
async function buildingOf(
  kind: FormKind,
  tx: Tx,
  tenantId: string,
  { schoolId }: Settings,
  mapping: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const says = ['ref.building', 'schoolclassroom.floorId']
  if (kind !== 'schoolclassroom' || Object.values(mapping).some((key) => says.includes(key))) return {}
  const found = await tx.one<{ name: string }>(
    sql`select building_name as name from schoolfloor where tenant_id = ${tenantId} and school_id = ${schoolId ?? null} group by building_name order by count(*) desc, building_name limit 1`,
  )
  return { 'ref.building': found?.name ?? '教学楼' }
}

/** The class, or the grade of classes, that the name of a file says where nothing in the file does: 三年级（1）班.csv. */
function placeOfFile(
  kind: FormKind,
  fileName: string,
  columns: readonly Heading[],
  mapping: Readonly<Record<string, string>>,
): Record<string, string> {
  const keys = Object.values(mapping)
  if (kind !== 'student') return {}
  if (keys.includes('student.classId')) {
    const at = Object.keys(mapping).find((each) => mapping[each] === 'student.classId')
    const isOpen = !keys.includes('student.gradeId') && needsGrade(columns[Number(at)]!)
    const grade = isOpen ? gradeWithin(fileName.replace(/\.\w+$/, '')) : undefined
    return grade ? { 'student.gradeId': grade } : {}
  }
  const named = classInTitle(fileName.replace(/\.\w+$/, ''))
  const isWhole = named && /班/.test(named) && readClass(named).some((each) => !isOfAnyGrade(each))
  return isWhole ? { 'student.classId': named } : {}
}

/** Whether cells name a grade and no class: 五年级, 小班; in a column of grades 五 does as well. */
const namesGrades = ({ facts }: Heading, isOfGrades: boolean): boolean =>
  facts !== undefined &&
  facts.samples.length > 0 &&
  facts.samples.every(
    (each) => (isOfGrades && bareGrade.test(each)) || (readGrade(each) && readClass(each).length === 0),
  )

/**
 * Where a column of grades, or the names of the sheets, stand in the place of classes: a small school has one class in a
 * grade and writes 五年级 for it. A school with more is asked which is meant.
 */
function gradeAsClass(kind: FormKind, columns: readonly Heading[], mapping: Readonly<Record<string, string>>): number {
  if (kind !== 'student' || Object.values(mapping).includes('student.classId')) return -1
  const graded = Object.entries(mapping).find(([, key]) => key === 'student.gradeId')
  const at = graded ? Number(graded[0]) : columns.findIndex(({ from }) => from === 'sheet')
  return columns[at] && namesGrades(columns[at], graded !== undefined) ? at : -1
}

/** Whether what stands over the tables names a grade and no class: 四年级学生名册. */
const titlesGrade = ({ from, facts }: Heading): boolean =>
  (from === 'title' || from === 'section') &&
  facts !== undefined &&
  facts.samples.length > 0 &&
  facts.samples.every((each) => gradeInTitle(each) !== undefined)

/**
 * What is meant where nothing names a class. The grade of a title is the only class that the school has in it; those who
 * have just been admitted have none yet. Both are shown where columns are matched, and may be said otherwise there.
 */
async function classOfTitle(
  { kind }: Form,
  tx: Tx,
  tenantId: string,
  { schoolId, yearId }: Settings,
  columns: readonly Heading[],
  fileName: string,
): Promise<{ readonly at?: number; readonly fixed?: Record<string, string> }> {
  if (kind !== 'student') return {}
  const at = columns.findIndex(titlesGrade)
  if (at >= 0) {
    const lookups = await readLookups(tx, tenantId, schoolId ?? '0', yearId ?? null)
    const isOne = (title: string): boolean => {
      const grades = gradesMeant(gradeInTitle(title)!, lookups).map(({ id }) => id)
      return grades.length === 1 && lookups.classes.filter(({ gradeId }) => gradeId === grades[0]).length === 1
    }
    if (columns[at]!.facts!.samples.every(isOne)) return { at }
  }
  const said = columns.flatMap(({ from, facts }) => (from && from !== 'file' ? (facts?.samples ?? []) : []))
  if (said.some((text) => ofEntrants.test(text))) return { fixed: { 'student.classId': noClassYet } }
  const name = fileName.replace(/\.\w+$/, '')
  if (!entrantsOfFile.test(name)) return {}
  const grade = gradeWithin(name)
  return { fixed: { 'student.classId': noClassYet, ...(grade ? { 'student.gradeId': grade } : {}) } }
}

/**
 * A class with a name of its own, 太阳班 or 小A班, in the title of its table or as the name of its sheet: one that the school has, or
 * any in a kindergarten, where classes are mostly called so. 五年级舞蹈班 of a school that has no such class is no class.
 */
async function classOfOwnName(
  { kind }: Form,
  tx: Tx,
  tenantId: string,
  { schoolId, yearId }: Settings,
  columns: readonly Heading[],
  fileName: string,
): Promise<{ readonly at?: number; readonly fixed?: Record<string, string> }> {
  if (kind !== 'student') return {}
  const named = columns.flatMap(({ from = 'file', facts }, at) => {
    const texts = facts?.samples ?? []
    return from !== 'file' && texts.length > 0 && texts.every((each) => readNamedClass(each)) ? [{ at, texts }] : []
  })
  if (named.length === 0) return {}
  const lookups = await readLookups(tx, tenantId, schoolId ?? '0', yearId ?? null)
  const isThere = (text: string): boolean => 'place' in placeOf(readNamedClass(text)!.name, undefined, lookups)
  const isGarden = lookups.offered.every(({ stage }) => stage === '1')
  const found =
    named.find(({ texts }) => texts.every(isThere)) ??
    named.find(({ texts }) => texts.every(isLettered)) ??
    (isGarden ? named.at(-1) : undefined)
  if (!found) return {}
  const grade = gradeWithin(fileName.replace(/\.\w+$/, ''))
  const isGraded = grade && !found.texts.every(isThere)
  return { at: found.at, ...(isGraded ? { fixed: { 'student.gradeId': grade } } : {}) }
}

/**
 * Whether 专业 beside the classes is part of their names: a vocational school counts them within a major, 护理 1班 and
 * 电子商务 1班. Elsewhere it is what somebody practises, and no class.
 */
async function hasMajors(tx: Tx, tenantId: string, { schoolId }: Settings): Promise<boolean> {
  const school = await tx.one<{ type: string }>(
    sql`select school_type as type from school where tenant_id = ${tenantId} and id = ${schoolId ?? null}`,
  )
  return school?.type === vocational
}

/** Whether all pupils of the school are of senior secondary age. */
async function areElder(tx: Tx, tenantId: string, { schoolId }: Settings): Promise<boolean> {
  const school = await tx.one<{ stages: string[] | null }>(
    sql`select stages from school where tenant_id = ${tenantId} and id = ${schoolId ?? null}`,
  )
  const stages = school?.stages ?? []
  return stages.length > 0 && stages.every((stage) => stage === '4')
}

/** Its key in the dictionary of types of schools. */
const vocational = '36'

/** Proposes what the columns mean: as somebody matched them before, else as their headings and cells say. */
export async function proposeColumns(
  form: Form,
  tx: Tx,
  tenantId: string,
  columns: readonly Heading[],
  settings: Settings,
  fileName: string,
): Promise<Proposal> {
  const { kind } = form
  const { matches, fixed } = matchColumns(kind, columns)
  const known = await headingsKnown(tx, tenantId, kind)
  const mapping: Record<string, string> = {}
  const sure = new Map<number, number>()
  const give = (at: number, key: string, confidence: number): void => {
    if (key === '' || Object.values(mapping).includes(key)) return
    mapping[at] = key
    sure.set(at, confidence)
  }
  const remembered = columns.map(({ heading }) => {
    const key = known.get(foldHeading(heading))
    return key !== undefined && isOfForm(form, key) ? key : undefined
  })
  for (const [at, key] of remembered.entries()) if (key !== undefined) give(at, key, 1)
  const own = matchCustom(form, columns)
  for (const [at, key] of own) if (remembered[at] === undefined) give(at, key, 1)
  const majors = kind === 'student' && (await hasMajors(tx, tenantId, settings))
  for (const [at, match] of matches)
    if (remembered[at] === undefined && !own.has(at) && (match.key !== 'check.major' || majors))
      give(at, match.elder && (await areElder(tx, tenantId, settings)) ? match.elder : match.key, match.confidence)
  const ofFile = placeOfFile(kind, fileName, columns, mapping)
  const grades = ofFile['student.classId'] ? -1 : gradeAsClass(kind, columns, mapping)
  const isPlaced = grades >= 0 || ofFile['student.classId'] || Object.values(mapping).includes('student.classId')
  const owned = isPlaced ? {} : await classOfOwnName(form, tx, tenantId, settings, columns, fileName)
  const titled =
    isPlaced || owned.at !== undefined ? owned : await classOfTitle(form, tx, tenantId, settings, columns, fileName)
  for (const at of [grades, titled.at ?? -1])
    if (at >= 0) {
      mapping[at] = 'student.classId'
      sure.set(at, 0.9)
    }
  const dated = kind !== 'student' || Object.values(mapping).includes('student.enrollDate')
  return {
    columns: columns.map(({ heading, from = 'file' }, at) => ({
      heading,
      ...(from === 'file' ? {} : { from }),
      ...(sure.has(at) ? { confidence: sure.get(at)! } : {}),
    })),
    mapping,
    settings: {
      fixed: {
        ...usualOf(kind, mapping),
        ...ofFile,
        ...titled.fixed,
        ...(await buildingOf(kind, tx, tenantId, settings, mapping)),
        ...fixed,
        ...(dated ? {} : { 'student.enrollDate': byCohort }),
      },
      ...(settings.schoolId ? { answers: await answersKnown(tx, tenantId, kind, settings.yearId ?? '0') } : {}),
    },
  }
}
