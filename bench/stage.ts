import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { changeAddress, databaseOf } from '../server/src/database/address.ts'
import { makePool } from '../server/src/database/connect.ts'
import { type Embedded, startEmbedded } from '../server/src/database/embedded.ts'
import { newId, setNode } from '../server/src/database/id.ts'
import { rolesOf } from '../server/src/database/roles.ts'
import { sql } from '../server/src/database/statement.ts'
import { inTenant } from '../server/src/database/transaction.ts'
import { readEnvironment } from '../server/src/environment.ts'
import { Cipher } from '../server/src/kernel/cipher.ts'
import { makeLog } from '../server/src/kernel/log.ts'
import type { Services } from '../server/src/kernel/services.ts'
import { modules } from '../server/src/modules/all.ts'
import { loadSecrets, type Secrets } from '../server/src/secrets.ts'
import { benchPassword } from './school.ts'
import { end, endAll, startProduct } from './servers.ts'

/** The tenant with the 100,000 students. The owner's connections name it, as row-level security is forced on owners too. */
export const benchTenant = '100001'

/** The database that everything runs on, and the ways into it. */
export interface Stage {
  readonly folder: string
  readonly dataDir: string
  /** The owner's address. */
  readonly url: string
  /** The app role's address: what both servers use for requests. */
  readonly appUrl: string
  readonly owner: pg.Client
  readonly services: Services
  readonly secrets: Secrets
  /** Whether PostgreSQL is the one that comes with the product. */
  readonly embedded: boolean
  /** Ends the embedded PostgreSQL and keeps its data, so that the product can start on it. */
  release(): Promise<void>
  close(): Promise<void>
}

/**
 * A fresh database, migrated and seeded by the product's own first start: on the embedded PostgreSQL in a temporary
 * folder, or in a database of its own on the server of DATABASE_URL.
 */
export async function makeStage(): Promise<Stage> {
  const folder = mkdtempSync(path.join(tmpdir(), 'data-brain-bench-'))
  await chmod(folder, 0o755)
  const dataDir = path.join(folder, 'data')
  let embedded: Embedded | undefined
  let made: string | undefined
  const base = process.env.DATABASE_URL
  try {
    if (base) {
      made = `bench_${randomBytes(4).toString('hex')}`
      await once(base, `create database ${made}`)
    } else embedded = await startEmbedded({ dataDir, log: () => {} })
    const url = base ? changeAddress(base, { database: made! }) : embedded!.url
    const first = await startProduct({ env: { DATABASE_URL: url, DATA_DIR: dataDir, ADMIN_PASSWORD: benchPassword } })
    await end(first.child)
    const secrets = await loadSecrets(dataDir)
    const roles = rolesOf(databaseOf(url))
    const appUrl = changeAddress(url, { user: roles.app, password: secrets.appPassword })
    const pool = makePool(appUrl, { size: 4, statementTimeout: 120_000 })
    const platform = makePool(changeAddress(url, { user: roles.platform, password: secrets.platformPassword }), {
      size: 1,
    })
    const owner = new pg.Client({ connectionString: url, options: `-c app.tenant_id=${benchTenant}` })
    await owner.connect()
    setNode(Number((await owner.query<{ n: string }>(`select nextval('node_number') as n`)).rows[0]!.n))
    const environment = readEnvironment({ DATA_DIR: dataDir, DEMO: 'off', LOG_LEVEL: 'silent' })
    const services: Services = {
      environment,
      pool,
      platform,
      cipher: new Cipher(secrets),
      secrets,
      log: makeLog('silent'),
    }
    // Rows are made by the product's own write path, its rules included.
    for (const module of modules) module.addRules?.()
    let released: Promise<void> | undefined
    const release = (): Promise<void> => {
      released ??= (async () => {
        await Promise.all([pool.end(), platform.end(), owner.end()])
        await embedded?.stop()
      })()
      return released
    }
    const close = async (): Promise<void> => {
      await release()
      if (made && base) {
        await once(base, `drop database if exists ${made} with (force)`)
        for (const role of Object.values(roles)) await once(base, `drop role if exists ${role}`)
      }
      rmSync(folder, { recursive: true, force: true })
    }
    return { folder, dataDir, url, appUrl, owner, services, secrets, embedded: !base, release, close }
  } catch (error) {
    await embedded?.stop()
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

/** Measures on a stage of its own and ends the process; what was started ends with it, by Ctrl+C too. */
export async function onStage(measure: (stage: Stage) => Promise<void>): Promise<never> {
  const stage = await makeStage()
  let stopping: Promise<void> | undefined
  const stop = (): Promise<void> => {
    stopping ??= endAll().then(() => stage.close())
    return stopping
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop().then(() => process.exit(1)))
  try {
    await measure(stage)
  } finally {
    await stop()
  }
  process.exit(process.exitCode ?? 0)
}

async function once(address: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}

/** A session of a user, as the log-in leaves it. */
export async function sessionOf(services: Services, tenantId: string, userId: string): Promise<string> {
  const token = `bsa_${tenantId}_${randomBytes(32).toString('base64url')}${randomBytes(2).toString('hex')}`
  const sessionId = newId()
  const hash = services.cipher.token(token)
  const seal = services.cipher.bind('access', { tenantId, sessionId, userId, hash })
  await inTenant(services.pool, tenantId, (tx) =>
    tx.run(sql`insert into session (tenant_id, id, user_id, client_id, access_hash, access_seal, access_expires, absolute_expires, last_used)
      values (${tenantId}, ${sessionId}, ${userId}, ${services.secrets.clientId}, ${hash}, ${seal}, now() + interval '1 day', now() + interval '1 day', now() + interval '1 day')`),
  )
  return token
}
