import { isMasked } from '@data-brain/contract'
import { sql } from '../../../database/statement.ts'
import type { Tx } from '../../../database/transaction.ts'
import { system } from '../../../kernel/actor.ts'
import { yieldTurn } from '../../../kernel/cooperative.ts'
import type { Services } from '../../../kernel/services.ts'
import { carriedEntities } from '../carried-entities.ts'
import { readState } from '../current-state.ts'
import { type Cells, type FileName, fileNames } from '../files.ts'
import { RecordGatherer } from '../gather.ts'
import { overlayKept, readKeeps } from '../kept-records.ts'
import type { Client } from './client.ts'
import { RosterProblem } from './status-info.ts'

/*
 * The records of a tenant as its archive holds them, made by the same hands and remembered as long as the stamps of the
 * rows prove that nothing has changed. Who pages on stays with the records of the first page, so that a long walk
 * neither misses nor repeats any.
 */

/** A tenant's records at one moment. */
export interface Snapshot {
  readonly stamp: string
  readonly records: Readonly<Record<FileName, readonly Cells[]>>
  /** Of whom a user's record tells: the child itself, or the child of a guardian. */
  readonly childOf: ReadonlyMap<string, string>
  readonly rolesOf: ReadonlyMap<string, readonly Cells[]>
  /** The schools by their rows. */
  readonly schools: ReadonlyMap<string, string>
}

/** What a tenant's records are made of beside the rows of the entities. */
const others = ['sysgrade', 'syssubject', 'post', 'role', 'roster_record']

async function stampOf(tx: Tx, tenantId: string): Promise<string> {
  const names = [...carriedEntities().map((entity) => entity.name), ...others]
  const row = await tx.one<{ stamp: string }>(
    sql`select coalesce((select entities from grant_stamp where tenant_id = ${tenantId}), 0) || ':' || coalesce(string_agg(entity || slot || ':' || stamp, ',' order by entity, slot), '') as stamp
        from entity_stamp where tenant_id = ${tenantId} and entity = any(${names}::text[])`,
  )
  return row!.stamp
}

async function make(tx: Tx, services: Services, tenantId: string, stamp: string): Promise<Snapshot> {
  const context = {
    tx,
    actor: system('oneroster', tenantId),
    circumstance: { requestId: '', language: 'zh' as const, address: '', agent: '' },
    cipher: services.cipher,
  }
  // Identity numbers and telephone numbers have no way out here: they come masked, and what is masked is left out.
  const state = { ...(await readState(context)), reveals: () => false }
  const gatherer = new RecordGatherer(state)
  const made = overlayKept(await gatherer.gather(), await readKeeps(context), false)
  const records = {} as Record<FileName, Cells[]>
  for (const file of fileNames) {
    const list: Cells[] = []
    for (const cells of made[file]) {
      await yieldTurn()
      const open = Object.fromEntries(
        Object.entries(cells).filter(([, cell]) => cell !== '' && !isMasked(cell)),
      ) as Cells
      open.status ??= 'active'
      open.dateLastModified ??= gatherer.modified.get(`${file}|${cells.sourcedId}`) ?? '1970-01-01T00:00:00.000Z'
      list.push(open)
    }
    records[file] = list
  }
  const childOf = new Map<string, string>()
  for (const row of state.rows.get('student').values()) childOf.set(gatherer.idOf('student', row.id)!, row.id)
  for (const row of state.rows.get('studentparents').values())
    childOf.set(gatherer.idOf('studentparents', row.id)!, row.values.studentId)
  const schools = new Map<string, string>()
  for (const row of state.rows.get('school').values()) schools.set(row.id, gatherer.idOf('school', row.id)!)
  return { stamp, records, childOf, rolesOf: Map.groupBy(records.roles, (role) => role.userSourcedId!), schools }
}

const kept = new Map<string, Snapshot>()
/** Tenants whose records one process remembers, walks that go on, and earlier states of records that these hold. */
const tenantsMost = 3
const walksMost = 32
const formerMost = 3
const walkMinutes = 5
const walks = new Map<string, { snapshot: Snapshot; until: number }>()
const making = new Map<string, Promise<Snapshot>>()

/** How many states of tenants' records are held. */
export const heldStates = (): number =>
  new Set([...kept.values(), ...[...walks.values()].map(({ snapshot }) => snapshot)]).size

/** Lets go of the walks that have stood still longest, until they hold no more earlier states than there is room for. */
function letGo(): void {
  const present = new Set(kept.values())
  for (;;) {
    const former = new Set([...walks.values()].map(({ snapshot }) => snapshot).filter((each) => !present.has(each)))
    if (former.size <= formerMost) return
    const oldest = [...walks].find(([, { snapshot }]) => former.has(snapshot))![1].snapshot
    for (const [key, { snapshot }] of walks) if (snapshot === oldest) walks.delete(key)
  }
}

function remember<T>(map: Map<string, T>, key: string, value: T, most: number): void {
  map.delete(key)
  map.set(key, value)
  if (map.size > most) map.delete(map.keys().next().value!)
}

/** The records as they are now, or as they were on the first page of a walk that goes on. */
export async function snapshotFor(
  tx: Tx,
  services: Services,
  client: Client,
  walk?: { readonly key: string; readonly goesOn: boolean },
): Promise<Snapshot> {
  const { tenantId } = client
  const walkKey = `${tenantId}|${client.id}|${walk?.key}`
  const now = Date.now()
  for (const [key, { until }] of walks) if (until < now) walks.delete(key)
  const begun = walk?.goesOn ? walks.get(walkKey) : undefined
  const snapshot = begun?.snapshot ?? (await current(tx, services, tenantId))
  if (walk) remember(walks, walkKey, { snapshot, until: now + walkMinutes * 60_000 }, walksMost)
  letGo()
  return snapshot
}

async function current(tx: Tx, services: Services, tenantId: string): Promise<Snapshot> {
  const stamp = await stampOf(tx, tenantId)
  const known = kept.get(tenantId)
  if (known?.stamp === stamp) return known
  const key = `${tenantId}|${stamp}`
  // Several that ask at once wait for one; too many tenants at once would be too much to hold.
  const running = making.get(key)
  if (running) return running
  if (making.size >= 2) throw new RosterProblem('server_busy', 'Too many rosters are being read at once.')
  const work = make(tx, services, tenantId, stamp)
  making.set(key, work)
  try {
    const made = await work
    remember(kept, tenantId, made, tenantsMost)
    return made
  } finally {
    making.delete(key)
  }
}
