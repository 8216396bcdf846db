import { schoolclass } from '@data-brain/contract'
import { readClass } from '@data-brain/contract/import/class-name'
import { namedClassKey } from '@data-brain/contract/import/named-class'
import { usualClassName, usualClassType } from '@data-brain/contract/rules/school-year'
import { newId } from '../../../database/id.ts'
import { sql } from '../../../database/statement.ts'
import type { Tx } from '../../../database/transaction.ts'
import { writeMany } from '../../../entity/bulk.ts'
import { checkDraft } from '../../../entity/check.ts'
import { modelOf } from '../../../entity/model.ts'
import type { Context } from '../../../entity/repository.ts'
import { fieldProblem, Problem } from '../../../kernel/problem.ts'
import type { Batch, Settings } from '../batch/batch.ts'
import type { CellQuestion } from '../batch/form.ts'
import { type ClassPlace, type FileLookups, foldClass } from '../batch/lookups.ts'
import type { Fault } from '../batch/row.ts'
import { type ClassMade, cohortOf } from './class-placement.ts'

const model = modelOf(schoolclass)

const mostClasses = 60

/** A number that no class of the grade has: the wished one where it is free. */
function freeNumber(gradeId: string, wished: number, places: readonly ClassPlace[]): number {
  const taken = new Set(places.filter((each) => each.gradeId === gradeId).map(({ classNo }) => classNo))
  for (const no of [wished, ...Array.from({ length: mostClasses }, (_no, at) => at + 1)])
    if (no > 0 && !taken.has(no)) return no
  return mostClasses
}

/** Whether two names within a grade are one in two spellings: 26级护理1班, 2026级护理1班. */
const isOneName = (one: string, other: string): boolean => {
  const key = namedClassKey(one)
  return foldClass(one) === foldClass(other) || (key !== undefined && key === namedClassKey(other))
}

/** The class that would be made, beside others that are planned; one of them that has its name is that one. */
export function classToMake(
  { gradeId, classNo, name }: ClassMade,
  lookups: FileLookups,
  planned: readonly ClassPlace[] = [],
): ClassPlace | undefined {
  const grade = lookups.offered.find((each) => each.id === gradeId)
  if (!grade) return undefined
  const same = planned.find(
    (each) => each.gradeId === gradeId && (name ? isOneName(each.name, name) : each.classNo === classNo),
  )
  const others = [...lookups.classes, ...planned]
  // No two classes of a year have one name: 火箭班 of a second grade is called with its grade.
  const isTaken = name !== undefined && others.some((each) => foldClass(each.name) === foldClass(name))
  return (
    same ?? {
      id: newId(),
      gradeId,
      classNo: name ? freeNumber(gradeId, classNo, others) : classNo,
      name: isTaken ? grade.name + name : (name ?? usualClassName(grade.name, classNo)),
      cohortYear: cohortOf(grade, lookups) ?? new Date().getFullYear(),
    }
  )
}

/** What is told and planned of classes that do not exist. */
export function classesAsked(lookups: FileLookups): Pick<CellQuestion, 'made' | 'plan'> {
  const plan = ({ make }: Fault, planned: readonly ClassPlace[] = []): ClassPlace | undefined =>
    make && classToMake(make, lookups, planned)
  return {
    plan,
    made: (fault) => {
      const place = plan(fault)
      const grade = place && lookups.offered.find((each) => each.id === place.gradeId)
      return (
        place && { name: place.name, grade: grade?.name ?? '', cohortYear: place.cohortYear, classNo: place.classNo }
      )
    },
  }
}

/** Makes the planned classes of a batch, as one of its own rows each: they go with it. */
export async function makeClasses(context: Context, { settings }: Batch): Promise<void> {
  const { tx, actor } = context
  const planned = settings.classes ?? []
  if (planned.length === 0) return
  const school = await tx.one<{ campus_id: string | null; size: number | null }>(
    sql`select (select c.id from schoolcampus c where c.tenant_id = s.tenant_id and c.school_id = s.id order by c.is_main desc, c.id limit 1) as campus_id,
          s.max_class_size as size from school s where s.tenant_id = ${actor.tenantId} and s.id = ${settings.schoolId ?? null}`,
  )
  if (!school?.campus_id)
    throw new Problem('rule_broken', {
      reason: { zh: '该校还没有校区，请先新建校区', en: 'The school has no campus yet: make one first' },
    })
  const stages = new Map(
    (
      await tx.run<{ id: string; stage: string }>(
        sql`select id, stage from sysgrade_seen where tenant_id = ${actor.tenantId}`,
      )
    ).map((row) => [row.id, row.stage]),
  )
  const standing = new Set(
    (
      await tx.run<{ key: string }>(
        sql`select grade_id || '|' || class_no as key from schoolclass where tenant_id = ${actor.tenantId} and school_id = ${settings.schoolId ?? null} and year_id = ${settings.yearId ?? null}`,
      )
    ).map((row) => row.key),
  )
  const rows = planned.map((place) => {
    if (standing.has(`${place.gradeId}|${place.classNo}`))
      throw new Problem('rule_broken', {
        reason: { zh: `${place.name}已被他人新建，请重新检查`, en: `${place.name} was made meanwhile: check again` },
      })
    const { values, faults } = checkDraft(model, {
      schoolId: settings.schoolId,
      yearId: settings.yearId,
      campusId: school.campus_id,
      gradeId: place.gradeId,
      classNo: place.classNo,
      className: place.name,
      cohortYear: place.cohortYear,
      classType: usualClassType(stages.get(place.gradeId) ?? ''),
      ...(school.size ? { maxSize: school.size } : {}),
    })
    if (faults.length > 0) throw fieldProblem(faults, context.circumstance.language)
    return { id: place.id, values }
  })
  await writeMany(model, context, rows)
}

/** Settings in which a planned class that somebody else has made meanwhile is that one. */
export async function standingInstead(tx: Tx, tenantId: string, settings: Settings): Promise<Settings> {
  const planned = settings.classes ?? []
  if (planned.length === 0) return settings
  const standing = await tx.run<ClassPlace>(
    sql`select id, grade_id as "gradeId", class_no as "classNo", class_name as name, cohort_year as "cohortYear" from schoolclass
        where tenant_id = ${tenantId} and school_id = ${settings.schoolId ?? null} and year_id = ${settings.yearId ?? null}`,
  )
  // A class with a word of its own is the one of its name, whichever number either was given.
  const is = (place: ClassPlace) => (there: ClassPlace) =>
    there.gradeId === place.gradeId &&
    (readClass(place.name).length > 0
      ? there.classNo === place.classNo
      : foldClass(there.name) === foldClass(place.name))
  const instead = new Map<string, string>(
    planned.flatMap((place) => {
      const there = standing.find(is(place))
      return there ? [[`=${place.id}`, `=${there.id}`]] : []
    }),
  )
  const answers = Object.entries(settings.answers ?? {}).map(([key, words]) => [
    key,
    Object.fromEntries(
      Object.entries(words).map(([word, answer]) => [
        word,
        answer.as === undefined ? answer : { ...answer, as: instead.get(answer.as) ?? answer.as },
      ]),
    ),
  ])
  return {
    ...settings,
    answers: Object.fromEntries(answers),
    classes: planned
      .filter(({ id }) => !instead.has(`=${id}`))
      .map((place) =>
        readClass(place.name).length > 0
          ? place
          : {
              ...place,
              classNo: freeNumber(place.gradeId, place.classNo, [
                ...standing,
                ...planned.filter((other) => other !== place),
              ]),
            },
      ),
  }
}
