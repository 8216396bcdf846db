import { defineCall } from '../call.ts'
import { mail } from '../entities/resource/mail.ts'
import { flagValue, idOf, objectOf, textValue } from '../shape.ts'

const of = mail.name

export const enableMail = defineCall({
  method: 'POST',
  path: 'blade-resource/mail/enable',
  of,
  access: { codes: ['mail_enable'] },
  summary: {
    zh: '邮件配置：启用，并停用其他；编号为空则全部停用',
    en: 'Mail service: enable it and turn the others off; without an id all are off',
  },
  input: { id: idOf(of) },
  answer: objectOf({ id: idOf(of, { nullable: true }) }),
})

export const sendTestMail = defineCall({
  method: 'POST',
  path: 'blade-resource/mail/send-test',
  of,
  access: { codes: ['mail_send'] },
  summary: {
    zh: '邮件配置：立即发送一封测试邮件，并以文字说明结果',
    en: 'Mail service: send a test mail at once, and say in words what became of it',
  },
  // An address of somebody stands in no address of a call.
  as: 'form',
  input: { id: idOf(of, { required: true }), to: textValue({ required: true, max: 100 }) },
  answer: objectOf({ ok: flagValue(), message: textValue(), id: idOf('maillog') }),
})
