import { defineEntity } from '../../entity.ts'
import { choice, reference, text } from '../../field.ts'
import { remark, sort } from '../common.ts'

export const dept = defineEntity({
  name: 'dept',
  path: 'blade-system/dept',
  label: { zh: '部门', en: 'Department' },
  measure: '个',
  ownership: 'tenant',
  choiceTree: true,
  title: 'deptName',
  beside: ['parentId'],
  fields: {
    parentId: reference('上级部门', 'Parent department', 'dept'),
    // Ids from the root down, '0,1,12': a subtree is found by a prefix.
    ancestors: text('上级路径', 'Ancestors', { max: 2000, computed: true, inner: true }),
    deptName: text('部门名称', 'Department name', { required: true, max: 60 }),
    fullName: text('部门全称', 'Full name', { max: 120 }),
    deptCategory: choice('部门类型', 'Type', 'dept_category', { required: true, default: '3' }),
    leaderId: reference('负责人', 'Head', 'user'),
    schoolId: reference('学校', 'School', 'school', {
      help: { zh: '属于某所学校的部门', en: 'Where the department belongs to one school' },
    }),
    sort,
    remark,
  },
  unique: [['parentId', 'deptName']],
  taken: {
    deptName: { zh: '该上级部门下已有同名部门', en: 'The parent department already has a department of that name' },
  },
  list: ['deptName', 'fullName', 'deptCategory', 'parentId', 'leaderId', 'schoolId', 'sort'],
  search: ['deptName', 'fullName', 'schoolId', 'deptCategory'],
  sort: 'sort',
  sorts: ['deptName'],
})
