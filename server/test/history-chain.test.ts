import type { Verdict } from '@data-brain/contract/calls/history'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { sql } from '../src/database/statement.ts'
import { sealTenant } from '../src/modules/history/index.ts'
import { makeWorld, type Person, type World } from './world.ts'

/** Issue 4, point 6: the chain of hashes over the history, which is verified and finds what was tampered with. */

vi.setConfig({ testTimeout: 150_000 })

let world: World
let admin: Person
let posts = 0

beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.close())

const verify = async (person: Person, from?: number): Promise<Verdict> => {
  const answer = await person.get<Verdict>('blade-log/history/verify', from === undefined ? {} : { from })
  expect(answer.msg).toBe('操作成功')
  return answer.data
}

const addPost = async (person: Person, name: string): Promise<string> => {
  posts += 1
  const answer = await person.post<{ id: string }>('blade-system/post/submit', {
    category: '1',
    postCode: `P${posts}`,
    postName: name,
    sort: 1,
  })
  expect(answer.msg).toBe('操作成功')
  return answer.data.id
}

/**
 * Seals until nothing is left: a long transaction of another test file, on the same PostgreSQL, holds all seals back. A
 * check that was cut short, on a busy machine, knows of nothing unsealed and says where to go on.
 */
async function sealWhole(person: Person): Promise<void> {
  const until = Date.now() + 60_000
  while (Date.now() < until) {
    await sealTenant(world.services, person.tenantId)
    const { unsealed, next } = await verify(person)
    if (next === null && unsealed === 0) return
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error('the history is never sealed whole')
}

/** A tenant with a history of some rows, sealed in two seals. */
async function sealed(): Promise<Person> {
  const person = await world.tenant()
  for (const name of ['甲', '乙', '丙']) await addPost(person, name)
  await sealWhole(person)
  for (const name of ['丁', '戊']) await addPost(person, name)
  await sealWhole(person)
  return person
}

/** What only the database's owner can do, past row-level security. */
const tamper = async (text: string, values: unknown[]): Promise<void> => {
  const { rowCount } = await world.owner.query(text, values)
  expect(rowCount).toBeGreaterThan(0)
}

const rowsOf = async (person: Person): Promise<{ id: string; xid: string }[]> =>
  (
    await world.owner.query<{ id: string; xid: string }>(
      'select id::text, xid::text from history where tenant_id = $1 order by xid, id',
      [person.tenantId],
    )
  ).rows

describe('the chain over the history', () => {
  it('binds every change once its transaction has ended, and counts what is not bound yet', async () => {
    admin = await sealed()
    const all = (await rowsOf(admin)).length
    const first = await verify(admin)
    expect(first).toMatchObject({ sealed: all, unsealed: 0, broken: 0, first: null, next: null })
    expect(first.seals).toBeGreaterThanOrEqual(2)
    await addPost(admin, '己')
    expect(await verify(admin)).toMatchObject({ sealed: all, unsealed: 1, broken: 0, head: first.head })
    await sealWhole(admin)
    const later = await verify(admin)
    expect(later).toMatchObject({ sealed: all + 1, unsealed: 0, broken: 0 })
    expect(later.head).not.toBe(first.head)
  })

  it('leaves out a transaction that has not ended, and everything that began after it', async () => {
    const person = await sealed()
    const before = await verify(person)
    const client = await world.services.pool.connect()
    try {
      await client.query(`begin; set local app.tenant_id = '${person.tenantId}'`)
      // It has its number, and has written nothing that anybody sees.
      await client.query('select pg_current_xact_id()')
      await addPost(person, '庚')
      await sealTenant(world.services, person.tenantId)
      expect(await verify(person)).toMatchObject({ sealed: before.sealed, unsealed: 1, head: before.head })
    } finally {
      await client.query('rollback')
      client.release()
    }
    await sealWhole(person)
    expect(await verify(person)).toMatchObject({ sealed: before.sealed + 1, unsealed: 0, broken: 0 })
  })

  it('makes one chain when several seal at once', async () => {
    const person = await sealed()
    for (const name of ['辛', '壬', '癸']) await addPost(person, name)
    await Promise.all(Array.from({ length: 6 }, () => sealTenant(world.services, person.tenantId)))
    await sealWhole(person)
    expect(await verify(person)).toMatchObject({ broken: 0, unsealed: 0 })
    const { rows } = await world.owner.query(
      'select sum(count)::int as bound, count(*)::int as seals, max(seq)::int as last from history_seal where tenant_id = $1',
      [person.tenantId],
    )
    expect(rows[0].bound).toBe((await rowsOf(person)).length)
    expect(rows[0].last).toBe(rows[0].seals)
  })

  it('is written by no call: the role of requests may neither change nor remove a seal', async () => {
    for (const statement of ['delete from history_seal', 'update history_seal set seq = 9', 'delete from read_log'])
      await expect(world.services.pool.query(statement), statement).rejects.toMatchObject({ code: '42501' })
  })

  it('asks for its own permission', async () => {
    const clerk = await world.colleague(admin, ['history_view'])
    expect((await clerk.get('blade-log/history/verify')).status).toBe(403)
    const auditor = await world.colleague(admin, ['history_verify'])
    expect((await auditor.get('blade-log/history/verify')).status).toBe(200)
  })
})

describe('tampering in a sealed range is found, and the first row named', () => {
  const cases: [string, (row: { id: string; xid: string }, person: Person) => Promise<void>, string][] = [
    ['a changed row', (row) => tamper(`update history set user_name = '别人' where id = $1`, [row.id]), 'changed'],
    [
      'a row whose former state was changed',
      (row) => tamper(`update history set before = '{"status": 1}' where id = $1`, [row.id]),
      'changed',
    ],
    ['a removed row', (row) => tamper('delete from history where id = $1', [row.id]), 'missing'],
    [
      'a row that was slipped in',
      (row, person) =>
        tamper(
          `insert into history (tenant_id, id, entity, row_id, version, action, xid) values ($1, $2, 'post', 1, 1, 'add', $3::xid8)`,
          [person.tenantId, String(BigInt(row.id) - 1n), row.xid],
        ),
      'added',
    ],
    [
      'a row that was put into another time',
      (row) => tamper(`update history set xid = '5'::xid8 where id = $1`, [row.id]),
      'changed',
    ],
  ]
  it.each(cases)('%s', async (_name, work, fault) => {
    const person = await sealed()
    const rows = await rowsOf(person)
    const row = rows[0]!
    await work(row, person)
    const found = await verify(person)
    expect(found.broken).toBeGreaterThan(0)
    expect(found.first).toMatchObject({ fault })
    const named = fault === 'added' ? String(BigInt(row.id) - 1n) : row.id
    expect(found.first?.historyId).toBe(named)
    // Nobody else's chain is touched by it.
    expect((await verify(admin)).broken).toBe(0)
  })

  it('a seal that was made anew to fit, by the one after it', async () => {
    const person = await sealed()
    const row = (await rowsOf(person))[0]!
    await tamper(`update history set user_name = '别人' where id = $1`, [row.id])
    await tamper(
      `update history_seal s set row_hashes = n.hashes, hash = sha256(s.prev_hash || n.hashes) from (
         select string_agg(sha256(convert_to(jsonb_build_array(h.tenant_id, h.id::text, h.entity, h.row_id::text, h.version, h.action,
           to_char(h.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), h.user_id::text, h.user_name, h.request_id, h.batch_id::text, h.xid::text, h.before)::text, 'UTF8')), ''::bytea order by h.xid, h.id) as hashes
         from history h join history_seal f on f.tenant_id = h.tenant_id and h.id = any(f.ids) where f.tenant_id = $1 and f.seq = 1
       ) n where s.tenant_id = $1 and s.seq = 1`,
      [person.tenantId],
    )
    expect((await verify(person)).first).toMatchObject({ fault: 'seal', seq: 2 })
  })

  it('a removed seal', async () => {
    const person = await sealed()
    await tamper('delete from history_seal where tenant_id = $1 and seq = 1', [person.tenantId])
    const found = await verify(person)
    expect(found.broken).toBeGreaterThan(0)
    expect(found.first).toMatchObject({ seq: 2 })
  })
})

describe('a long chain', () => {
  it('is checked piece by piece, and each piece goes on where the last ended', async () => {
    const person = await world.tenant()
    await world.inTenant(person.tenantId, (tx) =>
      tx.run(sql`insert into history (tenant_id, id, entity, row_id, version, action)
        select ${person.tenantId}, n, 'post', n, 1, 'add' from generate_series(1, 2500) n`),
    )
    await sealWhole(person)
    const whole = await verify(person)
    expect(whole).toMatchObject({ broken: 0, next: null })
    expect(whole.seals).toBeGreaterThanOrEqual(3)
    // One transaction wrote more than a seal binds.
    const rest = await verify(person, 1)
    expect(rest).toMatchObject({ broken: 0, seals: whole.seals - 1, head: whole.head })
    expect(rest.sealed).toBe(whole.sealed - 1_000)
  })
})
