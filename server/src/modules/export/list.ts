import { codeOf, type Entity, personalCode, type Words } from '@data-brain/contract'
import { modelOf } from '../../entity/model.ts'
import { reasonParameter, recordReads } from '../../entity/read-log.ts'
import { Repository } from '../../entity/repository.ts'
import { contextOf } from '../../entity/routes.ts'
import { listParameters } from '../../entity/schema.ts'
import { type Actor, type Circumstance, holds } from '../../kernel/actor.ts'
import { readParameters } from '../../kernel/parameter.ts'
import { fieldProblem, Problem } from '../../kernel/problem.ts'
import type { Call, DetachedCall } from '../../kernel/route.ts'
import type { Services } from '../../kernel/services.ts'
import { deptsBelow } from '../system/index.ts'
import { type Cell, columnsOf, dictionariesOf, namesFor } from './columns.ts'
import { csvOf } from './csv.ts'
import { xlsxOf } from './xlsx.ts'

/** Most rows of one export; what is larger is narrowed by a filter first. */
const rowsMost = 100_000
const bunch = 1_000

const types = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
} as const
type Format = keyof typeof types
const isFormat = (text: string): text is Format => Object.hasOwn(types, text)

/** What narrows the list of an entity beyond its own filters, as the list itself does. */
const narrowing: Readonly<Record<string, typeof deptsBelow>> = { user: deptsBelow }

const own = {
  format: { kind: 'text', max: 4 },
  columns: { kind: 'texts' },
  personal: { kind: 'integer', min: 0, max: 1 },
} as const

/** What an export takes: the filters and order of the list, and what the file is to be. */
export const exportParameters = (entity: Entity) => ({ ...listParameters(entity), ...own, ...reasonParameter(entity) })

/** What is asked for, once it has been found to be right. */
export interface Wish {
  readonly entity: Entity
  readonly format: Format
  readonly names: readonly string[]
  /** Personal values in full. */
  readonly full: boolean
  /** What narrows and orders the list. */
  readonly filter: Readonly<Record<string, string>>
  readonly reason: string | undefined
}

/** Reads what is asked for out of the texts that came; refuses what is no format or no column by its name. */
export function wishOf(
  entity: Entity,
  query: Readonly<Record<string, string>>,
  language: Circumstance['language'],
): Wish {
  const { format = 'xlsx', columns, personal } = readParameters(own, query)
  if (!isFormat(format)) {
    const reason: Words = { zh: '应为xlsx或csv', en: 'must be xlsx or csv' }
    throw fieldProblem([{ field: 'format', label: { zh: '格式', en: 'Format' }, reason }], language)
  }
  const { current: _, size: __, ...filter } = narrowing[entity.name]?.(query) ?? query
  return {
    entity,
    format,
    names: namesFor(entity, columns),
    full: personal === 1,
    filter,
    reason: 'reason' in entity.fields ? undefined : query.reason,
  }
}

/** Refuses full numbers to whoever may not see them. */
export function refuseFull(actor: Actor, { entity, full }: Pick<Wish, 'entity' | 'full'>): void {
  if (full && !holds(actor, personalCode(entity))) throw new Problem('forbidden', { code: personalCode(entity) })
}

/** As whom a list is taken out; `as` opens a transaction each time and asks anew whether they may. */
export interface Taker {
  readonly services: Services
  readonly circumstance: Circumstance
  readonly as: DetachedCall['as']
}

type Opened = Pick<Call, 'tx' | 'actor'>

/** The first rows that a wish leaves, in its order, of those that its taker reaches. */
export const idsOf = (
  wish: Wish,
  { services, circumstance }: Omit<Taker, 'as'>,
  opened: Opened,
  most: number,
): Promise<string[]> =>
  new Repository(wish.entity, contextOf({ ...opened, circumstance, services })).ids(wish.filter, most, [
    codeOf(wish.entity, 'export'),
  ])

/** A list as a file that has yet to be written. */
export interface ListFile {
  readonly name: string
  readonly type: string
  readonly rows: number
  readonly bytes: AsyncIterable<Buffer>
}

/**
 * A list as a file: the rows that the list shows with the same filters and order, in the columns asked for. Read by
 * bunches, each in a transaction of its own that asks anew whether the taker may, so no connection waits for a slow
 * download and a withdrawn right ends it. `told` hears how many rows have been read.
 */
export async function listFile(
  wish: Wish,
  taker: Taker,
  told?: (rows: number, of: number) => Promise<unknown>,
): Promise<ListFile> {
  const { entity, names, full, format } = wish
  const { services, circumstance, as } = taker
  const { language } = circumstance
  const model = modelOf(entity)
  const codes = [codeOf(entity, 'export')]
  const { ids, dictionaries, actor } = await as(async (opened) => {
    refuseFull(opened.actor, wish)
    return {
      actor: opened.actor,
      ids: await idsOf(wish, taker, opened, rowsMost + 1),
      dictionaries: await dictionariesOf(opened.tx, opened.actor.tenantId, model, names, language),
    }
  })
  if (ids.length > rowsMost)
    throw new Problem('rule_broken', {
      reason: {
        zh: `超过${rowsMost}条，请先用筛选条件缩小范围`,
        en: `More than ${rowsMost} rows: narrow them by a filter first`,
      },
    })
  const columns = columnsOf(entity, names, { dictionaries, language })
  const bunches = async function* (): AsyncGenerator<Cell[][]> {
    await told?.(0, ids.length)
    for (let start = 0; start < ids.length; start += bunch) {
      const rows = await as(async (opened) => {
        refuseFull(opened.actor, wish)
        const reader = new Repository(entity, contextOf({ ...opened, circumstance, services }))
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
          wish.reason,
        )
        return found
      })
      yield rows.map((row) => columns.map((column) => column.cell(row)))
      await told?.(Math.min(start + bunch, ids.length), ids.length)
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
  const lines = about.map(([word, text]) => [word[language], text] as const)
  const foot = lines.map(([word, text]) => `${word}: ${text}`).join('  ')
  const personal = names.some((name) => model.byName.get(name)?.kind === 'personal')
  const head = columns.map((column) => column.heading)
  services.log.info('export', {
    tenantId: actor.tenantId,
    userId: actor.userId,
    requestId: circumstance.requestId,
    entity: entity.name,
    rows: ids.length,
    columns: names.join(','),
    fullNumbers: full && personal,
  })
  return {
    name: `${label}-${at.replace(/[^0-9]/g, '').slice(0, 12)}.${format}`,
    type: types[format],
    rows: ids.length,
    bytes:
      format === 'csv'
        ? csvOf(head, bunches(), personal ? foot : undefined)
        : xlsxOf(
            {
              name: label.slice(0, 31),
              columns: columns.map(({ heading, width }) => ({ heading, width })),
              about: lines,
              aboutName: { zh: '说明', en: 'About' }[language],
              foot,
            },
            bunches(),
          ),
  }
}

/** The type of a file by what its name ends in. */
export function typeOf(name: string): string {
  const format = name.slice(name.lastIndexOf('.') + 1)
  return isFormat(format) ? types[format] : 'application/octet-stream'
}
