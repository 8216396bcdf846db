import { defineEntity } from '../../entity.ts'
import { choice, date, reference } from '../../field.ts'
import { parentSchoolId, sort } from '../common.ts'

export const studentgrouprelevance = defineEntity({
  name: 'studentgrouprelevance',
  path: 'blade-user/studentgrouprelevance',
  label: { zh: '分组关联', en: 'Group member' },
  ownership: 'school',
  title: 'studentId',
  beside: ['groupId'],
  fields: {
    schoolId: parentSchoolId,
    groupId: reference('分组', 'Group', 'studentgroup', { required: true, fixed: true }),
    studentId: reference('学生', 'Student', 'student', { required: true, fixed: true }),
    role: choice('角色', 'Role', 'member_role', { required: true, default: '2' }),
    beginDate: date('加入日期', 'Joined on', { required: true }),
    endDate: date('退出日期', 'Left on'),
    sort,
  },
  unique: [['groupId', 'studentId']],
  taken: {
    studentId: {
      zh: '该分组中已有此学生的记录；如学生已退出，请修改原记录',
      en: 'The group already has a record of the student: where the student has left, change that one',
    },
  },
  ranges: [['beginDate', 'endDate']],
  list: ['schoolId', 'groupId', 'studentId', 'role', 'beginDate', 'endDate', 'sort'],
  search: ['studentId', 'schoolId', 'groupId', 'role'],
  within: 'studentId',
  sort: 'sort',
  sorts: ['beginDate'],
})
