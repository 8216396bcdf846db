import { attach, flowinstance, schoolclassroom } from '@data-brain/contract'
import type { DashboardTile } from '@data-brain/contract/calls/dashboard'
import { zone } from '../../database/connect.ts'
import { sql } from '../../database/statement.ts'
import { queryReached } from '../../entity/reached.ts'
import type { Call } from '../../kernel/route.ts'
import { type DashboardScope, finish, listed, type Tile } from './tiles.ts'

/* What a school has: rooms on its floors; and a tenant: files, and processes that were decided. */

/** So many floors are shown, and so many types of files. */
const floorsMost = 40
const typesMost = 10
/** So many kinds of processes, and of so many days before today, so that one busy week does not speak for all. */
const processesMost = 10
const decidedDays = 30

/** The rooms of one school by floor, buildings one after the other, and by whether they can be used. */
async function roomsTile(call: Call, { schoolId }: DashboardScope): Promise<Tile | undefined> {
  if (!schoolId || !listed(call, schoolclassroom)) return undefined
  const floors = await queryReached<Tile['rows'][number]>(
    call,
    schoolclassroom,
    (scope) => sql`select f.id, coalesce(f.floor_name, f.building_name || ' ' || f.floor_no) as name, x.values from (
            select t.floor_id as id, array[count(*) filter (where t.status = 1), count(*) filter (where t.status = 2), count(*) filter (where t.status = 0)]::int[] as values
            from schoolclassroom t where t.tenant_id = ${call.actor.tenantId} and t.school_id = ${schoolId} ${scope} group by 1) x
          join schoolfloor f on f.tenant_id = ${call.actor.tenantId} and f.id = x.id order by f.building_code, f.floor_no, f.id`,
  )
  if (floors.length === 0) return undefined
  const columns = [
    { key: 'usable', query: { status: '1' } },
    { key: 'repair', query: { status: '2' } },
    { key: 'closed', query: { status: '0' } },
  ]
  // A column says something where there are such rooms; those that can be used always have theirs.
  const told = columns.map((_, at) => at === 0 || floors.some(({ values }) => values[at]! > 0))
  return {
    key: 'rooms',
    code: schoolclassroom.name,
    query: { schoolId },
    by: ['floorId'],
    columns: columns.filter((_, at) => told[at]),
    rows: floors
      .slice(0, floorsMost)
      .map(({ values, ...row }) => ({ ...row, values: values.filter((_, at) => told[at]) })),
    more: Math.max(0, floors.length - floorsMost),
  }
}

/** Files by their type, those first that take most space. They stand in no school. */
async function filesTile(call: Call, { schoolId, alone }: DashboardScope): Promise<Tile | undefined> {
  if ((schoolId && !alone) || !listed(call, attach)) return undefined
  const types = await queryReached<{ id: string; files: number; bytes: number }>(
    call,
    attach,
    (scope) =>
      sql`select t.extension as id, count(*)::int as files, coalesce(sum(t.attach_size), 0)::float8 as bytes from attach t
          where t.tenant_id = ${call.actor.tenantId} and t.extension is not null ${scope} group by 1 order by 3 desc, 1`,
  )
  if (types.length === 0) return undefined
  return {
    key: 'files',
    code: attach.name,
    query: {},
    by: ['extension_in'],
    columns: [{ key: 'files', query: {} }],
    rows: types.slice(0, typesMost).map(({ id, files, bytes }) => ({ id, name: id, values: [files], bytes })),
    more: Math.max(0, types.length - typesMost),
  }
}

/** Processes that were decided of late, those first whose middle one took longest. They stand in no school either. */
async function decidedTile(call: Call, { schoolId, alone, today }: DashboardScope): Promise<Tile | undefined> {
  if ((schoolId && !alone) || !listed(call, flowinstance)) return undefined
  const since = new Date(Date.parse(`${today}T00:00:00Z`) - decidedDays * 86_400_000).toISOString().slice(0, 10)
  const { tenantId } = call.actor
  const found = await queryReached<{ id: string; name: string; decided: number; minutes: number }>(
    call,
    flowinstance,
    (scope) =>
      sql`select x.id, p.name || case when count(*) over (partition by p.name) > 1 then ' ' || p.version_no else '' end as name, x.decided, x.minutes from (
            select t.process_definition_id as id, count(*)::int as decided,
              round(percentile_cont(0.5) within group (order by extract(epoch from t.end_time - t.start_time)) / 60)::int as minutes
            from flowinstance t where t.tenant_id = ${tenantId} and t.state in ('2', '3')
              and t.end_time >= (${`${since} 00:00:00`}::timestamp at time zone ${zone}) ${scope} group by 1) x
          join flowprocess p on p.tenant_id = ${tenantId} and p.id = x.id order by x.minutes desc, x.id`,
  )
  if (found.length === 0) return undefined
  return {
    key: 'decided',
    code: flowinstance.name,
    query: { state_in: '2,3', endTime_datege: `${since} 00:00:00` },
    by: ['processDefinitionId'],
    columns: [{ key: 'decided', query: {} }],
    rows: found
      .slice(0, processesMost)
      .map(({ id, name, decided, minutes }) => ({ id, name, values: [decided], minutes })),
    more: Math.max(0, found.length - processesMost),
  }
}

/** Rooms, files and decided processes that the caller may see, each counted within the caller’s scope. */
export const stockTilesOf = async (call: Call, about: DashboardScope): Promise<DashboardTile[]> => [
  ...finish(await roomsTile(call, about)),
  ...finish(await filesTile(call, about)),
  ...finish(await decidedTile(call, about)),
]
