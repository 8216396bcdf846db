import { type Blocker, dict, dictbiz, type Entity, type Words } from '@data-brain/contract'
import type { RawBuilder } from 'kysely'
import { eachTenant } from '../../database/each-tenant.ts'
import { sql } from '../../database/statement.ts'
import { allModels, modelOf } from '../../entity/model.ts'
import { type Context, Repository } from '../../entity/repository.ts'
import { addRules, type Removing, type Saving } from '../../entity/rules.ts'
import { nameRef } from '../../entity/select.ts'
import { holdUnit, takeOn } from '../../entity/shared.ts'
import { fieldProblem, Problem } from '../../kernel/problem.ts'
import { refuseCircle } from './tree-lists.ts'
import { blockedBy, fieldsWhere, usersAnywhere, usersInTenant } from './usage.ts'

/*
 * One set of rules for both kinds of dictionary: the tenant's own (`dictbiz`) and those that all tenants share (`dict`),
 * which the platform's administrators keep.
 */

/** The key of a dictionary itself, beside those of its entries. */
export const rootKey = '-1'

/** One of the two kinds of dictionary. */
export type Kind = typeof dict | typeof dictbiz
/** A save of either kind, whose fields are the same. */
type SavingEntry = Saving<typeof dictbiz>

const refuse = (context: Context, field: 'code' | 'dictKey' | 'parentId', zh: string, en: string): never => {
  const label: Words = dictbiz.fields[field].label
  throw fieldProblem([{ field, label, reason: { zh, en } }], context.circumstance.language)
}

/** What is read of a kind, and which of its rows the actor works with: its tenant's, or those that all share. */
export const rowsOfKind = (
  kind: Entity,
  { actor }: Pick<Context, 'actor'>,
): { table: RawBuilder<unknown>; mine: RawBuilder<unknown> } => {
  const model = modelOf(kind)
  return { table: nameRef(model.seen), mine: model.platform ? sql`true` : sql`tenant_id = ${actor.tenantId}` }
}

/** The fields, of all entities, that take their values from a dictionary. */
const fieldsOf = (code: string) => fieldsWhere((field) => field.dict === code)

/** Whether the product itself asks for this dictionary: it may be filled and sealed, not renamed or removed. */
const isAskedFor = (code: string): boolean =>
  fieldsOf(code).length > 0 || allModels().some((model) => model.entity.status?.dict === code)

/** Which rows hold a key of a dictionary, from the registry of all fields (R19); of a shared one in all tenants. */
export async function usersOf(kind: Entity, context: Context, code: string, key: string): Promise<Blocker[]> {
  const places = [
    ...fieldsOf(code).map(({ model, field }) => ({
      model,
      holds:
        field.kind === 'choices'
          ? sql`${key}::text = any(t.${nameRef(field.column)})`
          : sql`t.${nameRef(field.column)} = ${key}`,
    })),
    ...allModels()
      .filter((model) => model.entity.status?.dict === code)
      .map((model) => ({ model, holds: sql`t.status::text = ${key}` })),
  ]
  return modelOf(kind).platform ? usersAnywhere(context, places) : usersInTenant(context, places)
}

/** Refuses a dictionary whose code one of the other kind has: then nobody could say which is meant. */
async function refuseTaken(kind: Entity, context: Context, code: string): Promise<void> {
  const { tx, actor } = context
  if (!modelOf(kind).platform) {
    const taken = await tx.one(sql`select 1 from dict where code = ${code} limit 1`)
    if (taken) refuse(context, 'code', '与系统字典的编号相同', 'is the code of a system dictionary')
    return
  }
  const holders: string[] = []
  await eachTenant(tx, actor.tenantId, async (tenantId, name) => {
    const taken = await tx.one(
      sql`select 1 from dict_biz_seen where tenant_id = ${tenantId} and code = ${code} limit 1`,
    )
    if (taken) holders.push(name)
  })
  if (holders.length > 0)
    refuse(
      context,
      'code',
      `有${holders.length}个租户的业务字典使用此编号`,
      `is the code of a business dictionary of ${holders.length} tenant(s)`,
    )
}

async function underParent(kind: Kind, saving: SavingEntry, parentId: string): Promise<void> {
  const { before, values, whole, context, id } = saving
  const { table, mine } = rowsOfKind(kind, context)
  const parent = await context.tx.one<{ code: string }>(
    sql`select code from ${table} where ${mine} and id = ${parentId}`,
  )
  if (!parent) return refuse(context, 'parentId', '所选数据不存在', 'the chosen row does not exist')
  await takeOn(modelOf(kind), context, parentId)
  if (before && 'parentId' in values) {
    await refuseCircle(kind, context, id, parentId)
    if (before.code !== parent.code)
      refuse(context, 'parentId', '不能移到另一个字典', 'cannot move to another dictionary')
  }
  // An entry belongs to the dictionary it stands in, whatever code was sent.
  if (whole.code !== parent.code) {
    values.code = parent.code
    whole.code = parent.code
  } else if (before && values.code === before.code) delete values.code
  if (whole.dictKey === rootKey || whole.dictKey === undefined) refuse(context, 'dictKey', '不能为空', 'is required')
}

async function asRoot(kind: Kind, saving: SavingEntry): Promise<void> {
  const { before, values, whole, context } = saving
  if (before?.parentId && 'parentId' in values)
    refuse(context, 'parentId', '字典项不能移出字典', 'an entry cannot leave its dictionary')
  if (whole.dictKey !== rootKey) refuse(context, 'dictKey', '字典本身的键值为-1', 'is -1 for the dictionary itself')
  if (!('code' in values)) return
  const { code } = whole
  if (before && isAskedFor(before.code))
    refuse(context, 'code', '系统使用的字典编号不能修改', 'is used by the product and cannot be changed')
  await refuseTaken(kind, context, code)
}

async function judge(kind: Kind, saving: SavingEntry): Promise<void> {
  const { before, values, whole, context, id } = saving
  const { parentId } = whole
  if (parentId) await underParent(kind, saving, parentId)
  else await asRoot(kind, saving)
  if (before && 'dictKey' in values && (await usersOf(kind, context, before.code, before.dictKey)).length > 0)
    refuse(context, 'dictKey', '已被使用，不能修改', 'is in use and cannot be changed')
  if (!('dictKey' in values) && !('code' in values)) return
  const { table, mine } = rowsOfKind(kind, context)
  const taken = await context.tx.one(
    sql`select 1 from ${table} where ${mine} and code = ${whole.code} and dict_key = ${whole.dictKey} and id <> ${id}`,
  )
  if (taken)
    throw new Problem(
      'rule_broken',
      { reason: { zh: '当前字典键值已存在！', en: 'This dictionary already has that key' } },
      { field: 'dictKey', fields: [] },
    )
  // What a later version ships under this code is another's dictionary to the tenant.
  if (!parentId && 'code' in values) await holdUnit(modelOf(kind), context, whole.code)
}

/** A dictionary's new code is that of its entries too, each with its own history. */
async function carryCode(kind: Kind, saving: SavingEntry): Promise<void> {
  const { before, values, context, id } = saving
  if (!before || !('code' in values)) return
  const { table, mine } = rowsOfKind(kind, context)
  const entries = await context.tx.run<{ id: string }>(
    sql`select id from ${table} where ${mine} and parent_id = ${id} order by id`,
  )
  const rows = new Repository(kind, { ...context, unscoped: true })
  for (const entry of entries) await rows.edit(entry.id, { code: values.code })
}

async function mayGo(kind: Kind, { context, before }: Removing<typeof dictbiz>): Promise<void> {
  const { code } = before
  if (!before.parentId) {
    if (isAskedFor(code))
      throw new Problem('rule_broken', {
        reason: {
          zh: '系统使用的字典不能删除，可以封存其中的值',
          en: 'The product uses this dictionary: seal its entries instead',
        },
      })
    return
  }
  const blockers = await usersOf(kind, context, code, before.dictKey)
  if (blockers.length === 0) return
  throw new Problem('blocked', { reason: blockedBy(blockers) }, { id: before.id, blockers })
}

export function addDictRules(): void {
  for (const kind of [dict, dictbiz] as const) {
    addRules(kind, {
      beforeSave: (saving) => judge(kind, saving),
      beforeRemove: (removing) => mayGo(kind, removing),
    })
    // The entries have changes of their own: an undo takes those back.
    addRules(kind, { skippedByUndo: true, afterSave: (saving) => carryCode(kind, saving) })
  }
}
