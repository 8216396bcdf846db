import { codeOf, mail } from '@data-brain/contract'
import type { AnswerOf, InputOf } from '@data-brain/contract/call'
import { enableMail, sendTestMail } from '@data-brain/contract/calls/mail'
import { isId } from '../../database/id.ts'
import { sql } from '../../database/statement.ts'
import { modelOf } from '../../entity/model.ts'
import { contextOf, rowsOf, submit } from '../../entity/routes.ts'
import { draftSchema, rowSchema } from '../../entity/schema.ts'
import { on, onDetached } from '../../entity/serve-call.ts'
import { writeOver } from '../../entity/write.ts'
import { objectOf } from '../../kernel/body.ts'
import { plainText } from '../../kernel/parameter.ts'
import { Problem } from '../../kernel/problem.ts'
import { type Call, code, type DetachedCall, type Route, route } from '../../kernel/route.ts'
import { attempt, lease, note } from './deliver.ts'
import { lockMail, roomOf, serviceOf } from './mail-service.ts'
import { refuseAddress, write } from './send.ts'

/** Adds or changes a service. Which one is enabled is another call's to say: that takes it from the others. */
async function save(call: Call): Promise<unknown> {
  const { tx, actor } = call
  const { status, ...draft } = objectOf(call.body)
  const stood = isId(draft.id)
    ? await tx.one<{ status: number }>(
        sql`select status from mail where tenant_id = ${actor.tenantId} and id = ${draft.id} for update`,
      )
    : { status: 1 }
  if (stood && status !== undefined && status !== null && status !== '' && Number(plainText(status)) !== stood.status)
    throw new Problem('rule_broken', {
      reason: { zh: '请使用“启用”来改变启用状态', en: 'Use “Enable” to turn a service on or off' },
    })
  return submit(mail, { ...call, body: draft })
}

/** Enables one service and turns the others off, in one go; without an id all are off. */
async function enable(call: Call, id: string | undefined): Promise<AnswerOf<typeof enableMail>> {
  const { tx, actor } = call
  const context = contextOf(call)
  const rows = rowsOf(mail, call)
  // All of them are held, in one order: two who enable at once do it one after the other.
  const all = await tx.run<{ id: string; status: number }>(
    sql`select id, status from mail where tenant_id = ${actor.tenantId} order by id for update`,
  )
  const chosen = id === undefined ? undefined : await rows.before(id, { codes: ['mail_enable'] })
  for (const other of all)
    if (other.status === 2 && other.id !== id)
      await writeOver(modelOf(mail), context, other.id, await rows.before(other.id), {}, { status: 1 })
  if (chosen && id && chosen.status !== 2) await writeOver(modelOf(mail), context, id, chosen, {}, { status: 2 })
  return { id: id ?? null }
}

/** Sends one mail now, by one service, enabled or not, and answers what became of it in the caller's language. */
async function sendTest(
  { id, to }: InputOf<typeof sendTestMail>,
  call: DetachedCall,
): Promise<AnswerOf<typeof sendTestMail>> {
  const { services, circumstance } = call
  refuseAddress(to)
  const { tenantId, service, claimed } = await call.as(async (opened) => {
    const { tx, actor } = opened
    await rowsOf(mail, { ...call, ...opened }).before(id, { codes: ['mail_send'] })
    const { tenantId } = actor
    await lockMail(tx, tenantId)
    const service = (await serviceOf(tx, services, tenantId, id))!
    if ((await roomOf(tx, tenantId, service)) <= 0)
      throw new Problem('rule_broken', {
        reason: {
          zh: '已达到该配置的发送上限，请稍后再试',
          en: 'The limits of this service are reached: try again later',
        },
      })
    const asked = await write(
      tx,
      services,
      {
        tenantId,
        to,
        subject: '测试邮件 / Test mail',
        text: '这是一封测试邮件：邮件配置可以使用。\n\nThis is a test mail: the mail service works.\n',
        purpose: 'test',
        userId: actor.userId,
      },
      id,
    )
    const [claimed] = await lease(tx, tenantId, id, 1, asked)
    return { tenantId, service, claimed: claimed! }
  })
  const outcome = await attempt(services, tenantId, service, claimed)
  await call.as(({ tx }) => note(tx, services, tenantId, service, claimed, outcome, true))
  const words =
    outcome.kind === 'sent'
      ? { zh: `邮件服务器已收下：${outcome.answer}`, en: `The mail server has taken it: ${outcome.answer}` }
      : outcome.why
  return { ok: outcome.kind === 'sent' ? 1 : 0, message: words[circumstance.language], id: claimed.id }
}

export const mailRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/blade-resource/mail/submit',
    tag: mail.name,
    access: code(codeOf(mail, 'add'), codeOf(mail, 'edit')),
    bodySchema: draftSchema(mail),
    dataSchema: rowSchema(mail),
    summary: { zh: '邮件配置：新增或修改', en: 'Mail service: add or change' },
    handler: save,
  }),
  on(enableMail, ({ id }, call) => enable(call, id)),
  onDetached(sendTestMail, sendTest),
]
