import { defineCall } from '../call.ts'
import { sms } from '../entities/resource/sms.ts'
import { idOf, idsOf, instantValue, listOf, objectOf, textValue, textValues } from '../shape.ts'

const of = sms.name

export const enableSms = defineCall({
  method: 'POST',
  path: 'blade-resource/sms/enable',
  of,
  access: { codes: ['sms_enable'] },
  summary: {
    zh: '短信配置：启用，并停用其他；编号为空则全部停用',
    en: 'SMS service: enable it and turn the others off; without an id all are off',
  },
  input: { id: idOf(of) },
  answer: objectOf({ id: idOf(of, { nullable: true }) }),
})

export const sendSms = defineCall({
  method: 'POST',
  path: 'blade-resource/sms/endpoint/send-message',
  of,
  access: { codes: ['sms_send'] },
  summary: {
    zh: '发送短信；编号为空则用已启用的配置，相同的 Idempotency-Key(或 requestKey)只发送一次',
    en: 'Send a text message; by the enabled service where no code is given, and once per Idempotency-Key (or requestKey)',
  },
  // Numbers and values of variables stand in no address.
  as: 'form',
  input: {
    code: textValue({ max: 32 }),
    phones: textValues({ required: true, max: 200 }),
    // A JSON object of texts and numbers.
    params: textValue({ max: 4_000 }),
    purpose: textValue({ max: 32 }),
    requestKey: textValue({ max: 64 }),
  },
  // The lines of the log, by which it is seen what becomes of the messages.
  answer: objectOf({ ids: idsOf('smslog') }),
})

export const smsOutbox = defineCall({
  method: 'GET',
  path: 'blade-resource/sms/outbox',
  of,
  access: { codes: ['sms_send'] },
  summary: {
    zh: '开发发件箱：最近一天的短信全文（生产环境为空）',
    en: 'Development outbox: whole texts of the last day (empty in production)',
  },
  answer: listOf(
    objectOf({
      id: idOf('smslog'),
      smsCode: textValue(),
      purpose: textValue(),
      sentAt: instantValue(),
      // Masked.
      phone: textValue(),
      text: textValue(),
    }),
  ),
})
