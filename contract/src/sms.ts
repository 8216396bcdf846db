import type { Words } from './field.ts'

/** What a kind of SMS service needs, by the key of dictionary `sms`: told once, for the form and for the server. */
export interface SmsService {
  readonly name: Words
  /** Fields that must be filled in before it can send. */
  readonly needs: readonly SmsField[]
  /** Fields that it can make use of as well. */
  readonly takes: readonly SmsField[]
  /** What its own console calls a field, where that is another word than ours. */
  readonly labels: Partial<Readonly<Record<SmsField, Words>>>
  /** Address that is called where none is given; the others cannot do without one, or call nobody. */
  readonly official?: string
}

export const smsFields = [
  'accessKey',
  'secretKey',
  'appId',
  'regionId',
  'templateId',
  'signName',
  'content',
  'endpoint',
] as const
export type SmsField = (typeof smsFields)[number]

const accessKeys: SmsService['labels'] = {
  accessKey: { zh: 'AccessKey ID', en: 'AccessKey ID' },
  secretKey: { zh: 'AccessKey Secret', en: 'AccessKey Secret' },
}

export const smsServices: Readonly<Record<string, SmsService>> = {
  '1': {
    name: { zh: '云片', en: 'Yunpian' },
    needs: ['accessKey', 'content'],
    takes: ['signName', 'endpoint'],
    labels: {
      accessKey: { zh: 'APIKEY', en: 'API key' },
      content: { zh: '模板内容', en: 'Template text' },
    },
    official: 'https://sms.yunpian.com/v2/sms/single_send.json',
  },
  '2': {
    name: { zh: '七牛云', en: 'Qiniu Cloud' },
    needs: ['accessKey', 'secretKey', 'templateId'],
    takes: ['endpoint'],
    labels: {
      accessKey: { zh: 'AccessKey', en: 'AccessKey' },
      secretKey: { zh: 'SecretKey', en: 'SecretKey' },
      templateId: { zh: '模板 ID', en: 'Template ID' },
    },
    official: 'https://sms.qiniuapi.com/v1/message/single',
  },
  '3': {
    name: { zh: '阿里云', en: 'Alibaba Cloud' },
    needs: ['accessKey', 'secretKey', 'templateId', 'signName'],
    takes: ['endpoint'],
    labels: { ...accessKeys, templateId: { zh: '模板 CODE', en: 'Template code' } },
    official: 'https://dysmsapi.aliyuncs.com/',
  },
  '4': {
    name: { zh: '腾讯云', en: 'Tencent Cloud' },
    needs: ['accessKey', 'secretKey', 'appId', 'templateId', 'signName'],
    takes: ['regionId', 'endpoint'],
    labels: {
      accessKey: { zh: 'SecretId', en: 'SecretId' },
      secretKey: { zh: 'SecretKey', en: 'SecretKey' },
      appId: { zh: 'SDK AppID', en: 'SDK app ID' },
      templateId: { zh: '模板 ID', en: 'Template ID' },
    },
    official: 'https://sms.tencentcloudapi.com/',
  },
  '5': {
    name: { zh: '通用网关', en: 'HTTP gateway' },
    needs: ['endpoint', 'secretKey'],
    takes: ['templateId', 'signName', 'content'],
    labels: {
      endpoint: { zh: '网关地址', en: 'Address of the gateway' },
      secretKey: { zh: '签名密钥', en: 'Signing key' },
    },
  },
  '6': {
    name: { zh: '开发发件箱', en: 'Development outbox' },
    needs: ['content'],
    takes: ['signName'],
    labels: {},
  },
}

/** Names of the variables in a text: `#code#`, in the order in which they stand. */
export const smsVariables = (content: string): string[] => [
  ...new Set([...content.matchAll(/#([A-Za-z0-9_]{1,32})#/g)].map(([, name]) => name!)),
]

/**
 * The whole text of a message: the signature in front, variables filled in; one without a value stays as it is written.
 */
export function smsText(signName: string | null, content: string, params: Readonly<Record<string, string>>): string {
  const text = content.replace(/#([A-Za-z0-9_]{1,32})#/g, (whole, name: string) =>
    Object.hasOwn(params, name) ? params[name]! : whole,
  )
  return signName && !text.startsWith('【') ? `【${signName}】${text}` : text
}
