import { codeOf, dict, dictbiz, type ListedRow, type Page } from '@data-brain/contract'
import type { AnswerOf, InputOf } from '@data-brain/contract/call'
import {
  businessEntries,
  businessTree,
  dictionaries,
  dictionary,
  removeBusiness,
  removeSystem,
  systemDetail,
  systemDictionary,
  systemEntries,
  systemList,
  systemParents,
  systemTree,
} from '@data-brain/contract/calls/dict'
import { eitherOf, listOf, pageOf, rowOf, rowTreeOf } from '@data-brain/contract/shape'
import { isId } from '../../database/id.ts'
import { sql } from '../../database/statement.ts'
import { rowsOf } from '../../entity/routes.ts'
import { draftSchema, listParameters, pageSchema, rowSchema } from '../../entity/schema.ts'
import { on } from '../../entity/serve-call.ts'
import { shapeSchema } from '../../entity/shape-schema.ts'
import { Problem } from '../../kernel/problem.ts'
import { type Call, code, type Route, route } from '../../kernel/route.ts'
import { type Kind, rootKey, rowsOfKind } from './dict-rules.ts'
import { type Node, nestRows, rootId, rowsBelow, treeOf, withoutZeroParent } from './tree.ts'
import { familyList, familyRows, familySubmit } from './tree-lists.ts'

/** An entry of either kind of dictionary, as it travels. */
type Entry = AnswerOf<typeof dictionary>[number]
/** The same as it is stored: a dictionary itself has no parent. */
type Stored = Omit<Entry, 'parentId'> & Node

const columns = sql.raw(
  'd.id, d.parent_id as "parentId", d.code, d.dict_key as "dictKey", d.dict_value as "dictValue", d.dict_value_en as "dictValueEn", d.sort, d.is_sealed as "isSealed", d.remark',
)

/** The entries of dictionaries of both kinds, without the dictionaries themselves, as `business` says whose they are. */
async function entriesOf(call: Call, codes: readonly string[]): Promise<(Stored & { business: boolean })[]> {
  const wanted = [...codes]
  return call.tx.run<Stored & { business: boolean }>(
    sql`select ${columns}, true as business from dict_biz_seen d where d.tenant_id = ${call.actor.tenantId} and d.code = any(${wanted}::text[]) and d.dict_key <> ${rootKey}
        union all
        select ${columns}, false as business from dict d where d.code = any(${wanted}::text[]) and d.dict_key <> ${rootKey}
        order by code, sort, id`,
  )
}

/** What a dictionary offers for new choices. The one kind stands in where the other has no such dictionary. */
async function offered(call: Call, name: string, businessFirst: boolean): Promise<Entry[]> {
  const entries = await entriesOf(call, [name])
  const first = entries.filter((entry) => entry.business === businessFirst)
  return (first.length > 0 ? first : entries).filter((entry) => entry.isSealed === 0).map(withoutBusiness)
}

const withoutBusiness = ({ business: _, ...entry }: Stored & { business: boolean }): Entry => onWire(entry)

/** Several dictionaries at once with their sealed entries, which old rows still show. */
async function several(call: Call, codes: readonly string[]): Promise<Record<string, Entry[]>> {
  const entries = await entriesOf(call, codes)
  return Object.fromEntries(
    codes.map((name) => {
      const own = entries.filter((entry) => entry.code === name)
      const business = own.filter((entry) => entry.business)
      return [name, (business.length > 0 ? business : own).map(withoutBusiness)]
    }),
  )
}

const onWire = <T extends Node>(row: T): T & { parentId: string } => ({ ...row, parentId: row.parentId ?? rootId })

/** What the form's tree of parents asks for: the code DICT stands for all dictionaries. */
const everything = new Set(['', 'DICT', 'DICT_BIZ'])

const titled = (rows: readonly (Node & Pick<ListedRow<typeof dictbiz>, 'dictValue' | 'dictValueEn'>)[], call: Call) =>
  rows.map((row) => ({
    id: row.id,
    parentId: row.parentId,
    title: (call.circumstance.language === 'en' ? row.dictValueEn : null) ?? row.dictValue,
  }))

async function systemRows(call: Call): Promise<Stored[]> {
  return call.tx.run<Stored>(sql`select ${columns} from dict d order by d.sort, d.id`)
}

const part = (value: string, wanted: string | undefined): boolean =>
  !wanted || value.toLowerCase().includes(wanted.toLowerCase())

type Asked = InputOf<typeof systemList>

const matches = (entry: Stored, { code, dictValue, dictKey, isSealed }: Asked): boolean =>
  part(entry.code, code) &&
  (part(entry.dictValue, dictValue) || part(entry.dictValueEn ?? '', dictValue)) &&
  (!dictKey || entry.dictKey === dictKey) &&
  (isSealed === undefined || entry.isSealed === isSealed)

/** A page cut out of rows that are all at hand: the system dictionaries are a few hundred and the same for everybody. */
function cut<T>(rows: readonly T[], { current = 1, size = 10 }: Asked): Page<T> {
  return {
    total: rows.length,
    size,
    current,
    pages: Math.ceil(rows.length / size),
    records: rows.slice((current - 1) * size, current * size),
  }
}

async function detail(call: Call, id: string): Promise<AnswerOf<typeof systemDetail>> {
  const rows = await systemRows(call)
  const row = rows.find((each) => each.id === id)
  if (!row) throw new Problem('not_found')
  return {
    ...onWire(row),
    parentName: rows.find((each) => each.id === row.parentId)?.dictValue ?? null,
    hasChildren: rows.some((each) => each.parentId === id),
  }
}

async function businessChildren(call: Call, parentId: string) {
  const parent = await call.tx.one<{ code: string }>(
    sql`select code from dict_biz_seen where tenant_id = ${call.actor.tenantId} and id = ${parentId}`,
  )
  if (!parent) throw new Problem('not_found')
  const { parentId: _, ...filters } = call.query
  const rows = rowsBelow(await familyRows(dictbiz, call, {}, () => sql`t.code = ${parent.code}`), parentId)
  if (Object.keys(filters).some((name) => !['current', 'size', 'ascs', 'descs'].includes(name))) {
    const kept = new Set(
      (await familyRows(dictbiz, call, filters, () => sql`t.code = ${parent.code}`)).map((row) => row.id),
    )
    return nestRows(rows.filter((row) => kept.has(row.id)).map(onWire))
  }
  return nestRows(rows.map(onWire))
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
  const left = new Map(rows.map((row) => [row.id, row]))
  const gone = ids.filter((id) => !left.has(id))
  if (gone.length > 0) throw new Problem('not_found', {}, { gone })
  while (left.size > 0) {
    const parents = new Set([...left.values()].map((row) => row.parentId))
    const leaves = [...left.keys()].filter((id) => !parents.has(id))
    await rowsOf(kind, call).remove(leaves)
    for (const id of leaves) left.delete(id)
  }
}

const view = code(codeOf(dictbiz, 'view'))
const business = `/${dictbiz.path}`

export const dictRoutes: readonly Route[] = [
  on(dictionary, ({ code: name }, call) => offered(call, name, true)),
  on(systemDictionary, ({ code: name }, call) => offered(call, name, false)),
  on(dictionaries, ({ codes }, call) => several(call, codes)),
  route({
    method: 'GET',
    path: `${business}/parent-list`,
    tag: dictbiz.name,
    access: view,
    stampOf: dictbiz.name,
    summary: { zh: '业务字典：字典列表', en: 'Business dictionaries' },
    parameters: listParameters(dictbiz),
    dataSchema: pageSchema(dictbiz),
    handler: (call) => rowsOf(dictbiz, call).page({ ...call.query, parentId_null: '1' }, call.stamp),
  }),
  on(businessEntries, ({ parentId }, call) => businessChildren(call, parentId)),
  on(businessTree, async ({ code: wanted = '' }, call) =>
    treeOf(
      titled(
        await familyRows(dictbiz, call, {}, () => (everything.has(wanted) ? sql`true` : sql`t.code = ${wanted}`)),
        call,
      ),
    ),
  ),
  route({
    method: 'GET',
    path: `${business}/list`,
    tag: dictbiz.name,
    access: view,
    stampOf: dictbiz.name,
    parameters: listParameters(dictbiz),
    dataSchema: shapeSchema(eitherOf(listOf(rowTreeOf(dictbiz)), pageOf(rowOf(dictbiz)))),
    summary: {
      zh: '业务字典：树；给出 current 或 size 时分页',
      en: 'Business dictionaries as a tree; a page where current or size is given',
    },
    handler: (call) => familyList(dictbiz, call),
  }),
  ...[dictbiz, dict].map((kind) =>
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
  ),
  on(removeBusiness, async ({ ids }, call) => {
    await remove(dictbiz, call, ids)
    return { requestId: call.circumstance.requestId }
  }),
  on(removeSystem, ({ ids }, call) => remove(dict, call, ids), { platform: true }),
  on(systemParents, async (asked, call) =>
    cut((await systemRows(call)).filter((row) => row.parentId === null && matches(row, asked)).map(onWire), asked),
  ),
  on(systemEntries, async (asked, call) => {
    const rows = await systemRows(call)
    if (!rows.some((row) => row.id === asked.parentId)) throw new Problem('not_found')
    return nestRows(
      rowsBelow(rows, asked.parentId)
        .filter((row) => matches(row, asked))
        .map(onWire),
    )
  }),
  on(systemTree, async ({ code: wanted = '' }, call) =>
    treeOf(
      titled(
        (await systemRows(call)).filter((row) => everything.has(wanted) || row.code === wanted),
        call,
      ),
    ),
  ),
  on(systemList, async (asked, call) => {
    const rows = (await systemRows(call)).filter((row) => matches(row, asked)).map(onWire)
    return asked.current || asked.size ? cut(rows, asked) : nestRows(rows)
  }),
  on(systemDetail, ({ id }, call) => detail(call, id)),
]
