import type { Verdict } from '@data-brain/contract/calls/history'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { anchorHistory } from '../src/database/history-anchor.ts'
import { sealTenant } from '../src/modules/history/index.ts'
import { makeWorld, type Person, type World } from './world.ts'

/*
 * A dump comes from a cluster whose transactions bear higher numbers than those of the cluster that it is brought back
 * into: the sealed chains must go on in it.
 */

vi.setConfig({ testTimeout: 150_000 })

let world: World
let posts = 0
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.close())

const verify = async (person: Person): Promise<Verdict> => (await person.get<Verdict>('blade-log/history/verify')).data

async function addPost(person: Person): Promise<void> {
  posts += 1
  const draft = { category: '1', postCode: `P${posts}`, postName: `岗位${posts}`, sort: 1 }
  expect((await person.post('blade-system/post/submit', draft)).msg).toBe('操作成功')
}

/** Seals until nothing is left: a long transaction of another test file, on the same PostgreSQL, holds all seals back. */
async function sealWhole(person: Person): Promise<void> {
  const until = Date.now() + 60_000
  while ((await verify(person)).unsealed > 0) {
    if (Date.now() > until) throw new Error('the history is never sealed whole')
    await sealTenant(world.services, person.tenantId)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}

/** Changes as a cluster wrote them that had come that far. */
const broughtBack = (person: Person, xid: string): Promise<unknown> =>
  world.owner.query(
    `insert into history (tenant_id, id, entity, row_id, version, action, xid)
     select $1, 1000 + n, 'post', n, 1, 'add', $2::xid8 from generate_series(1, 3) n`,
    [person.tenantId, xid],
  )

/** The same database in yet another cluster, which begins low again. */
const inAnother = (): Promise<unknown> =>
  world.owner.query('delete from history_anchor; alter table history alter column xid set default pg_current_xact_id()')

it('R-PROD-5 goes on sealing in a cluster that numbers its transactions lower, as often as it is brought back', async () => {
  const person = await world.tenant()
  expect(await anchorHistory(world.owner)).toBe(false)
  await broughtBack(person, '5000000000')
  await sealTenant(world.services, person.tenantId)
  expect((await verify(person)).unsealed, 'what lies ahead cannot be sealed').toBe(3)

  expect(await anchorHistory(world.owner)).toBe(true)
  expect(await anchorHistory(world.owner), 'once').toBe(false)
  await addPost(person)
  await sealWhole(person)
  const first = await verify(person)
  expect(first).toMatchObject({ broken: 0, unsealed: 0 })

  await inAnother()
  expect(await anchorHistory(world.owner)).toBe(true)
  await addPost(person)
  await sealWhole(person)
  expect(await verify(person)).toMatchObject({ broken: 0, unsealed: 0, sealed: first.sealed + 1 })
  // What nobody anchors lands among what is sealed, and is told as slipped in.
  await inAnother()
  await addPost(person)
  expect(await verify(person)).toMatchObject({ broken: 1, first: { fault: 'added' } })
})
