import { defineEntity } from '../../entity.ts'
import { choice, integer, reference, references, text } from '../../field.ts'
import { periodsMost } from '../../rules/slots.ts'
import { remark, schoolId } from '../common.ts'

/** One period of the school day and its bell times: of a campus, of grades and of a season, or of all of them. */
export const schoolperiod = defineEntity({
  name: 'schoolperiod',
  path: 'blade-user/schoolperiod',
  label: { zh: '作息时间', en: 'Bell times' },
  measure: '节',
  ownership: 'school',
  title: 'periodName',
  beside: ['beginTime', 'campusId', 'schoolId'],
  fields: {
    schoolId,
    campusId: reference('校区', 'Campus', 'schoolcampus', {
      help: { zh: '留空则适用于所有校区', en: 'Left empty: every campus' },
    }),
    gradeIds: references('适用年级', 'Grades', 'sysgrade', {
      help: { zh: '留空则适用于所有年级', en: 'Left empty: every grade' },
    }),
    season: choice('季节', 'Season', 'season', {
      required: true,
      default: '0',
      help: { zh: '夏季为5月1日至9月30日，冬季为其余日期', en: 'Summer is from 1 May to 30 September' },
    }),
    kind: choice('类型', 'Kind', 'period_kind', { required: true, default: '1' }),
    periodNo: integer('节次', 'Period', {
      min: 1,
      max: periodsMost,
      only: { by: 'kind', is: ['1', '2', '5', '6'], optional: true },
      help: { zh: '课程表中的节次；课间、午休不填', en: 'Its number in the timetable; breaks have none' },
    }),
    periodName: text('名称', 'Name', { required: true, max: 20 }),
    beginTime: text('开始时间', 'Begins at', { required: true, max: 5, rule: 'clock' }),
    endTime: text('结束时间', 'Ends at', { required: true, max: 5, rule: 'clock' }),
    remark,
  },
  list: ['schoolId', 'periodName', 'kind', 'periodNo', 'beginTime', 'endTime', 'campusId', 'gradeIds', 'season'],
  search: ['schoolId', 'campusId', 'season', 'kind'],
  sort: 'beginTime',
  sorts: ['periodNo'],
})
