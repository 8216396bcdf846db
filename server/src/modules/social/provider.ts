import type { AnswerOf } from '@data-brain/contract/call'
import type { loginWays } from '@data-brain/contract/calls/auth'
import type { RawBuilder } from 'kysely'
import { sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import type { Services } from '../../kernel/services.ts'

/** What the log-in page shows of a provider. */
type SocialWay = AnswerOf<typeof loginWays>['social'][number]
export type Kind = SocialWay['kind']

/** A provider that is enabled, with its secret opened: it never leaves the server. */
export interface Provider {
  readonly tenantId: string
  readonly id: string
  readonly source: string
  readonly kind: Kind
  readonly issuer: string | null
  readonly clientId: string
  readonly clientSecret: string | null
  readonly scopes: string | null
  readonly version: number
}

interface ProviderRow extends Omit<Provider, 'tenantId' | 'clientSecret'> {
  readonly sealed: Buffer | null
}

async function read(
  tx: Tx,
  { cipher }: Pick<Services, 'cipher'>,
  tenantId: string,
  where: RawBuilder<unknown>,
): Promise<Provider | undefined> {
  const row = await tx.one<ProviderRow>(
    sql`select id, source, kind, issuer, client_id as "clientId", client_secret as sealed, scopes, version
        from social_provider where tenant_id = ${tenantId} and status = 1 and ${where} and exists (
          select 1 from tenant t where t.tenant_id = ${tenantId} and t.status in (1, 2) and coalesce(t.expire_time > now(), true))`,
  )
  if (!row) return undefined
  const { sealed, ...rest } = row
  const place = { table: 'social_provider', column: 'client_secret', tenantId, id: row.id }
  return { ...rest, tenantId, clientSecret: sealed && cipher.open(sealed, place) }
}

/** The enabled provider that goes by this source in a tenant. */
export const providerBySource = (
  tx: Tx,
  services: Pick<Services, 'cipher'>,
  tenantId: string,
  source: string,
): Promise<Provider | undefined> => read(tx, services, tenantId, sql`source = ${source}`)

/** The provider with this id, where it is still enabled. */
export const providerById = (
  tx: Tx,
  services: Pick<Services, 'cipher'>,
  tenantId: string,
  id: string,
): Promise<Provider | undefined> => read(tx, services, tenantId, sql`id = ${id}`)

/** The providers that people of a tenant may log in by. None where the product does not know its own address. */
export const socialWays = async (
  tx: Tx,
  { environment }: Pick<Services, 'environment'>,
  tenantId: string,
): Promise<SocialWay[]> =>
  environment.publicUrl === null
    ? []
    : tx.run<SocialWay>(
        sql`select source, provider_name as name, provider_name_en as "nameEn", kind from social_provider
            where tenant_id = ${tenantId} and status = 1 order by sort, id limit 50`,
      )
