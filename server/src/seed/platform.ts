import { createHash } from 'node:crypto'
import { dictionaries } from '@data-brain/contract/dictionaries'
import { buttonsOf, type MenuSeed, topMenus } from '@data-brain/contract/menus'
import type pg from 'pg'
import { newId } from '../database/id.ts'
import { sql } from '../database/statement.ts'
import { inPlatform, type Tx } from '../database/transaction.ts'
import { insertMany } from '../entity/bulk.ts'
import { readRegions } from './regions.ts'

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

/** Lays what all tenants share: regions, menus and buttons, system dictionaries, and the console's own client. */
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
    await tx.run(
      sql`insert into client (id, client_id, client_secret_hash) values (${newId()}, ${client.id}, ${createHash('sha256').update(client.secret).digest()})
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

async function layMenus(tx: Tx): Promise<void> {
  const kept: string[] = []
  const put = async (
    menu: { code: string; label: { zh: string; en: string }; path?: string; icon?: string },
    parent: string | null,
    sort: number,
    category: 1 | 2,
  ): Promise<string> => {
    kept.push(menu.code)
    const row = await tx.one<{ id: string }>(
      sql`insert into menu (id, parent_id, code, name, name_en, alias, path, source, sort, category, action)
          values (${newId()}, ${parent}, ${menu.code}, ${menu.label.zh}, ${menu.label.en}, ${menu.code}, ${menu.path ?? null}, ${menu.icon ?? null}, ${sort}, ${category}, ${category === 2 ? 3 : 0})
          on conflict (code) do update set parent_id = excluded.parent_id, path = excluded.path, category = excluded.category
          returning id`,
    )
    return row!.id
  }
  const putTree = async (menu: MenuSeed, parent: string | null, sort: number): Promise<void> => {
    const id = await put(menu, parent, sort, 1)
    for (const [index, button] of buttonsOf(menu).entries()) await put(button, id, index + 1, 2)
    for (const [index, child] of (menu.children ?? []).entries()) await putTree(child, id, index + 1)
  }
  let sort = 0
  for (const group of topMenus.flatMap((top) => top.groups)) {
    sort += 1
    await putTree(group, null, sort)
  }
}

async function layDictionaries(tx: Tx): Promise<void> {
  for (const [index, dictionary] of dictionaries.filter((each) => !each.business).entries()) {
    const row = await tx.one<{ id: string }>(
      sql`insert into dict (id, parent_id, code, dict_key, dict_value, dict_value_en, sort, remark)
          values (${newId()}, null, ${dictionary.code}, '-1', ${dictionary.label.zh}, ${dictionary.label.en}, ${index + 1}, ${dictionary.source ?? null})
          on conflict (code, dict_key) do update set code = excluded.code returning id`,
    )
    const held = new Set(
      (await tx.run<{ dict_key: string }>(sql`select dict_key from dict where code = ${dictionary.code}`)).map(
        (each) => each.dict_key,
      ),
    )
    await insertMany(
      tx,
      'dict',
      dictionary.items
        .map((item, order) => ({ item, order }))
        .filter(({ item }) => !held.has(item.key))
        .map(({ item, order }) => ({
          id: newId(),
          parent_id: row!.id,
          code: dictionary.code,
          dict_key: item.key,
          dict_value: item.label.zh,
          dict_value_en: item.label.en,
          sort: order + 1,
          is_sealed: 0,
          remark: item.remark ?? null,
          version: 1,
          create_time: 'now',
          update_time: 'now',
        })),
    )
  }
}
