import { parameters } from '@data-brain/contract/parameters'
import { sql } from '../database/statement.ts'
import { endlessMs, inPlatform, inTenant } from '../database/transaction.ts'
import { platformTenant } from '../entity/model.ts'
import { randomPassword } from '../kernel/password.ts'
import type { Services } from '../kernel/services.ts'
import { nameLocks } from '../modules/auth/index.ts'
import { seedDemo } from './demo/index.ts'
import { addKindergarten } from './grades.ts'
import { seedPlatform } from './platform.ts'
import { addMissingRoles } from './roles.ts'
import { addDictionaries, addTenantRow, addTopMenus, fillTenant } from './tenant.ts'

export { removeDemo } from './demo/index.ts'
export { readRegions } from './regions.ts'
export { addRoles } from './roles.ts'
export { readStreets } from './streets.ts'
export { fillTenant, freshStamps, purgeRows } from './tenant.ts'

/** An account made by this start. */
export interface SeededAccount {
  readonly tenantId: string
  readonly account: string
  readonly password: string
  readonly note: { zh: string; en: string }
}

const lock = 2024112102

/** A tenant that begins has set no parameter of its own. */
const hours = parameters['account.oneTimeHours'].default

/**
 * Lays what is missing: platform data, the platform's tenant with its first administrator, and (unless DEMO=off) the
 * demo tenant. Of two processes starting at once one lays and the other finds it done.
 */
export async function seedDatabase(services: Services): Promise<SeededAccount[]> {
  const told: SeededAccount[] = []
  const holder = await services.platform.connect()
  let lost: Error | undefined
  try {
    // Another process may be laying all of the demo: it is waited for however long that takes.
    await holder.query('set lock_timeout = 0; set statement_timeout = 0')
    const turn = { text: 'select pg_advisory_lock($1)', values: [lock], query_timeout: endlessMs }
    await holder.query(turn)
    await seedPlatform(services.platform, { id: services.secrets.clientId, secret: services.secrets.clientSecret })
    await seedFirstTenant(services, told)
    if (told.length > 0 && !services.environment.demo) await declineDemo(services)
    await freshen(services)
    if (services.environment.demo) told.push(...(await seedDemo(services)))
  } finally {
    await holder.query('select pg_advisory_unlock($1)', [lock]).catch(() => {})
    await holder.query('reset lock_timeout; reset statement_timeout').catch((error: Error) => {
      lost = error
    })
    holder.release(lost)
  }
  return told
}

/** An installation begun without the demo stays without it: a later start that forgets DEMO=off must not add it. */
const declineDemo = (services: Services): Promise<unknown> =>
  inPlatform(services.platform, (tx) =>
    tx.run(sql`insert into seed_mark (name, value) values ('demo', 'declined') on conflict (name) do nothing`),
  )

async function seedFirstTenant(services: Services, told: SeededAccount[]): Promise<void> {
  const tenantId = '000000'
  const name = '管理组'
  const filled = await inTenant(services.pool, tenantId, (tx) =>
    tx.one(sql`select 1 from app_user where tenant_id = ${tenantId} limit 1`),
  )
  // Its row comes last, as that of every tenant: administrators are made before it is there.
  const place = () => inPlatform(services.platform, (tx) => addTenantRow(tx, { tenantId, name }))
  if (filled) {
    await place()
    return
  }
  // What a first start that was killed midway has left.
  await inPlatform(services.platform, (tx) => tx.run(sql`delete from tenant where tenant_id = ${tenantId}`))
  const given = services.environment.adminPassword
  const password = given ?? randomPassword()
  await inTenant(services.pool, tenantId, (tx) =>
    fillTenant(
      tx,
      { tenantId, name, account: 'admin', realName: '管理员', password, mustChange: given === null },
      services.secrets.pepper,
    ),
  )
  await place()
  told.push({
    tenantId,
    account: 'admin',
    password: given === null ? password : 'ADMIN_PASSWORD',
    note:
      given === null
        ? {
            zh: `${hours}小时内有效，首次登录须修改`,
            en: `valid for ${hours} hours, to be changed at the first log-in`,
          }
        : { zh: '由环境变量给定', en: 'as given by the environment' },
  })
}

/** Raised where a new tenant begins with more than before, so that those that stand are looked at again. */
const beginnings = 'kindergarten, roles, locks'

/** Gives the tenants that stand what a newer version brought; once per version of the lists. */
async function freshen(services: Services): Promise<void> {
  const stamp = await inPlatform(
    services.platform,
    async (tx) =>
      await tx.run<{ name: string; value: string; at: string }>(
        sql`select name, value, to_char(at, 'YYYY-MM-DD HH24:MI:SS.USOF') as at from seed_mark where name in ('menus', 'dictionaries', 'shared', 'freshened') order by name`,
      ),
  )
  const wanted = [...stamp.filter((row) => row.name !== 'freshened').map((row) => row.value), beginnings].join(':')
  const last = stamp.find((row) => row.name === 'freshened')
  if (last?.value === wanted) return
  const tenants = await inPlatform(services.platform, (tx) =>
    tx.run<{ tenant_id: string }>(sql`select tenant_id from tenant`),
  )
  for (const { tenant_id: tenantId } of tenants)
    await inTenant(services.pool, tenantId, async (tx) => {
      await addDictionaries(tx, tenantId)
      await addTopMenus(tx, tenantId, last?.at)
      await addKindergarten(tx, tenantId)
      await nameLocks(tx, services.cipher, tenantId)
      // The platform's tenant is no school's: a new one has none of these either.
      if (tenantId !== platformTenant) await addMissingRoles(tx, tenantId)
      await tx.run(
        sql`insert into grant_stamp (tenant_id) values (${tenantId}) on conflict (tenant_id) do update set stamp = grant_stamp.stamp + 1`,
      )
    })
  await inPlatform(services.platform, (tx) =>
    tx.run(
      sql`insert into seed_mark (name, value) values ('freshened', ${wanted}) on conflict (name) do update set value = excluded.value, at = now()`,
    ),
  )
}
