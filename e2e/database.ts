import { readFileSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { PgBoss } from 'pg-boss'

/** The built-in database of a product that runs on this data folder, as its owner. */
function connectionOf(folder: string): pg.ClientConfig {
  const [, , , port, host] = readFileSync(path.join(folder, 'postgres', 'postmaster.pid'), 'utf8').split('\n')
  const password = readFileSync(path.join(folder, 'postgres.password'), 'utf8').trim()
  return { host: host!, port: Number(port), user: 'data_brain', password, database: 'data_brain' }
}

/** Writes to the built-in database of a product that runs on this data folder. */
export async function writeTo(folder: string, statement: string): Promise<void> {
  const client = new pg.Client(connectionOf(folder))
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Lets the moment of every subscription of a report come: what has to be waited for otherwise until the next morning. */
export async function letReportsCome(folder: string): Promise<void> {
  const connection = connectionOf(folder)
  await writeTo(
    folder,
    `update reportsubscription set next_run = date_trunc('hour', now()), update_time = now() - interval '1 day' where status = 1`,
  )
  const boss = new PgBoss({
    ...(connection as object),
    migrate: false,
    createSchema: false,
    supervise: false,
    schedule: false,
    max: 1,
  })
  boss.on('error', () => {})
  await boss.start()
  try {
    await boss.send('report-delivery', null)
  } finally {
    await boss.stop({ graceful: false })
  }
}
