import { sql } from '../../../database/statement.ts'
import type { Tx } from '../../../database/transaction.ts'
import { yieldTurn } from '../../../kernel/cooperative.ts'
import { foldWord } from './cell-words.ts'

/*
 * What people call the regions of the standard: 江苏苏州 for 江苏省苏州市, 黔西南州 for 黔西南布依族苗族自治州, and a county by
 * the name that it had before it became a district.
 */

/** Regions as the words of a file are looked up in them. */
export interface Regions {
  /** Code of a region by the ways to write its name; `''` where a way fits several. */
  readonly regionNames: ReadonlyMap<string, string>
  readonly regionCodes: ReadonlySet<string>
}

/** A region as people call it: 江苏, 苏州, 内蒙古. */
const bareName = (name: string): string =>
  name.length > 2
    ? name.replace(/(特别行政区|维吾尔自治区|壮族自治区|回族自治区|自治区|地区|林区|省|市|区|县|盟)$/, '')
    : name

/** Peoples as the names of autonomous regions have them. */
const peoples =
  '蒙古族|蒙古|回族|藏族|维吾尔|苗族|彝族|壮族|布依族|朝鲜族|满族|侗族|瑶族|白族|土家族|哈尼族|哈萨克族|哈萨克|傣族|黎族|傈僳族|佤族|畲族|高山族|拉祜族|水族|东乡族|纳西族|景颇族|柯尔克孜族|柯尔克孜|土族|达斡尔族|仫佬族|羌族|布朗族|撒拉族|毛南族|仡佬族|锡伯族|锡伯|阿昌族|普米族|塔吉克族|塔吉克|怒族|乌孜别克族|俄罗斯族|鄂温克族|德昂族|保安族|裕固族|京族|塔塔尔族|独龙族|鄂伦春|赫哲族|门巴族|珞巴族|基诺族|各族'
const ofPeoples = new RegExp(`(?:${peoples})+$`)

/** Names that are shorter still, and only told apart behind their province. */
const shortest: Readonly<Record<string, string>> = {
  巴音郭楞蒙古自治州: '巴州',
  博尔塔拉蒙古自治州: '博州',
  克孜勒苏柯尔克孜自治州: '克州',
  锡林郭勒盟: '锡盟',
  阿拉善盟: '阿盟',
  莫力达瓦达斡尔族自治旗: '莫旗',
}

/** What else a region is called: 黔西南州, 长阳县, 鄂伦春旗 leave the peoples out, and 自治 with them. */
function casualNames(name: string): string[] {
  // 广西省 and 浦东 are written too.
  if (/自治区$/.test(name)) return [bareName(name), `${bareName(name)}省`]
  if (/.{2}新区$/.test(name)) return [bareName(name), name.slice(0, -2)]
  const found = /^(.+)自治([州县旗])$/.exec(name)
  if (!found) return [bareName(name)]
  const [, whole = '', kind = ''] = found
  // 东乡族自治县 is called by the people alone.
  const core = whole.replace(ofPeoples, '') || whole.replace(/族$/, '')
  return [core + kind, `${core}自治${kind}`, ...(core.length > 1 ? [core] : [])]
}

interface Found {
  readonly code: string
  readonly end: number
}

/** The longest region with which an address begins. */
function beginning(text: string, { regionNames }: Pick<Regions, 'regionNames'>): Found | undefined {
  for (let end = Math.min(text.length - 1, 32); end >= 3; end -= 1) {
    if (!/[省市区县旗州盟]/.test(text[end - 1]!)) continue
    const code = regionNames.get(text.slice(0, end))
    if (code) return { code, end }
  }
  return undefined
}

/**
 * The code of the region that an address begins with: 江苏省苏州市姑苏区平江路1号 lies in 姑苏区. Undefined where it
 * begins with none.
 */
export const regionWithin = (address: string, regions: Pick<Regions, 'regionNames'>): string | undefined =>
  beginning(foldWord(address), regions)?.code

/** What a text says beyond the province or the city that could be read of it; undefined where nothing is lost. */
export function beyondRegion(text: string, regions: Regions): string | undefined {
  const name = foldWord(text)
  if (/^\d+$/.test(name) || regions.regionNames.get(name)) return undefined
  const found = beginning(name, regions)
  if (!found) return undefined
  const rest = name.slice(found.end)
  if (found.code.endsWith('0000')) return rest
  const isCity = found.code.endsWith('00') && hasCounties(found.code, regions)
  return isCity && /^\p{Script=Han}{1,14}?[县区旗市]/u.test(rest) ? rest : undefined
}

const citiesOf = new WeakMap<ReadonlySet<string>, ReadonlySet<string>>()
/** Whether a city has counties at all: 东莞市 has towns. */
function hasCounties(code: string, { regionCodes }: Regions): boolean {
  const cities =
    citiesOf.get(regionCodes) ??
    new Set([...regionCodes].flatMap((each) => (each.length === 6 && !each.endsWith('00') ? each.slice(0, 4) : [])))
  citiesOf.set(regionCodes, cities)
  return cities.has(code.slice(0, 4))
}

interface RegionRow {
  code: string
  name: string
  ancestors: string
  level: number
  gone: boolean
}

let regions: (Regions & { at: number; count: number }) | undefined
const regionsKept = 10 * 60_000

const filler = /^(市辖区|县|省直辖县级行政区划|自治区直辖县级行政区划)$/

/**
 * The region that a county became that is no more: the only one of its name in its city, as 望城县 is 望城区; and where the
 * city is no more either, in its province.
 */
function successors(rows: readonly RegionRow[]): Map<string, string> {
  const coreOf = ({ name }: RegionRow): string =>
    casualNames(name)
      .at(-1)!
      .replace(/[县区市旗]$/, '')
  const cities = new Set(rows.flatMap(({ gone, level, code }) => (!gone && level === 2 ? code.slice(0, 4) : [])))
  const today = new Map<string, string[]>()
  for (const row of rows)
    if (!row.gone && row.level === 3)
      for (const key of [`${row.code.slice(0, 4)}|${coreOf(row)}`, `${row.code.slice(0, 2)}|${coreOf(row)}`])
        today.set(key, [...(today.get(key) ?? []), row.code])
  return new Map(
    rows.flatMap((row): [string, string][] => {
      const core = coreOf(row)
      if (!row.gone || row.level !== 3 || core.length < 2) return []
      const city = row.code.slice(0, 4)
      // A district of another city that is called alike is none.
      const isMoved = !cities.has(city) && !row.name.endsWith('区')
      const now = today.get(`${city}|${core}`) ?? (isMoved ? today.get(`${row.code.slice(0, 2)}|${core}`) : undefined)
      return now?.length === 1 ? [[row.code, now[0]!]] : []
    }),
  )
}

/** Every way to write one after the other, each in any of its names. */
const inTurn = (parts: readonly (readonly string[])[]): string[] =>
  parts.reduce<string[]>((all, names) => all.flatMap((begun) => names.map((name) => begun + name)), [''])

/** Names down to the county, in every way in which they are written; codes of any level. Shared by all tenants. */
export async function readRegions(tx: Tx): Promise<Regions> {
  const known = await tx.one<{ count: number }>(sql`select count(*)::int as count from region`)
  if (regions && regions.count === known?.count && Date.now() - regions.at < regionsKept) return regions
  const rows = await tx.run<RegionRow>(
    sql`select code, name, ancestors, level, valid_to is not null as gone from region where level between 1 and 3 order by level, code`,
  )
  const all = await tx.run<{ code: string }>(sql`select code from region where level > 0`)
  const byCode = new Map(rows.map((row) => [row.code, row]))
  const became = successors(rows)
  const folded = new Map(rows.map(({ name }) => [name, foldWord(name)]))
  const casual = new Map(rows.map(({ name }) => [name, casualNames(name).map(foldWord)]))
  const regionNames = new Map<string, string>()
  const short = new Map<string, { code: string; level: number }>()
  const put = (name: string, row: RegionRow): void => {
    const code = became.get(row.code) ?? row.code
    const held = regionNames.get(name)
    // A name that is in use means the region of today; between two of today it means neither.
    if (held === undefined) regionNames.set(name, code)
    else if (held !== code && !row.gone) regionNames.set(name, held !== '' && byCode.get(held)?.gone ? code : '')
  }
  // 江苏苏州 is 江苏省苏州市; of two that are short alike the larger is meant, of two of a kind neither.
  const putShort = (name: string, { code, level }: RegionRow): void => {
    const held = short.get(name)
    if (!held || held.level > level) short.set(name, { code, level })
    else if (held.code !== code && held.level === level) short.set(name, { code: '', level })
  }
  for (const gone of [false, true])
    for (const row of rows) {
      if (row.gone !== gone) continue
      await yieldTurn()
      const chain = [...row.ancestors.split(',').flatMap((code) => byCode.get(code) ?? []), row].filter(
        (each) => each.level > 0,
      )
      const real = chain.filter((each) => each === row || !filler.test(each.name))
      const ways = [chain, real, [...new Set([real[0]!, row])], real.length > 1 ? real.slice(1) : [row], [row]]
      for (const way of ways) {
        const name = way.map((each) => folded.get(each.name)!).join('')
        if (name && !(gone && regionNames.has(name))) put(name, row)
        if (gone) continue
        const isBehind = way.length > 1
        const names = way.map((each) => [
          folded.get(each.name)!,
          ...casual.get(each.name)!,
          ...(isBehind && shortest[each.name] ? [shortest[each.name]!] : []),
        ])
        for (const other of new Set(inTurn(names))) putShort(other, row)
      }
    }
  for (const [name, { code }] of short) if (name.length > 1 && !regionNames.has(name)) regionNames.set(name, code)
  regions = { at: Date.now(), count: known?.count ?? 0, regionNames, regionCodes: new Set(all.map((row) => row.code)) }
  return regions
}
