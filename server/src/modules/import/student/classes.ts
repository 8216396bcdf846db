import { schoolclass } from '@data-brain/contract'
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
import type { ClassPlace, FileLookups } from '../batch/lookups.ts'
import type { Fault } from '../batch/row.ts'
import { type ClassMade, cohortOf } from './class-placement.ts'

const model = modelOf(schoolclass)

/** The class that would be made. */
export function classToMake({ gradeId, classNo }: ClassMade, lookups: FileLookups): ClassPlace | undefined {
  const grade = lookups.offered.find((each) => each.id === gradeId)
  if (!grade) return undefined
  return {
    id: newId(),
    gradeId,
    classNo,
    name: usualClassName(grade.name, classNo),
    cohortYear: cohortOf(grade, lookups) ?? new Date().getFullYear(),
  }
}

/** What is told and planned of classes that do not exist. */
export function classesAsked(lookups: FileLookups): Pick<CellQuestion, 'made' | 'plan'> {
  const plan = ({ make }: Fault): ClassPlace | undefined => make && classToMake(make, lookups)
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
  const standing = new Map(
    (
      await tx.run<{ id: string; key: string }>(
        sql`select id, grade_id || '|' || class_no as key from schoolclass where tenant_id = ${tenantId} and school_id = ${settings.schoolId ?? null} and year_id = ${settings.yearId ?? null}`,
      )
    ).map((row) => [row.key, row.id]),
  )
  const instead = new Map<string, string>(
    planned.flatMap(({ id, gradeId, classNo }) => {
      const there = standing.get(`${gradeId}|${classNo}`)
      return there ? [[`=${id}`, `=${there}`]] : []
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
    classes: planned.filter(({ id }) => !instead.has(`=${id}`)),
  }
}
