import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTransaction } from '../src/database/transaction.ts'
import { raiseStamp } from '../src/entity/stamp.ts'
import { makeWorld, type Person, type World } from './world.ts'

let world: World
let admin: Person
beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
})
afterAll(() => world.close())

const sum = async (entity: string): Promise<number> =>
  Number(
    (
      await world.owner.query<{ n: string }>(
        'select coalesce(sum(stamp), 0) as n from entity_stamp where tenant_id = $1 and entity = $2',
        [admin.tenantId, entity],
      )
    ).rows[0]!.n,
  )

it('transactions that write the same entities in another order do not wait for each other, and each of them counts', async () => {
  const { tenantId } = admin
  const entities = ['student', 'studentclass', 'schoolclass', 'notice']
  const before = await Promise.all(entities.map(sum))
  const open = await Promise.all([1, 2, 3, 4].map(() => openTransaction(world.services.pool, tenantId)))
  // Each goes round from another place, a step at a time: whoever held what another wants would stop them all.
  for (let step = 0; step < entities.length; step += 1)
    for (const [at, { tx }] of open.entries()) await raiseStamp(tx, tenantId, entities[(at + step) % entities.length]!)
  await Promise.all(open.map(({ commit }) => commit()))
  const after = await Promise.all(entities.map(sum))
  expect(after.map((each, at) => each - before[at]!)).toEqual([4, 4, 4, 4])
  // What was taken back counts for nothing, and its place is free again.
  const { tx, rollback } = await openTransaction(world.services.pool, tenantId)
  await raiseStamp(tx, tenantId, 'student')
  await rollback()
  expect(await sum('student')).toBe(after[0])
})
