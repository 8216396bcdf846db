import { defineEntity } from '../../entity.ts'
import { decimal, flag, integer, reference, region, text } from '../../field.ts'
import { remark, schoolId, sort } from '../common.ts'

export const schoolcampus = defineEntity({
  name: 'schoolcampus',
  path: 'blade-user/schoolcampus',
  label: { zh: '校区', en: 'Campus' },
  measure: '个',
  ownership: 'school',
  title: 'campusName',
  beside: ['schoolId'],
  choiceOrder: ['-isMain', 'sort'],
  fields: {
    schoolId,
    campusCode: text('校区号', 'Campus code', { required: true, max: 32, rule: 'code' }),
    campusName: text('校区名称', 'Campus name', { required: true, max: 40 }),
    isMain: flag('主校区', 'Main campus', {
      required: true,
      default: 0,
      help: { zh: '每所学校只有一个主校区', en: 'A school has one main campus' },
    }),
    regionCode: region('所属区划', 'Region'),
    address: text('地址', 'Address', { max: 200 }),
    postcode: text('邮政编码', 'Postcode', { max: 6, rule: 'postcode' }),
    phone: text('电话', 'Phone', { max: 20, rule: 'phone' }),
    managerId: reference('负责人', 'Manager', 'user'),
    areaSqm: decimal('占地面积（平方米）', 'Area (m²)', { min: 0, max: 9999999999.99, scale: 2 }),
    travelMinutes: integer('校区间通勤（分钟）', 'Travel time to main campus (min)', {
      min: 0,
      max: 600,
      default: 0,
      help: {
        zh: '教师跨校区上课途中所需时间，供排课参考；课程表不检查',
        en: 'How long a teacher is on the way, to be heeded in timetabling; the timetable does not check it',
      },
    }),
    sort,
    remark,
  },
  unique: [
    ['schoolId', 'campusCode'],
    ['schoolId', 'campusName'],
  ],
  single: [{ flag: 'isMain', per: ['schoolId'] }],
  list: ['schoolId', 'campusCode', 'campusName', 'isMain', 'address', 'phone', 'managerId', 'sort'],
  search: ['campusName', 'schoolId', 'campusCode', 'isMain'],
  sort: 'sort',
  sorts: ['campusCode', 'campusName'],
  status: { dict: 'campus_status', default: 1 },
  groups: [
    {
      label: { zh: '地址与联系', en: 'Address and contact' },
      fields: ['regionCode', 'address', 'postcode', 'phone', 'managerId'],
    },
    { label: { zh: '其他', en: 'Other' }, fields: ['areaSqm', 'travelMinutes', 'sort', 'remark'] },
  ],
})
