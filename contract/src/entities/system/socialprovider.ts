import { defineEntity } from '../../entity.ts'
import { choice, integer, secret, text } from '../../field.ts'
import { remark } from '../common.ts'

/**
 * Where people of a tenant may log in by an account that they have elsewhere. What is known of somebody is the provider
 * and the subject that it names, so what decides who answers as the provider is chosen once, for good.
 */
export const socialprovider = defineEntity({
  name: 'socialprovider',
  path: 'blade-auth/socialprovider',
  table: 'social_provider',
  label: { zh: '第三方登录', en: 'Social log-in' },
  ownership: 'tenant',
  title: 'providerName',
  fields: {
    source: text('来源编号', 'Source', {
      required: true,
      max: 32,
      rule: 'code',
      fixed: true,
      help: {
        zh: '登录地址中的名称，如 github；在提供方登记的回调地址为 <网站地址>/login?source=<来源编号>',
        en: 'Its name in addresses, such as github; register <address of the site>/login?source=<source> with the provider',
      },
    }),
    kind: choice('类型', 'Kind', 'social_kind', { required: true, fixed: true }),
    providerName: text('名称', 'Name', { required: true, max: 32 }),
    providerNameEn: text('英文名称', 'English name', { max: 32 }),
    issuer: text('服务地址', 'Address', {
      max: 255,
      rule: 'url',
      fixed: true,
      help: {
        zh: 'OpenID Connect 必填签发者地址；GitHub 与 Gitee 留空即为官方地址。保存后不能修改',
        en: 'The issuer for OpenID Connect; empty for GitHub and Gitee themselves. It cannot be changed later',
      },
    }),
    clientId: text('客户端编号', 'Client ID', { required: true, max: 255 }),
    clientSecret: secret('客户端密钥', 'Client secret', {
      max: 255,
      help: {
        zh: 'GitHub 与 Gitee 必填；OpenID Connect 的公开客户端留空',
        en: 'Needed for GitHub and Gitee; empty for a public client of OpenID Connect',
      },
    }),
    scopes: text('授权范围', 'Scopes', {
      max: 255,
      help: {
        zh: '以空格分隔；OpenID Connect 留空为 openid profile，其他留空为不申请',
        en: 'Separated by spaces; empty means openid profile for OpenID Connect, and none for others',
      },
    }),
    sort: integer('排序', 'Sort order', { min: 0, max: 9999, default: 0 }),
    remark,
  },
  unique: [['source']],
  list: ['providerName', 'source', 'kind', 'issuer', 'sort', 'remark'],
  search: ['providerName', 'source', 'kind'],
  sort: 'sort',
  sorts: ['source'],
  groups: [
    {
      label: { zh: '提供方', en: 'Provider' },
      fields: ['source', 'kind', 'providerName', 'providerNameEn', 'issuer', 'sort', 'remark'],
    },
    { label: { zh: '应用', en: 'Application' }, fields: ['clientId', 'clientSecret', 'scopes'] },
  ],
  status: { dict: 'common_status', default: 1 },
})
