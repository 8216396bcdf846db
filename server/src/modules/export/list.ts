import { codeOf, type Entity, personalCode } from '@data-brain/contract'
import { modelFor } from '../../entity/model.ts'
import { mustExplain, recordReads } from '../../entity/read-log.ts'
import { Repository } from '../../entity/repository.ts'
import { contextOf } from '../../entity/routes.ts'
import { listParameters } from '../../entity/schema.ts'
import { type Actor, holdsCode } from '../../kernel/actor.ts'
import { readParameters } from '../../kernel/parameter.ts'
import { Problem } from '../../kernel/problem.ts'
import type { RecordReading } from '../../kernel/record-list.ts'
import { deptsBelow, dictionariesOf } from '../system/index.ts'
import { columnsOf, namesFor } from './columns.ts'
import {
  type ExportActor,
  type ExportRequest,
  type Format,
  fileParameters,
  fileWish,
  type ListFile,
  type ProgressListener,
  refuseMany,
  rowsMost,
  type Source,
  writeFile,
} from './source.ts'

/** What narrows the list of an entity beyond its own filters, as the list itself does. */
const narrowing: Readonly<Record<string, typeof deptsBelow>> = { user: deptsBelow }

const own = { personal: { kind: 'integer', min: 0, max: 1 } } as const

/** What is asked for, once it has been found to be right. */
interface Wish {
  readonly entity: Entity
  readonly format: Format
  readonly names: readonly string[]
  /** Personal values in full. */
  readonly full: boolean
  /** What narrows and orders the list. */
  readonly filter: Readonly<Record<string, string>>
}

/** Refuses full numbers to whoever may not see them. */
function refuseFull(actor: Actor, { entity, full }: Wish): void {
  if (full && !holdsCode(actor, personalCode(entity))) throw new Problem('forbidden', { code: personalCode(entity) })
}

/** The first rows that a wish leaves, in its order, of those that its taker reaches. */
const idsOf = (wish: Wish, reading: RecordReading, most: number): Promise<string[]> =>
  new Repository(wish.entity, contextOf(reading)).ids(wish.filter, most, [codeOf(wish.entity, 'export')])

/**
 * A list as a file: the rows that the list shows with the same filters and order, in the columns asked for. Read by
 * bunches, each in a transaction of its own that asks anew whether the taker may, so no connection waits for a slow
 * download and a withdrawn right ends it. `heard` hears how many rows have been read.
 */
async function listFile(wish: Wish, taker: ExportActor, heard?: ProgressListener): Promise<ListFile> {
  const { entity, names, full, format } = wish
  const { services, circumstance, as } = taker
  const { language } = circumstance
  const codes = [codeOf(entity, 'export')]
  const { ids, dictionaries, actor, model } = await as(async (opened) => {
    refuseFull(opened.actor, wish)
    await mustExplain({ ...opened, circumstance }, entity)
    const model = modelFor(entity, opened.actor)
    return {
      model,
      actor: opened.actor,
      ids: await idsOf(wish, { ...opened, services, circumstance }, rowsMost + 1),
      dictionaries: await dictionariesOf(opened.tx, opened.actor.tenantId, model, names, language),
    }
  })
  refuseMany(ids)
  const columns = columnsOf(model, names, { dictionaries, language })
  const read = async (some: readonly string[]) => {
    const rows = await as(async (opened) => {
      refuseFull(opened.actor, wish)
      const reader = new Repository(entity, contextOf({ ...opened, circumstance, services }))
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
        found.map(({ id }) => ({ id })),
      )
      return found
    })
    return rows.map((row) => columns.map((column) => column.cell(row)))
  }
  const personal = names.some((name) => model.byName.get(name)?.kind === 'personal')
  const logged = { fullNumbers: full && personal }
  return writeFile({ source: entity, format, columns, ids, actor, read, signed: personal, logged }, taker, heard)
}

/** The list of an entity as what can be taken out. */
export const entitySource = (entity: Entity): Source => ({
  name: entity.name,
  path: entity.path,
  label: entity.label,
  tag: entity.name,
  code: codeOf(entity, 'export'),
  platform: entity.ownership === 'platform',
  parameters: { ...listParameters(entity), ...fileParameters, ...own },
  ask: (query, language, actor): ExportRequest => {
    const { format, columns } = fileWish(query, language)
    const { current: _, size: __, ...filter } = narrowing[entity.name]?.(query) ?? query
    const wish: Wish = {
      entity,
      format,
      names: namesFor(modelFor(entity, actor), columns),
      full: readParameters(own, query).personal === 1,
      filter,
    }
    return {
      refuse: (actor) => refuseFull(actor, wish),
      probe: async (reading) => {
        await mustExplain(reading, entity)
        return idsOf(wish, reading, 1)
      },
      file: (taker, heard) => listFile(wish, taker, heard),
    }
  },
})
