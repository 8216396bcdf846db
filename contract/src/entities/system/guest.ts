import { defineEntity } from '../../entity.ts'
import { area, text } from '../../field.ts'

/** Somebody known elsewhere who asked for an account here. Written by the server alone; its password is no field. */
export const guest = defineEntity({
  name: 'guest',
  path: 'blade-user/guest',
  label: { zh: '注册申请', en: 'Registration' },
  ownership: 'tenant',
  readOnly: true,
  title: 'name',
  fields: {
    name: text('姓名', 'Name', { required: true, max: 50, rule: 'personName', computed: true }),
    account: text('账号', 'Account', { required: true, max: 45, rule: 'account', computed: true }),
    source: text('来源', 'Source', { required: true, max: 32, computed: true }),
    socialName: text('第三方名称', 'Name there', { max: 100, computed: true }),
    handler: text('处理人', 'Decided by', { max: 64, computed: true }),
    reason: area('拒绝原因', 'Reason', { max: 200, computed: true }),
  },
  list: ['name', 'account', 'source', 'socialName', 'handler', 'reason'],
  search: ['name', 'account', 'source'],
  sort: '-createTime',
  status: { dict: 'guest_status', default: 0, tones: { '0': 'warn', '2': 'off' } },
})
