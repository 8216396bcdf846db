import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { Environment } from '../environment.ts'
import { StartError } from '../start-error.ts'

/** The owner's address of a database, and how to let go of it. */
export interface DatabaseAccess {
  readonly url: string
  release(): Promise<void>
}

/** Where the built-in PostgreSQL of a data folder keeps what is its own. */
export const placeIn = async (dataDir: string): Promise<string> =>
  (await readFile(join(dataDir, 'postgres.location'), 'utf8').catch(() => dataDir)).trim()

/** Reaches the database of an environment: beside a server that runs, or by starting the built-in PostgreSQL meanwhile. */
export async function accessDatabase(environment: Environment): Promise<DatabaseAccess> {
  if (environment.databaseUrl) return { url: environment.databaseUrl, release: async () => {} }
  const { startEmbedded } = await import('./embedded.ts')
  try {
    const { url, stop } = await startEmbedded({ dataDir: environment.dataDir, log: () => {} })
    return { url, release: stop }
  } catch (error) {
    // Somebody holds the folder: then its PostgreSQL runs, and takes another connection.
    const url = error instanceof StartError ? await runningAddress(environment.dataDir) : undefined
    if (url) return { url, release: async () => {} }
    throw error
  }
}

/** The address of the PostgreSQL that a running server has started on a data folder; undefined where none answers. */
async function runningAddress(dataDir: string): Promise<string | undefined> {
  const place = await placeIn(dataDir)
  const password = (await readFile(join(place, 'postgres.password'), 'utf8').catch(() => '')).trim()
  const [, , , port = '', socket = '', host = ''] = (
    await readFile(join(place, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '')
  )
    .split('\n')
    .map((line) => line.trim())
  if (!password || !port) return undefined
  const user = 'data_brain'
  const url = socket
    ? `postgres://${user}:${password}@/${user}?host=${encodeURIComponent(socket)}&port=${port}`
    : `postgres://${user}:${password}@${host || '127.0.0.1'}:${port}/${user}`
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  try {
    await client.connect()
    return url
  } catch {
    return undefined
  } finally {
    await client.end().catch(() => {})
  }
}
