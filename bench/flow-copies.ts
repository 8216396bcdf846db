// Copies of one instance of a process by SQL, as many as a benchmark wants: what made them is not measured, only what
// stands beside them.
import pg from 'pg'
import { accessDatabase } from '../server/src/database/reach.ts'
import { readEnvironment } from '../server/src/environment.ts'
import type { TaskRows } from './flow-bare.ts'

export interface Copies {
  /**
   * Instances like this one, each with its tokens, tasks, timers and history. With `due` what they wait for is due at once;
   * with `assignee` their tasks are somebody else's.
   */
  add(instanceId: string, count: number, how?: { readonly due?: boolean; readonly assignee?: string }): Promise<void>
  /** Open tasks of instances. */
  tasksOf(instances: readonly string[]): Promise<string[]>
  /** The rows that tasks belong to. */
  rowsOf(tasks: readonly string[]): Promise<TaskRows[]>
  figure(query: string): Promise<number>
  /** The owner's address. */
  readonly url: string
  end(): Promise<void>
}

/** How far apart the ids of the rows of one copy are: an instance has fewer. */
const room = 100

/** Reaches the database of a server that runs, as its owner. */
export async function copiesIn(folder: string): Promise<Copies> {
  const { url, release } = await accessDatabase(readEnvironment({ DATA_DIR: folder }))
  const owner = new pg.Client({ connectionString: url })
  await owner.connect()
  let base = 1_000_000_000n
  return {
    url,
    rowsOf: async (tasks) =>
      (
        await owner.query<TaskRows>(
          'select id::text as task, instance_id::text as instance, token_id::text as token from flow_task where id = any($1::bigint[]) order by id',
          [tasks],
        )
      ).rows,
    async add(instanceId, count, { due = false, assignee } = {}) {
      const span = `generate_series(1, ${count}) n`
      const first = base
      base += BigInt((count + 1) * room)
      // The ids of one instance keep their order within the copy: what refers to another row of it still does.
      const ids = `with old as (select id, row_number() over (order by id) as place from (
          select id from flow_token where instance_id = ${instanceId} union select id from flow_activity where instance_id = ${instanceId}
          union select id from flow_task where instance_id = ${instanceId} union select id from flow_timer where instance_id = ${instanceId}) x)`
      const own = (column: string): string =>
        `(select ${first} + n * ${room} + place from old where old.id = r.${column})`
      await owner.query('begin')
      await owner.query(
        `insert into flowinstance select (jsonb_populate_record(r, jsonb_build_object('id', ${first} + n * ${room}))).* from flowinstance r, ${span} where r.id = ${instanceId}`,
      )
      for (const [table, columns] of [
        ['flow_token', ['id', 'parent_id']],
        ['flow_activity', ['id']],
        ['flow_task', ['id', 'token_id', 'step_id']],
        ['flow_timer', ['id', 'token_id']],
      ] as const) {
        const changed = columns.map((column) => `'${column}', ${own(column)}`).join(', ')
        const when =
          table === 'flow_timer' && due
            ? `, 'due_time', now()`
            : table === 'flow_task' && assignee
              ? `, 'assignee', ${assignee}`
              : ''
        await owner.query(
          `${ids} insert into ${table} select (jsonb_populate_record(r, jsonb_build_object('instance_id', ${first} + n * ${room}, ${changed}${when}))).*
           from ${table} r, ${span} where r.instance_id = ${instanceId}`,
        )
      }
      await owner.query('commit')
      await owner.query('analyze')
    },
    tasksOf: async (instances) =>
      (
        await owner.query<{ id: string }>(
          'select id from flow_task where state = 0 and instance_id = any($1::bigint[]) order by id',
          [instances],
        )
      ).rows.map(({ id }) => id),
    figure: async (query) => Number(Object.values((await owner.query(query)).rows[0] as object)[0]),
    async end() {
      await owner.end()
      await release()
    },
  }
}
