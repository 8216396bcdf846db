import { defineEntity } from '../../entity.ts'
import { choice, choices, integer, text } from '../../field.ts'

/** An application that may ask for tokens. Its secret is no field: it is told once and kept as a hash. */
export const client = defineEntity({
  name: 'client',
  path: 'blade-system/client',
  label: { zh: '客户端', en: 'Client' },
  measure: '个',
  ownership: 'platform',
  title: 'clientId',
  fields: {
    clientId: text('客户端编号', 'Client ID', { required: true, max: 48, fixed: true }),
    clientGroup: choice('应用分组', 'Group', 'client_group'),
    authorizedGrantTypes: choices('授权类型', 'Grant types', 'grant_type', {
      required: true,
      comma: true,
      default: ['password', 'refresh_token'],
    }),
    scope: text('授权范围', 'Scope', { required: true, max: 64, default: 'all' }),
    accessTokenValidity: integer('令牌有效秒数', 'Access token life (s)', {
      required: true,
      min: 60,
      max: 86_400,
      default: 3_600,
    }),
    refreshTokenValidity: integer('刷新令牌有效秒数', 'Refresh token life (s)', {
      required: true,
      min: 300,
      max: 2_592_000,
      default: 604_800,
    }),
    webServerRedirectUri: text('回调地址', 'Redirect address', { max: 255, rule: 'url' }),
    remark: text('备注', 'Remarks', { max: 255 }),
  },
  unique: [['clientId']],
  list: [
    'clientId',
    'clientGroup',
    'authorizedGrantTypes',
    'scope',
    'accessTokenValidity',
    'refreshTokenValidity',
    'remark',
  ],
  search: ['clientId', 'clientGroup', 'scope'],
  sort: 'clientId',
  status: { dict: 'common_status', default: 1 },
})
