import type { FastifyInstance } from 'fastify'
import pg from 'pg'
import { makeApp } from './app.ts'
import { changeAddress, databaseOf } from './database/address.ts'
import { makePool } from './database/connect.ts'
import { absentExtensions, hideAbsent, mayWork, migrateExtensions, pendingOfExtensions } from './database/extensions.ts'
import { anchorHistory } from './database/history-anchor.ts'
import { setNode } from './database/id.ts'
import { keepKeys, refuseOtherKeys } from './database/key-check.ts'
import { migrate, pendingMigrations, withMigrationLock } from './database/migrate.ts'
import { ensurePartitions } from './database/partitions.ts'
import { refusePooled, refuseUnprepared, refuseUnsettled, settleRole } from './database/pooler.ts'
import { refuseUnfit } from './database/precondition.ts'
import { ensureRoles, rolesOf, shutDoors } from './database/roles.ts'
import { setPrepare } from './database/transaction.ts'
import type { Environment } from './environment.ts'
import { extensionServers } from './extensions.generated.ts'
import { extensionRecurring } from './extensions.ts'
import { Cipher, tokenPads } from './kernel/cipher.ts'
import { makeLog } from './kernel/log.ts'
import { setPhase } from './kernel/phase.ts'
import { Problem } from './kernel/problem.ts'
import type { Services } from './kernel/services.ts'
import { dropLeftFolders } from './kernel/temporary.ts'
import { refuseWeak } from './modules/auth/index.ts'
import { notices, reminders } from './modules/desk/index.ts'
import { flowTimers } from './modules/flow/index.ts'
import { historySeal, sealLast } from './modules/history/index.ts'
import { figuresDaily, qualityDaily, qualityDigest } from './modules/insight/index.ts'
import { jobSweep, recoverBatches, startJobs, stopJobs } from './modules/jobs/index.ts'
import { logCare, sentSweep } from './modules/log/index.ts'
import { startMail } from './modules/mail/index.ts'
import { fileSweep } from './modules/resource/index.ts'
import { startSms } from './modules/sms/index.ts'
import { reportDelivery } from './modules/subscription/index.ts'
import { substitutionsDone } from './modules/substitution/index.ts'
import { tenantSweep } from './modules/tenant/index.ts'
import { loadSecrets, readSecrets, type Secrets, secretsFile } from './secrets.ts'
import { type SeededAccount, seedDatabase } from './seed/index.ts'
import { StartError } from './start-error.ts'

export interface RunningServer {
  readonly http: FastifyInstance
  readonly services: Services
  /** What the operator must be told once: accounts and first passwords made by this start. */
  readonly told: SeededAccount[]
  /** Begins the work beside requests. Called once the server listens: the first answers do not wait for it. */
  work(): Promise<void>
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

/** Loading the queue takes a tenth of a second, in which nobody is answered. */
const queueAfterMs = 300

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
export async function start(environment: Environment): Promise<RunningServer> {
  setPrepare(environment.prepare)
  const found = await readSecrets(environment.dataDir)
  const database = await openDatabase(environment)
  const pools: pg.Pool[] = []
  try {
    const owner = new pg.Client(database.owner)
    owner.on('error', () => {})
    await owner.connect().catch((error: Error) => {
      throw new StartError(
        `无法连接数据库：${error.message}。请检查 DATABASE_URL，以及 PostgreSQL 是否在运行。`,
        `Cannot connect to the database: ${error.message}. See whether DATABASE_URL is right and PostgreSQL runs.`,
      )
    })
    const { secrets, node, absent } = await prepare(environment, database, owner, found).finally(() => owner.end())
    setNode(node)
    // Notifications are heard, and the queue works, beside a pooler.
    const roles = rolesOf(database.name)
    const direct = as(database.owner, roles.app, secrets.appPassword)
    const pool = makePool(database.appUrl ? { connectionString: database.appUrl } : direct, {
      size: environment.poolSize,
    })
    const platform = makePool(as(database.owner, roles.platform, secrets.platformPassword), { size: 2 })
    pools.push(pool, platform)
    if (database.appUrl) await refuseUnsettled(pool)
    if (database.appUrl && environment.prepare) await refuseUnprepared(pool)
    const services: Services = {
      environment,
      pool,
      platform,
      ...(database.appUrl ? { direct } : {}),
      cipher: new Cipher(secrets),
      secrets,
      log: makeLog(environment.logLevel),
      absent,
    }
    if (absent.length > 0) services.log.info('extensions that are not built in are hidden', { extensions: absent })
    const told = await seedDatabase(services)
    const http = makeApp(services)
    await http.ready()
    // What a killed process left half-done is set back; nobody waits for it.
    const recovered = recoverBatches(services).catch((error: Error) =>
      services.log.error('imports could not be recovered', { error: error.message }),
    )
    // A process that was killed while it read a file has left it in clear.
    const swept = dropLeftFolders().catch((error: Error) =>
      services.log.error('temporary folders could not be swept', { error: error.message }),
    )
    const stopSms = startSms(services)
    const stopMail = startMail(services)
    const asOwner = async (): Promise<pg.Client> => {
      const again = new pg.Client(database.owner)
      // Whoever works with it is told by the statement that fails.
      again.on('error', () => {})
      await again.connect()
      return again
    }
    const recurring = [
      notices,
      reminders,
      substitutionsDone,
      historySeal,
      fileSweep,
      tenantSweep,
      flowTimers,
      figuresDaily,
      qualityDaily,
      qualityDigest,
      reportDelivery,
      logCare(asOwner),
      sentSweep,
      jobSweep,
      ...extensionRecurring,
    ]
    database.lost?.then((reason) => {
      services.log.error('the embedded database ended', { reason })
      process.exitCode = 1
      process.kill(process.pid, 'SIGTERM')
    })
    setPhase(services, 'ready')
    return {
      http,
      services,
      told,
      work: () => startJobs(services, direct, recurring, queueAfterMs),
      stop: async () => {
        await closeHttp(http, services)
        await Promise.all([recovered, swept])
        await stopJobs(services)
        await stopSms()
        await stopMail()
        await sealLast(services)
        await Promise.all(pools.map((each) => each.end()))
        await database.stop()
        services.log.info('stopped')
      },
    }
  } catch (error) {
    await Promise.all(pools.map((each) => each.end()))
    await database.stop()
    throw error
  }
}

/**
 * Brings the database up to date, with the secrets that belong to it, while no other process does. Everything that could
 * be refused is looked at before anything is written.
 */
async function prepare(
  environment: Environment,
  database: Database,
  owner: pg.Client,
  found: Secrets | undefined,
): Promise<{ secrets: Secrets; node: number; absent: readonly string[] }> {
  const { dataDir } = environment
  const roles = rolesOf(database.name)
  if (environment.databaseUrl) await refusePooled(database.owner, owner)
  return withMigrationLock(owner, async () => {
    // Who was waited for may have made them.
    const own = found ?? (await readSecrets(dataDir))
    const begun = await refuseOtherKeys(owner, own, secretsFile(dataDir))
    const pending = [...(await pendingMigrations(owner)), ...(await pendingOfExtensions(owner, extensionServers))]
    await refuseUnfit(owner, roles, pending.length)
    if (!begun && environment.adminPassword !== null) await refuseWeakAdmin(environment.adminPassword)
    const secrets = own ?? (await loadSecrets(dataDir))
    const applied =
      (await migrate(owner, undefined, { tokenPads: tokenPads(secrets) })) +
      (await migrateExtensions(owner, extensionServers))
    await keepKeys(owner, secrets)
    await ensurePartitions(owner)
    const known =
      (await owner.query('select 1 from pg_roles where rolname = any($1)', [Object.values(roles)])).rowCount ===
      Object.keys(roles).length
    const may = known && (await mayWork(owner, roles.app, extensionServers))
    if (applied > 0 || !may || !(await passwordFits(as(database.owner, roles.app, secrets.appPassword))))
      await ensureRoles(owner, roles, { app: secrets.appPassword, platform: secrets.platformPassword })
    await shutDoors(owner)
    await anchorHistory(owner)
    if (database.appUrl) await settleRole(owner, roles.app)
    const absent = await absentExtensions(owner, extensionServers)
    await hideAbsent(owner, absent)
    const { rows } = await owner.query<{ n: string }>(`select nextval('node_number') as n`)
    return { secrets, node: Number(rows[0]?.n), absent }
  })
}

/** The first administrator's password is held to what everybody's is. */
async function refuseWeakAdmin(password: string): Promise<void> {
  await refuseWeak(password, { account: 'admin', tenantId: '000000' }).catch((error: unknown) => {
    if (!(error instanceof Problem)) throw error
    throw new StartError(
      'ADMIN_PASSWORD 太弱：至少 10 个字符，不能是常见密码，也不能由账号 admin 变化而来。未启动，也未作任何改动。请换一个密码，或不设置它（将自动生成并打印）。',
      'ADMIN_PASSWORD is too weak: it needs at least 10 characters, and may be neither a common password nor made of the account admin. Nothing was started and nothing was changed. Choose another, or leave it out: one is made and printed.',
    )
  })
}

/** Takes no more requests and waits for those in flight, but not for ever: whoever sends nothing more is cut off. */
async function closeHttp(http: FastifyInstance, services: Services): Promise<void> {
  setPhase(services, 'stopping')
  services.log.info('stopping')
  const limit = setTimeout(() => {
    services.log.warn('requests in flight were cut off', { afterSeconds: services.environment.stopSeconds })
    http.server.closeAllConnections()
  }, services.environment.stopSeconds * 1000)
  await http.close().finally(() => clearTimeout(limit))
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
