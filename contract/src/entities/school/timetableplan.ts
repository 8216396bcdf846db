import { defineEntity } from '../../entity.ts'
import { integer, reference, text } from '../../field.ts'
import { remark, schoolId } from '../common.ts'

/** One timetable of a semester: a draft that is worked on, or the published one of its weeks. */
export const timetableplan = defineEntity({
  name: 'timetableplan',
  path: 'blade-user/timetableplan',
  label: { zh: '课表方案', en: 'Timetable plan' },
  short: '方案',
  measure: '个',
  ownership: 'school',
  title: 'planName',
  beside: ['semesterId', 'schoolId'],
  fields: {
    schoolId,
    semesterId: reference('学期', 'Semester', 'schoolsemester', { required: true, fixed: true }),
    planName: text('方案名称', 'Name', { required: true, max: 40 }),
    beginWeek: integer('起始周', 'From week', { computed: true, min: 1, max: 30 }),
    endWeek: integer('结束周', 'Until week', { computed: true, min: 1, max: 30 }),
    parentPlanId: reference('来源方案', 'Made from', 'timetableplan', { computed: true }),
    remark,
  },
  unique: [['semesterId', 'planName']],
  list: ['schoolId', 'semesterId', 'planName', 'beginWeek', 'endWeek', 'parentPlanId'],
  search: ['planName', 'schoolId', 'semesterId'],
  sort: 'planName',
  // A name may say what is not settled yet: 高三重新分班. What has been published is known, and so is what it replaced.
  drafted: { shown: [2, 3], parts: 'classschedule' },
  guards: ['parentPlanId'],
  status: {
    dict: 'plan_status',
    default: 0,
    switchedBy: 'timetableplan_publish',
    tones: { '0': 'warn', '2': 'good', '3': 'off' },
  },
})
