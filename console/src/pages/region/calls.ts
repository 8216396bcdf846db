import type { AnswerOf, InputOf } from '@data-brain/contract/call'
import {
  loadStreets,
  regionDetail,
  regionPaths,
  regions,
  regionsBelow,
  removeRegion,
  saveRegion,
} from '@data-brain/contract/calls/region'
import { type EntityCalls, followJob, httpCalls, type JobView, type ShownRow } from '../../entity/data/index.ts'
import type { TreeRow } from '../../entity/tree/index.ts'
import { call } from '../../http/call.ts'
import { HttpProblem } from '../../http/client.ts'
import { translate } from '../../ui/words.ts'
import { region, top } from './entity.ts'

type RegionRow = AnswerOf<typeof regions>['records'][number]

/** The row of the tree that a region is: its code is its id. */
const rowOf = (row: RegionRow, hasChildren: boolean): TreeRow =>
  ({ ...row, id: row.code, parentId: row.parentCode === top ? '0' : row.parentCode, hasChildren }) as unknown as TreeRow

/** The most that one call of the list answers. */
export const MOST_REGIONS = 200

const list = (query: InputOf<typeof regions>, signal?: AbortSignal) => call(regions, query, { signal, silent: true })

/** The regions under one of them, abolished ones included; those that have regions below say so. */
export async function regionsUnder(parentCode: string, signal: AbortSignal): Promise<readonly TreeRow[]> {
  const nodes = call(regionsBelow, { parentCode }, { signal, silent: true })
  const first = await list({ parentCode, current: 1, size: MOST_REGIONS }, signal)
  const pages = Array.from({ length: first.pages - 1 }, (_, i) =>
    list({ parentCode, current: i + 2, size: MOST_REGIONS }, signal),
  )
  const rows = [first, ...(await Promise.all(pages))].flatMap((page) => page.records)
  const parents = new Set((await nodes).filter((node) => node.hasChildren).map((node) => node.id))
  return rows.map((row) => rowOf(row, parents.has(row.code)))
}

export interface RegionSearch {
  readonly roots: readonly TreeRow[]
  readonly shown: ReadonlySet<string>
  readonly opened: ReadonlySet<string>
  readonly matches: number
  readonly total: number
}

const digits = /^\d+$/

/** Regions by a part of the name or the beginning of the code, with what stands above them. */
export async function searchRegions(text: string, signal: AbortSignal): Promise<RegionSearch> {
  const page = await list({ [digits.test(text) ? 'code' : 'name']: text, current: 1, size: MOST_REGIONS }, signal)
  const found = new Map(page.records.map((row) => [row.code, row]))
  const wayOf = (row: RegionRow) =>
    row.ancestors.split(',').filter((code) => code !== '' && code !== '0' && code !== top)
  const missing = [...new Set(page.records.flatMap(wayOf))].filter((code) => !found.has(code))
  const names: AnswerOf<typeof regionPaths> =
    missing.length === 0 ? {} : await call(regionPaths, { codes: missing }, { signal, silent: true })
  const above = missing.map((code): RegionRow => {
    const path = (names[code] ?? code).split('/')
    const below = page.records.find((row) => wayOf(row).includes(code))
    const way = below ? wayOf(below) : []
    const at = way.indexOf(code)
    return {
      code,
      parentCode: way[at - 1] ?? top,
      ancestors: [top, ...way.slice(0, at)].join(','),
      name: path.at(-1) ?? code,
      level: at + 1,
      sort: 0,
      remark: null,
      validTo: null,
    }
  })
  const rows = [...above, ...page.records]
  const under = (parentCode: string): TreeRow[] =>
    rows
      .filter((row) => row.parentCode === parentCode)
      .map((row) => {
        const children = under(row.code)
        return { ...rowOf(row, children.length > 0), ...(children.length > 0 ? { children } : {}) }
      })
  return {
    roots: under(top),
    shown: new Set(rows.map((row) => row.code)),
    opened: new Set(page.records.flatMap(wayOf)),
    matches: page.records.length,
    total: page.total,
  }
}

/** A code that is taken already would be changed by an add, and not added: it is asked for before. */
async function refuseTaken(code: string): Promise<void> {
  const page = await list({ code, current: 1, size: 1 })
  if (page.records[0]?.code !== code) return
  const message = translate('region.exists')
  throw new HttpProblem(message, 400, 400, { field: 'code', fields: [{ field: 'code', message }] })
}

async function stored(code: string, signal?: AbortSignal): Promise<ShownRow> {
  const row = await call(regionDetail, { code }, { signal, silent: true })
  return { ...rowOf(row, false), level: String(row.level) } as ShownRow
}

/** The calls of the engine, for rows that the server keeps by their code and without versions. */
export const regionCalls: EntityCalls = {
  ...httpCalls,
  detail: (_entity, id, signal) => stored(id, signal),
  change: async (_entity, { id, version: _, ...draft }) => {
    const code = String(id ?? draft.code)
    if (id === undefined) await refuseTaken(code)
    // A whole region is sent: what is not changed is what is stored.
    const before = id === undefined ? {} : await stored(code)
    const kept = Object.fromEntries(
      Object.keys(region.fields).map((name) => [name, (before as ShownRow)[name] ?? null]),
    )
    const whole: Record<string, unknown> = { ...(id === undefined ? {} : kept), ...draft }
    const text = (name: string): string | undefined =>
      whole[name] === null || whole[name] === undefined ? undefined : String(whole[name])
    await call(
      saveRegion,
      {
        code,
        parentCode: text('parentCode'),
        name: text('name'),
        level: Number(whole.level),
        sort: Number(whole.sort),
        remark: text('remark'),
      },
      { silent: true },
    )
    return { row: await stored(code), requestId: undefined }
  },
  remove: async (_entity, ids) => {
    for (const id of ids) await call(removeRegion, { id }, { silent: true })
    return null
  },
}

/** Loads the streets of the whole country, as a job that `seen` hears of; answers how many were added. */
export async function layStreets(seen: (job: JobView<{ added: number }>) => void): Promise<{ added: number }> {
  const { jobId } = await call(loadStreets, {}, { silent: true })
  return followJob(jobId, seen)
}
