import { defineEntity } from '../../entity.ts'
import { choice, instant, integer, personal, reference, text } from '../../field.ts'

/** A mail that was asked for, and what became of it. Written by the server alone. */
export const maillog = defineEntity({
  name: 'maillog',
  path: 'blade-resource/maillog',
  table: 'mail_log',
  label: { zh: '邮件记录', en: 'Mail log' },
  ownership: 'tenant',
  readOnly: true,
  title: 'subject',
  fields: {
    mailId: reference('邮件配置', 'Mail service', 'mail', { computed: true }),
    recipient: personal('收件地址', 'Recipient', { max: 100, rule: 'email', required: true, computed: true }),
    subject: text('主题', 'Subject', { max: 200, required: true, computed: true }),
    purpose: choice('用途', 'Purpose', 'mail_purpose', { required: true, computed: true }),
    state: choice('发送状态', 'State', 'mail_state', { required: true, default: '0', computed: true }),
    tries: integer('尝试次数', 'Tries', { min: 0, max: 99, required: true, default: 0, computed: true }),
    nextTry: instant('下次尝试', 'Next try', { computed: true }),
    sentAt: instant('发送时间', 'Sent at', { computed: true }),
    answer: text('服务器答复', 'Answer of the server', { max: 500, computed: true }),
  },
  list: ['recipient', 'subject', 'purpose', 'state', 'tries', 'sentAt', 'answer'],
  search: ['recipient', 'subject', 'state', 'purpose'],
  sort: '-createTime',
})
