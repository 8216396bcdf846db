import type { RawBuilder } from 'kysely'
import { sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import type { Place } from '../../kernel/cipher.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Services } from '../../kernel/services.ts'
import type { Encryption, MailService } from './client.ts'

/** A service as its row has it, with its limits and what is wrong with it. */
export interface StoredService extends MailService {
  readonly id: string
  readonly perMinute: number
  readonly perDay: number
  readonly fault: string | null
  readonly paused: boolean
}

const encryptions: Readonly<Record<string, Encryption>> = { '1': 'tls', '2': 'starttls', '3': 'plain' }

async function read(
  tx: Tx,
  { cipher }: Pick<Services, 'cipher'>,
  tenantId: string,
  where: RawBuilder<unknown>,
): Promise<StoredService | undefined> {
  const row = await tx.one<
    Omit<StoredService, 'encryption' | 'password'> & { encryption: string; password: Buffer | null }
  >(
    sql`select id, host, port, encryption, account, password, from_address as "fromAddress", from_name as "fromName",
          per_minute as "perMinute", per_day as "perDay", fault, coalesce(paused_until > clock_timestamp(), false) as paused
        from mail where tenant_id = ${tenantId} and ${where}`,
  )
  if (!row) return undefined
  const place: Place = { table: 'mail', column: 'password', tenantId, id: row.id }
  return {
    ...row,
    encryption: encryptions[row.encryption]!,
    password: row.password && cipher.open(row.password, place),
  }
}

/** The service with this id, or undefined when it is gone. */
export const serviceOf = (tx: Tx, services: Pick<Services, 'cipher'>, tenantId: string, id: string) =>
  read(tx, services, tenantId, sql`id = ${id}`)

/** The service that sends, or undefined where none is enabled. */
export const enabledService = (tx: Tx, services: Pick<Services, 'cipher'>, tenantId: string) =>
  read(tx, services, tenantId, sql`status = 2`)

/** Refuses in words where nobody sends mail. */
export async function refuseWithoutService(tx: Tx, tenantId: string): Promise<void> {
  if (!(await tx.one(sql`select 1 from mail where tenant_id = ${tenantId} and status = 2`)))
    throw new Problem('rule_broken', {
      reason: {
        zh: '尚未启用邮件配置，请管理员在“资源管理 → 邮件配置”中启用',
        en: 'No mail service is enabled: the administrator enables one under Resources → Mail',
      },
    })
}

/** How many more mails the limits of a service let through now. */
export async function roomOf(tx: Tx, tenantId: string, { perMinute, perDay }: StoredService): Promise<number> {
  const row = await tx.one<{ minute: number; day: number }>(
    sql`select (select count(*) from (select 1 from mail_log where tenant_id = ${tenantId}
            and last_try > clock_timestamp() - interval '1 minute' limit ${perMinute}) m)::int as minute,
          (select count(*) from (select 1 from mail_log where tenant_id = ${tenantId}
            and last_try > clock_timestamp() - interval '1 day' limit ${perDay}) d)::int as day`,
  )
  return Math.min(perMinute - (row?.minute ?? 0), perDay - (row?.day ?? 0))
}

/** One after the other within a tenant: a limit is counted and used up by the same transaction. */
export const lockMail = (tx: Tx, tenantId: string): Promise<unknown> =>
  tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`mail|${tenantId}`}, 0))`)
