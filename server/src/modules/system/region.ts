import type { AnswerOf, InputOf } from '@data-brain/contract/call'
import { regionDetail, regionFilters, regionPaths, regions, regionsBelow } from '@data-brain/contract/calls/region'
import { sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { on } from '../../entity/serve-call.ts'
import { Problem } from '../../kernel/problem.ts'
import { recordList } from '../../kernel/record-list.ts'
import type { Call, Route } from '../../kernel/route.ts'
import { top } from './region-code.ts'
import { treeNode } from './tree.ts'

const regionCode = /^[0-9]{2,12}$/

function checked(code: string, field: string): string {
  if (regionCode.test(code)) return code
  throw new Problem(
    'field_invalid',
    { label: field, reason: { zh: '不是行政区划代码', en: 'is not a region code' } },
    { field, fields: [] },
  )
}

async function lazyTree(call: Call, parentCode: string): Promise<AnswerOf<typeof regionsBelow>> {
  const rows = await call.tx.run<{ id: string; parentId: string; title: string; hasChildren: boolean }>(
    sql`select r.code as id, r.parent_code as "parentId", r.name as title,
          exists (select 1 from region c where c.parent_code = r.code and c.valid_to is null) as "hasChildren"
        from region r where r.parent_code = ${checked(parentCode, 'parentCode')} and r.valid_to is null order by r.sort, r.code`,
  )
  return rows.map(treeNode)
}

type RegionRow = AnswerOf<typeof regions>['records'][number]
const columns = sql.raw(
  'r.code, r.parent_code as "parentCode", r.ancestors, r.name, r.level, r.sort, r.remark, r.valid_to as "validTo"',
)

const escapeLike = (text: string): string => text.replace(/[\\%_]/g, (sign) => `\\${sign}`)

/** What narrows the regions. */
const whereOf = ({ code, name, parentCode, abolished }: InputOf<typeof regions>) =>
  sql`(${code ?? null}::text is null or r.code like ${`${escapeLike(code ?? '')}%`})
    and (${name ?? null}::text is null or r.name like ${`%${escapeLike(name ?? '')}%`})
    and (${parentCode ?? null}::text is null or r.parent_code = ${parentCode ?? null})
    and (${abolished ?? null}::int is distinct from 0 or r.valid_to is null)`

async function list(
  { current = 1, size = 10, ...filters }: InputOf<typeof regions>,
  call: Call,
): Promise<AnswerOf<typeof regions>> {
  const where = whereOf(filters)
  const records = await call.tx.run<RegionRow>(
    sql`select ${columns} from region r where ${where} order by r.code limit ${size} offset ${(current - 1) * size}`,
  )
  const total =
    (await call.tx.one<{ total: number }>(sql`select count(*)::int as total from region r where ${where}`))?.total ?? 0
  return { total, size, current, pages: Math.ceil(total / size), records }
}

/** The levels of a region, by the names under which they travel. */
const levels = ['country', 'province', 'city', 'district', 'town', 'village'] as const

/** A region with the names of those above it, by level. */
export async function detailOf(tx: Tx, code: string): Promise<AnswerOf<typeof regionDetail>> {
  const row = await tx.one<RegionRow>(sql`select ${columns} from region r where r.code = ${checked(code, 'code')}`)
  if (!row) throw new Problem('not_found')
  const above = await tx.run<{ code: string; name: string; level: number }>(
    sql`select a.code, a.name, a.level from region a where a.code = any(${[...row.ancestors.split(','), row.code]}::text[]) order by a.level`,
  )
  const named = Object.fromEntries(
    above.flatMap((each) => {
      const level = levels[each.level]
      return level && each.level > 0
        ? [
            [`${level}Code`, each.code],
            [`${level}Name`, each.name],
          ]
        : []
    }),
  )
  return { ...row, parentName: above.find((each) => each.code === row.parentCode)?.name ?? null, ...named }
}

async function paths(call: Call, codes: readonly string[]): Promise<Record<string, string>> {
  const rows = await call.tx.run<{ code: string; path: string }>(
    sql`select r.code, string_agg(a.name, '/' order by a.level) as path from region r
        join region a on a.code = any(string_to_array(r.ancestors || ',' || r.code, ',')) and a.level > 0
        where r.code = any(${codes.map((code) => checked(code, 'codes'))}::text[]) group by r.code`,
  )
  return Object.fromEntries(rows.map((row) => [row.code, row.path]))
}

const tag = 'region'

type Exported = RegionRow & { readonly id: string; readonly levelZh: string | null; readonly levelEn: string | null }

/** The regions as what can be taken out: those above the provinces are none. */
export const regionRecords = recordList<Exported, typeof regionFilters>({
  name: 'region',
  path: 'blade-system/region',
  label: { zh: '行政区划', en: 'Regions' },
  tag,
  filters: regionFilters,
  columns: {
    parentCode: { label: { zh: '上级编号', en: 'Code of the parent' }, width: 14, cell: (row) => row.parentCode },
    code: { label: { zh: '区划编号', en: 'Code' }, width: 14, cell: (row) => row.code },
    name: { label: { zh: '区划名称', en: 'Name' }, width: 30, cell: (row) => row.name },
    level: {
      label: { zh: '区划级别', en: 'Level' },
      width: 14,
      cell: (row, language) => (language === 'en' ? row.levelEn : row.levelZh) ?? row.levelZh ?? String(row.level),
    },
    sort: { label: { zh: '排序', en: 'Sort order' }, width: 10, cell: (row) => row.sort },
    remark: { label: { zh: '备注', en: 'Remarks' }, width: 30, cell: (row) => row.remark },
    validTo: { label: { zh: '撤销日期', en: 'Abolished on' }, width: 14, cell: (row) => row.validTo },
  },
  ids: async (open, filters, most) => {
    const rows = await open(({ tx }) =>
      tx.run<{ code: string }>(
        sql`select r.code from region r where r.level > 0 and ${whereOf(filters)} order by r.code limit ${most}`,
      ),
    )
    return { ids: rows.map(({ code }) => code) }
  },
  rows: ({ tx }, codes) =>
    tx.run(
      sql`select r.code as id, ${columns}, d.dict_value as "levelZh", d.dict_value_en as "levelEn" from region r
          left join dict d on d.code = 'region' and d.dict_key = r.level::text
          where r.code = any(${[...codes]}::text[])`,
    ),
})

/** Regions are read by everybody who is logged in: every address is made of them. */
export const regionRoutes: readonly Route[] = [
  on(regionsBelow, ({ parentCode = top }, call) => lazyTree(call, parentCode)),
  on(regions, list),
  on(regionDetail, ({ code }, { tx }) => detailOf(tx, code)),
  on(regionPaths, ({ codes }, call) => paths(call, codes)),
]
