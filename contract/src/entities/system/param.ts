import { defineEntity } from '../../entity.ts'
import { area, text } from '../../field.ts'
import { remark } from '../common.ts'

/** A setting of a tenant. The keys that the server reads are listed in parameters.ts, each with its type. */
export const param = defineEntity({
  name: 'param',
  path: 'blade-system/param',
  label: { zh: '系统参数', en: 'Parameter' },
  measure: '个',
  ownership: 'tenant',
  title: 'paramName',
  fields: {
    paramName: text('参数名称', 'Name', { required: true, max: 64 }),
    paramKey: text('参数键名', 'Key', { required: true, max: 64 }),
    paramValue: area('参数键值', 'Value', { required: true, max: 2_000 }),
    remark,
  },
  unique: [['paramKey']],
  list: ['paramName', 'paramKey', 'paramValue', 'remark'],
  search: ['paramName', 'paramKey', 'paramValue'],
  sort: 'paramKey',
  sorts: ['paramName'],
})
