import { codeOf, studentmessage } from '@data-brain/contract'
import type { AnswerOf } from '@data-brain/contract/call'
import type { sendStudentMessage } from '@data-brain/contract/calls/studentmessage'
import { sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { modelOf } from '../../entity/model.ts'
import { type Context, Repository } from '../../entity/repository.ts'
import { contextOf, rowsOf } from '../../entity/routes.ts'
import { writeOver } from '../../entity/write.ts'
import { system } from '../../kernel/actor.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Call } from '../../kernel/route.ts'
import type { Services } from '../../kernel/services.ts'
import { addMailListener, askMails } from '../mail/index.ts'
import { recipientsOf } from './recipients.ts'

/** Dictionary message_state. */
export const states = { open: '0', queued: '2', sent: '4', partly: '5' } as const
/** Dictionary message_channel: all that sends. */
const mailChannel = '3'
/** Letters of one message. */
const most = 1_000
const prefix = 'message'

const refuse = (zh: string, en: string): Problem => new Problem('rule_broken', { reason: { zh, en } })

/** Sends a message by mail: it is queued from then on, and sent once the mail server has taken every letter. */
export async function send(id: string, call: Call): Promise<AnswerOf<typeof sendStudentMessage>> {
  const { tx, services, actor } = call
  const { tenantId } = actor
  const context = contextOf(call)
  const before = await rowsOf(studentmessage, call).before(id, { lock: true, codes: [codeOf(studentmessage, 'edit')] })
  if (before.senderId !== actor.userId) throw refuse('只有发送人本人可以发送', 'Nobody but its sender sends a message')
  if (before.state !== states.open) throw refuse('该消息已发送', 'The message was sent before')
  if (before.channels.some((channel) => channel !== mailChannel))
    throw refuse(
      '目前只能通过邮件发送：请把发送渠道改为只选“邮件”',
      'Only mail sends so far: change the channels to e-mail alone',
    )
  const { later } = (await tx.one<{ later: boolean }>(
    sql`select coalesce(${before.sendAt}::timestamptz > now(), false) as later`,
  ))!
  if (later)
    throw refuse(
      '定时发送的时间未到：请届时发送，或清空“定时发送”',
      'The time to send it has not come: send it then, or empty “Send at”',
    )
  const { addresses, without } = await recipientsOf(context, before)
  if (addresses.length === 0)
    throw refuse(
      '接收人都没有可用的电子邮箱，或家长未开启“邮件通知”',
      'No recipient has an e-mail address, or parents have not turned on “Notify by email”',
    )
  if (addresses.length > most)
    throw refuse(`收件地址超过${most}个，请分批发送`, `More than ${most} addresses: send it in parts`)
  const { name, school } = (await tx.one<{ name: string; school: string }>(
    sql`select u.real_name as name, s.school_name as school from app_user u, school s
        where u.tenant_id = ${tenantId} and u.id = ${actor.userId} and s.tenant_id = ${tenantId} and s.id = ${before.schoolId}`,
  ))!
  const about =
    (before.attachIds ?? []).length > 0
      ? '\n\n（本消息有附件，邮件中不含。/ This message has attachments, which the mail does not hold.）'
      : ''
  await askMails(
    tx,
    services,
    addresses.map((to) => ({
      ...{ tenantId, to, purpose: 'notice' as const, userId: actor.userId },
      // The subject stands in the log in clear, and a title may name a child.
      subject: `家校消息 / Message: ${school}`,
      text: `${before.title}\n\n${before.content}${about}\n\n${name}\n${school}\n`,
      requestKey: `${prefix}|${id}|${services.cipher.hash(to, tenantId).toString('base64url')}`,
    })),
  )
  await writeOver(modelOf(studentmessage), context, id, before, { state: states.queued }, {})
  return { mails: addresses.length, without }
}

/** Says that a message was sent once all of its letters were, or that some of them were not. */
async function settle(tx: Tx, { cipher }: Pick<Services, 'cipher'>, tenantId: string, key: string): Promise<void> {
  const id = key.split('|')[1]!
  const context: Context = {
    ...{ tx, cipher, actor: system('mail', tenantId) },
    circumstance: { requestId: id, language: 'zh' },
  }
  // Letters that end at once are counted one after the other.
  const held = await tx.one<{ state: string }>(
    sql`select state from studentmessage where tenant_id = ${tenantId} and id = ${id} for update`,
  )
  if (held?.state !== states.queued) return
  const count = await tx.one<{ open: number; lost: number }>(
    sql`select count(*) filter (where state in ('0', '2'))::int as open, count(*) filter (where state in ('3', '4'))::int as lost
        from mail_log where tenant_id = ${tenantId} and request_key like ${`${prefix}|${id}|%`}`,
  )
  if (count!.open > 0) return
  const before = await new Repository(studentmessage, context).before(id)
  const state = count!.lost > 0 ? states.partly : states.sent
  await writeOver(modelOf(studentmessage), context, id, before, { state }, {})
}

/** Hears what became of the letters of messages. Called once, when the server is put together. */
export const hearOfMail = (): unknown => addMailListener(prefix, settle)
