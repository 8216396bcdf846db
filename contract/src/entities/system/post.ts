import { defineEntity } from '../../entity.ts'
import { choice, text } from '../../field.ts'
import { remark, sort } from '../common.ts'

export const post = defineEntity({
  name: 'post',
  path: 'blade-system/post',
  label: { zh: '岗位', en: 'Post' },
  measure: '个',
  ownership: 'tenant',
  made: 'anywhere',
  title: 'postName',
  beside: ['postCode'],
  fields: {
    category: choice('岗位类型', 'Category', 'post_category', { required: true }),
    postCode: text('岗位编号', 'Post code', { required: true, max: 32, rule: 'code' }),
    postName: text('岗位名称', 'Post name', { required: true, max: 64 }),
    sort,
    remark,
  },
  unique: [['postCode']],
  list: ['postCode', 'postName', 'category', 'sort', 'remark'],
  search: ['postName', 'postCode', 'category'],
  sort: 'sort',
  sorts: ['postCode', 'postName'],
})
