import { type Blocker, dictbiz, type Words } from '@data-brain/contract'
import { sql } from '../../database/statement.ts'
import { allModels } from '../../entity/model.ts'
import { type Context, Repository } from '../../entity/repository.ts'
import { addRules, type Removing, type Saving } from '../../entity/rules.ts'
import { nameRef, tableRef, titleRef } from '../../entity/select.ts'
import { fieldProblem, Problem } from '../../kernel/problem.ts'
import { refuseCircle } from './family.ts'

/** The key of a dictionary itself, beside those of its entries. */
export const rootKey = '-1'

const refuse = (context: Context, field: 'code' | 'dictKey' | 'parentId', zh: string, en: string): never => {
  const label: Words = dictbiz.fields[field].label
  throw fieldProblem([{ field, label, reason: { zh, en } }], context.circumstance.language)
}

/** The fields, of all entities, that take their values from a dictionary. */
const fieldsOf = (code: string) =>
  allModels().flatMap((model) => model.fields.filter((field) => field.dict === code).map((field) => ({ model, field })))

/** Whether the product itself asks for this dictionary: it may be filled and sealed, not renamed or removed. */
const isAskedFor = (code: string): boolean =>
  fieldsOf(code).length > 0 || allModels().some((model) => model.entity.status?.dict === code)

/** Which rows hold a key of a dictionary, counted and sampled from the registry of all fields (R19). */
export async function usersOf(context: Context, code: string, key: string): Promise<Blocker[]> {
  const { tx, actor, circumstance } = context
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
  const blockers: Blocker[] = []
  for (const { model, holds } of places) {
    const where = sql`t.tenant_id = ${actor.tenantId} and ${holds}`
    const counted = await tx.one<{ n: number }>(sql`select count(*)::int as n from ${tableRef(model)} where ${where}`)
    if (!counted || counted.n === 0) continue
    const sample = await tx.run<{ name: string | null }>(
      sql`select ${titleRef(model)} as name from ${tableRef(model)} where ${where} limit 5`,
    )
    blockers.push({
      entity: model.entity.name,
      label: model.entity.label[circumstance.language],
      count: counted.n,
      sample: sample.map((row) => row.name ?? ''),
    })
  }
  return blockers
}

async function underParent(saving: Saving, parentId: string): Promise<void> {
  const { before, values, whole, context, id } = saving
  const { tx, actor } = context
  const parent = await tx.one<{ code: string }>(
    sql`select code from dict_biz where tenant_id = ${actor.tenantId} and id = ${parentId}`,
  )
  if (!parent) return refuse(context, 'parentId', '所选数据不存在', 'the chosen row does not exist')
  if (before && 'parentId' in values) {
    await refuseCircle(dictbiz, context, id, parentId)
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

async function asRoot(saving: Saving): Promise<void> {
  const { before, values, whole, context } = saving
  if (before?.parentId && 'parentId' in values)
    refuse(context, 'parentId', '字典项不能移出字典', 'an entry cannot leave its dictionary')
  if (whole.dictKey !== rootKey) refuse(context, 'dictKey', '字典本身的键值为-1', 'is -1 for the dictionary itself')
  if (!('code' in values)) return
  const code = String(values.code)
  if (before && isAskedFor(String(before.code)))
    refuse(context, 'code', '系统使用的字典编号不能修改', 'is used by the product and cannot be changed')
  const taken = await context.tx.one(sql`select 1 from dict where code = ${code} limit 1`)
  if (taken) refuse(context, 'code', '与系统字典的编号相同', 'is the code of a system dictionary')
}

async function judge(saving: Saving): Promise<void> {
  const { before, values, whole, context, id } = saving
  const parentId = whole.parentId as string | null | undefined
  if (parentId) await underParent(saving, parentId)
  else await asRoot(saving)
  if (before && 'dictKey' in values && (await usersOf(context, String(before.code), String(before.dictKey))).length > 0)
    refuse(context, 'dictKey', '已被使用,不能修改', 'is in use and cannot be changed')
  if (!('dictKey' in values) && !('code' in values)) return
  const taken = await context.tx.one(
    sql`select 1 from dict_biz where tenant_id = ${context.actor.tenantId} and code = ${String(whole.code)} and dict_key = ${String(whole.dictKey)} and id <> ${id}`,
  )
  if (taken)
    throw new Problem(
      'rule_broken',
      { reason: { zh: '当前字典键值已存在!', en: 'This dictionary already has that key' } },
      { field: 'dictKey', fields: [] },
    )
}

/** A dictionary's new code is that of its entries too, each with its own history. */
async function carryCode(saving: Saving): Promise<void> {
  const { before, values, context, id } = saving
  if (!before || !('code' in values)) return
  const entries = await context.tx.run<{ id: string }>(
    sql`select id from dict_biz where tenant_id = ${context.actor.tenantId} and parent_id = ${id} order by id`,
  )
  const rows = new Repository(dictbiz, context)
  for (const entry of entries) await rows.edit(entry.id, { code: values.code })
}

async function mayGo({ context, before }: Removing): Promise<void> {
  const code = String(before.code)
  if (!before.parentId) {
    if (isAskedFor(code))
      throw new Problem('rule_broken', {
        reason: {
          zh: '系统使用的字典不能删除,可以封存其中的值',
          en: 'The product uses this dictionary: seal its entries instead',
        },
      })
    return
  }
  const blockers = await usersOf(context, code, String(before.dictKey))
  if (blockers.length === 0) return
  const reason = (of: keyof Words): string =>
    blockers
      .map(({ count, label }) => (of === 'zh' ? `还有${count}条${label}使用` : `used by ${count} × ${label}`))
      .join(of === 'zh' ? '、' : ', ')
  throw new Problem('blocked', { reason: { zh: reason('zh'), en: reason('en') } }, { id: before.id, blockers })
}

export function addDictRules(): void {
  addRules(dictbiz, { beforeSave: judge, afterSave: carryCode, beforeRemove: mayGo })
}
