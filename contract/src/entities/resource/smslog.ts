import { defineEntity } from '../../entity.ts'
import { choice, instant, integer, personal, reference, text } from '../../field.ts'

/** A text message that was asked for, and what became of it. Written by the server alone. */
export const smslog = defineEntity({
  name: 'smslog',
  path: 'blade-resource/smslog',
  table: 'sms_log',
  label: { zh: '短信记录', en: 'SMS log' },
  ownership: 'tenant',
  readOnly: true,
  title: 'smsCode',
  fields: {
    smsId: reference('短信配置', 'SMS service', 'sms', { computed: true }),
    smsCode: text('资源编号', 'Code', { max: 32, required: true, computed: true }),
    phone: personal('手机号码', 'Mobile', { max: 20, rule: 'mobile', required: true, computed: true }),
    purpose: choice('用途', 'Purpose', 'sms_purpose', { required: true, computed: true }),
    state: choice('发送状态', 'State', 'sms_state', { required: true, default: '0', computed: true }),
    tries: integer('尝试次数', 'Tries', { min: 0, max: 99, required: true, default: 0, computed: true }),
    nextTry: instant('下次尝试', 'Next try', { computed: true }),
    sentAt: instant('发送时间', 'Sent at', { computed: true }),
    messageId: text('回执编号', 'Receipt', { max: 128, computed: true }),
    failure: text('失败原因', 'Failure', { max: 500, computed: true }),
  },
  list: ['phone', 'smsCode', 'purpose', 'state', 'tries', 'sentAt', 'messageId', 'failure'],
  search: ['phone', 'smsCode', 'state', 'purpose'],
  sort: '-createTime',
})
