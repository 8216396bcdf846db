import { randomBytes, timingSafeEqual } from 'node:crypto'
import { sql } from '../../../database/statement.ts'
import { inTenant, isTenantCode, type Tx } from '../../../database/transaction.ts'
import type { Services } from '../../../kernel/services.ts'
import { RosterProblem } from './status-info.ts'

/** The scopes of the binding, by what a client is given. */
const base = 'https://purl.imsglobal.org/spec/or/v1p2/scope/'
export const scopes = {
  core: `${base}roster-core.readonly`,
  roster: `${base}roster.readonly`,
  demographics: `${base}roster-demographics.readonly`,
} as const
export type RestScope = keyof typeof scopes

/** A client as it stands now. */
export interface Client {
  readonly id: string
  readonly tenantId: string
  readonly name: string
  readonly purpose: string
  readonly scopes: readonly RestScope[]
  readonly allSchools: boolean
  readonly schoolIds: readonly string[]
}

interface Row {
  id: string
  name: string
  purpose: string
  scopes: RestScope[]
  all_schools: number | null
  school_ids: string[] | null
  hash: Buffer | null
  granted: RestScope[] | null
}

const secondsOfToken = 3_600
/** Both name their tenant in clear, as every token does, so that the first statement can. */
const clientForm = /^([0-9]{6})\.([0-9]{1,19})$/
const tokenForm = /^bsr_([0-9]{6})_[A-Za-z0-9_-]{43}$/

export const clientIdOf = (tenantId: string, id: string): string => `${tenantId}.${id}`

// An unusable client is told from none by nobody: its tenant, its switch and its last day are judged with it.
const usable = sql`c.status = 2 and (c.expire_date is null or c.expire_date >= (now() at time zone 'Asia/Shanghai')::date)
  and exists (select 1 from tenant t where t.tenant_id = c.tenant_id and t.status in (1, 2) and (t.expire_time is null or t.expire_time > now()))`
const columns = sql`c.id::text as id, c.name, c.purpose, c.scopes, c.all_schools,
  (select array_agg(l.target_id::text) from rosterclient_school l where l.tenant_id = c.tenant_id and l.owner_id = c.id) as school_ids`

const clientOf = (tenantId: string, row: Row): Client => ({
  id: row.id,
  tenantId,
  name: row.name,
  purpose: row.purpose,
  scopes: row.scopes,
  allSchools: row.all_schools === 1,
  schoolIds: row.school_ids ?? [],
})

/** Makes a client's secret, in place of the one before, whose tokens end with it. */
export async function issueSecret(tx: Tx, services: Services, tenantId: string, id: string): Promise<string> {
  const secret = randomBytes(32).toString('base64url')
  await tx.run(sql`insert into roster_secret (tenant_id, client_id, hash) values (${tenantId}, ${id}, ${services.cipher.token(secret)})
    on conflict (tenant_id, client_id) do update set hash = excluded.hash, made_at = now()`)
  await tx.run(sql`delete from roster_token where tenant_id = ${tenantId} and client_id = ${id}`)
  return secret
}

/** A token for a client that proves itself by its secret; undefined where it does not. */
export async function grantToken(
  services: Services,
  given: { readonly clientId: string; readonly secret: string; readonly wanted: readonly RestScope[] | undefined },
): Promise<{ token: string; scopes: readonly RestScope[]; seconds: number } | 'client' | 'scope'> {
  const [, tenantId, id] = clientForm.exec(given.clientId) ?? []
  if (!tenantId || !id || !isTenantCode(tenantId) || BigInt(id) > 9_223_372_036_854_775_807n) return 'client'
  return inTenant(services.pool, tenantId, async (tx) => {
    const row = await tx.one<Row>(
      sql`select ${columns}, s.hash from rosterclient c join roster_secret s on s.tenant_id = c.tenant_id and s.client_id = c.id
          where c.tenant_id = ${tenantId} and c.id = ${id} and ${usable} for update of s`,
    )
    if (!row?.hash || !timingSafeEqual(row.hash, services.cipher.token(given.secret))) return 'client'
    const granted = given.wanted ?? row.scopes
    if (granted.length === 0 || granted.some((scope) => !row.scopes.includes(scope))) return 'scope'
    const token = `bsr_${tenantId}_${randomBytes(32).toString('base64url')}`
    await tx.run(sql`delete from roster_token where tenant_id = ${tenantId} and client_id = ${id} and expires < now()`)
    await tx.run(sql`insert into roster_token (tenant_id, hash, client_id, scopes, expires)
      values (${tenantId}, ${services.cipher.token(token)}, ${id}, ${[...granted]}, now() + ${secondsOfToken} * interval '1 second')`)
    return { token, scopes: granted, seconds: secondsOfToken }
  })
}

/** The tenant that a request's token names. */
export function tenantOfToken(header: string | string[] | undefined): { tenantId: string; token: string } {
  const token = typeof header === 'string' ? /^bearer (\S{1,120})$/i.exec(header)?.[1] : undefined
  const tenantId = token ? tokenForm.exec(token)?.[1] : undefined
  if (!token || !tenantId || !isTenantCode(tenantId))
    throw new RosterProblem('unauthorisedrequest', 'A valid bearer token is needed.')
  return { tenantId, token }
}

/** The client of a token, with what the token and the client both still allow. */
export async function clientOfToken(tx: Tx, services: Services, tenantId: string, token: string): Promise<Client> {
  const row = await tx.one<Row>(
    sql`select ${columns}, k.scopes as granted from roster_token k join rosterclient c on c.tenant_id = k.tenant_id and c.id = k.client_id
        where k.tenant_id = ${tenantId} and k.hash = ${services.cipher.token(token)} and k.expires > now() and ${usable}`,
  )
  if (!row) throw new RosterProblem('unauthorisedrequest', 'The token has expired or was revoked.')
  // When it was last used is no change of the row: nobody's edit meets it.
  await tx.run(sql`update rosterclient set last_used = now()
    where tenant_id = ${tenantId} and id = ${row.id} and (last_used is null or last_used < now() - interval '1 minute')`)
  return { ...clientOf(tenantId, row), scopes: row.scopes.filter((scope) => row.granted!.includes(scope)) }
}
