import { defineEntity } from '../../entity.ts'
import { choice, date, flag, integer, reference, text } from '../../field.ts'
import { schoolId } from '../common.ts'

/**
 * What one published lesson is on one day in place of what the timetable says: given by somebody else, at another time, in
 * another room, or not at all. The timetable itself stays as it is; what is wrong is cancelled and made anew.
 */
export const substitution = defineEntity({
  name: 'substitution',
  path: 'blade-user/substitution',
  label: { zh: '调代课', en: 'Substitution' },
  measure: '节',
  ownership: 'school',
  title: 'day',
  beside: ['scheduleId', 'teacherId', 'newTeacherId'],
  fields: {
    schoolId,
    scheduleId: reference('课', 'Lesson', 'classschedule', { required: true, fixed: true }),
    /** The day on which the timetable has the lesson, not the one that it is moved to. */
    day: date('原上课日期', 'Day', { required: true, fixed: true }),
    kind: choice('类型', 'Kind', 'substitution_kind', { required: true, fixed: true, default: '1' }),
    teacherId: reference('原任课教师', 'Teacher', 'user', { computed: true }),
    newTeacherId: reference('代课教师', 'Substitute', 'user', {
      fixed: true,
      only: { by: 'kind', is: ['1', '2'], optional: true },
    }),
    newDay: date('调至日期', 'Moved to', { fixed: true, only: { by: 'kind', is: ['2'] } }),
    newPeriodNo: integer('调至节次', 'Moved to period', {
      min: 1,
      max: 14,
      fixed: true,
      only: { by: 'kind', is: ['2'] },
    }),
    newClassroomId: reference('改用教室', 'Other room', 'schoolclassroom', {
      fixed: true,
      only: { by: 'kind', is: ['1', '2', '4'], optional: true },
    }),
    reason: text('事由', 'Reason', { max: 200 }),
    countsAsExtra: flag('计入课时费', 'Counts for pay', {
      default: 1,
      help: { zh: '代课教师的这节课计入课时费', en: 'The lesson counts for the pay of the substitute' },
    }),
    pairId: reference('对调的另一节', 'Exchanged with', 'substitution', { computed: true }),
  },
  // Whose lesson it is says whose data it is.
  reachedBy: ['scheduleId'],
  list: ['day', 'scheduleId', 'kind', 'teacherId', 'newTeacherId', 'newDay', 'newPeriodNo', 'newClassroomId', 'reason'],
  search: ['day', 'kind', 'teacherId', 'newTeacherId', 'schoolId'],
  sort: '-day',
  groups: [
    { label: { zh: '原来的课', en: 'The lesson' }, fields: ['schoolId', 'scheduleId', 'day'] },
    {
      label: { zh: '改为', en: 'Instead' },
      fields: ['kind', 'newTeacherId', 'newDay', 'newPeriodNo', 'newClassroomId'],
    },
    { label: { zh: '其他', en: 'Other' }, fields: ['reason', 'countsAsExtra'] },
  ],
  status: {
    dict: 'substitution_status',
    default: 0,
    switchedBy: 'substitution_decide',
    tones: { '0': 'warn', '1': 'good', '2': 'good', '3': 'off', '4': 'off' },
  },
})
