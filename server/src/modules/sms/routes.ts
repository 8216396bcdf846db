import { codeOf, maskOf, sms, smslog } from '@data-brain/contract'
import type { AnswerOf, InputOf } from '@data-brain/contract/call'
import { enableSms, sendSms, smsOutbox } from '@data-brain/contract/calls/sms'
import { isId } from '../../database/id.ts'
import { sql } from '../../database/statement.ts'
import { modelOf } from '../../entity/model.ts'
import { contextOf, rowsOf, submit } from '../../entity/routes.ts'
import { draftSchema, rowSchema } from '../../entity/schema.ts'
import { on, onDetached } from '../../entity/serve-call.ts'
import { writeOver } from '../../entity/write.ts'
import { objectOf } from '../../kernel/body.ts'
import { isBrokenText, plainText } from '../../kernel/parameter.ts'
import { Problem } from '../../kernel/problem.ts'
import { type Call, code, type DetachedCall, type Route, route } from '../../kernel/route.ts'
import { type Payload, payloadPlace } from './payload.ts'
import { type Purpose, sendMany } from './send.ts'
import { chosenWay, outboxCategory } from './sms-channel.ts'

/** Adds or changes a way. Which one is enabled is another call's to say: that takes it from the others. */
async function save(call: Call): Promise<unknown> {
  const { tx, actor } = call
  const { status, ...draft } = objectOf(call.body)
  const stood = isId(draft.id)
    ? await tx.one<{ status: number }>(
        sql`select status from sms where tenant_id = ${actor.tenantId} and id = ${draft.id} for update`,
      )
    : { status: 1 }
  if (stood && status !== undefined && status !== null && status !== '' && Number(plainText(status)) !== stood.status)
    throw new Problem('rule_broken', {
      reason: { zh: '请使用“启用”来改变启用状态', en: 'Use “Enable” to turn a service on or off' },
    })
  return submit(sms, { ...call, body: draft })
}

/** Enables one way and turns the others off, in one go; without an id all are off. */
async function enable(call: Call, id: string | undefined): Promise<AnswerOf<typeof enableSms>> {
  const { tx, actor } = call
  const context = contextOf(call)
  const rows = rowsOf(sms, call)
  // All of them are held, in one order: two who enable at once do it one after the other.
  const all = await tx.run<{ id: string; status: number; sms_code: string }>(
    sql`select id, status, sms_code from sms where tenant_id = ${actor.tenantId} order by id for update`,
  )
  const chosen = id === undefined ? undefined : await rows.before(id, { codes: ['sms_enable'] })
  if (chosen) await chosenWay(tx, call.services, actor.tenantId, chosen.smsCode)
  for (const other of all)
    if (other.status === 2 && other.id !== id)
      await writeOver(modelOf(sms), context, other.id, await rows.before(other.id), {}, { status: 1 })
  if (chosen && id && chosen.status !== 2) await writeOver(modelOf(sms), context, id, chosen, {}, { status: 2 })
  return { id: id ?? null }
}

const badParams = (zh: string, en: string): Problem =>
  new Problem(
    'field_invalid',
    { label: { zh: '短信参数', en: 'Parameters' }, reason: { zh, en } },
    { field: 'params', fields: [] },
  )

/** Values of variables out of a JSON text: an object of texts and numbers. */
export function paramsOf(given: string | undefined): Record<string, string> {
  if (given === undefined || given.trim() === '') return {}
  let read: unknown
  try {
    read = JSON.parse(given)
  } catch {
    throw badParams('须为JSON文本', 'must be a JSON text')
  }
  if (typeof read !== 'object' || read === null || Array.isArray(read))
    throw badParams('须为JSON对象，如 {"code":"1234"}', 'must be a JSON object such as {"code":"1234"}')
  const entries = Object.entries(read)
  if (entries.length > 20) throw badParams('最多20个变量', 'at most 20 variables')
  return Object.fromEntries(
    entries.map(([name, value]) => {
      if (!/^[A-Za-z0-9_]{1,32}$/.test(name))
        throw badParams('变量名只能包含字母、数字和下划线', 'names hold letters, digits and _ only')
      if (typeof value !== 'string' && typeof value !== 'number')
        throw badParams('变量值须为文字或数字', 'values must be texts or numbers')
      if (isBrokenText(String(value)))
        throw badParams('变量值含有无法发送的字符', 'a value contains a character that cannot be sent')
      if ([...String(value)].length > 200)
        throw badParams('变量值不能超过200个字符', 'a value has at most 200 characters')
      return [name, String(value)]
    }),
  )
}

const purposes: ReadonlySet<string> = new Set<Purpose>(['test', 'code', 'notice'])

/** Asks for a message to some numbers; answers the lines of the log, by which it is seen what becomes of them. */
async function send(given: InputOf<typeof sendSms>, call: DetachedCall): Promise<AnswerOf<typeof sendSms>> {
  const header = call.headers['idempotency-key']
  const requestKey = given.requestKey ?? (typeof header === 'string' && header !== '' ? header : undefined)
  if (requestKey !== undefined && !/^[\x21-\x7e]{1,64}$/.test(requestKey))
    throw new Problem(
      'field_invalid',
      { label: 'requestKey', reason: { zh: '须为1–64位可见ASCII字符', en: 'must be 1–64 visible ASCII characters' } },
      { field: 'requestKey', fields: [] },
    )
  const purpose = given.purpose ?? 'notice'
  if (!purposes.has(purpose))
    throw new Problem(
      'field_invalid',
      { label: smslog.fields.purpose!.label, reason: { zh: '不是可选的值', en: 'is not one of the choices' } },
      { field: 'purpose', fields: [] },
    )
  if (given.phones.length === 0) throw new Problem('parameter_missing', { field: 'phones' })
  const params = paramsOf(given.params)
  const ids = await call.as(({ tx, actor }) =>
    sendMany(tx, call.services, {
      tenantId: actor.tenantId,
      phones: given.phones,
      purpose: purpose as Purpose,
      params,
      requestKey,
      code: given.code,
      userId: actor.userId,
    }),
  )
  return { ids }
}

interface OutRow {
  readonly id: string
  readonly phone: Buffer
  readonly payload: Buffer
  readonly sms_code: string
  readonly purpose: string
  readonly sent_at: string
}

/** The newest texts in the development outbox. */
async function outboxOf({ tx, actor, services }: Call): Promise<AnswerOf<typeof smsOutbox>> {
  if (!services.environment.smsOutbox) return []
  const { tenantId } = actor
  const { cipher } = services
  const rows = await tx.run<OutRow>(
    sql`select l.id, l.phone, l.payload, l.sms_code, l.purpose, l.sent_at from sms_log l
        join sms s on s.tenant_id = l.tenant_id and s.id = l.sms_id and s.category = ${outboxCategory}
        where l.tenant_id = ${tenantId} and l.state = '1' and l.payload is not null and l.create_time > now() - interval '1 day'
        order by l.create_time desc limit 50`,
  )
  return rows.map((row) => ({
    id: row.id,
    smsCode: row.sms_code,
    purpose: row.purpose,
    sentAt: row.sent_at,
    phone: maskOf(cipher.open(row.phone, { table: 'sms_log', column: 'phone', tenantId, id: row.id })),
    text: (JSON.parse(cipher.open(row.payload, payloadPlace(tenantId, row.id))) as Payload).text ?? '',
  }))
}

export const smsRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/blade-resource/sms/submit',
    tag: sms.name,
    access: code(codeOf(sms, 'add'), codeOf(sms, 'edit')),
    bodySchema: draftSchema(sms),
    dataSchema: rowSchema(sms),
    summary: { zh: '短信配置：新增或修改', en: 'SMS service: add or change' },
    handler: save,
  }),
  on(enableSms, ({ id }, call) => enable(call, id)),
  onDetached(sendSms, send),
  on(smsOutbox, (_, call) => outboxOf(call)),
]
