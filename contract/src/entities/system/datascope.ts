import { defineEntity } from '../../entity.ts'
import { choice, json, reference, text } from '../../field.ts'
import { remark } from '../common.ts'

/** Which rows of an entity a role may see and change. Granted to roles beside their menus. */
export const datascope = defineEntity({
  name: 'datascope',
  path: 'blade-system/data-scope',
  table: 'data_scope',
  label: { zh: '数据权限', en: 'Data scope' },
  ownership: 'tenant',
  title: 'scopeName',
  fields: {
    menuId: reference('所属菜单', 'Menu', 'menu'),
    scopeName: text('权限名称', 'Name', { required: true, max: 64 }),
    resourceCode: text('权限编号', 'Code', { required: true, max: 64, rule: 'code' }),
    /** Name of the entity whose rows are meant. */
    scopeClass: text('数据对象', 'Rows of', { required: true, max: 64 }),
    scopeType: choice('规则类型', 'Rule', 'data_scope_type', { required: true }),
    scopeColumn: text('判断字段', 'By field', {
      max: 64,
      help: { zh: '本人、机构类规则依据的字段', en: 'The field that own-rows and department rules look at' },
    }),
    scopeField: text('可见字段', 'Visible fields', { max: 255, default: '*', computed: true }),
    /** `{all|any: [{field, op, value} | {all|any: […]}]}`, for a custom rule. */
    scopeValue: json('规则条件', 'Conditions', { as: 'condition', of: { by: 'scopeClass' } }),
    remark,
  },
  unique: [['resourceCode']],
  list: ['scopeName', 'resourceCode', 'menuId', 'scopeClass', 'scopeType', 'scopeColumn', 'remark'],
  search: ['scopeName', 'resourceCode', 'menuId', 'scopeType'],
  sort: 'resourceCode',
  sorts: ['scopeName'],
})
