import { newId } from '../../database/id.ts'
import { sql } from '../../database/statement.ts'
import { inTenant, type Tx } from '../../database/transaction.ts'
import { insertMany } from '../../entity/bulk.ts'
import { platformTenant } from '../../entity/model.ts'
import { contextOf } from '../../entity/routes.ts'
import { nameRef } from '../../entity/select.ts'
import type { Actor } from '../../kernel/actor.ts'
import { isBrokenText } from '../../kernel/parameter.ts'
import { type FieldFault, fieldProblem, Problem } from '../../kernel/problem.ts'
import { type Call, code, type Route, route } from '../../kernel/route.ts'
import { readRegions, readStreets } from '../../seed/index.ts'
import { addWork, jobLimits, type Progress, startJob } from '../jobs/index.ts'
import { regionDetail } from './region.ts'
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

const labels: Record<string, { zh: string; en: string }> = {
  code: { zh: '区划编号', en: 'Region code' },
  parentCode: { zh: '父区划编号', en: 'Parent code' },
  name: { zh: '区划名称', en: 'Name' },
  level: { zh: '区划等级', en: 'Level' },
  sort: { zh: '区划排序', en: 'Sort order' },
  remark: { zh: '备注', en: 'Remarks' },
}

type Draft = Partial<Pick<Region, 'parentCode' | 'name' | 'level' | 'sort' | 'remark'>> & Pick<Region, 'code'>

/** Reads what was sent, each field by its kind; names that a detail also carries are passed over. */
function readDraft(call: Call): Draft {
  const { body } = call
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new Problem('bad_request')
  const sent = body as Record<string, unknown>
  const faults: FieldFault[] = []
  const wrong = (field: string, zh: string, en: string): undefined => {
    faults.push({ field, label: labels[field]!, reason: { zh, en } })
    return undefined
  }
  const text = (field: string, max: number): string | undefined => {
    const value = sent[field]
    if (value === undefined || value === null) return undefined
    if (typeof value !== 'string') return wrong(field, '类型不正确', 'has the wrong type')
    if (isBrokenText(value)) return wrong(field, '含有无法保存的字符', 'contains a character that cannot be stored')
    if ([...value].length > max) return wrong(field, `不能超过${max}个字符`, `at most ${max} characters`)
    return value.normalize('NFC').trim()
  }
  const whole = (field: string, max: number): number | undefined => {
    const value = sent[field]
    if (value === undefined || value === null || value === '') return undefined
    const number = Number(value)
    return Number.isInteger(number) && number >= 0 && number <= max
      ? number
      : wrong(field, `须为0到${max}的整数`, `must be a whole number from 0 to ${max}`)
  }
  const draft = {
    code: text('code', 12) ?? '',
    parentCode: text('parentCode', 12),
    name: text('name', 60),
    level: whole('level', 5),
    sort: whole('sort', 999_999),
    remark: text('remark', 255),
  }
  if (draft.code === '') wrong('code', '不能为空', 'is required')
  else if (levelOf(draft.code) === undefined)
    wrong('code', '应为6位（省、市、县）、9位（乡镇）或12位（村）数字', 'has 6 digits (down to the county), 9 or 12')
  if (draft.name === '') wrong('name', '不能为空', 'is required')
  if (faults.length > 0) throw fieldProblem(faults, call.circumstance.language)
  return Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined)) as unknown as Draft
}

const refuse = (call: Call, field: string, zh: string, en: string): never => {
  throw fieldProblem([{ field, label: labels[field]!, reason: { zh, en } }], call.circumstance.language)
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

async function save(call: Call): Promise<unknown> {
  const draft = readDraft(call)
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
    return regionDetail(tx, draft.code)
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
  return regionDetail(tx, draft.code)
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
async function loadStreets(tx: Tx, progress: Progress): Promise<{ added: number }> {
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
      await end(tx, await loadStreets(tx, progress))
      return undefined
    }),
})

const tag = 'region'

export const regionEditRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/blade-system/region/submit',
    tag,
    platform: true,
    access: code('region_add', 'region_edit'),
    summary: { zh: '行政区划：新增或修改（编号已存在则修改）', en: 'Add a region, or change the one of that code' },
    bodySchema: {
      type: 'object',
      required: ['code'],
      properties: {
        code: { type: 'string', maxLength: 12 },
        parentCode: { type: 'string', maxLength: 12, description: '00 above a province' },
        name: { type: 'string', maxLength: 60 },
        level: { type: 'integer', description: '1 province, 2 city, 3 county, 4 street, 5 village' },
        sort: { type: 'integer' },
        remark: { type: 'string', maxLength: 255 },
      },
    },
    handler: save,
  }),
  route({
    method: 'POST',
    path: '/blade-system/region/remove',
    tag,
    platform: true,
    access: code('region_delete'),
    summary: { zh: '行政区划：删除', en: 'Remove a region' },
    parameters: { id: { kind: 'text', max: 12, required: true } },
    handler: (call) => remove(call, call.parameters.id),
  }),
  route({
    method: 'POST',
    path: '/blade-system/region/load-streets',
    tag,
    platform: true,
    access: code('region_import'),
    summary: { zh: '行政区划：导入街道和乡镇（任务）', en: 'Load the streets and townships, as a job' },
    handler: async (call) => ({ jobId: await startJob(call, 'region-streets', {}) }),
  }),
]
