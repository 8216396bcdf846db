import { Readable } from 'node:stream'
import { codeOf, type Entity, entities, personalCode, type Words } from '@data-brain/contract'
import { modelOf } from '../../entity/model.ts'
import { reasonParameter, recordReads } from '../../entity/read-log.ts'
import { Repository } from '../../entity/repository.ts'
import { contextOf } from '../../entity/routes.ts'
import { listParameters } from '../../entity/schema.ts'
import { holds } from '../../kernel/actor.ts'
import { disposition } from '../../kernel/disposition.ts'
import { fieldProblem, Problem } from '../../kernel/problem.ts'
import { Bare, code, type DetachedCall, detachedRoute, type Route } from '../../kernel/route.ts'
import type { Module } from '../module.ts'
import { deptsBelow } from '../system/index.ts'
import { type Cell, columnsOf, dictionariesOf, namesFor } from './columns.ts'
import { csvOf } from './csv.ts'
import { xlsxOf } from './xlsx.ts'

/** Most rows of one export; what is larger is narrowed by a filter first. */
const rowsMost = 100_000
const bunch = 1_000
/** Exports that one process writes at once. */
const atOnce = 2
let running = 0

const types = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
} as const
type Format = keyof typeof types

/** What narrows the list of an entity beyond its own filters, as the list itself does. */
const narrowing: Readonly<Record<string, typeof deptsBelow>> = { user: deptsBelow }

const parameters = {
  format: { kind: 'text', max: 4 },
  columns: { kind: 'texts' },
  personal: { kind: 'integer', min: 0, max: 1 },
} as const

function formatOf(call: DetachedCall<typeof parameters>): Format {
  const format = call.parameters.format ?? 'xlsx'
  if (format === 'xlsx' || format === 'csv') return format
  const reason: Words = { zh: '应为xlsx或csv', en: 'must be xlsx or csv' }
  throw fieldProblem([{ field: 'format', label: { zh: '格式', en: 'Format' }, reason }], call.circumstance.language)
}

/**
 * A list as a file: the rows that the list shows with the same filters and order, in the columns asked for. Read by
 * bunches, each in a transaction of its own that asks anew whether the caller may, so no connection waits for a slow
 * download and a withdrawn right ends it.
 */
async function exported(entity: Entity, call: DetachedCall<typeof parameters>): Promise<Bare> {
  const { circumstance, services, as } = call
  const { language } = circumstance
  const format = formatOf(call)
  const names = namesFor(entity, call.parameters.columns)
  const model = modelOf(entity)
  const codes = [codeOf(entity, 'export')]
  if (running >= atOnce) throw new Problem('too_many')
  const rowsFor = (opened: Parameters<Parameters<typeof as>[0]>[0]): Repository =>
    new Repository(entity, contextOf({ ...opened, circumstance, services }))
  const { ids, dictionaries, actor } = await as(async (opened) => {
    const { tx, actor } = opened
    if (call.parameters.personal === 1 && !holds(actor, personalCode(entity)))
      throw new Problem('forbidden', { code: personalCode(entity) })
    const { current: _, size: __, ...query } = narrowing[entity.name]?.(call.query) ?? call.query
    return {
      actor,
      ids: await rowsFor(opened).ids(query, rowsMost + 1, codes),
      dictionaries: await dictionariesOf(tx, actor.tenantId, model, names, language),
    }
  })
  if (ids.length > rowsMost)
    throw new Problem('rule_broken', {
      reason: {
        zh: `超过${rowsMost}条,请先用筛选条件缩小范围`,
        en: `More than ${rowsMost} rows: narrow them by a filter first`,
      },
    })
  const columns = columnsOf(entity, names, { dictionaries, language })
  const full = call.parameters.personal === 1
  const bunches = async function* (): AsyncGenerator<Cell[][]> {
    for (let start = 0; start < ids.length; start += bunch) {
      const rows = await as(async (opened) => {
        const reader = rowsFor(opened)
        const some = ids.slice(start, start + bunch)
        // Whose numbers may be read in full is another question than whose rows may be taken out.
        const part = full && (await reader.reach([personalCode(entity)])) !== undefined
        const found = await reader.rows(some, names, { full: full && !part, codes })
        if (part) {
          const open = await reader.rows(some, names, { full, codes: [personalCode(entity)] })
          const byId = new Map(open.map((row) => [row.id, row]))
          for (const [index, row] of found.entries()) found[index] = byId.get(row.id) ?? row
        }
        await recordReads(
          { ...opened, circumstance },
          entity,
          'export',
          found.map((row) => row.id),
          'reason' in entity.fields ? undefined : call.query.reason,
        )
        return found
      })
      yield rows.map((row) => columns.map((column) => column.cell(row)))
    }
  }
  const label = entity.label[language]
  const at = new Date().toLocaleString('sv-SE', { timeZone: 'Asia/Shanghai' })
  const about: [Words, string][] = [
    [{ zh: '内容', en: 'What' }, label],
    [{ zh: '导出人', en: 'Exported by' }, `${actor.name} (${actor.account})`],
    [{ zh: '导出时间', en: 'Exported at' }, at],
    [{ zh: '条数', en: 'Rows' }, String(ids.length)],
  ]
  const told = about.map(([word, text]) => [word[language], text] as const)
  const foot = told.map(([word, text]) => `${word}: ${text}`).join('  ')
  const personal = names.some((name) => model.byName.get(name)?.kind === 'personal')
  const head = columns.map((column) => column.heading)
  const bytes =
    format === 'csv'
      ? csvOf(head, bunches(), personal ? foot : undefined)
      : xlsxOf(
          {
            name: label.slice(0, 31),
            columns: columns.map(({ heading, width }) => ({ heading, width })),
            about: told,
            aboutName: { zh: '说明', en: 'About' }[language],
            foot,
          },
          bunches(),
        )
  services.log.info('export', {
    tenantId: actor.tenantId,
    userId: actor.userId,
    requestId: circumstance.requestId,
    entity: entity.name,
    rows: ids.length,
    columns: names.join(','),
    fullNumbers: full && personal,
  })
  const stream = Readable.from(bytes, { objectMode: false })
  running += 1
  stream.once('close', () => {
    running -= 1
  })
  return new Bare(stream, 200, {
    'Content-Type': types[format],
    'Content-Disposition': disposition('attachment', `${label}-${at.replace(/[^0-9]/g, '').slice(0, 12)}.${format}`),
    'X-Content-Type-Options': 'nosniff',
  })
}

const routes: Route[] = entities.map((entity) =>
  detachedRoute({
    method: 'GET',
    path: `/${entity.path}/export`,
    summary: { zh: `${entity.label.zh}:导出`, en: `${entity.label.en}: export` },
    access: code(codeOf(entity, 'export')),
    platform: entity.ownership === 'platform',
    bare: true,
    tag: entity.name,
    parameters: { ...listParameters(entity), ...parameters, ...reasonParameter(entity) },
    handler: (call) => exported(entity, call as unknown as DetachedCall<typeof parameters>),
  }),
)

/** Every list as a workbook or CSV, streamed. */
export const exporting: Module = { routes }
