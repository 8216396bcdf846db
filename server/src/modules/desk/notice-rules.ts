import { dept, type Entity, notice, role, school, schoolclass, sysgrade, user, type Words } from '@data-brain/contract'
import { isId } from '../../database/id.ts'
import { sql } from '../../database/statement.ts'
import { bindingCodes } from '../../entity/choice-access.ts'
import { type Context, Repository } from '../../entity/repository.ts'
import { addRules, type Removing, type Saving, type StoredRow } from '../../entity/rules.ts'
import { nameRef } from '../../entity/select.ts'
import { fieldProblem, Problem } from '../../kernel/problem.ts'
import { mustBeTheirs, picturesOf } from '../resource/index.ts'
import { targetTables } from './audience.ts'
import { cleanHtml, contentMost, isBlank } from './clean-html.ts'

/** States of a notice: keys of the dictionary notice_status. */
export const noticeStates = { draft: 0, scheduled: 1, published: 2, withdrawn: 3 } as const

const targetsMost = 200

const refuse = (context: Context, field: keyof typeof notice.fields, reason: Words): never => {
  throw fieldProblem([{ field, label: notice.fields[field].label, reason }], context.circumstance.language)
}

/** Whether readers see it by now: published, or scheduled for a moment that has come. */
async function isReleased(context: Context, row: StoredRow<typeof notice>): Promise<boolean> {
  if (row.status !== noticeStates.published && row.status !== noticeStates.scheduled) return false
  const found = await context.tx.one<{ due: boolean }>(sql`select ${row.releaseTime}::timestamptz <= now() as due`)
  return row.status === noticeStates.published || found?.due === true
}

async function cleanContent(saving: Saving<typeof notice>): Promise<void> {
  const { context, values, before } = saving
  if (typeof values.content !== 'string') return
  const content = cleanHtml(values.content)
  if (isBlank(content)) refuse(context, 'content', { zh: '不能为空', en: 'is required' })
  if (Buffer.byteLength(content) > contentMost)
    refuse(context, 'content', { zh: '不能超过64 kB', en: 'is larger than 64 kB' })
  await mustBeTheirs(saving, { name: 'content', label: notice.fields.content.label }, picturesOf(content), (row) =>
    picturesOf(row.content),
  )
  // What only had more around it than is kept is no change.
  if (content === before?.content) delete values.content
  else values.content = content
  saving.whole.content = content
}

/** What each kind of target names. */
const targetEntities: ReadonlyMap<string, Entity> = new Map<string, Entity>([
  ['2', dept],
  ['3', role],
  ['4', school],
  ['5', sysgrade],
  ['6', schoolclass],
  ['7', user],
])

const authors = ['add', 'edit', 'publish'].map((verb) => `${notice.name}_${verb}`)

/** Of these targets those that the actor could choose: whoever works with a part names nothing beyond it. */
export async function choosableTargets(
  context: Context,
  type: string,
  ids: readonly string[],
): Promise<readonly string[]> {
  const entity = targetEntities.get(type)
  const { actor } = context
  if (!entity || ids.length === 0 || actor.roles.every(({ scopes }) => scopes.length === 0)) return ids
  // Who may choose nothing of the kind elsewhere is bound as an author of notices.
  const codes = bindingCodes(entity, actor) ?? authors
  const rows = new Repository(entity, context)
  if ((await rows.reach(codes)) === undefined) return ids
  const found = new Set((await rows.rows(ids.filter(isId), [], { codes })).map(({ id }) => id))
  return ids.filter((id) => found.has(id))
}

/** Targets are ids of what the kind names, all of them of the tenant; who writes to everybody names none. */
async function checkTargets({ context, values, before, whole }: Saving<typeof notice>): Promise<void> {
  if (!('targetType' in values) && !('targetIds' in values)) return
  const table = targetTables.get(String(whole.targetType ?? '1'))
  if (!table) {
    if (whole.targetIds !== null && whole.targetIds !== undefined) values.targetIds = null
    return
  }
  const given = whole.targetIds
  const ids = Array.isArray(given) ? [...new Set(given.map(String))] : []
  if (ids.length === 0) refuse(context, 'targetIds', { zh: '请选择对象', en: 'name whom it is for' })
  if (ids.length > targetsMost || !ids.every(isId))
    refuse(context, 'targetIds', { zh: `须为编号，最多${targetsMost}个`, en: `must be ids, at most ${targetsMost}` })
  const found = await context.tx.one<{ n: number }>(
    sql`select count(*)::int as n from ${nameRef(table)} where tenant_id = ${context.actor.tenantId} and id = any(${ids}::bigint[])`,
  )
  const held = before?.targetType === whole.targetType && Array.isArray(before?.targetIds) ? before.targetIds : []
  const added = ids.filter((id) => !held.includes(id))
  if (found?.n !== ids.length || (await choosableTargets(context, whole.targetType, added)).length < added.length)
    refuse(context, 'targetIds', { zh: '含有不存在的对象', en: 'names something that does not exist' })
  values.targetIds = ids
}

async function checkClients({ context, values }: Saving<typeof notice>): Promise<void> {
  if (typeof values.clientIds !== 'string' || values.clientIds === '') return
  const ids = [
    ...new Set(
      values.clientIds
        .split(',')
        .map((each) => each.trim())
        .filter(Boolean),
    ),
  ]
  const found = await context.tx.one<{ n: number }>(
    sql`select count(*)::int as n from client where client_id = any(${ids}::text[])`,
  )
  if (found?.n !== ids.length)
    refuse(context, 'clientIds', { zh: '含有不存在的客户端', en: 'names a client that does not exist' })
  values.clientIds = ids.join(',')
}

/** Until when a receipt is asked for says something only where one is. */
function checkReceipt({ values, whole }: Saving<typeof notice>): void {
  if (whole.needRead !== 1 && (whole.confirmBy ?? null) !== null) values.confirmBy = null
}

async function beforeSave(saving: Saving<typeof notice>): Promise<void> {
  const { context, before, values } = saving
  // What people have read stays as they read it.
  if (before && Object.keys(values).length > 0 && (await isReleased(context, before)))
    throw new Problem('rule_broken', {
      reason: { zh: '公告已发布，请先下线再修改', en: 'The notice is out: withdraw it before changing it' },
    })
  await cleanContent(saving)
  await checkTargets(saving)
  await checkClients(saving)
  checkReceipt(saving)
}

async function beforeRemove({ before }: Removing<typeof notice>): Promise<void> {
  if (before.status === noticeStates.published || before.status === noticeStates.scheduled)
    throw new Problem('rule_broken', {
      reason: { zh: '公告已发布或待发布，请先下线', en: 'The notice is published or scheduled: withdraw it first' },
    })
}

export const addNoticeRules = (): void => addRules(notice, { beforeSave, beforeRemove })
