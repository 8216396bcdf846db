import { defineEntity } from '../../entity.ts'
import { flag, reference, text } from '../../field.ts'
import { sort } from '../common.ts'

export const role = defineEntity({
  name: 'role',
  path: 'blade-system/role',
  label: { zh: '角色', en: 'Role' },
  measure: '个',
  ownership: 'tenant',
  title: 'roleName',
  beside: ['parentId'],
  fields: {
    parentId: reference('上级角色', 'Parent role', 'role'),
    roleName: text('角色名称', 'Role name', { required: true, max: 40 }),
    // The server makes one of the name where none is given.
    roleAlias: text('角色别名', 'Role alias', {
      max: 32,
      rule: 'code',
      help: {
        zh: '程序里识别角色的英文名，留空由系统按名称生成',
        en: 'The word by which the program knows the role; made of the name where it is empty',
      },
    }),
    sort,
    // Power comes from here, and no call sets it.
    isAdmin: flag('管理员角色', 'Administrators', { required: true, default: 0, computed: true }),
  },
  unique: [['roleAlias']],
  list: ['roleName', 'roleAlias', 'parentId', 'sort', 'isAdmin'],
  search: ['roleName', 'roleAlias', 'parentId'],
  sort: 'sort',
  sorts: ['roleName'],
})
