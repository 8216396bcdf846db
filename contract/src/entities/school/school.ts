import { defineEntity } from '../../entity.ts'
import { choice, choices, date, decimal, integer, reference, region, text } from '../../field.ts'
import { remark, sort } from '../common.ts'

export const school = defineEntity({
  name: 'school',
  path: 'blade-user/school',
  label: { zh: '学校', en: 'School' },
  measure: '所',
  ownership: 'tenant',
  made: 'anywhere',
  narrowsKept: 'unowned',
  title: 'schoolName',
  near: 'user',
  fields: {
    schoolCode: text('学校标识码', 'School code', {
      required: true,
      max: 10,
      rule: 'schoolCode',
      help: { zh: '教育部门颁发的10位标识码', en: 'The 10 digits issued by the education authority' },
    }),
    schoolName: text('学校名称', 'School name', {
      required: true,
      max: 60,
      help: { zh: '与公章一致的全称', en: 'The full name, as on the official seal' },
    }),
    schoolShortName: text('学校简称', 'Short name', { max: 20 }),
    schoolNameEn: text('英文名称', 'English name', { max: 120 }),
    schoolType: choice('办学类型', 'School type', 'school_type', {
      required: true,
      // The code of the standard has two digits here; the kinds within one are told apart by the stages.
      help: {
        zh: '九年一贯制学校选“普通初中”，完全中学和十二年一贯制学校选“普通高中”，再选全部学段',
        en: 'A nine-year school is a junior, a twelve-year or complete one a senior high school, with all its stages',
      },
    }),
    stages: choices('学段', 'Stages', 'stage', {
      required: true,
      help: { zh: '决定可以使用哪些年级', en: 'Decides which grades the school can use' },
    }),
    runningType: choice('办别', 'Ownership', 'school_running'),
    urbanRural: choice('城乡类型', 'Urban or rural', 'urban_rural'),
    regionCode: region('所属区划', 'Region', { required: true }),
    address: text('地址', 'Address', { max: 200 }),
    postcode: text('邮政编码', 'Postcode', { max: 6, rule: 'postcode' }),
    longitude: decimal('经度', 'Longitude', { min: 73, max: 136, scale: 6 }),
    latitude: decimal('纬度', 'Latitude', { min: 3, max: 54, scale: 6 }),
    eduBureau: text('主管教育部门', 'Education authority', { max: 60 }),
    principalId: reference('校长', 'Principal', 'user'),
    contactName: text('联系人', 'Contact', { max: 50, rule: 'personName' }),
    // The office's number, published by the school itself: no personal field.
    contactPhone: text('联系电话', 'Contact phone', { max: 20, rule: 'phone' }),
    email: text('电子邮箱', 'Email', { max: 100, rule: 'email' }),
    website: text('网站', 'Website', { max: 200, rule: 'url' }),
    uscc: text('统一社会信用代码', 'Social credit code', { max: 18, rule: 'uscc' }),
    foundedOn: date('建校年月', 'Founded', { past: true, month: true }),
    logo: reference('校徽', 'Logo', 'attach', {
      help: { zh: 'png 或 jpg，不超过500kB', en: 'A png or jpg of at most 500 kB' },
    }),
    deptId: reference('所属部门', 'Department', 'dept', { required: true, computed: true }),
    maxClassSize: integer('班额上限', 'Class size limit', {
      required: true,
      min: 1,
      max: 100,
      default: 45,
      help: {
        zh: '一般小学 45 名、初中 50 名、高中 55 名',
        en: 'Usually 45 in primary, 50 in junior, 55 in senior school',
      },
    }),
    weekStart: choice('周首日', 'First day of week', 'weekday', { default: '1' }),
    teachDays: choices('上课日', 'Teaching days', 'weekday', { required: true, default: ['1', '2', '3', '4', '5'] }),
    sort,
    remark,
  },
  unique: [['schoolCode'], ['schoolName'], ['uscc']],
  list: ['schoolCode', 'schoolName', 'schoolType', 'stages', 'regionCode', 'principalId', 'contactPhone', 'sort'],
  search: ['schoolName', 'schoolCode', 'schoolType', 'regionCode'],
  sort: 'sort',
  sorts: ['schoolCode', 'schoolName'],
  find: ['schoolName'],
  findBeside: ['schoolCode'],
  status: { dict: 'school_status', default: 1 },
  proposes: [
    { field: 'stages', by: 'schoolType', as: { '11': ['1'], '21': ['2'], '31': ['3'], '34': ['4'], '36': ['4'] } },
  ],
  groups: [
    {
      label: { zh: '基本信息', en: 'Basics' },
      fields: [
        'schoolName',
        'schoolCode',
        'schoolShortName',
        'schoolType',
        'stages',
        'runningType',
        'urbanRural',
        'logo',
      ],
    },
    {
      label: { zh: '地址与联系', en: 'Address and contact' },
      fields: ['regionCode', 'principalId', 'address', 'contactName', 'contactPhone'],
    },
    {
      label: { zh: '教学设置', en: 'Teaching settings' },
      fields: ['maxClassSize', 'weekStart', 'teachDays'],
    },
    {
      label: { zh: '更多信息', en: 'More about the school' },
      folded: true,
      fields: [
        'schoolNameEn',
        'eduBureau',
        'uscc',
        'foundedOn',
        'email',
        'website',
        'postcode',
        'longitude',
        'latitude',
        'sort',
        'remark',
      ],
    },
  ],
})
