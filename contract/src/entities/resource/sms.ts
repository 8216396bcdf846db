import { defineEntity } from '../../entity.ts'
import { area, choice, secret, text } from '../../field.ts'
import { remark } from '../common.ts'

/** A way to send text messages. Of a tenant's ways at most one is enabled. */
export const sms = defineEntity({
  name: 'sms',
  path: 'blade-resource/sms',
  label: { zh: '短信配置', en: 'SMS service' },
  measure: '个',
  ownership: 'tenant',
  title: 'smsCode',
  fields: {
    category: choice('短信类型', 'Kind', 'sms', { required: true }),
    smsCode: text('资源编号', 'Code', { required: true, max: 32, rule: 'code' }),
    templateId: text('模板编号', 'Template', { max: 64 }),
    content: area('短信内容', 'Text', {
      max: 500,
      help: {
        zh: '发送全文的服务填写，变量写作 #code#',
        en: 'For services that take the whole text; a variable is written #code#',
      },
    }),
    accessKey: secret('访问键', 'Access key', { max: 255 }),
    secretKey: secret('密钥', 'Secret key', { max: 255 }),
    appId: text('应用编号', 'App ID', { max: 64 }),
    regionId: text('区域', 'Region', { max: 64 }),
    signName: text('短信签名', 'Signature', { max: 32 }),
    endpoint: text('服务地址', 'Endpoint', {
      max: 255,
      rule: 'url',
      help: { zh: '通用网关必填；其他留空即为官方地址', en: 'Needed for a gateway; else empty for the service’s own' },
    }),
    remark,
  },
  unique: [['smsCode']],
  list: ['smsCode', 'category', 'templateId', 'signName', 'regionId', 'remark'],
  search: ['smsCode', 'category', 'templateId'],
  sort: 'smsCode',
  groups: [
    { label: { zh: '服务', en: 'Service' }, fields: ['smsCode', 'category', 'endpoint', 'regionId', 'remark'] },
    { label: { zh: '账号', en: 'Account' }, fields: ['accessKey', 'secretKey', 'appId'] },
    { label: { zh: '内容', en: 'Message' }, fields: ['signName', 'templateId', 'content'] },
  ],
  status: { dict: 'enable_status', default: 1, switchedBy: 'sms_enable', tones: { '1': 'off', '2': 'good' } },
})
