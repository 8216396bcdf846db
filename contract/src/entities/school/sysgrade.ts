import { defineEntity } from '../../entity.ts'
import { choice, integer, reference, text } from '../../field.ts'
import { remark, sort } from '../common.ts'

export const sysgrade = defineEntity({
  name: 'sysgrade',
  path: 'blade-user/sysgrade',
  label: { zh: '系统年级', en: 'System grade' },
  measure: '个',
  ownership: 'tenant',
  shares: { whole: 'catalogue' },
  title: 'gradeName',
  choiceWithin: ['schoolId'],
  fields: {
    gradeCode: text('年级代码', 'Grade code', {
      required: true,
      max: 8,
      rule: 'code',
      help: {
        zh: '幼儿园01–03，小学11–16，初中21–24，高中31–33',
        en: 'Kindergarten 01–03, primary 11–16, junior 21–24, senior 31–33',
      },
    }),
    gradeName: text('年级名称', 'Grade name', { required: true, max: 20 }),
    stage: choice('学段', 'Stage', 'stage', { required: true }),
    gradeNo: integer('学段内序号', 'No. in stage', { required: true, min: 1, max: 12 }),
    nextGradeId: reference('升入年级', 'Next grade', 'sysgrade', {
      help: { zh: '毕业年级留空', en: 'Left empty for a graduating grade' },
    }),
    minAge: integer('最小年龄', 'Youngest age', { min: 0, max: 100 }),
    maxAge: integer('最大年龄', 'Oldest age', { min: 0, max: 100 }),
    sort,
    remark,
  },
  unique: [['gradeCode'], ['gradeName'], ['stage', 'gradeNo']],
  list: ['gradeCode', 'gradeName', 'stage', 'gradeNo', 'nextGradeId', 'minAge', 'maxAge', 'sort'],
  search: ['gradeName', 'gradeCode', 'stage'],
  sort: 'sort',
  sorts: ['gradeCode', 'gradeName'],
})
