import { dictionaries } from '@data-brain/contract/dictionaries'
import { topMenus } from '@data-brain/contract/menus'
import { newId } from '../database/id.ts'
import { sql } from '../database/statement.ts'
import { isTenantCode, type Tx } from '../database/transaction.ts'
import { insertMany, insertTogether } from '../entity/bulk.ts'
import { keysOfText } from '../entity/find.ts'
import { platformTenant } from '../entity/model.ts'
import { holdsWhole } from '../entity/shared.ts'
import { hashPassword, wireMd5 } from '../kernel/password.ts'
import { parameterOf } from '../kernel/setting.ts'
import { changedKeys } from './changed-keys.ts'
import { defaultPosts } from './defaults.ts'
import { entriesOf } from './dictionaries.ts'

export interface NewTenant {
  readonly tenantId: string
  readonly name: string
  /** Account of the first administrator. */
  readonly account: string
  readonly realName: string
  readonly password: string
  /** Whether the password must be changed at the first log-in, and is void after `account.oneTimeHours`. */
  readonly mustChange: boolean
}

/** The tenant's own row; written by the platform role. */
export async function addTenantRow(platform: Tx, tenant: Pick<NewTenant, 'tenantId' | 'name'>): Promise<boolean> {
  return (
    (await platform.count(
      sql`insert into tenant (tenant_id, id, tenant_name) values (${tenant.tenantId}, ${newId()}, ${tenant.name}) on conflict (tenant_id) do nothing`,
    )) === 1
  )
}

/**
 * Removes every row that a tenant owns, its history too, and answers how many went from which table. The tenant's own
 * row must be marked for it (status 9) or be gone. For the platform role; the transaction names the platform's tenant
 * again at the end.
 */
export async function purgeRows(
  platform: Tx,
  tenantId: string,
  tell?: (done: number, total: number, rows: Readonly<Record<string, number>>) => Promise<void>,
): Promise<Record<string, number>> {
  if (!isTenantCode(tenantId)) throw new Error('a tenant code has six digits')
  await platform.allow({ statement: 0 })
  await platform.run(sql`set local app.tenant_id = ${sql.lit(tenantId)}`)
  const steps = await purgeSteps(platform)
  const total = steps.flat().length
  const rows: Record<string, number> = {}
  for (const names of steps) {
    const row = await platform.one<{ counts: Record<string, number> }>(
      sql`select purge_tenant(${tenantId}, ${[...names]}::text[]) as counts`,
    )
    Object.assign(rows, row?.counts)
    await tell?.(Object.keys(rows).length, total, rows)
  }
  await platform.run(sql`set local app.tenant_id = ${sql.lit(platformTenant)}`)
  return rows
}

/**
 * The tables that tenants own, in the order in which their rows can go: each by itself, after those that point at it;
 * those that point at each other in one step at the end.
 */
async function purgeSteps(tx: Tx): Promise<readonly (readonly string[])[]> {
  const left = new Map(
    (
      await tx.run<{ name: string; users: string[] }>(
        sql`select c.relname as name, array(
              select distinct k.conrelid::regclass::text from pg_constraint k where k.contype = 'f' and k.confrelid = c.oid and k.conrelid <> c.oid
            )::text[] as users
            from pg_class c join pg_namespace s on s.oid = c.relnamespace join pg_policy p on p.polrelid = c.oid and p.polname = 'tenant'
            where s.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition order by c.relname`,
      )
    ).map(({ name, users }) => [name, users]),
  )
  const steps: string[][] = []
  for (;;) {
    const free = [...left].filter(([, users]) => !users.some((user) => left.has(user))).map(([name]) => name)
    if (free.length === 0) break
    for (const name of free) {
      steps.push([name])
      left.delete(name)
    }
  }
  if (left.size > 0) steps.push([...left.keys()])
  return steps
}

/**
 * Begins the stamps of a tenant above all that an earlier one of the same code can have had: what processes remember of
 * that one is not taken for this one's.
 */
export async function freshStamps(tx: Tx, tenantId: string): Promise<void> {
  await tx.run(
    sql`insert into grant_stamp (tenant_id, stamp, entities) values (${tenantId}, extract(epoch from now())::bigint, extract(epoch from now())::bigint)
        on conflict (tenant_id) do update set stamp = excluded.stamp, entities = excluded.entities`,
  )
}

/**
 * Adds the entries that the dictionaries which a tenant holds itself lack; its own changes stay, and what it removed stays
 * removed. The other dictionaries are those that all tenants share.
 */
export async function addDictionaries(tx: Tx, tenantId: string): Promise<void> {
  const held = await tx.run<{ id: string; code: string; dict_key: string }>(
    sql`select id, code, dict_key from dict_biz where tenant_id = ${tenantId}`,
  )
  if (held.length === 0) return
  const changed = await changedKeys(tx, tenantId, 'dictbiz', ['code', 'dict_key'])
  const roots = new Map(held.filter((row) => row.dict_key === '-1').map((row) => [row.code, row.id]))
  const keys = new Set(held.map((row) => `${row.code}|${row.dict_key}`))
  const isNew = ({ code, dict_key: key }: { code: string; dict_key: string }): boolean =>
    !keys.has(`${code}|${key}`) && !changed.has(`${code}|${key}`)
  await insertMany(
    tx,
    'dict_biz',
    dictionaries.flatMap((dictionary) => {
      const root = dictionary.business && roots.get(dictionary.code)
      return root
        ? entriesOf(dictionary, root)
            .filter(isNew)
            .map((row) => ({ ...row, tenant_id: tenantId, status: 1, version: 1 }))
        : []
    }),
  )
}

/**
 * Adds what the top menus lack of a tenant that holds them itself. Those it has stay as they are, but for menus that came
 * after `since`, which are put where they belong: what the tenant has taken out of a top menu, or removed as a whole, does
 * not come back.
 */
export async function addTopMenus(tx: Tx, tenantId: string, since = '-infinity'): Promise<void> {
  if (!(await holdsWhole(tx, tenantId, 'topmenu'))) return
  const changed = await changedKeys(tx, tenantId, 'topmenu', ['code'])
  const held = await tx.run<{ id: string; code: string }>(
    sql`select id, code from top_menu where tenant_id = ${tenantId}`,
  )
  const tops = topMenus.flatMap((top, index) => {
    const standing = held.find((each) => each.code === top.code)
    if (!standing && changed.has(top.code)) return []
    return [{ ...top, id: standing?.id ?? newId(), isNew: !standing, sort: index + 1 }]
  })
  await insertMany(
    tx,
    'top_menu',
    tops
      .filter(({ isNew }) => isNew)
      .map(({ id, code, label, icon, sort }) => ({
        tenant_id: tenantId,
        id,
        code,
        name: label.zh,
        name_en: label.en,
        source: icon,
        sort,
      })),
  )
  const places = tops.flatMap(({ id, isNew, groups }) =>
    groups
      .flatMap((group) => [group, ...(group.children ?? [])])
      .map(({ code }) => ({ id, code, since: isNew ? '-infinity' : since })),
  )
  await tx.run(
    sql`insert into top_menu_setting (tenant_id, top_menu_id, menu_id)
        select ${tenantId}, p.id, m.id from jsonb_to_recordset(${JSON.stringify(places)}::jsonb) p(id bigint, code text, since timestamptz)
          join menu m on m.code = p.code and m.create_time > p.since
        on conflict do nothing`,
  )
}

/** What a new tenant begins with beside what all share: posts, a department, the administrators' role, and the first of them. */
export async function fillTenant(
  tx: Tx,
  tenant: NewTenant,
  pepper: Buffer,
): Promise<{ userId: string; roleId: string; deptId: string }> {
  const { tenantId } = tenant
  // Made on a thread of its own while the rows are written.
  const hashed = hashPassword(wireMd5(tenant.password), pepper)
  hashed.catch(() => {})
  const base = { tenant_id: tenantId, status: 1, version: 1, create_time: 'now', update_time: 'now' }
  const [deptId, roleId, userId] = [newId(), newId(), newId()]
  const keys = new Set([...keysOfText(tenant.realName), ...keysOfText(tenant.account)])
  await insertTogether(tx, [
    [
      'dept',
      [
        {
          ...base,
          id: deptId,
          ancestors: '0',
          dept_name: tenant.name,
          full_name: tenant.name,
          dept_category: '1',
          sort: 1,
        },
      ],
    ],
    [
      'role',
      [
        {
          ...base,
          id: roleId,
          role_name: '管理员',
          role_alias: tenantId === '000000' ? 'administrator' : 'admin',
          sort: 1,
          is_admin: 1,
        },
      ],
    ],
    [
      'post',
      defaultPosts.map((post, index) => ({
        ...base,
        id: newId(),
        category: post.category,
        post_code: post.code,
        post_name: post.name,
        sort: index + 1,
      })),
    ],
    [
      'app_user',
      [
        {
          ...base,
          id: userId,
          account: tenant.account,
          real_name: tenant.realName,
          name: tenant.realName,
          user_type: '1',
          staff_status: '1',
        },
      ],
    ],
    [
      'search_key',
      [...keys].map((key) => ({ tenant_id: tenantId, entity: 'user', key, row_id: userId, source_id: userId })),
    ],
    ['app_user_role', [{ tenant_id: tenantId, owner_id: userId, target_id: roleId, ord: 1 }]],
    ['app_user_dept', [{ tenant_id: tenantId, owner_id: userId, target_id: deptId, ord: 1 }]],
  ])
  const hours = tenant.mustChange ? await parameterOf(tx, tenantId, 'account.oneTimeHours') : null
  await tx.run(
    sql`insert into credential (tenant_id, user_id, hash, must_change, expires_at)
        values (${tenantId}, ${userId}, ${await hashed}, ${tenant.mustChange ? 1 : 0}, now() + ${hours}::int * interval '1 hour')`,
  )
  return { userId, roleId, deptId }
}
