import { defineEntity } from '../../entity.ts'
import { choice, flag, integer, personal, reference, region, text } from '../../field.ts'
import { identityDocument, parentSchoolId, remark } from '../common.ts'

export const studentparents = defineEntity({
  name: 'studentparents',
  path: 'blade-user/studentparents',
  label: { zh: '家长', en: 'Parent' },
  measure: '名',
  ownership: 'school',
  title: 'parentName',
  beside: ['studentId'],
  fields: {
    schoolId: parentSchoolId,
    studentId: reference('学生', 'Student', 'student', { required: true, fixed: true }),
    parentName: text('姓名', 'Name', { national: true, max: 50, rule: 'personName' }),
    relation: choice('关系', 'Relation', 'relation', { national: true }),
    relationNote: text('关系说明', 'Relation note', {
      max: 50,
      only: { by: 'relation', is: ['97', '99'] },
      help: { zh: '如：姑姑、邻居', en: 'For example: aunt, neighbour' },
    }),
    mobile: personal('手机', 'Mobile', { national: true, max: 20, rule: 'phone' }),
    // Clerks write two numbers into one cell; none is dropped.
    otherPhone: personal('备用电话', 'Second phone', { max: 20, rule: 'phone' }),
    idType: choice('身份证件类型', 'ID type', 'id_type'),
    idNo: personal('身份证件号', 'ID number', { max: 30, rule: 'idNo' }),
    nation: choice('民族', 'Ethnicity', 'nation'),
    education: choice('学历', 'Education', 'education'),
    workUnit: text('工作单位', 'Employer', { max: 100 }),
    position: text('职务', 'Position', { max: 50 }),
    hukouRegionCode: region('户口所在地', 'Household registration', { national: true }),
    address: text('现住址', 'Home address', { national: true, max: 200 }),
    isGuardian: flag('监护人', 'Guardian', { required: true, default: 1 }),
    isEmergency: flag('紧急联系人', 'Emergency contact', { required: true, default: 0 }),
    contactPriority: integer('联系次序', 'Contact order', {
      required: true,
      min: 1,
      max: 9,
      help: { zh: '1表示最先联系；同一学生不能重复', en: '1 is called first; no two alike for one student' },
    }),
    // Nobody may fetch a child because a box was left alone.
    canPickup: flag('可接送', 'May pick up', { required: true, default: 0 }),
    custodyRestricted: flag('探视限制', 'Custody restricted', {
      required: true,
      default: 0,
      help: { zh: '受限者不收消息，也看不到数据', en: 'Gets no messages and sees no data' },
    }),
    livesWith: flag('共同居住', 'Lives with student', { default: 0 }),
    notifySms: flag('短信通知', 'Notify by SMS', { required: true, default: 0 }),
    notifyApp: flag('站内通知', 'Notify in the app', { required: true, default: 1 }),
    notifyEmail: flag('邮件通知', 'Notify by email', { required: true, default: 0 }),
    userId: reference('登录账号', 'Account', 'user'),
    // Who holds it can act as the guardian, so it is only ever set by binding the account.
    wechatOpenId: text('微信标识', 'WeChat ID', { max: 64, computed: true }),
    remark,
  },
  unique: [
    ['studentId', 'mobile'],
    ['studentId', 'contactPriority'],
  ],
  taken: {
    mobile: {
      zh: '该手机号已被该学生的其他家长使用',
      en: 'Another guardian of the student has that mobile number',
    },
    contactPriority: {
      zh: '该学生已有相同联系次序的家长',
      en: 'Another guardian of the student has that place in the contact order',
    },
  },
  list: ['studentId', 'schoolId', 'parentName', 'relation', 'mobile', 'isGuardian', 'isEmergency', 'contactPriority'],
  search: ['parentName', 'mobile', 'schoolId', 'studentId', 'relation', 'isGuardian'],
  within: 'studentId',
  numbers: [{ field: 'contactPriority', within: 'studentId' }],
  pairs: [identityDocument],
  sort: 'parentName',
  sorts: ['contactPriority'],
  find: ['mobile', 'otherPhone'],
  finds: 'studentId',
  groups: [
    {
      label: { zh: '基本信息', en: 'Basics' },
      fields: [
        'studentId',
        'parentName',
        'relation',
        'relationNote',
        'mobile',
        'otherPhone',
        'isGuardian',
        'isEmergency',
        'contactPriority',
        'canPickup',
        'custodyRestricted',
        'livesWith',
      ],
    },
    {
      label: { zh: '个人情况', en: 'Personal' },
      fields: ['idType', 'idNo', 'nation', 'education', 'workUnit', 'position', 'hukouRegionCode', 'address'],
    },
    {
      label: { zh: '通知与账号', en: 'Notices and account' },
      fields: ['notifyApp', 'notifySms', 'notifyEmail', 'userId', 'remark'],
    },
  ],
})
