import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { changeAddress } from '../src/database/address.ts'
import { refusePooled, refuseUnsettled, settleRole } from '../src/database/pooler.ts'
import { makeWorld, type World } from './world.ts'

/** What a server asks of connections that may lead through a pooler. */

let world: World
const role = `pooled_${randomBytes(4).toString('hex')}`
const address = (): string =>
  changeAddress(world.asApp.connectionString, { user: role, password: 'a-password-of-its-own' })

beforeAll(async () => {
  world = await makeWorld()
  await world.owner.query(`create role ${role} login password 'a-password-of-its-own'`)
})
afterAll(async () => {
  await world.owner.query(`drop role ${role}`)
  await world.close()
})

describe('connections through a pooler', () => {
  it('take PostgreSQL itself, and a pooler that keeps a process for each connection, for what they are', async () => {
    const config = { connectionString: inject('database').owner }
    const client = new pg.Client(config)
    await client.connect()
    await expect(refusePooled(config, client)).resolves.toBeUndefined()
    // As behind a pooler of sessions, which makes up the numbers that it tells.
    Object.assign(client, { processID: 1 })
    await expect(refusePooled(config, client)).resolves.toBeUndefined()
    await client.end()
  })

  it('refuse one that serves two connections by one process, in words that say what to do', async () => {
    const config = { connectionString: inject('database').owner }
    const client = new pg.Client(config)
    await client.connect()
    Object.assign(client, { processID: 1 })
    // What a pooler of transactions does, where it shows: this connection is answered by the process of the other.
    const query = pg.Client.prototype.query
    let other: pg.Client | undefined
    pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
      if (this !== client) other = this
      return Reflect.apply(query, other ?? this, given)
    } as typeof query
    try {
      await expect(refusePooled(config, client)).rejects.toThrow(
        'Let DATABASE_URL lead to PostgreSQL itself, and put the address of the pooler, with the app role, into DATABASE_APP_URL.',
      )
    } finally {
      pg.Client.prototype.query = query
      await client.end()
    }
  })

  it('have the settings of their role, or are refused: dates would be those of another zone', async () => {
    const pool = () => new pg.Pool({ connectionString: address(), max: 1 })
    const bare = pool()
    await expect(refuseUnsettled(bare)).rejects.toThrow(
      "Give the app role TimeZone = 'Asia/Shanghai', statement_timeout = '5s', lock_timeout = '2s', idle_in_transaction_session_timeout = '60s'",
    )
    await bare.end()
    expect(await settleRole(world.owner, role)).toBe(true)
    const settled = pool()
    await refuseUnsettled(settled)
    // A role that may not change another one says so.
    const client = await settled.connect()
    const { rows } = await world.owner.query<{ owner: string }>('select current_user as owner')
    expect(await settleRole(client as unknown as pg.Client, rows[0]!.owner)).toBe(false)
    client.release()
    await settled.end()
  })
})
