import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import { changeAddress } from '../src/database/address.ts'
import { rolesOf } from '../src/database/roles.ts'
import { wireMd5 } from '../src/kernel/password.ts'
import { loadSecrets } from '../src/secrets.ts'
import { mustNotFail } from './failures.ts'

/* Two real servers on one PostgreSQL, as they stand behind a load balancer. */

const main = join(import.meta.dirname, '..', 'src', 'main.ts')
export const adminPassword = 'Correct-Horse-9'

export interface Server {
  readonly process: ChildProcess
  readonly url: string
}

export interface TwoServers {
  readonly servers: readonly [Server, Server]
  /** The database that both work on, and the folder of their keys: for another server. */
  readonly place: readonly [databaseUrl: string, dataDir: string]
  /** A connection of the database's owner, which sees everything. */
  readonly owner: pg.Client
  /** The console's own `Authorization` header. */
  readonly client: string
  stop(): Promise<void>
}

/**
 * Starts a server of its own process on a database, or on the built-in one of its data folder; it is ready when this
 * answers.
 */
export async function startServer(
  databaseUrl: string | null,
  dataDir: string,
  environment: Record<string, string> = {},
): Promise<Server> {
  const child = spawn(process.execPath, [main], {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }),
      DATABASE_POOL: '4',
      DATA_DIR: dataDir,
      PORT: '0',
      DEMO: 'off',
      LOG_LEVEL: 'error',
      ADMIN_PASSWORD: adminPassword,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said: string[] = []
  const url = await new Promise<string>((done, fail) => {
    const hear = (bytes: Buffer): void => {
      said.push(String(bytes))
      const ready = /^ready (http:\S+)$/m.exec(said.join(''))
      if (ready) done(ready[1]!)
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.once('exit', (code) => fail(new Error(`a server ended with ${code}: ${said.join('')}`)))
  })
  return { process: child, url }
}

/** Ends a server as an operator would, and waits until it has gone. */
export const stopServer = ({ process: child }: Server): Promise<number | null> =>
  new Promise((done) => {
    child.once('exit', done)
    child.kill('SIGTERM')
  })

/** A fresh copy of the seeded database, with a connection of its owner; `drop` removes it. */
export async function freshDatabase(): Promise<{ url: string; owner: pg.Client; drop(): Promise<void> }> {
  const database = inject('database')
  const name = `${database.template}_${randomBytes(4).toString('hex')}`
  const admin = new pg.Client({ connectionString: database.owner })
  await admin.connect()
  await admin.query(`create database ${name} template ${database.template} strategy ${database.copy}`)
  await admin.end()
  const url = changeAddress(database.owner, { database: name })
  const owner = new pg.Client({ connectionString: url })
  await owner.connect()
  return {
    url,
    owner,
    drop: async () => {
      await owner.end()
      const last = new pg.Client({ connectionString: database.owner })
      await last.connect()
      await last.query(`drop database if exists ${name} with (force)`)
      for (const role of Object.values(rolesOf(name))) await last.query(`drop role if exists ${role}`)
      await last.end()
    },
  }
}

/** Two servers on a fresh copy of the seeded database; `stop` removes all of it. */
export async function startTwo(environment: Record<string, string> = {}): Promise<TwoServers> {
  const { keys } = inject('database')
  const { url, owner, drop } = await freshDatabase()
  const { clientId, clientSecret } = await loadSecrets(keys)
  const client = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
  const servers = [await startServer(url, keys, environment), await startServer(url, keys, environment)] as const
  return {
    servers,
    place: [url, keys],
    owner,
    client,
    stop: async () => {
      await Promise.all(
        servers.filter((each) => each.process.exitCode === null && each.process.signalCode === null).map(stopServer),
      )
      await drop()
    },
  }
}

export interface Told<T> {
  status: number
  msg: string
  data: T
}

/** A call over the network; without a token it carries the console's own header. */
export async function callServer<T = unknown>(
  { client }: Pick<TwoServers, 'client'>,
  server: Server,
  method: 'GET' | 'POST',
  path: string,
  token: string | null,
  { query = {}, body, fails }: { query?: Record<string, string>; body?: object; fails?: boolean } = {},
): Promise<Told<T>> {
  const answer = await fetch(`${server.url}/api/${path}?${new URLSearchParams(query)}`, {
    method,
    headers: {
      ...(token ? { 'Blade-Auth': `bearer ${token}` } : { Authorization: client }),
      ...(body ? { 'Content-Type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await answer.text()
  mustNotFail(`${method} ${path}`, answer.status, text, fails)
  return { ...(JSON.parse(text) as Told<T>), status: answer.status }
}

export interface LoggedIn {
  status: number
  access_token: string
  jti: string
  error_description?: string
}

export async function logInTo(
  two: Pick<TwoServers, 'client'>,
  server: Server,
  tenantId: string,
  account: string,
  secret = adminPassword,
): Promise<LoggedIn> {
  const query = { grant_type: 'password', tenantId, username: account, password: wireMd5(secret) }
  return (await callServer(two, server, 'POST', 'blade-auth/oauth/token', null, { query })) as unknown as LoggedIn
}
