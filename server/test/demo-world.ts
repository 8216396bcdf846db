import { sql } from '../src/database/statement.ts'
import { inPlatform } from '../src/database/transaction.ts'
import { seedDemo } from '../src/seed/demo/index.ts'
import { makeWorld, type World } from './world.ts'

/** The demo's tenant. */
export const demo = '000001'

/** A world with the demo as it is seeded today, whose accounts log in with the password that tests know. */
export async function makeDemoWorld(): Promise<World> {
  const world = await makeWorld()
  await inPlatform(world.services.platform, (tx) => tx.run(sql`delete from seed_mark where name = 'demo'`))
  await seedDemo(world.services)
  await world.owner.query(`update credential set must_change = 0, expires_at = null where tenant_id = '${demo}'`)
  return world
}
