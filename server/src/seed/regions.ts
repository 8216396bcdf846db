import { readFileSync } from 'node:fs'

/** One row of the region table, as it is seeded. */
export interface RegionRow {
  /** Six digits of GB/T 2260; nine for a street. */
  readonly code: string
  /** The region above; '00' above a province. */
  readonly parentCode: string
  /** Every code above, from the root down, with commas: `00,110000,110100`. */
  readonly ancestors: string
  readonly name: string
  /** The name with those above it, the filler words of the standard (市辖区 …) left out: 北京市朝阳区. */
  readonly fullName: string
  /** 1 province, 2 city, 3 county, 4 street. */
  readonly level: number
  /** The day until which the code was in force, or at the latest was; null while it is in force. */
  readonly validTo: string | null
  readonly sort: number
  /**
   * Whether no region in force stands below it. Dongguan, Zhongshan, Danzhou and Taiwan have no counties, so an
   * address may end there above level 3.
   */
  readonly leaf: boolean
}

/** Names that stand in the standard to keep three levels, and that nobody writes in an address. */
const fillers = new Set(['市辖区', '县', '市', '省直辖县级行政区划', '自治区直辖县级行政区划', '省直辖行政单位'])

/**
 * Every region down to the county, parents before children, the abolished codes that identity cards still carry
 * included. Reads data/regions.tsv beside this file (a bundled server keeps a `data` folder beside its bundle).
 */
export function readRegions(): RegionRow[] {
  const file = readFileSync(new URL('./data/regions.tsv', import.meta.url), 'utf8')
  const rows = file
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [code = '', parentCode = '', name = '', level = '', validTo = '', sort = ''] = line.split('\t')
      return { code, parentCode, name, level: Number(level), validTo: validTo || null, sort: Number(sort) }
    })
    .sort((a, b) => a.level - b.level || (a.code < b.code ? -1 : 1))
  const parents = new Set(rows.filter((row) => row.validTo === null).map((row) => row.parentCode))
  const done = new Map<string, RegionRow>()
  for (const row of rows) {
    const above = done.get(row.parentCode)
    if (!above && row.parentCode !== '00')
      throw new Error(`Region ${row.code} stands under ${row.parentCode}, which is not there`)
    done.set(row.code, {
      ...row,
      ancestors: above ? `${above.ancestors},${above.code}` : '00',
      fullName: nameUnder(above, row.name),
      leaf: !parents.has(row.code),
    })
  }
  return [...done.values()]
}

/** The whole name of a region called `name` under another one. */
export function nameUnder(above: Pick<RegionRow, 'fullName'> | undefined, name: string): string {
  return (above?.fullName ?? '') + (above && fillers.has(name) ? '' : name)
}
