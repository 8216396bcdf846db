import type { AnswerOf, InputOf } from '@data-brain/contract/call'
import { loadStreets, removeRegion, saveRegion } from '@data-brain/contract/calls/region'
import { newId } from '../../database/id.ts'
import { sql } from '../../database/statement.ts'
import { inTenant, type Tx } from '../../database/transaction.ts'
import { insertMany } from '../../entity/bulk.ts'
import { platformTenant } from '../../entity/model.ts'
import { contextOf } from '../../entity/routes.ts'
import { nameRef } from '../../entity/select.ts'
import { on } from '../../entity/serve-call.ts'
import type { Actor } from '../../kernel/actor.ts'
import { fieldProblem, Problem } from '../../kernel/problem.ts'
import type { Call, Route } from '../../kernel/route.ts'
import { readRegions, readStreets } from '../../seed/index.ts'
import { addWork, jobLimits, type Progress, startJob } from '../jobs/index.ts'
import { detailOf } from './region.ts'
import { levelOf, prefixOf, top } from './region-code.ts'
import { blockedBy, fieldsWhere, usersAnywhere } from './usage.ts'

/*
 * Regions are the platform's: they have no entity, for their key is the code, but a history like everything else.
 */

interface Region {
  readonly code: string
  readonly parentCode: string
  readonly ancestors: string
  readonly name: string
  readonly level: number
  readonly sort: number
  readonly remark: string | null
}

type Draft = InputOf<typeof saveRegion>

/** What was sent, its texts as they are stored. */
function tidy(sent: Draft, call: Call): Draft {
  const text = (value: string | undefined): string | undefined => value?.normalize('NFC').trim()
  const draft = {
    ...sent,
    code: sent.code.normalize('NFC').trim(),
    parentCode: text(sent.parentCode),
    name: text(sent.name),
    remark: text(sent.remark),
  }
  if (levelOf(draft.code) === undefined)
    refuse(
      call,
      'code',
      '应为6位（省、市、县）、9位（乡镇）或12位（村）数字',
      'has 6 digits (down to the county), 9 or 12',
    )
  if (draft.name === '') refuse(call, 'name', '不能为空', 'is required')
  return Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined)) as Draft
}

const refuse = (call: Call, field: keyof Draft, zh: string, en: string): never => {
  const { label } = saveRegion.input[field]
  throw fieldProblem([{ field, label, reason: { zh, en } }], call.circumstance.language)
}

const columns = sql.raw(`code, parent_code as "parentCode", ancestors, name, level, sort, remark`)

/** The region of that code, held against changes and against rows that begin to name it. */
const held = (tx: Tx, regionCode: string): Promise<Region | undefined> =>
  tx.one<Region>(sql`select ${columns} from region where code = ${regionCode} for update`)

/** Where a region stands: the codes above it. Its code must begin as its parent's does, and its level lie below. */
async function ancestorsUnder(call: Call, regionCode: string, parentCode: string): Promise<string> {
  const level = levelOf(regionCode)!
  if (parentCode === top) {
    if (level !== 1) refuse(call, 'parentCode', '只有省级在最上层', 'only provinces stand at the top')
    return top
  }
  const parent = await call.tx.one<Region>(
    sql`select ${columns} from region where code = ${parentCode} for no key update`,
  )
  if (!parent) return refuse(call, 'parentCode', '所选数据不存在', 'the chosen region does not exist')
  if (parent.level >= level) refuse(call, 'parentCode', '上级的等级须更高', 'the parent must be of a higher level')
  if (!regionCode.startsWith(prefixOf(parent.code)))
    refuse(
      call,
      'code',
      `应以上级的${prefixOf(parent.code)}开头`,
      `begins with ${prefixOf(parent.code)}, as its parent does`,
    )
  return `${parent.ancestors},${parent.code}`
}

/** What a region was, as every entity's history keeps it; the row's number is its code. */
async function record(
  { tx, actor, circumstance }: Pick<Call, 'tx' | 'circumstance'> & { actor: Actor },
  regionCode: string,
  action: 'add' | 'edit' | 'delete',
): Promise<void> {
  await tx.run(
    sql`insert into history (tenant_id, id, entity, row_id, version, action, user_id, user_name, request_id, before)
        select ${actor.tenantId}, ${newId()}, 'region', ${regionCode}::bigint,
          (select count(*)::int + 1 from history where tenant_id = ${actor.tenantId} and entity = 'region' and row_id = ${regionCode}::bigint),
          ${action}, ${actor.userId}::bigint, ${actor.name}, ${circumstance.requestId}, (select to_jsonb(r) from region r where r.code = ${regionCode})`,
  )
}

async function save(sent: Draft, call: Call): Promise<AnswerOf<typeof saveRegion>> {
  const draft = tidy(sent, call)
  const { tx, actor } = call
  const before = await held(tx, draft.code)
  const needed = before ? 'region_edit' : 'region_add'
  if (!actor.codes.has(needed)) throw new Problem('forbidden', { code: needed })
  const level = levelOf(draft.code)!
  if (draft.level !== undefined && draft.level !== level)
    refuse(call, 'level', `此编号的等级是${level}`, `is ${level} for such a code`)
  await record(call, draft.code, before ? 'edit' : 'add')
  if (!before) {
    const { name, parentCode } = draft
    if (!name) return refuse(call, 'name', '不能为空', 'is required')
    if (!parentCode) return refuse(call, 'parentCode', '不能为空', 'is required')
    const ancestors = await ancestorsUnder(call, draft.code, parentCode)
    await tx.run(
      sql`insert into region (code, parent_code, ancestors, name, level, sort, remark)
          values (${draft.code}, ${parentCode}, ${ancestors}, ${name}, ${level}, ${draft.sort ?? 0}, ${draft.remark ?? null})`,
    )
    return detailOf(tx, draft.code)
  }
  const after = { ...before, ...draft }
  const ancestors =
    after.parentCode === before.parentCode ? before.ancestors : await ancestorsUnder(call, draft.code, after.parentCode)
  await tx.run(
    sql`update region set parent_code = ${after.parentCode}, ancestors = ${ancestors}, name = ${after.name}, sort = ${after.sort}, remark = ${after.remark}
        where code = ${draft.code}`,
  )
  // What stands below goes along: its path begins with this one's.
  const [was, is] = [`${before.ancestors},${draft.code}`, `${ancestors},${draft.code}`]
  if (was !== is)
    await tx.run(
      sql`update region set ancestors = ${is} || substr(ancestors, char_length(${was}::text) + 1)
          where ancestors = ${was} or ancestors like ${`${was},%`}`,
    )
  return detailOf(tx, draft.code)
}

async function remove(call: Call, regionCode: string): Promise<void> {
  const { tx } = call
  // Held first: a row that begins to name the region meanwhile waits, and then finds it gone.
  if (!(await held(tx, regionCode))) throw new Problem('not_found')
  if (await tx.one(sql`select 1 from region where parent_code = ${regionCode} limit 1`))
    throw new Problem('rule_broken', { reason: { zh: '请先删除子节点！', en: 'Delete the regions below it first' } })
  const places = fieldsWhere((field) => field.kind === 'region').map(({ model, field }) => ({
    model,
    holds: sql`t.${nameRef(field.column)} = ${regionCode}`,
  }))
  const blockers = await usersAnywhere(contextOf(call), places)
  if (blockers.length > 0) throw new Problem('blocked', { reason: blockedBy(blockers) }, { id: regionCode, blockers })
  await record(call, regionCode, 'delete')
  await tx.run(sql`delete from region where code = ${regionCode}`)
}

/** Rows between two signs of life. */
const portion = 2_000

/** Adds the streets and townships of all counties that are not there yet. */
async function layStreets(tx: Tx, progress: Progress): Promise<{ added: number }> {
  const streets = readStreets(readRegions())
  if (!streets)
    throw new Problem('rule_broken', {
      reason: { zh: '服务器未安装街道数据', en: 'The streets are not installed on the server' },
    })
  const rows = await tx.run<Pick<Region, 'code' | 'ancestors'>>(sql`select code, ancestors from region`)
  const known = new Map(rows.map((row) => [row.code, row.ancestors]))
  // Below a county that an administrator has removed nothing is laid.
  const wanted = streets.filter((street) => !known.has(street.code) && known.has(street.parentCode))
  for (let start = 0; start < wanted.length; start += portion) {
    const rows = wanted.slice(start, start + portion)
    await insertMany(
      tx,
      'region',
      rows.map(({ code: streetCode, parentCode, name, level, sort }) => ({
        code: streetCode,
        parent_code: parentCode,
        ancestors: `${known.get(parentCode)},${parentCode}`,
        name,
        level,
        sort,
      })),
    )
    await progress(start + rows.length, wanted.length)
  }
  return { added: wanted.length }
}

addWork({
  kind: 'region-streets',
  queue: 'streets',
  atOnce: 1,
  code: 'region_import',
  platform: true,
  again: true,
  run: ({ services, progress, end }) =>
    inTenant(services.platform, platformTenant, async (tx) => {
      await tx.allow(jobLimits)
      // Of two that were asked for, the second finds everything there.
      await tx.run(sql`select pg_advisory_xact_lock(hashtextextended('region-streets', 0))`)
      await end(tx, await layStreets(tx, progress))
      return undefined
    }),
})

export const regionEditRoutes: readonly Route[] = [
  on(saveRegion, save, { platform: true }),
  on(removeRegion, ({ id }, call) => remove(call, id), { platform: true }),
  on(loadStreets, async (_, call) => ({ jobId: await startJob(call, 'region-streets', {}) }), { platform: true }),
]
