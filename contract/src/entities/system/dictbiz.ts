import { defineEntity } from '../../entity.ts'
import { flag, integer, reference, text } from '../../field.ts'
import { remark } from '../common.ts'

export const dictbiz = defineEntity({
  name: 'dictbiz',
  path: 'blade-system/dict-biz',
  table: 'dict_biz',
  label: { zh: '业务字典', en: 'Business dictionary' },
  ownership: 'tenant',
  shares: { by: 'code' },
  title: 'dictValue',
  fields: {
    parentId: reference('上级字典', 'Parent', 'dictbiz'),
    code: text('字典编号', 'Dictionary code', { required: true, max: 32, rule: 'code' }),
    dictKey: text('字典键值', 'Key', {
      required: true,
      max: 32,
      default: '-1',
      help: { zh: '字典本身的键值是-1', en: 'The dictionary itself has the key -1' },
    }),
    dictValue: text('字典名称', 'Name', { required: true, max: 100 }),
    dictValueEn: text('英文名称', 'English name', { max: 200 }),
    sort: integer('字典排序', 'Sort order', { required: true, min: 0, max: 9999, default: 0 }),
    isSealed: flag('封存', 'Sealed', {
      required: true,
      default: 0,
      help: { zh: '封存后仍能显示，但不能再选', en: 'Still shown where it is used, but no longer offered' },
    }),
    remark,
  },
  unique: [['code', 'dictKey']],
  taken: {
    dictKey: { zh: '该字典中已有此键值', en: 'The dictionary already has that key' },
  },
  list: ['code', 'dictValue', 'dictValueEn', 'parentId', 'dictKey', 'sort', 'isSealed', 'remark'],
  search: ['dictValue', 'code', 'isSealed'],
  sort: 'sort',
  sorts: ['code', 'dictKey'],
})
