import type { Words } from '@data-brain/contract'
import { sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'

/** Names of menus and buttons by id, in both languages; a button says its page, for many have the same name. */
export const menuNames = (tx: Tx): Promise<Map<string, Words>> =>
  named(
    tx.run(
      sql`select m.id, case m.category when '2' then concat_ws(' / ', p.name, m.name) else m.name end as zh,
            case m.category when '2' then concat_ws(' / ', p.name_en, m.name_en) else m.name_en end as en
          from menu m left join menu p on p.id = m.parent_id`,
    ),
  )

/** Names of applications by id. */
export const clientNames = (tx: Tx): Promise<Map<string, Words>> =>
  named(tx.run(sql`select id, client_id as zh, client_id as en from client`))

/** Names of a tenant's data scopes, or of its API scopes, by id. */
export const scopeNames = (tx: Tx, tenantId: string, table: 'data_scope' | 'api_scope'): Promise<Map<string, Words>> =>
  named(
    tx.run(sql`select id, scope_name as zh, scope_name as en from ${sql.table(table)} where tenant_id = ${tenantId}`),
  )

const named = async (rows: Promise<(Words & { id: string })[]>): Promise<Map<string, Words>> =>
  new Map((await rows).map(({ id, zh, en }) => [id, { zh, en: en || zh }]))
