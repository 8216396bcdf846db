import { createHash } from 'node:crypto'
import type { Words } from '@data-brain/contract'
import { dictionaries } from '@data-brain/contract/dictionaries'
import { buttonsOf, type MenuSeed, topMenus } from '@data-brain/contract/menus'
import type pg from 'pg'
import { newId } from '../database/id.ts'
import { sql } from '../database/statement.ts'
import { inPlatform, type Tx } from '../database/transaction.ts'
import { insertMany } from '../entity/bulk.ts'
import { platformTenant } from '../entity/model.ts'
import { layCatalogue, layTopMenus } from './catalogue.ts'
import { defaultGrades, defaultSubjects } from './defaults.ts'
import { layBusiness } from './dictionaries.ts'
import { readRegions } from './regions.ts'
import { layRoles } from './roles.ts'

/** Runs `lay` once per content: a second start with the same seed lays nothing. */
async function once(tx: Tx, name: string, content: unknown, lay: () => Promise<void>): Promise<void> {
  const value = createHash('sha256').update(JSON.stringify(content)).digest('hex')
  const mark = await tx.one<{ value: string }>(sql`select value from seed_mark where name = ${name}`)
  if (mark?.value === value) return
  await lay()
  await tx.run(
    sql`insert into seed_mark (name, value) values (${name}, ${value}) on conflict (name) do update set value = excluded.value, at = now()`,
  )
}

/** Lays what all tenants share: regions, menus and buttons, dictionaries, and the console's own client. */
export async function seedPlatform(owner: pg.Pool, client: { id: string; secret: string }): Promise<void> {
  await inPlatform(owner, async (tx) => {
    await once(tx, 'regions', 'county-1', () => layRegions(tx))
    await once(tx, 'menus', topMenus, () => layMenus(tx))
    await once(
      tx,
      'dictionaries',
      dictionaries.filter((each) => !each.business),
      () => layDictionaries(tx),
    )
    await once(
      tx,
      'shared',
      dictionaries.filter((each) => each.business),
      () => layBusiness(tx),
    )
    await once(tx, 'catalogue', [defaultGrades, defaultSubjects], () => layCatalogue(tx))
    await once(tx, 'topmenus', topMenus, () => layTopMenus(tx))
    await layRoles(tx)
    await tx.run(
      sql`insert into client (id, client_id, client_secret_hash, authorized_grant_types)
          values (${newId()}, ${client.id}, ${createHash('sha256').update(client.secret).digest()}, '{password,captcha,sms_code,social,refresh_token}')
          on conflict (client_id) do update set client_secret_hash = excluded.client_secret_hash`,
    )
  })
}

async function layRegions(tx: Tx): Promise<void> {
  const held = new Set((await tx.run<{ code: string }>(sql`select code from region`)).map((row) => row.code))
  const rows = readRegions().filter((row) => !held.has(row.code))
  await insertMany(
    tx,
    'region',
    rows.map((row) => ({
      code: row.code,
      parent_code: row.parentCode,
      ancestors: row.ancestors,
      name: row.name,
      level: row.level,
      sort: row.sort,
      valid_to: row.validTo,
    })),
  )
}

interface Standing {
  readonly id: string
  readonly parentId: string | null
  readonly version: number
}

/**
 * Lays the product's menus. Of one that stands, code, path and kind are the product's; its name, icon and place are the
 * administrator's from the first change on.
 */
export async function layMenus(tx: Tx): Promise<void> {
  const rows = await tx.run<Standing & { code: string }>(
    sql`select id, code, parent_id as "parentId", version from menu order by id for update`,
  )
  const byCode = new Map<string, Standing>(rows.map((row) => [row.code, row]))
  const parents = new Map(rows.map((row) => [row.id, row.parentId]))
  const standsUnder = (id: string | null, above: string): boolean =>
    id !== null && (id === above || standsUnder(parents.get(id) ?? null, above))

  const put = async (
    menu: { code: string; label: { zh: string; en: string }; path?: string; icon?: string },
    parent: string | null,
    sort: number,
    category: '1' | '2',
    platformOnly: boolean,
  ): Promise<string> => {
    const standing = byCode.get(menu.code)
    const only = platformOnly ? 1 : 0
    if (!standing) {
      const id = newId()
      await tx.run(
        sql`insert into menu (id, parent_id, code, name, name_en, alias, path, source, sort, category, action, platform_only)
            values (${id}, ${parent}, ${menu.code}, ${menu.label.zh}, ${menu.label.en}, ${menu.code}, ${menu.path ?? null}, ${menu.icon ?? null}, ${sort}, ${category}, ${category === '2' ? '3' : null}, ${only})`,
      )
      parents.set(id, parent)
      return id
    }
    const { id, version } = standing
    await tx.run(
      sql`update menu set path = ${menu.path ?? null}, category = ${category}, platform_only = ${only} where id = ${id}`,
    )
    // What an administrator has moved meanwhile may stand above: then the old place is kept.
    if (version === 1 && !standsUnder(parent, id)) {
      await tx.run(sql`update menu set parent_id = ${parent}, sort = ${sort} where id = ${id}`)
      parents.set(id, parent)
    }
    return id
  }
  const putTree = async (menu: MenuSeed, parent: string | null, sort: number, hidden = false): Promise<void> => {
    const platformOnly = hidden || menu.platformOnly === true
    const id = await put(menu, parent, sort, '1', platformOnly)
    for (const [index, button] of buttonsOf(menu).entries()) await put(button, id, index + 1, '2', platformOnly)
    for (const [index, child] of (menu.children ?? []).entries()) await putTree(child, id, index + 1, platformOnly)
  }
  let sort = 0
  for (const group of topMenus.flatMap((top) => top.groups)) {
    sort += 1
    await putTree(group, null, sort)
  }
}

/** Dictionaries and entries that an administrator has removed or given another key: they are not laid again. */
async function changedEntries(tx: Tx): Promise<Set<string>> {
  await tx.run(sql`set local app.tenant_id = ${sql.lit(platformTenant)}`)
  const rows = await tx.run<{ code: string; key: string }>(
    sql`select distinct before ->> 'code' as code, before ->> 'dict_key' as key from history
        where tenant_id = ${platformTenant} and entity = 'dict' and before is not null`,
  )
  return new Set(rows.map(({ code, key }) => `${code}|${key}`))
}

export async function layDictionaries(tx: Tx): Promise<void> {
  const changed = await changedEntries(tx)
  const rows = await tx.run<{ id: string; code: string; key: string }>(sql`select id, code, dict_key as key from dict`)
  const ids = new Map(rows.map(({ id, code, key }) => [`${code}|${key}`, id]))
  const isNew = (code: string, key: string): boolean => !ids.has(`${code}|${key}`) && !changed.has(`${code}|${key}`)
  const entry = (code: string, key: string, label: Words, more: Record<string, unknown>) => ({
    id: newId(),
    code,
    dict_key: key,
    dict_value: label.zh,
    dict_value_en: label.en,
    is_sealed: 0,
    status: 1,
    version: 1,
    create_time: 'now',
    update_time: 'now',
    ...more,
  })
  for (const [index, { code, label, source, items }] of dictionaries.filter((each) => !each.business).entries()) {
    if (isNew(code, '-1')) {
      const root = entry(code, '-1', label, { parent_id: null, sort: index + 1, remark: source ?? null })
      await insertMany(tx, 'dict', [root])
      ids.set(`${code}|-1`, root.id)
    }
    const parent = ids.get(`${code}|-1`)
    // Without the dictionary itself (removed, or renamed) its entries have nowhere to stand.
    if (!parent) continue
    await insertMany(
      tx,
      'dict',
      items.flatMap((item, order) =>
        isNew(code, item.key)
          ? [
              entry(code, item.key, item.label, {
                parent_id: parent,
                sort: order + 1,
                remark: item.remark ?? null,
                is_sealed: item.sealed ? 1 : 0,
              }),
            ]
          : [],
      ),
    )
  }
}
