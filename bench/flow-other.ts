// The same steps by bpmn-elements, the engine beneath bpmn-engine, as such engines are kept in a database: the state of an
// instance is one JSON document, read whole, moved on and written whole in one transaction.
import * as elements from 'bpmn-elements'
import { BpmnModdle } from 'bpmn-moddle'
import serialize, { TypeResolver } from 'moddle-context-serializer'
import pg from 'pg'
import { accessDatabase } from '../server/src/database/reach.ts'
import { readEnvironment } from '../server/src/environment.ts'

interface Running {
  run(): void
  recover(state: unknown): Running
  resume(): void
  getState(): unknown
  getPostponed(): readonly { readonly type: string; signal(): void }[]
}

type Made = new (...given: readonly unknown[]) => never
const Context = elements.Context as unknown as Made
const Definition = elements.Definition as unknown as new (context: unknown) => Running

/** Runs so many instances of a model of user tasks to their end; answers steps for each second of this process. */
export async function otherEngine(folder: string, xml: string, instances: number): Promise<number> {
  const { url, release } = await accessDatabase(readEnvironment({ DATA_DIR: folder }))
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('create table if not exists bench_state (id integer primary key, state jsonb not null)')
  const types = elements as unknown as Parameters<typeof TypeResolver>[0]
  const model = serialize((await new BpmnModdle().fromXML(xml)) as never, TypeResolver(types))
  const spent = process.cpuUsage()
  let steps = 0
  for (let id = 0; id < instances; id += 1) {
    const begun = new Definition(new Context(model))
    begun.run()
    await client.query('insert into bench_state values ($1, $2)', [id, JSON.stringify(begun.getState())])
    for (;;) {
      await client.query(`begin; set local app.tenant_id = '000000'`)
      const { rows } = await client.query<{ state: unknown }>(
        'select state from bench_state where id = $1 for update',
        [id],
      )
      const held = new Definition(new Context(model)).recover(rows[0]!.state)
      held.resume()
      const task = held.getPostponed().find(({ type }) => type === 'bpmn:UserTask')
      task?.signal()
      await client.query('update bench_state set state = $2 where id = $1', [id, JSON.stringify(held.getState())])
      await client.query('commit')
      if (!task) break
      steps += 1
    }
  }
  const { user, system } = process.cpuUsage(spent)
  await client.query('drop table bench_state')
  await client.end()
  await release()
  return steps / ((user + system) / 1_000_000)
}
