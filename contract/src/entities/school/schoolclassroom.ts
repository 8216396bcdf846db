import { defineEntity } from '../../entity.ts'
import { choice, choices, date, flag, integer, reference, text } from '../../field.ts'
import { remark, schoolId, sort } from '../common.ts'

export const schoolclassroom = defineEntity({
  name: 'schoolclassroom',
  path: 'blade-user/schoolclassroom',
  label: { zh: '教室', en: 'Classroom' },
  measure: '间',
  ownership: 'school',
  title: 'roomName',
  beside: ['floorId', 'campusId', 'schoolId'],
  fields: {
    schoolId,
    campusId: reference('校区', 'Campus', 'schoolcampus', { required: true }),
    floorId: reference('楼层', 'Floor', 'schoolfloor', { required: true }),
    roomCode: text('教室编号', 'Room code', { required: true, max: 32, rule: 'code' }),
    roomName: text('教室名称', 'Room name', { required: true, max: 40 }),
    roomType: choice('教室类型', 'Room type', 'room_type', { required: true }),
    capacity: integer('座位数', 'Seats', { required: true, min: 1, max: 2000 }),
    examCapacity: integer('考试座位数', 'Exam seats', { min: 0, max: 2000 }),
    concurrency: integer('可同时上课班数', 'Simultaneous lessons', {
      required: true,
      min: 1,
      max: 20,
      default: 1,
      help: { zh: '操场一般为3至8，其他为1', en: 'A playground takes 3 to 8 classes, other rooms 1' },
    }),
    equipment: choices('设备', 'Equipment', 'equipment'),
    bookable: flag('可预约', 'Bookable', { default: 0 }),
    homeClassId: reference('固定班级', 'Home class', 'schoolclass'),
    repairBegin: date('维修开始', 'Repair from'),
    repairEnd: date('维修结束', 'Repair until'),
    sort,
    remark,
  },
  unique: [['campusId', 'roomCode'], ['campusId', 'roomName'], ['homeClassId']],
  taken: {
    homeClassId: { zh: '该班级已有固定教室', en: 'The class already has a home room' },
  },
  ranges: [['repairBegin', 'repairEnd']],
  guards: ['homeClassId'],
  list: ['schoolId', 'campusId', 'floorId', 'roomCode', 'roomName', 'roomType', 'capacity', 'homeClassId'],
  search: ['roomName', 'schoolId', 'campusId', 'floorId', 'roomType', 'bookable'],
  sort: 'roomCode',
  sorts: ['roomName', 'capacity'],
  status: { dict: 'room_status', default: 1 },
  groups: [
    {
      label: { zh: '使用', en: 'Use' },
      fields: ['capacity', 'examCapacity', 'concurrency', 'equipment', 'bookable', 'homeClassId'],
    },
    {
      label: { zh: '其他', en: 'Other' },
      fields: ['repairBegin', 'repairEnd', 'sort', 'remark'],
    },
  ],
})
