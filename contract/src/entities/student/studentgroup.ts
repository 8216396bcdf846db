import { defineEntity } from '../../entity.ts'
import { choice, choices, date, flag, integer, json, reference, text } from '../../field.ts'
import { remark, schoolId, sort } from '../common.ts'

export const studentgroup = defineEntity({
  name: 'studentgroup',
  path: 'blade-user/studentgroup',
  label: { zh: '学生分组', en: 'Student group' },
  measure: '个',
  ownership: 'school',
  title: 'groupName',
  beside: ['yearId', 'schoolId'],
  fields: {
    schoolId,
    groupCode: text('分组编号', 'Group code', { required: true, max: 32, rule: 'code' }),
    groupName: text('分组名称', 'Group name', { required: true, max: 40 }),
    groupType: choice('分组类型', 'Group type', 'group_type', { required: true }),
    yearId: reference('学年', 'School year', 'schoolyear'),
    ownerId: reference('负责人', 'Person in charge', 'user'),
    isDynamic: flag('动态分组', 'Dynamic', {
      default: 0,
      help: {
        zh: '条件先保存，尚不自动生成名单：成员目前仍逐个添加',
        en: 'The condition is kept, and does not make the list yet: members are still added one by one',
      },
    }),
    rule: json('条件', 'Condition', {
      as: 'condition',
      of: 'student',
      only: { by: 'isDynamic', is: ['1'] },
    }),
    maxSize: integer('人数上限', 'Size limit', { min: 1, max: 10000 }),
    beginDate: date('开始日期', 'Begin date'),
    endDate: date('结束日期', 'End date'),
    visibleTo: choices('可见范围', 'Visible to', 'message_audience'),
    sort,
    remark,
  },
  unique: [
    ['schoolId', 'groupCode'],
    ['schoolId', 'yearId', 'groupName'],
  ],
  ranges: [['beginDate', 'endDate']],
  list: ['schoolId', 'groupCode', 'groupName', 'groupType', 'yearId', 'ownerId', 'isDynamic', 'maxSize'],
  search: ['groupName', 'schoolId', 'yearId', 'groupType', 'ownerId'],
  keptBy: 'ownerId',
  sort: 'sort',
  sorts: ['groupCode', 'groupName'],
  status: { dict: 'group_status', default: 1 },
  groups: [
    { label: { zh: '成员', en: 'Members' }, fields: ['isDynamic', 'rule', 'maxSize', 'visibleTo'] },
    { label: { zh: '其他', en: 'Other' }, fields: ['beginDate', 'endDate', 'sort', 'remark'] },
  ],
})
