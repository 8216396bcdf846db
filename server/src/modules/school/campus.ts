import { school, schoolcampus } from '@data-brain/contract'
import { sql } from '../../database/statement.ts'
import { blockersOf } from '../../entity/blockers.ts'
import { modelOf } from '../../entity/model.ts'
import { type Context, Repository } from '../../entity/repository.ts'
import { addRules, type Removing, type Saving } from '../../entity/rules.ts'

/** The campuses of a school, whatever the caller may do with campuses: its main one is made and removed with it. */
const campusesOf = (context: Context): Repository => new Repository(schoolcampus, { ...context, unscoped: true })

const mainCode = 'MAIN'

const stored = (context: Context, schoolId: string) =>
  context.tx.run<{ id: string; is_main: number }>(
    sql`select id, is_main from schoolcampus where tenant_id = ${context.actor.tenantId} and school_id = ${schoolId} order by id for update`,
  )

/** A school has a main campus from its first moment: classes and rooms need one. */
async function makeMainCampus({ before, context, id }: Saving): Promise<void> {
  if (before || context.replaying || (await stored(context, id)).length > 0) return
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
async function removeMadeCampus({ context, id }: Removing): Promise<void> {
  if (context.replaying) return
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
    await campusesOf(context).remove([only.id])
}

/** R10: a school has one main campus; another that becomes it takes the mark over. */
async function moveMain({ context, id, values, whole }: Saving): Promise<void> {
  if (values.isMain !== 1) return
  const others = (await stored(context, String(whole.schoolId))).filter((each) => each.is_main === 1 && each.id !== id)
  for (const other of others) await campusesOf(context).edit(other.id, { isMain: 0 })
}

export function addCampusRules(): void {
  addRules(school, { afterSave: makeMainCampus, beforeRemove: removeMadeCampus })
  addRules(schoolcampus, { beforeSave: moveMain })
}
