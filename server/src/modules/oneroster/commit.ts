import { dept, entityOf } from '@data-brain/contract'
import { newId } from '../../database/id.ts'
import { sql } from '../../database/statement.ts'
import { writeMany } from '../../entity/bulk.ts'
import { modelOf } from '../../entity/model.ts'
import type { Context } from '../../entity/repository.ts'
import { nameRef } from '../../entity/select.ts'
import { writeOver } from '../../entity/write.ts'
import { Problem } from '../../kernel/problem.ts'
import { countClasses } from '../student/index.ts'
import { carrierFor } from './carried-entities.ts'
import { currentRecords, type ReadyPlan } from './examine.ts'
import type { JudgedRows, RosterVerdict } from './judge.ts'
import { changedKeeps, writeKeeps } from './kept-records.ts'
import { type PassProgress, portions, sizeOf } from './pass-progress.ts'
import type { Plan } from './plan.ts'

/** Each after those that its rows cannot be made without. */
const writing = [
  'user',
  'school',
  'schoolcampus',
  'schoolyear',
  'schoolsemester',
  'schoolsubject',
  'schoolclass',
  'student',
  'schoolteachclass',
  'teacherclass',
  'studentparents',
  'studentclass',
] as const

/** Writes what was judged, in the transaction and under the batch of the context: all of it or nothing. */
export async function commit(
  { plan, judged, tables }: ReadyPlan,
  batch: Context & { readonly batchId: string },
  retire: boolean,
  pace: PassProgress,
): Promise<void> {
  const changing = [...judged.verdicts.values()].map((list) => list.filter((verdict) => verdict.what !== 'unchanged'))
  const step = pace.begin('write', sizeOf([...changing, ...(retire ? judged.missing.values() : [])]))
  const update = async (verdict: RosterVerdict): Promise<void> => {
    await change(verdict, batch)
    await step(1)
  }
  const of = (entity: string): readonly RosterVerdict[] => judged.verdicts.get(entity) ?? []
  await lockUpdated(judged, batch, retire)
  const depts = await makeDepts(plan, judged, batch)
  // A flag that only one row may carry is given up before another row takes it.
  const givesUp = (verdict: RosterVerdict): boolean => verdict.values.isCurrent === 0 || verdict.values.isMain === 0
  for (const entity of ['schoolyear', 'schoolsemester', 'schoolcampus'] as const)
    for (const verdict of of(entity)) if (verdict.what === 'update' && givesUp(verdict)) await update(verdict)
  const homes: { id: string; campus: string }[] = []
  for (const entity of writing)
    for (const portion of portions(of(entity).filter((verdict) => verdict.what === 'add'))) {
      await writeMany(
        modelOf(entityOf(entity)),
        batch,
        portion.map((verdict) => {
          const values = { ...verdict.values }
          if (entity === 'user') {
            values.deptId = (values.deptId as string[]).map((id) => depts.get(id) ?? id)
            // The campus is written after its staff.
            if (values.homeCampusId) homes.push({ id: verdict.wanted.id, campus: String(values.homeCampusId) })
            delete values.homeCampusId
          }
          if (entity === 'school') values.deptId = depts.get(verdict.wanted.id)
          return {
            id: verdict.wanted.id,
            values,
            ...(verdict.status === undefined ? {} : { status: verdict.status }),
            extId: verdict.wanted.item.sourcedId,
          }
        }),
      )
      await step(portion.length)
    }
  await finishReferences(depts, homes, batch)
  for (const entity of ['dept', ...writing])
    for (const verdict of of(entity))
      if (
        verdict.what === 'update' &&
        !(['schoolyear', 'schoolsemester', 'schoolcampus'].includes(entity) && givesUp(verdict))
      )
        await update(verdict)
  if (retire)
    for (const [entity, rows] of judged.missing) {
      const { model, retired } = carrierFor(entity)
      for (const row of rows) {
        await writeOver(model, batch, row.id, { ...row.values, version: row.version }, {}, { status: retired })
        await step(1)
      }
    }
  await countPupils(batch)
  const { made, keeps } = await currentRecords(batch)
  await writeKeeps(batch, changedKeeps(tables, made, keeps, retire))
}

const change = (verdict: RosterVerdict, batch: Context): Promise<void> => {
  const { wanted, values, status, extId } = verdict
  const kept = wanted.kept!
  return writeOver(wanted.carrier.model, batch, kept.id, { ...kept.values, version: kept.version }, values, {
    status,
    extId,
  })
}

/** Locks the rows that will change; one that somebody else has changed since it was read ends the import. */
async function lockUpdated(judged: JudgedRows, { tx, actor }: Context, retire: boolean): Promise<void> {
  for (const [entity, verdicts] of judged.verdicts) {
    const { model } = carrierFor(entity)
    const rows = [
      ...verdicts.filter((verdict) => verdict.what === 'update').map((verdict) => verdict.wanted.kept!),
      ...(retire ? (judged.missing.get(entity) ?? []) : []),
    ]
    if (rows.length === 0) continue
    const now = new Map(
      (
        await tx.run<{ id: string; version: number }>(
          sql`select id, version from ${nameRef(model.table)} where tenant_id = ${actor.tenantId} and id = any(${rows.map((row) => row.id)}::bigint[]) order by id for update`,
        )
      ).map((row) => [row.id, row.version]),
    )
    if (rows.some((row) => now.get(row.id) !== row.version)) throw new Problem('stale')
  }
}

/** Every new school gets a department under the root, as one made by hand does. */
async function makeDepts(plan: Plan, judged: JudgedRows, batch: Context): Promise<Map<string, string>> {
  const schools = (judged.verdicts.get('school') ?? []).filter((verdict) => verdict.what === 'add')
  const made = new Map(schools.map((verdict) => [verdict.wanted.id, newId()]))
  const root = plan.state.rootDept ?? null
  await writeMany(
    modelOf(dept),
    batch,
    schools.map((verdict, index) => ({
      id: made.get(verdict.wanted.id)!,
      values: {
        parentId: root,
        ancestors: root ? `0,${root}` : '0',
        deptName: verdict.values.schoolName,
        fullName: verdict.values.schoolName,
        deptCategory: '2',
        sort: index + 1,
      },
    })),
  )
  return made
}

async function finishReferences(
  depts: ReadonlyMap<string, string>,
  homes: readonly { id: string; campus: string }[],
  { tx, actor }: Context,
): Promise<void> {
  const set = (table: string, column: string, pairs: readonly (readonly [string, string])[]): Promise<unknown> =>
    pairs.length === 0
      ? Promise.resolve()
      : tx.run(
          sql`update ${nameRef(table)} t set ${nameRef(column)} = u.value from unnest(${pairs.map(([id]) => id)}::bigint[], ${pairs.map(([, value]) => value)}::bigint[]) as u(id, value)
              where t.tenant_id = ${actor.tenantId} and t.id = u.id`,
        )
  await set(
    'dept',
    'school_id',
    [...depts].map(([school, id]) => [id, school] as const),
  )
  await set(
    'app_user',
    'home_campus_id',
    homes.map(({ id, campus }) => [id, campus] as const),
  )
}

/** The classes' numbers of pupils follow from the pupils. */
async function countPupils(context: Context): Promise<void> {
  const classes = await context.tx.run<{ id: string }>(
    sql`select id from schoolclass where tenant_id = ${context.actor.tenantId}`,
  )
  await countClasses(
    context,
    classes.map(({ id }) => id),
  )
}
