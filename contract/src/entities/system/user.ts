import { defineEntity } from '../../entity.ts'
import { choice, date, integer, json, personal, reference, references, text } from '../../field.ts'
import { firstBirth } from '../../rules/day.ts'
import { custom } from '../common.ts'

/** An account of the console. Its password is no field: it is set and checked apart, and never read. */
export const user = defineEntity({
  name: 'user',
  path: 'blade-user',
  table: 'app_user',
  label: { zh: '用户', en: 'User' },
  measure: '名',
  ownership: 'tenant',
  narrowsKept: 'unowned',
  title: 'realName',
  beside: ['deptId', 'staffNo'],
  near: 'school',
  fields: {
    account: text('账号', 'Account', { required: true, max: 45, rule: 'account' }),
    code: text('用户编号', 'User code', { max: 32 }),
    name: text('昵称', 'Nickname', { max: 20 }),
    realName: text('姓名', 'Name', { required: true, max: 50, rule: 'personName' }),
    avatar: text('头像', 'Avatar', {
      max: 2000,
      help: { zh: '只能是jpg或png，且不超过500kB', en: 'A jpg or png of at most 500 kB' },
    }),
    email: text('电子邮箱', 'Email', { max: 100, rule: 'email' }),
    phone: personal('手机', 'Mobile', { max: 11, rule: 'mobile' }),
    birthday: date('出生日期', 'Date of birth', { past: true, since: firstBirth }),
    sex: choice('性别', 'Sex', 'sex'),
    userType: choice('用户平台', 'Platform', 'user_type', { required: true, default: '1' }),
    userExt: json('平台扩展', 'Platform settings', { as: 'pairs' }),
    roleId: references('角色', 'Roles', 'role', { comma: true }),
    deptId: references('部门', 'Departments', 'dept', { comma: true }),
    postId: references('岗位', 'Posts', 'post', { comma: true }),
    staffNo: text('工号', 'Staff no.', { max: 32, rule: 'code' }),
    hireDate: date('入职日期', 'Hired on'),
    leaveDate: date('离职日期', 'Left on'),
    teacherCertNo: text('教师资格证号', 'Teaching certificate no.', { max: 30 }),
    title: choice('职称', 'Professional title', 'staff_title'),
    subjectIds: references('任教学科', 'Subjects', 'syssubject'),
    maxWeekHours: integer('周课时上限', 'Most hours a week', { min: 0, max: 60 }),
    maxDayHours: integer('日课时上限', 'Most hours a day', { min: 0, max: 14 }),
    homeCampusId: reference('常驻校区', 'Home campus', 'schoolcampus'),
    /** `[{ weekday: 1…7, periodNo }]`. */
    unavailableSlots: json('不可排课时间', 'Unavailable periods', { as: 'slots' }),
    staffStatus: choice('在岗状态', 'Staff status', 'staff_status', { required: true, default: '1' }),
    custom,
  },
  unique: [['account'], ['staffNo']],
  ranges: [['hireDate', 'leaveDate']],
  list: ['account', 'realName', 'staffNo', 'deptId', 'roleId', 'postId', 'phone', 'userType', 'staffStatus'],
  search: ['realName', 'account', 'deptId', 'roleId', 'userType', 'staffStatus'],
  // The newest session of everybody is kept, so that it is known who has ever logged in.
  belongings: {
    logins: { label: { zh: '登录记录', en: 'Login record' }, of: 'session', by: 'userId' },
    locks: {
      label: { zh: '登录锁定', en: 'Login lock' },
      of: 'login_failure',
      by: 'userId',
      until: 'lockedUntil',
    },
  },
  sort: 'account',
  sorts: ['realName', 'staffNo', 'hireDate'],
  find: ['realName', 'account'],
  findBeside: ['account'],
  status: { dict: 'common_status', default: 1 },
  groups: [
    {
      label: { zh: '账号', en: 'Account' },
      fields: ['realName', 'account', 'roleId', 'deptId', 'postId', 'userType'],
    },
    {
      label: { zh: '个人信息', en: 'Personal' },
      fields: ['phone', 'email', 'sex', 'birthday'],
    },
    {
      label: { zh: '教职工', en: 'Staff' },
      folded: true,
      fields: [
        'staffNo',
        'staffStatus',
        'hireDate',
        'leaveDate',
        'title',
        'teacherCertNo',
        'subjectIds',
        'homeCampusId',
        'maxWeekHours',
        'maxDayHours',
        'unavailableSlots',
      ],
    },
    { label: { zh: '其他', en: 'Other' }, folded: true, fields: ['name', 'avatar', 'code', 'userExt'] },
  ],
  views: [
    { key: 'enabled', filters: { status: '1' } },
    { key: 'absent', filters: { status: '1', logins_null: '1' } },
    { key: 'roleless', filters: { status: '1', roleId_null: '1' } },
  ],
})
