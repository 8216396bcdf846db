import { codeOf, dict, dictbiz } from '@data-brain/contract'
import { isId } from '../../database/id.ts'
import { sql } from '../../database/statement.ts'
import { rowsOf } from '../../entity/routes.ts'
import { draftSchema, listParameters, rowSchema } from '../../entity/schema.ts'
import { Problem } from '../../kernel/problem.ts'
import { type Call, code, type Route, route } from '../../kernel/route.ts'
import { type Kind, rootKey, rowsOfKind } from './dict-rules.ts'
import { familyList, familyRows, familySubmit } from './family.ts'
import { below, type Node, nest, rootId, treeOf, withoutZeroParent } from './tree.ts'

/** An entry of either kind of dictionary, as it travels. */
interface Entry extends Node {
  readonly id: string
  readonly parentId: string | null
  readonly code: string
  readonly dictKey: string
  readonly dictValue: string
  readonly dictValueEn: string | null
  readonly sort: number
  readonly isSealed: number
  readonly remark: string | null
}

const columns = sql.raw(
  'd.id, d.parent_id as "parentId", d.code, d.dict_key as "dictKey", d.dict_value as "dictValue", d.dict_value_en as "dictValueEn", d.sort, d.is_sealed as "isSealed", d.remark',
)

/** The entries of dictionaries of both kinds, without the dictionaries themselves, as `business` says whose they are. */
async function entriesOf(call: Call, codes: readonly string[]): Promise<(Entry & { business: boolean })[]> {
  const wanted = [...codes]
  return call.tx.run(
    sql`select ${columns}, true as business from dict_biz_seen d where d.tenant_id = ${call.actor.tenantId} and d.code = any(${wanted}::text[]) and d.dict_key <> ${rootKey}
        union all
        select ${columns}, false as business from dict d where d.code = any(${wanted}::text[]) and d.dict_key <> ${rootKey}
        order by code, sort, id`,
  )
}

/** What a dictionary offers for new choices. The one kind stands in where the other has no such dictionary. */
async function dictionary(call: Call, name: string, businessFirst: boolean): Promise<unknown[]> {
  const entries = await entriesOf(call, [name])
  const first = entries.filter((entry) => entry.business === businessFirst)
  return (first.length > 0 ? first : entries).filter((entry) => entry.isSealed === 0).map(withoutBusiness)
}

const withoutBusiness = ({ business: _, ...entry }: Entry & { business: boolean }): Entry => entry

/** Several dictionaries at once with their sealed entries, which old rows still show. */
async function dictionaries(call: Call, codes: readonly string[]): Promise<Record<string, unknown[]>> {
  const entries = await entriesOf(call, codes)
  return Object.fromEntries(
    codes.map((name) => {
      const own = entries.filter((entry) => entry.code === name)
      const business = own.filter((entry) => entry.business)
      return [name, (business.length > 0 ? business : own).map(withoutBusiness)]
    }),
  )
}

const onWire = <T extends Node>(row: T): T => ({ ...row, parentId: row.parentId ?? rootId })

/** What the form's tree of parents asks for: the code DICT stands for all dictionaries. */
const everything = new Set(['', 'DICT', 'DICT_BIZ'])

const titled = (
  rows: readonly { id: string; parentId: string | null; dictValue: unknown; dictValueEn: unknown }[],
  call: Call,
) =>
  rows.map((row) => ({
    id: row.id,
    parentId: row.parentId,
    title: String((call.circumstance.language === 'en' ? row.dictValueEn : null) ?? row.dictValue),
  }))

async function systemRows(call: Call): Promise<Entry[]> {
  return call.tx.run(sql`select ${columns} from dict d order by d.sort, d.id`)
}

const part = (value: string, wanted: string | undefined): boolean =>
  !wanted || value.toLowerCase().includes(wanted.toLowerCase())

const matches = (entry: Entry, query: Readonly<Record<string, string>>): boolean =>
  part(entry.code, query.code) &&
  (part(entry.dictValue, query.dictValue) || part(entry.dictValueEn ?? '', query.dictValue)) &&
  (!query.dictKey || entry.dictKey === query.dictKey) &&
  (!query.isSealed || String(entry.isSealed) === query.isSealed)

/** A page cut out of rows that are all at hand: the system dictionaries are a few hundred and the same for everybody. */
function pageOf<T>(rows: readonly T[], { current = 1, size = 10 }: { current?: number; size?: number }): unknown {
  return {
    total: rows.length,
    size,
    current,
    pages: Math.ceil(rows.length / size),
    records: rows.slice((current - 1) * size, current * size),
  }
}

async function systemDetail(call: Call, id: string): Promise<unknown> {
  const rows = await systemRows(call)
  const row = rows.find((each) => each.id === id)
  if (!row) throw new Problem('not_found')
  return {
    ...onWire(row),
    parentName: rows.find((each) => each.id === row.parentId)?.dictValue ?? null,
    hasChildren: rows.some((each) => each.parentId === id),
  }
}

async function businessChildren(call: Call, parentId: string): Promise<unknown[]> {
  const parent = await call.tx.one<{ code: string }>(
    sql`select code from dict_biz_seen where tenant_id = ${call.actor.tenantId} and id = ${parentId}`,
  )
  if (!parent) throw new Problem('not_found')
  const { parentId: _, ...filters } = call.query
  const rows = below(await familyRows(dictbiz, call, {}, () => sql`t.code = ${parent.code}`), parentId)
  if (Object.keys(filters).some((name) => !['current', 'size', 'ascs', 'descs'].includes(name))) {
    const kept = new Set(
      (await familyRows(dictbiz, call, filters, () => sql`t.code = ${parent.code}`)).map((row) => row.id),
    )
    return nest(rows.filter((row) => kept.has(row.id)))
  }
  return nest(rows)
}

/** An entry takes the code of the dictionary it stands in, so it need not be sent with one. */
async function withCode(kind: Kind, call: Call): Promise<unknown> {
  const body = withoutZeroParent(call.body)
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const { parentId, code: sent, id } = body as { parentId?: unknown; code?: unknown; id?: unknown }
  if (!isId(parentId) || sent || id) return body
  const { table, mine } = rowsOfKind(kind, call)
  const parent = await call.tx.one<{ code: string }>(sql`select code from ${table} where ${mine} and id = ${parentId}`)
  return parent ? { ...body, code: parent.code } : body
}

/** Removes entries before the dictionaries they stand in, so that both can be named in one call. */
async function remove(kind: Kind, call: Call, ids: readonly string[]): Promise<void> {
  const { table, mine } = rowsOfKind(kind, call)
  const rows = await call.tx.run<{ id: string; parentId: string | null }>(
    sql`select id, parent_id as "parentId" from ${table} where ${mine} and id = any(${[...ids]}::bigint[]) order by id`,
  )
  if (rows.length !== ids.length) throw new Problem('not_found')
  const left = new Map(rows.map((row) => [row.id, row]))
  while (left.size > 0) {
    const parents = new Set([...left.values()].map((row) => row.parentId))
    const leaves = [...left.keys()].filter((id) => !parents.has(id))
    await rowsOf(kind, call).remove(leaves)
    for (const id of leaves) left.delete(id)
  }
}

const view = code(codeOf(dictbiz, 'view'))
const viewSystem = code(codeOf(dict, 'view'))
const paging = {
  current: { kind: 'integer', min: 1, max: 1_000_000 },
  size: { kind: 'integer', min: 1, max: 200 },
} as const
const filters = {
  code: { kind: 'text', max: 64 },
  dictValue: { kind: 'text', max: 128 },
  dictKey: { kind: 'text', max: 32 },
  isSealed: { kind: 'integer', min: 0, max: 1 },
} as const
const children = { parentId: { kind: 'id', required: true }, ...paging, ...filters } as const

const business = '/blade-system/dict-biz'
const system = '/blade-system/dict'

export const dictRoutes: readonly Route[] = [
  ...(
    [
      [business, true],
      [system, false],
    ] as const
  ).map(([path, isBusiness]) =>
    route({
      method: 'GET',
      path: `${path}/dictionary`,
      tag: 'dict',
      access: 'session',
      summary: { zh: '字典：可选的值', en: 'What a dictionary offers' },
      parameters: { code: { kind: 'text', max: 64, required: true } },
      handler: (call) => dictionary(call, call.parameters.code, isBusiness),
    }),
  ),
  route({
    method: 'GET',
    path: `${business}/dictionaries`,
    tag: 'dict',
    access: 'session',
    summary: { zh: '字典：一次取多个（含封存的值）', en: 'Several dictionaries at once, sealed entries included' },
    parameters: { codes: { kind: 'texts', required: true } },
    handler: (call) => dictionaries(call, call.parameters.codes),
  }),
  route({
    method: 'GET',
    path: `${business}/parent-list`,
    tag: dictbiz.name,
    access: view,
    stampOf: dictbiz.name,
    summary: { zh: '业务字典：字典列表', en: 'Business dictionaries' },
    parameters: listParameters(dictbiz),
    handler: (call) => rowsOf(dictbiz, call).page({ ...call.query, parentId_null: '1' }, call.stamp),
  }),
  route({
    method: 'GET',
    path: `${business}/child-list`,
    tag: dictbiz.name,
    access: view,
    summary: { zh: '业务字典：字典中的值', en: 'The entries of a business dictionary' },
    parameters: children,
    handler: (call) => businessChildren(call, call.parameters.parentId),
  }),
  route({
    method: 'GET',
    path: `${business}/tree`,
    tag: dictbiz.name,
    access: view,
    summary: { zh: '业务字典：选择树', en: 'Business dictionaries to choose from' },
    parameters: { code: { kind: 'text', max: 64 } },
    handler: async (call) => {
      const wanted = call.parameters.code ?? ''
      const rows = await familyRows(dictbiz, call, {}, () =>
        everything.has(wanted) ? sql`true` : sql`t.code = ${wanted}`,
      )
      return treeOf(titled(rows as unknown as readonly Entry[], call))
    },
  }),
  route({
    method: 'GET',
    path: `${business}/list`,
    tag: dictbiz.name,
    access: view,
    stampOf: dictbiz.name,
    parameters: listParameters(dictbiz),
    summary: {
      zh: '业务字典：树；给出 current 或 size 时分页',
      en: 'Business dictionaries as a tree; a page where current or size is given',
    },
    handler: (call) => familyList(dictbiz, call),
  }),
  ...[dictbiz, dict].flatMap((kind) => [
    route({
      method: 'POST',
      path: `/${kind.path}/submit`,
      tag: kind.name,
      platform: kind === dict,
      access: code(codeOf(kind, 'add'), codeOf(kind, 'edit')),
      summary: { zh: `${kind.label.zh}：新增或修改`, en: `${kind.label.en}: add or change` },
      bodySchema: draftSchema(kind),
      dataSchema: rowSchema(kind),
      handler: async (call) => familySubmit(kind, call, await withCode(kind, call)),
    }),
    route({
      method: 'POST',
      path: `/${kind.path}/remove`,
      tag: kind.name,
      platform: kind === dict,
      access: code(codeOf(kind, 'delete')),
      summary: { zh: `${kind.label.zh}：删除`, en: `${kind.label.en}: remove` },
      parameters: { ids: { kind: 'ids', required: true } },
      handler: async (call) => {
        await remove(kind, call, call.parameters.ids)
        return kind === dict ? null : { requestId: call.circumstance.requestId }
      },
    }),
  ]),
  route({
    method: 'GET',
    path: `${system}/parent-list`,
    tag: 'dict',
    access: viewSystem,
    summary: { zh: '系统字典：字典列表', en: 'System dictionaries' },
    parameters: { ...paging, ...filters },
    handler: async (call) =>
      pageOf(
        (await systemRows(call)).filter((row) => row.parentId === null && matches(row, call.query)).map(onWire),
        call.parameters,
      ),
  }),
  route({
    method: 'GET',
    path: `${system}/child-list`,
    tag: 'dict',
    access: viewSystem,
    summary: { zh: '系统字典：字典中的值', en: 'The entries of a system dictionary' },
    parameters: children,
    handler: async (call) => {
      const rows = await systemRows(call)
      if (!rows.some((row) => row.id === call.parameters.parentId)) throw new Problem('not_found')
      return nest(below(rows, call.parameters.parentId).filter((row) => matches(row, call.query)))
    },
  }),
  route({
    method: 'GET',
    path: `${system}/tree`,
    tag: 'dict',
    access: viewSystem,
    summary: { zh: '系统字典：选择树', en: 'System dictionaries to choose from' },
    parameters: { code: { kind: 'text', max: 64 } },
    handler: async (call) => {
      const wanted = call.parameters.code ?? ''
      return treeOf(
        titled(
          (await systemRows(call)).filter((row) => everything.has(wanted) || row.code === wanted),
          call,
        ),
      )
    },
  }),
  route({
    method: 'GET',
    path: `${system}/list`,
    tag: 'dict',
    access: viewSystem,
    summary: {
      zh: '系统字典：树；给出 current 或 size 时分页',
      en: 'System dictionaries as a tree; a page where current or size is given',
    },
    parameters: { ...paging, ...filters },
    handler: async (call) => {
      const rows = (await systemRows(call)).filter((row) => matches(row, call.query)).map(onWire)
      return call.query.current || call.query.size ? pageOf(rows, call.parameters) : nest(rows)
    },
  }),
  route({
    method: 'GET',
    path: `${system}/detail`,
    tag: 'dict',
    access: viewSystem,
    summary: { zh: '系统字典：详情', en: 'One system dictionary or entry' },
    parameters: { id: { kind: 'id', required: true } },
    handler: (call) => systemDetail(call, call.parameters.id),
  }),
]
