import { school, schoolcampus } from '@data-brain/contract'
import { sql } from '../../database/statement.ts'
import { blockersOf } from '../../entity/blockers.ts'
import type { Values } from '../../entity/check.ts'
import { modelOf } from '../../entity/model.ts'
import { type Context, Repository } from '../../entity/repository.ts'
import { addRules, type Removing, type Saving } from '../../entity/rules.ts'
import { removeRow, writeOver } from '../../entity/write.ts'
import { fieldProblem } from '../../kernel/problem.ts'

/** The campuses of a school, whatever the caller may do with campuses: its main one is made and removed with it. */
const campusesOf = (context: Context): Repository => new Repository(schoolcampus, { ...context, unscoped: true })

const mainCode = 'MAIN'

const stored = (context: Context, schoolId: string) =>
  context.tx.run<{ id: string; is_main: number; status: number }>(
    sql`select id, is_main, status from schoolcampus where tenant_id = ${context.actor.tenantId} and school_id = ${schoolId} order by id for update`,
  )

/** A school has a main campus from its first moment: classes and rooms need one. */
async function makeMainCampus({ before, context, id }: Saving<typeof school>): Promise<void> {
  if (before || (await stored(context, id)).length > 0) return
  await campusesOf(context).add({
    schoolId: id,
    campusCode: mainCode,
    campusName: context.circumstance.language === 'en' ? 'Main campus' : '校本部',
    isMain: 1,
  })
}

/** What the main campus says from its first moment; all else that it says, somebody has entered. */
const given: ReadonlySet<string> = new Set(['schoolId', 'campusCode', 'campusName', 'isMain', 'travelMinutes', 'sort'])

/** The campus that was made with a school goes with it, unless somebody uses it or has entered more of it. */
async function removeMadeCampus({ context, id }: Removing<typeof school>): Promise<void> {
  const campuses = await stored(context, id)
  const [only] = campuses
  if (campuses.length !== 1 || !only) return
  const row = await campusesOf(context).before(only.id)
  if (
    row.campusCode !== mainCode ||
    Object.keys(schoolcampus.fields).some((name) => !given.has(name) && row[name] != null)
  )
    return
  if ((await blockersOf(modelOf(schoolcampus), context, only.id)).length === 0)
    await removeRow(modelOf(schoolcampus), context, only.id, row)
}

const refuse = (context: Context, field: 'isMain' | 'schoolId', zh: string, en: string): never => {
  const { label } = schoolcampus.fields[field]
  throw fieldProblem([{ field, label, reason: { zh, en } }], context.circumstance.language)
}

/** The state of a school, which is held until the end: its mark is moved, and its campuses are opened, one after the other. */
const heldState = async (context: Context, schoolId: unknown): Promise<number | undefined> =>
  (
    await context.tx.one<{ status: number }>(
      sql`select status from school where tenant_id = ${context.actor.tenantId} and id = ${String(schoolId)} for no key update`,
    )
  )?.status

/**
 * R10: a school has one main campus. Another that becomes it takes the mark over, and the first one is it whatever was
 * said; it is given up only by giving it to another.
 */
async function keepOneMain({ before, context, values, whole }: Saving<typeof schoolcampus>): Promise<void> {
  if (before && values.isMain === undefined) return
  if (before && values.isMain === 0)
    refuse(
      context,
      'isMain',
      '学校须有一个主校区，请直接把另一个校区设为主校区',
      'stays until another campus becomes the main one: mark that one instead',
    )
  await heldState(context, whole.schoolId)
  const mains = await context.tx.run<{ id: string }>(
    sql`select id from schoolcampus where tenant_id = ${context.actor.tenantId} and school_id = ${whole.schoolId} and is_main = 1`,
  )
  if (values.isMain !== 1) values.isMain = mains.length === 0 ? 1 : 0
  else for (const { id } of mains) await change(context, id, { isMain: 0 })
}

/** Changes a campus that follows another row: what it is asked when it is saved by hand does not hold here. */
const change = async (context: Context, id: string, values: Values, states: { status?: number } = {}): Promise<void> =>
  writeOver(modelOf(schoolcampus), context, id, await campusesOf(context).before(id, { lock: true }), values, states)

/** The main campus goes with its school, or after another one has become it. */
async function keepMain({ context, before }: Removing<typeof schoolcampus>): Promise<void> {
  if (before.isMain !== 1) return
  refuse(
    context,
    'isMain',
    '主校区不能删除，请先把另一个校区设为主校区',
    'cannot be removed: make another campus the main one first',
  )
}

const inUse = 1
const closed = 3

/** A school that is closed has no campus in use: none is added or taken into use there, and they go out of use with it. */
async function openSchool({ before, context, whole, status }: Saving<typeof schoolcampus>): Promise<void> {
  if ((status ?? (before ? 0 : inUse)) !== inUse) return
  if ((await heldState(context, whole.schoolId)) === closed)
    refuse(context, 'schoolId', '已撤销，不能新增或启用校区', 'is closed: no campus is added or taken into use there')
}

async function closeCampuses({ context, id, status }: Saving<typeof school>): Promise<void> {
  if (status !== closed) return
  for (const campus of await stored(context, id))
    if (campus.status === inUse) await change(context, campus.id, {}, { status: 0 })
}

/** What follows a school, and the mark of its main campus, are rows with changes of their own: an undo takes those back. */
export function addCampusRules(): void {
  addRules(school, {
    skippedByUndo: true,
    afterSave: async (saving) => {
      await makeMainCampus(saving)
      await closeCampuses(saving)
    },
    beforeRemove: removeMadeCampus,
  })
  addRules(schoolcampus, {
    skippedByUndo: true,
    beforeSave: async (saving) => {
      await openSchool(saving)
      await keepOneMain(saving)
    },
    beforeRemove: keepMain,
  })
}
