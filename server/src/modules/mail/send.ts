import { maillog } from '@data-brain/contract'
import { rules } from '@data-brain/contract/rules'
import { newId } from '../../database/id.ts'
import { sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { raiseStamp } from '../../entity/stamp.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Services } from '../../kernel/services.ts'
import { wakeMail } from './deliver.ts'
import { refuseWithoutService } from './mail-service.ts'
import { payloadPlace, recipientPlace } from './payload.ts'

export type MailPurpose = 'test' | 'notice' | 'report'

/** A mail that is to be sent. The subject stands in the log in clear: it names nobody. */
export interface MailRequest {
  readonly tenantId: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly purpose: MailPurpose
  /** Asked twice with the same key, it is sent once. */
  readonly requestKey?: string | undefined
  readonly userId?: string | null
}

/** Refuses what is no address, by the label of the log's field. */
export function refuseAddress(to: string): void {
  const reason = to === '' ? { zh: '不能为空', en: 'is missing' } : rules.email.check(to)
  if (reason)
    throw new Problem('field_invalid', { label: maillog.fields.recipient!.label, reason }, { field: 'to', fields: [] })
}

/** Writes a row of the log; one whose key was there before is that one. */
export async function write(
  tx: Tx,
  { cipher }: Pick<Services, 'cipher'>,
  wanted: MailRequest,
  mailId: string | null,
): Promise<string> {
  const { tenantId, to, subject, text, purpose, requestKey = null, userId = null } = wanted
  const id = newId()
  const row = await tx.one<{ id: string }>(
    sql`insert into mail_log (tenant_id, id, mail_id, recipient, recipient_hash, recipient_tail, subject, purpose, state, tries, next_try, payload, request_key, create_user, update_user)
        values (${tenantId}, ${id}, ${mailId}, ${cipher.seal(to, recipientPlace(tenantId, id))}, ${cipher.hash(to, tenantId)}, ${cipher.tail(to, tenantId)},
          ${[...subject].slice(0, 200).join('')}, ${purpose}, '0', 0, now(), ${cipher.seal(text, payloadPlace(tenantId, id))}, ${requestKey}, ${userId}, ${userId})
        on conflict (tenant_id, request_key) where request_key is not null do nothing returning id`,
  )
  if (row) return row.id
  const known = await tx.one<{ id: string }>(
    sql`select id from mail_log where tenant_id = ${tenantId} and request_key = ${requestKey}`,
  )
  return known!.id
}

/**
 * Asks for one mail inside the caller's transaction: it is sent once that is durable, and never when it is rolled back.
 * Answers the id of its line in the mail log. Beyond the limits of the service it waits. Throws a Problem in words where
 * no service is enabled or the address is none.
 */
export const askMail = async (tx: Tx, services: Services, wanted: MailRequest): Promise<string> =>
  (await askMails(tx, services, [wanted]))[0]!

/** The same for several mails of one tenant; answers their ids in this order. */
export async function askMails(tx: Tx, services: Services, wanted: readonly MailRequest[]): Promise<string[]> {
  const [first] = wanted
  if (!first) return []
  const { tenantId } = first
  for (const { to } of wanted) refuseAddress(to)
  await refuseWithoutService(tx, tenantId)
  const ids: string[] = []
  for (const each of wanted) ids.push(await write(tx, services, each, null))
  await raiseStamp(tx, tenantId, maillog.name)
  wakeMail(services, tenantId)
  return ids
}
