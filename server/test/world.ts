import { randomBytes } from 'node:crypto'
import { dirname, join } from 'node:path'
import type { Blocker, Envelope } from '@data-brain/contract'
import type { FastifyInstance, InjectOptions } from 'fastify'
import pg from 'pg'
import { inject } from 'vitest'
import { makeApp } from '../src/app.ts'
import { changeAddress } from '../src/database/address.ts'
import { makePool } from '../src/database/connect.ts'
import { newId, setNode } from '../src/database/id.ts'
import { rolesOf } from '../src/database/roles.ts'
import { sql } from '../src/database/statement.ts'
import { inPlatform, inTenant, type Tx } from '../src/database/transaction.ts'
import { platformTenant } from '../src/entity/model.ts'
import { readEnvironment } from '../src/environment.ts'
import { Cipher } from '../src/kernel/cipher.ts'
import { makeLog } from '../src/kernel/log.ts'
import type { Services } from '../src/kernel/services.ts'
import { startJobs, stopJobs } from '../src/modules/jobs/index.ts'
import { loadSecrets } from '../src/secrets.ts'
import { addTenantRow, fillTenant } from '../src/seed/tenant.ts'
import { mustBeStated, mustConform } from './conform.ts'
import { mustNotFail } from './failures.ts'

export interface TestDatabase {
  owner: string
  template: string
  keys: string
  /** How PostgreSQL copies the template. */
  copy: 'file_copy' | 'wal_log'
  /** The file of the statuses that are stated, by call. */
  stated: string
}

declare module 'vitest' {
  interface ProvidedContext {
    database: TestDatabase
  }
}

declare module 'light-my-request' {
  interface InjectOptions {
    /** The test provokes a failure of the server, so this call may answer 500 or 503. */
    fails?: boolean
  }
}

export interface Answer<T = unknown> extends Envelope<T> {
  status: number
  headers: Record<string, unknown>
}

export interface CallOptions {
  query?: Record<string, string | number | undefined>
  body?: unknown
  /** Sent as application/x-www-form-urlencoded. */
  form?: Record<string, string>
  headers?: Record<string, string>
  language?: 'zh' | 'en'
  /** The test provokes a failure of the server, so this call may answer 500 or 503. */
  fails?: boolean
}

/** Somebody who is logged in, in some tenant. */
export interface Person {
  readonly tenantId: string
  readonly userId: string
  readonly token: string
  get<T = unknown>(path: string, query?: CallOptions['query'], options?: CallOptions): Promise<Answer<T>>
  post<T = unknown>(path: string, body?: unknown, options?: CallOptions): Promise<Answer<T>>
  /** Removes rows by ids, comma separated, by the generic call under `path`. */
  remove<T = Refusal>(path: string, ids: string): Promise<Answer<T>>
}

/** A stored row as every generic call answers it. */
export interface Row extends Record<string, unknown> {
  readonly id: string
  readonly version: number
}

/** What comes with the refusal of a removal. */
export interface Refusal {
  readonly blockers?: readonly Blocker[]
}

export interface World {
  readonly services: Services
  readonly http: FastifyInstance
  /** A connection of the database's owner, which sees everything: for looking, not for acting. */
  readonly owner: pg.Client
  /** A fresh tenant with its administrator. Every test makes its own, so every test is a tenancy test too. */
  tenant(): Promise<Person>
  /** The first administrator of tenant 000000: the only kind of person who writes what all tenants share. */
  platform(): Promise<Person>
  /** A user who is there already, in a session of their own. */
  as(tenantId: string, account: string): Promise<Person>
  /** Another user of the same tenant who holds exactly these codes. */
  colleague(of: Person, codes: readonly string[]): Promise<Person>
  call<T = unknown>(
    method: 'GET' | 'POST',
    path: string,
    token: string | null,
    options?: CallOptions,
  ): Promise<Answer<T>>
  /** Ids of menus and buttons, by their codes. */
  menuIds(codes: readonly string[]): Promise<string[]>
  inTenant<T>(tenantId: string, work: (tx: Tx) => Promise<T>): Promise<T>
  /** How the server's role connects: for another server's part of the work. */
  readonly asApp: { readonly connectionString: string }
  /** Stops the work of this process as a stop of the server does, and starts it again. */
  restartJobs(): Promise<void>
  /** Ends it and removes its database, or keeps that under a name, to be copied from. */
  close(keptAs?: string): Promise<void>
}

/** A job as whoever asked for it is shown it. */
export interface JobView {
  readonly id: string
  readonly kind: string
  readonly subject: string | null
  readonly state: 'waiting' | 'running' | 'done' | 'failed'
  readonly progress: number
  readonly total: number
  readonly result: Record<string, unknown> | null
  readonly failure: { zh: string; en: string } | null
  readonly tries: number
}

/** Waits for the end of a job that a call has answered. */
export async function jobEnded(who: Person, { data, msg }: Answer<{ jobId: string }>): Promise<JobView> {
  for (;;) {
    const { data: job, status } = await who.get<JobView>('blade-system/job/own', { id: data?.jobId })
    if (status !== 200) throw new Error(`no job: ${msg}`)
    if (job.state === 'done' || job.state === 'failed') return job
    await new Promise((done) => setTimeout(done, 15))
  }
}

let tenants = 0

const looks = new Set<pg.Client>()
/** Ends when no job waits or runs any more, in any world of this file. */
export async function jobsEnded(): Promise<void> {
  for (const look of looks)
    while ((await look.query(`select 1 from job where state in ('waiting', 'running') limit 1`)).rowCount! > 0)
      await new Promise((done) => setTimeout(done, 15))
}

/** Has every call of a server fail its test by a failure of the server, unless it says that the test provokes one. */
function failByFailures(http: FastifyInstance): void {
  const inject = http.inject.bind(http)
  const held = async (options: InjectOptions | string) => {
    const { fails, ...asked } = typeof options === 'string' ? ({ url: options } as InjectOptions) : options
    const answer = await inject(asked)
    const { method = 'GET', url } = asked
    // A stream is the test's own to read.
    const text = asked.payloadAsStream ? '' : answer.payload
    mustNotFail(`${method} ${typeof url === 'string' ? url : JSON.stringify(url)}`, answer.statusCode, text, fails)
    return answer
  }
  http.inject = held as typeof http.inject
}

/** A server on its own copy of the seeded database. Close it when the file is done. */
export async function makeWorld(from = inject('database').template): Promise<World> {
  const { owner, template, keys, copy } = inject('database')
  const name = `${template}_${randomBytes(4).toString('hex')}`
  const admin = new pg.Client({ connectionString: owner })
  await admin.connect()
  await admin.query(`create database ${name} template ${from} strategy ${copy}`)
  // What is said of a database as a whole is not copied.
  await admin.query(`revoke temporary on database ${name} from public`)
  await admin.end()
  const secrets = await loadSecrets(keys)
  const roles = rolesOf(template)
  const at = (user?: string, password?: string): string =>
    changeAddress(owner, { database: name, ...(user && password ? { user, password } : {}) })
  const pool = makePool(at(roles.app, secrets.appPassword), { size: 8 })
  const platform = makePool(at(roles.platform, secrets.platformPassword), { size: 2 })
  const look = new pg.Client({ connectionString: at() })
  await look.connect()
  looks.add(look)
  setNode(Number((await look.query(`select nextval('node_number') as n`)).rows[0].n))
  // A folder of its own: worlds have the same tenants, and what one keeps there would be found, or counted, by another.
  const dataDir = join(dirname(keys), name)
  const environment = readEnvironment({ DATA_DIR: dataDir, DEMO: 'off', LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent' })
  const services: Services = {
    environment,
    pool,
    platform,
    cipher: new Cipher(secrets),
    secrets,
    log: makeLog(environment.logLevel),
  }
  const http = makeApp(services)
  await http.ready()
  failByFailures(http)
  // What is asked for is done; nothing comes round by the clock while a test looks.
  const asApp = { connectionString: at(roles.app, secrets.appPassword) }
  await startJobs(services, asApp)

  const call = async <T>(
    method: 'GET' | 'POST',
    path: string,
    token: string | null,
    options: CallOptions = {},
  ): Promise<Answer<T>> => {
    const query = Object.fromEntries(
      Object.entries(options.query ?? {})
        .filter(([, value]) => value !== undefined)
        .map(([key, value]) => [key, String(value)]),
    )
    const answer = await http.inject({
      method,
      url: `/api/${path}`,
      query,
      fails: options.fails ?? false,
      headers: {
        'accept-language': options.language ?? 'zh',
        ...(token ? { 'blade-auth': `bearer ${token}` } : {}),
        ...(options.form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
        ...options.headers,
      },
      ...(options.form
        ? { payload: new URLSearchParams(options.form).toString() }
        : options.body !== undefined
          ? { payload: options.body as object }
          : {}),
    })
    const body = answer.headers['content-type']?.toString().startsWith('application/json')
      ? (JSON.parse(answer.payload) as Envelope<T>)
      : ({ data: answer.payload } as unknown as Envelope<T>)
    mustBeStated(method, path, answer.statusCode)
    if (answer.statusCode === 200 && 'success' in body) mustConform(method, path, { ...body })
    return { ...body, status: answer.statusCode, headers: answer.headers }
  }

  const person = (tenantId: string, userId: string, token: string): Person => ({
    tenantId,
    userId,
    token,
    get: (path, query, options) => call('GET', path, token, { ...options, ...(query ? { query } : {}) }),
    post: (path, body, options) => call('POST', path, token, { ...options, body }),
    remove: (path, ids) => call('POST', `${path}/remove`, token, { query: { ids } }),
  })

  const session = async (tenantId: string, userId: string): Promise<string> => {
    const token = `bsa_${tenantId}_${randomBytes(32).toString('base64url')}0000`
    const sessionId = newId()
    const hash = services.cipher.token(token)
    const seal = services.cipher.bind('access', { tenantId, sessionId, userId, hash })
    await inTenant(pool, tenantId, (tx) =>
      tx.run(sql`insert into session (tenant_id, id, user_id, client_id, access_hash, access_seal, access_expires, absolute_expires)
        values (${tenantId}, ${sessionId}, ${userId}, ${secrets.clientId}, ${hash}, ${seal}, now() + interval '1 hour', now() + interval '1 day')`),
    )
    return token
  }

  return {
    services,
    http,
    owner: look,
    asApp,
    call,
    inTenant: (tenantId, work) => inTenant(pool, tenantId, work),
    restartJobs: async () => {
      await stopJobs(services)
      await startJobs(services, asApp)
    },
    tenant: async () => {
      tenants += 1
      const tenantId = String(100_000 + tenants)
      const made = await inTenant(pool, tenantId, (tx) =>
        fillTenant(
          tx,
          {
            tenantId,
            name: `租户${tenantId}`,
            account: 'admin',
            realName: '管理员',
            password: 'Correct-Horse-9',
            mustChange: false,
          },
          secrets.pepper,
        ),
      )
      await inPlatform(platform, (tx) => addTenantRow(tx, { tenantId, name: `租户${tenantId}` }))
      return person(tenantId, made.userId, await session(tenantId, made.userId))
    },
    platform: async () => {
      const { rows } = await look.query<{ id: string }>(
        `select u.id::text as id from app_user u join app_user_role l on l.tenant_id = u.tenant_id and l.owner_id = u.id
         join role r on r.tenant_id = l.tenant_id and r.id = l.target_id
         where u.tenant_id = $1 and r.is_admin = 1 order by u.id limit 1`,
        [platformTenant],
      )
      return person(platformTenant, rows[0]!.id, await session(platformTenant, rows[0]!.id))
    },
    as: async (tenantId, account) => {
      const { rows } = await look.query<{ id: string }>(
        'select id::text as id from app_user where tenant_id = $1 and account = $2',
        [tenantId, account],
      )
      return person(tenantId, rows[0]!.id, await session(tenantId, rows[0]!.id))
    },
    colleague: async ({ tenantId }, codes) => {
      const userId = newId()
      const roleId = newId()
      await inTenant(pool, tenantId, async (tx) => {
        await tx.run(
          sql`insert into app_user (tenant_id, id, account, real_name, user_type, staff_status) values (${tenantId}, ${userId}, ${`u${userId}`}, ${'同事'}, '1', '1')`,
        )
        await tx.run(
          sql`insert into role (tenant_id, id, role_name, role_alias, sort) values (${tenantId}, ${roleId}, ${'测试角色'}, ${`r${roleId}`}, 9)`,
        )
        await tx.run(
          sql`insert into app_user_role (tenant_id, owner_id, target_id, ord) values (${tenantId}, ${userId}, ${roleId}, 1)`,
        )
        const granted = await tx.count(
          sql`insert into role_menu (tenant_id, role_id, menu_id) select ${tenantId}, ${roleId}, id from menu where code = any(${[...codes]}::text[])`,
        )
        if (granted !== codes.length) throw new Error(`some of these codes are no menu: ${codes.join(', ')}`)
      })
      return person(tenantId, userId, await session(tenantId, userId))
    },
    menuIds: async (codes) =>
      (await look.query<{ id: string }>('select id::text as id from menu where code = any($1)', [codes])).rows.map(
        (row) => row.id,
      ),
    close: async (keptAs) => {
      await http.close()
      await stopJobs(services)
      looks.delete(look)
      await Promise.all([pool.end(), platform.end(), look.end()])
      // A run has some hundreds of them, which need not be there at once.
      const last = new pg.Client({ connectionString: owner })
      await last.connect()
      await last.query(
        keptAs ? `alter database ${name} rename to ${keptAs}` : `drop database if exists ${name} with (force)`,
      )
      await last.end()
    },
  }
}
