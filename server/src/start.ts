import type { FastifyInstance } from 'fastify'
import pg from 'pg'
import { makeApp } from './app.ts'
import { changeAddress, databaseOf } from './database/address.ts'
import { makePool } from './database/connect.ts'
import { setNode } from './database/id.ts'
import { ensureRoles, migrate, rolesOf } from './database/migrate.ts'
import { ensurePartitions } from './database/partitions.ts'
import { setPrepare } from './database/transaction.ts'
import type { Environment } from './environment.ts'
import { Cipher } from './kernel/cipher.ts'
import { makeLog } from './kernel/log.ts'
import type { Services } from './kernel/services.ts'
import { startSchedule } from './modules/desk/index.ts'
import { startSealing } from './modules/history/index.ts'
import { recoverJobs, stopJobs } from './modules/jobs/index.ts'
import { startPartitionCare } from './modules/log/index.ts'
import { startFileSweep } from './modules/resource/index.ts'
import { startSms } from './modules/sms/index.ts'
import { startSweeping } from './modules/tenant/index.ts'
import { loadSecrets } from './secrets.ts'
import { seed, type Told } from './seed/index.ts'
import { StartError } from './start-error.ts'

export interface Running {
  readonly http: FastifyInstance
  readonly services: Services
  /** What the operator must be told once: accounts and first passwords made by this start. */
  readonly told: Told[]
  stop(): Promise<void>
}

interface Database {
  /** The owner's connection in parts. */
  readonly owner: pg.ClientConfig
  readonly name: string
  readonly appUrl?: string
  readonly lost?: Promise<string>
  stop(): Promise<void>
}

async function openDatabase(environment: Environment): Promise<Database> {
  if (environment.databaseUrl) {
    return {
      owner: { connectionString: environment.databaseUrl },
      name: databaseOf(environment.databaseUrl),
      ...(environment.databaseAppUrl ? { appUrl: environment.databaseAppUrl } : {}),
      stop: async () => {},
    }
  }
  // Loaded only where it is used: a server on a PostgreSQL of its own needs none of it.
  const { startEmbedded } = await import('./database/embedded.ts')
  const embedded = await startEmbedded({ dataDir: environment.dataDir, log: (line) => console.log(line) })
  return { owner: embedded.connection, name: embedded.connection.database, lost: embedded.lost, stop: embedded.stop }
}

/** The connection of another role to the same database. */
function as(owner: pg.ClientConfig, user: string, password: string): pg.ClientConfig {
  if (!owner.connectionString) return { ...owner, user, password }
  return { connectionString: changeAddress(owner.connectionString, { user, password }) }
}

/**
 * Opens the database, brings it to the newest schema, seeds what is missing, and puts the server together; it listens
 * to nothing yet. The owner's connection is closed before the first request.
 */
export async function start(environment: Environment): Promise<Running> {
  setPrepare(environment.prepare)
  const secrets = await loadSecrets(environment.dataDir)
  const database = await openDatabase(environment)
  const pools: pg.Pool[] = []
  try {
    const roles = rolesOf(database.name)
    const owner = new pg.Client(database.owner)
    await owner.connect().catch((error: Error) => {
      throw new StartError(`无法连接数据库:${error.message}`, `Cannot connect to the database: ${error.message}`)
    })
    let node = 0
    try {
      const version = Number(
        (await owner.query<{ server_version_num: string }>('show server_version_num')).rows[0]?.server_version_num,
      )
      if (version < 150_000) throw new StartError('需要 PostgreSQL 15 或更高版本', 'PostgreSQL 15 or newer is needed')
      const applied = await migrate(owner)
      await ensurePartitions(owner)
      const known =
        (await owner.query('select 1 from pg_roles where rolname = any($1)', [[roles.app, roles.platform]]))
          .rowCount === 2
      if (applied > 0 || !known || !(await passwordFits(as(database.owner, roles.app, secrets.appPassword))))
        await ensureRoles(owner, roles, { app: secrets.appPassword, platform: secrets.platformPassword })
      node = Number((await owner.query<{ n: string }>(`select nextval('node_number') as n`)).rows[0]?.n)
    } finally {
      await owner.end()
    }
    setNode(node)
    const pool = makePool(database.appUrl ?? as(database.owner, roles.app, secrets.appPassword), {
      size: environment.poolSize,
    })
    const platform = makePool(as(database.owner, roles.platform, secrets.platformPassword), { size: 2 })
    pools.push(pool, platform)
    const services: Services = {
      environment,
      pool,
      platform,
      cipher: new Cipher(secrets),
      secrets,
      log: makeLog(environment.logLevel),
    }
    const told = await seed(services)
    const http = makeApp(services)
    await http.ready()
    // What a killed process left half-done is set back; nobody waits for it.
    const recovered = recoverJobs(services).catch((error: Error) =>
      services.log.error('imports could not be recovered', { error: error.message }),
    )
    const stopSweeping = startSweeping(services)
    const stopSms = startSms(services)
    const stopFileSweep = startFileSweep(services)
    const stopSchedule = startSchedule(services)
    const stopPartitionCare = startPartitionCare(services, async () => {
      const again = new pg.Client(database.owner)
      await again.connect()
      return again
    })
    const stopSealing = startSealing(services)
    database.lost?.then((reason) => {
      services.log.error('the embedded database ended', { reason })
      process.exitCode = 1
      process.kill(process.pid, 'SIGTERM')
    })
    return {
      http,
      services,
      told,
      stop: async () => {
        await http.close()
        await recovered
        await stopJobs()
        await stopSweeping()
        await stopSms()
        await stopFileSweep()
        await stopSchedule()
        await stopPartitionCare()
        await stopSealing()
        await Promise.all(pools.map((each) => each.end()))
        await database.stop()
      },
    }
  } catch (error) {
    await Promise.all(pools.map((each) => each.end()))
    await database.stop()
    throw error
  }
}

async function passwordFits(connection: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client(connection)
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}
