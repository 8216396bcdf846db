import { defineEntity } from '../../entity.ts'
import { choice, reference, references, text } from '../../field.ts'
import { remark } from '../common.ts'

/** A workbook that an authority prescribes: marks in its cells say which fields of a row go there. */
export const fixedform = defineEntity({
  name: 'fixedform',
  path: 'blade-report/fixedform',
  label: { zh: '表样', en: 'Form' },
  measure: '张',
  ownership: 'tenant',
  title: 'name',
  fields: {
    name: text('名称', 'Name', { required: true, max: 64 }),
    subject: choice('填写对象', 'Filled with', 'form_subject', {
      required: true,
      help: { zh: '每份填一条，或一份列出多条', en: 'Each copy holds one, or a list of several' },
    }),
    attachId: reference('表样文件', 'Workbook', 'attach', {
      required: true,
      workbook: true,
      help: {
        zh: '.xlsx，不超过10MB；在单元格里用双花括号写上字段名称作为标记，见列表上方的“可用标记”',
        en: 'An .xlsx of at most 10 MB. Names of fields in double braces are its marks: see “Marks” above the list',
      },
    }),
    roleIds: references('共享给角色', 'Shared with roles', 'role', {
      max: 50,
      help: {
        zh: '这些角色的用户可以用它填表，填入的始终是各自数据范围内的数据；留空则仅本人可见',
        en: 'People of these roles may fill it, each with the rows within their own scope. Left empty: it is yours alone',
      },
    }),
    remark,
  },
  unique: [['name']],
  list: ['name', 'subject', 'roleIds', 'remark'],
  search: ['name', 'subject', 'roleIds', 'remark'],
  find: ['name'],
  sort: 'name',
  sharedBy: 'roleIds',
})
