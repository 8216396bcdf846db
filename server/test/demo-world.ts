import pg from 'pg'
import { inject } from 'vitest'
import { sql } from '../src/database/statement.ts'
import { inPlatform } from '../src/database/transaction.ts'
import { seedDemo } from '../src/seed/demo/index.ts'
import { makeWorld, type World } from './world.ts'

/** The demo's tenant. */
export const demo = '000001'

/**
 * A world with the demo as it is seeded today, whose accounts log in with the password that tests know. The first who
 * asks has it seeded, once for the whole run: every world is a copy of that, whose own is what it writes.
 */
export async function makeDemoWorld(): Promise<World> {
  const { owner, template } = inject('database')
  const seeded = `${template}_demo`
  const admin = new pg.Client({ connectionString: owner })
  await admin.connect()
  // Of two files that ask at once, one waits.
  await admin.query('select pg_advisory_lock(1)')
  try {
    if ((await admin.query('select from pg_database where datname = $1', [seeded])).rowCount === 0) {
      const world = await makeWorld()
      await inPlatform(world.services.platform, (tx) => tx.run(sql`delete from seed_mark where name = 'demo'`))
      await seedDemo(world.services)
      await world.owner.query(`update credential set must_change = 0, expires_at = null where tenant_id = '${demo}'`)
      await world.close(seeded)
    }
  } finally {
    await admin.end()
  }
  return makeWorld(seeded)
}
