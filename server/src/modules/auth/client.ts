import { createHash, timingSafeEqual } from 'node:crypto'
import type { RawBuilder } from 'kysely'
import { sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { Problem } from '../../kernel/problem.ts'

/** What a grant needs to know of the application that asks. */
export interface ClientRow {
  readonly client_secret_hash: Buffer | null
  readonly authorized_grant_types: string[] | null
  readonly access_token_validity: number
  readonly refresh_token_validity: number
  readonly client_status: number | null
}

/** The columns of `ClientRow`, of the table `client` as `c`. */
export const clientColumns = sql`c.client_secret_hash, c.authorized_grant_types, c.access_token_validity, c.refresh_token_validity, c.status as client_status`

/**
 * Whether the client `c` is one that the people of tenant `tenant` may log in with, and one that the user `user` may:
 * those that were named, or any where none was.
 */
export const clientNamed = (tenant: RawBuilder<unknown>, user: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  (not exists (select 1 from tenant_client n where n.tenant_id = ${tenant})
    or exists (select 1 from tenant_client n where n.tenant_id = ${tenant} and n.client_id = c.id))
  and (not exists (select 1 from user_client n where n.tenant_id = ${tenant} and n.user_id = ${user})
    or exists (select 1 from user_client n where n.tenant_id = ${tenant} and n.user_id = ${user} and n.client_id = c.id)))`

export interface ClientCredentials {
  readonly id: string
  readonly secret: string
}

/** Client id and secret of an `Authorization: Basic` header. Throws `client_failed` where there are none. */
export function readClient(header: string | string[] | undefined): ClientCredentials {
  const encoded = typeof header === 'string' ? /^basic ([A-Za-z0-9+/=]{2,400})$/i.exec(header)?.[1] : undefined
  const text = encoded ? Buffer.from(encoded, 'base64').toString('utf8') : ''
  const colon = text.indexOf(':')
  if (colon < 1 || !/^[\x21-\x7e]+$/.test(text)) throw new Problem('client_failed')
  return { id: text.slice(0, colon), secret: text.slice(colon + 1) }
}

const nobody = Buffer.alloc(32)

/** Refuses an application that is unknown, disabled or whose secret is wrong, and a grant that it may not use. */
export function checkClient(row: ClientRow | undefined, given: ClientCredentials, grant: string): void {
  const made = createHash('sha256').update(given.secret).digest()
  const fits = timingSafeEqual(made, row?.client_secret_hash?.length === 32 ? row.client_secret_hash : nobody)
  if (!row || !fits || row.client_status !== 1) throw new Problem('client_failed')
  if (!row.authorized_grant_types?.includes(grant)) throw new Problem('grant_unsupported')
}

/** Refuses an application before anything that a grant uses up is used. */
export async function requireGrant(tx: Tx, given: ClientCredentials, grant: string): Promise<void> {
  const row = await tx.one<ClientRow>(sql`select ${clientColumns} from client c where c.client_id = ${given.id}`)
  checkClient(row, given, grant)
}
