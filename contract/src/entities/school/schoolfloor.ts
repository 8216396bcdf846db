import { defineEntity } from '../../entity.ts'
import { flag, integer, reference, text } from '../../field.ts'
import { remark, schoolId, sort } from '../common.ts'

export const schoolfloor = defineEntity({
  name: 'schoolfloor',
  path: 'blade-user/schoolfloor',
  label: { zh: '楼层', en: 'Floor' },
  measure: '个',
  ownership: 'school',
  title: 'floorName',
  beside: ['buildingName', 'campusId', 'schoolId'],
  choiceOrder: ['buildingName', 'floorNo'],
  fields: {
    schoolId,
    campusId: reference('校区', 'Campus', 'schoolcampus', { required: true }),
    buildingCode: text('楼栋编号', 'Building code', { required: true, max: 32, rule: 'code' }),
    buildingName: text('楼栋名称', 'Building name', { required: true, max: 40 }),
    floorNo: integer('楼层号', 'Floor no.', {
      required: true,
      min: -5,
      max: 60,
      help: { zh: '地下楼层填负数，没有0层', en: 'Negative below ground; there is no floor 0' },
    }),
    floorName: text('楼层名称', 'Floor name', {
      max: 60,
      help: { zh: '留空则为“楼栋名称+楼层号+层”', en: 'Left empty: building name and floor number' },
    }),
    hasElevator: flag('电梯', 'Lift', { default: 0 }),
    isBarrierFree: flag('无障碍', 'Accessible', { default: 0 }),
    planImage: reference('平面图', 'Floor plan', 'attach'),
    sort,
    remark,
  },
  unique: [['campusId', 'buildingCode', 'floorNo']],
  taken: {
    floorNo: { zh: '该楼栋已有此楼层号', en: 'The building already has a floor of that number' },
  },
  list: ['schoolId', 'campusId', 'buildingName', 'floorNo', 'floorName', 'hasElevator', 'isBarrierFree'],
  search: ['floorName', 'schoolId', 'campusId', 'buildingName', 'isBarrierFree'],
  sort: 'floorNo',
  sorts: ['buildingCode'],
  groups: [
    {
      label: { zh: '其他', en: 'Other' },
      fields: ['hasElevator', 'isBarrierFree', 'planImage', 'sort', 'remark'],
    },
  ],
})
