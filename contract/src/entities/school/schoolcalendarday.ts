import { defineEntity } from '../../entity.ts'
import { choice, date, text } from '../../field.ts'
import { schoolId } from '../common.ts'

/** A day on which a school does otherwise than its weekday says. Days that have no row are taught as usual. */
export const schoolcalendarday = defineEntity({
  name: 'schoolcalendarday',
  path: 'blade-user/schoolcalendarday',
  label: { zh: '校历', en: 'School calendar' },
  measure: '天',
  ownership: 'school',
  title: 'day',
  beside: ['dayName', 'schoolId'],
  fields: {
    schoolId,
    day: date('日期', 'Date', { required: true }),
    dayType: choice('类型', 'Kind of day', 'calendar_day_type', { required: true, default: '2' }),
    useWeekday: choice('按星期几上课', 'Taught as a', 'weekday', {
      only: { by: 'dayType', is: ['3'] },
      help: { zh: '调休上课时使用哪一天的课程表', en: 'Whose timetable a make-up day has' },
    }),
    dayName: text('名称', 'Name', { max: 40 }),
  },
  unique: [['schoolId', 'day']],
  list: ['schoolId', 'day', 'dayType', 'useWeekday', 'dayName'],
  search: ['schoolId', 'day', 'dayType'],
  sort: '-day',
})
