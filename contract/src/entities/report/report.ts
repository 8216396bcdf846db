import { defineEntity } from '../../entity.ts'
import { json, references, text } from '../../field.ts'
import { remark } from '../common.ts'

/** A saved question over the rows of an entity. It holds names of fields and values, and never a statement. */
export const report = defineEntity({
  name: 'report',
  path: 'blade-report/report/rest',
  label: { zh: '报表', en: 'Report' },
  measure: '张',
  ownership: 'tenant',
  title: 'name',
  fields: {
    name: text('名称', 'Name', { required: true, max: 64 }),
    /** The name of the entity whose rows it counts or lists: what `content` says, to be found by. */
    subject: text('数据对象', 'Rows of', { computed: true, max: 64 }),
    content: json('内容', 'Question', { required: true, as: 'report' }),
    roleIds: references('共享给角色', 'Shared with roles', 'role', {
      max: 50,
      help: {
        zh: '这些角色的用户可以运行报表，看到的始终是各自数据范围内的数据；留空则仅本人可见',
        en: 'People of these roles may run it, each over the rows within their own scope. Left empty: it is yours alone',
      },
    }),
    remark,
  },
  unique: [['name']],
  list: ['name', 'subject', 'roleIds', 'remark'],
  search: ['name', 'roleIds', 'remark'],
  find: ['name'],
  sort: 'name',
  sharedBy: 'roleIds',
})
