import { defineEntity } from '../../entity.ts'
import { choice, integer, secret, text } from '../../field.ts'
import { remark } from '../common.ts'

/** An SMTP service that sends mail. Of a tenant's services at most one is enabled. */
export const mail = defineEntity({
  name: 'mail',
  path: 'blade-resource/mail',
  label: { zh: '邮件配置', en: 'Mail service' },
  measure: '个',
  ownership: 'tenant',
  title: 'mailCode',
  fields: {
    mailCode: text('资源编号', 'Code', { required: true, max: 32, rule: 'code' }),
    fromAddress: text('发件地址', 'Sender address', { required: true, max: 100, rule: 'email' }),
    fromName: text('发件人名称', 'Sender name', { max: 64 }),
    host: text('服务器', 'Host', {
      required: true,
      max: 253,
      help: { zh: '如 smtp.example.com，不含协议和端口', en: 'Such as smtp.example.com, without protocol or port' },
    }),
    port: integer('端口', 'Port', { required: true, min: 1, max: 65_535, default: 465 }),
    encryption: choice('加密方式', 'Encryption', 'mail_encryption', {
      required: true,
      default: '1',
      help: {
        zh: '不加密时密码和邮件都以明文传输，只用于运维人员许可的内网服务器',
        en: 'Without encryption password and mail can be read on the way: only for a host within, which the operator allows',
      },
    }),
    account: text('账号', 'Account', { max: 255 }),
    password: secret('密码', 'Password', {
      max: 255,
      help: {
        zh: '加密保存，不再显示；服务器、端口、加密方式或账号改变后须重新填写',
        en: 'Kept encrypted and never shown; entered anew when host, port, encryption or account change',
      },
    }),
    perMinute: integer('每分钟上限', 'Most per minute', { required: true, min: 1, max: 1_000, default: 20 }),
    perDay: integer('每天上限', 'Most per day', { required: true, min: 1, max: 1_000_000, default: 500 }),
    remark,
  },
  unique: [['mailCode']],
  list: ['mailCode', 'host', 'port', 'encryption', 'account', 'fromAddress', 'remark'],
  search: ['mailCode', 'host', 'fromAddress'],
  sort: 'mailCode',
  groups: [
    { label: { zh: '连接', en: 'Connection' }, fields: ['mailCode', 'host', 'port', 'encryption'] },
    {
      label: { zh: '登录与发件', en: 'Log-in and sender' },
      fields: ['account', 'password', 'fromAddress', 'fromName'],
    },
    { label: { zh: '上限与备注', en: 'Limits and remark' }, fields: ['perMinute', 'perDay', 'remark'] },
  ],
  status: { dict: 'enable_status', default: 1, switchedBy: 'mail_enable', tones: { '1': 'off', '2': 'good' } },
})
