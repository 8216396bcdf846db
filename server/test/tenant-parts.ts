import { expect } from 'vitest'
import { tenantTables } from '../src/database/tables.ts'
import { logsOf } from '../src/modules/log/index.ts'
import type { makeDoor } from './auth-door.ts'
import type { Answer, Person, World } from './world.ts'

export const path = 'blade-system/tenant'

export interface TenantRow {
  readonly id: string
  readonly tenantId: string
  readonly tenantName: string
  readonly status: number
  readonly version: number
  readonly domain: string | null
  readonly expireTime: string | null
  readonly purgeAfter: string | null
  readonly account?: string
  readonly password?: string
}

/** How many rows of a tenant there are, by table; tables without one are left out. */
export async function countRows(world: World, tenantId: string): Promise<Record<string, number>> {
  // What was called is in the log by then.
  await logsOf(world.services).flush()
  const counts: Record<string, number> = {}
  for (const table of [...Object.keys(tenantTables), 'tenant']) {
    const { rows } = await world.owner.query(`select count(*)::int as n from ${table} where tenant_id = $1`, [tenantId])
    if (rows[0].n > 0) counts[table] = rows[0].n
  }
  return counts
}

/** What the platform's administrator does with tenants. */
export function makeOffice(world: World, door: ReturnType<typeof makeDoor>, platform: Person) {
  let made = 0
  const draft = (more: Record<string, unknown> = {}) => {
    made += 1
    return { tenantName: `学区${made}`, linkman: '王老师', contactNumber: '010-88886666', ...more }
  }
  const make = async (more: Record<string, unknown> = {}): Promise<TenantRow> => {
    const answer = await platform.post<TenantRow>(`${path}/submit`, draft(more))
    expect([answer.status, answer.msg]).toEqual([200, '操作成功'])
    return answer.data
  }
  return {
    draft,
    make,
    detail: async (id: string): Promise<TenantRow> => (await platform.get<TenantRow>(`${path}/detail`, { id })).data,
    act: (call: string, query: Record<string, string | number>): Promise<Answer> =>
      platform.post(`${path}/${call}`, undefined, { query }),
    rowsOf: (tenantId: string) => countRows(world, tenantId),
    whoami: (token: string) => world.call('GET', 'blade-auth/oauth/user-info', token),
    /** A tenant whose administrator is logged in, as people are, so that refreshing can be tried too. */
    inhabited: async (more: Record<string, unknown> = {}) => {
      const row = await make(more)
      const first = await door.logIn(row.tenantId, row.account!, row.password!)
      expect(first.status).toBe(200)
      return { row, first }
    },
  }
}
