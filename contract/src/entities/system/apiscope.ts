import { defineEntity } from '../../entity.ts'
import { choice, reference, text } from '../../field.ts'
import { remark } from '../common.ts'

/** Calls that only the roles granted this scope may make. */
export const apiscope = defineEntity({
  name: 'apiscope',
  path: 'blade-system/api-scope',
  table: 'api_scope',
  label: { zh: '接口权限', en: 'API scope' },
  ownership: 'tenant',
  title: 'scopeName',
  fields: {
    menuId: reference('所属菜单', 'Menu', 'menu'),
    scopeName: text('权限名称', 'Name', { required: true, max: 64 }),
    resourceCode: text('权限编号', 'Code', { required: true, max: 64, rule: 'code' }),
    scopePath: text('接口地址', 'Path', {
      required: true,
      max: 255,
      help: {
        zh: '如 /api/blade-user/student/list，或以/**结尾表示其下全部',
        en: 'Such as /api/blade-user/student/list; /** at the end means everything below',
      },
    }),
    scopeType: choice('接口类型', 'Type', 'api_scope_type', { required: true, default: '2' }),
    remark,
  },
  unique: [['resourceCode']],
  list: ['scopeName', 'resourceCode', 'menuId', 'scopePath', 'scopeType', 'remark'],
  search: ['scopeName', 'resourceCode', 'scopePath', 'menuId', 'scopeType'],
  sort: 'resourceCode',
  sorts: ['scopeName'],
})
