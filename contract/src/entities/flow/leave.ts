import { defineEntity } from '../../entity.ts'
import { area, choice, decimal, flag, instant, integer, reference, references, text } from '../../field.ts'
import { schoolId } from '../common.ts'

/**
 * Somebody is away from school for some half-days: asked for, decided in a process, ended by a return. What is a draft can
 * be changed; from then on its calls alone change it.
 */
export const leave = defineEntity({
  name: 'leave',
  path: 'blade-desk/process/leave',
  label: { zh: '请假申请', en: 'Leave request' },
  short: '请假',
  ownership: 'school',
  title: 'reason',
  beside: ['studentId', 'userId', 'startTime'],
  fields: {
    schoolId,
    applicantType: choice('请假人类型', 'Applicant', 'applicant_type', { required: true, default: '1', fixed: true }),
    studentId: reference('学生', 'Student', 'student', { fixed: true }),
    userId: reference('教职工', 'Member of staff', 'user', { fixed: true }),
    // Of a pupil: the class when it was asked for.
    classId: reference('班级', 'Class', 'schoolclass', { computed: true }),
    leaveType: choice('请假类型', 'Kind of leave', 'leave_type', { required: true }),
    startTime: instant('开始时间', 'From', { required: true }),
    endTime: instant('结束时间', 'Until', { required: true }),
    // Half-days on which there is school, and lessons of the published timetable: counted when it is sent.
    days: decimal('天数', 'Days', { min: 0, max: 400, scale: 1, computed: true }),
    lessons: integer('缺课节数', 'Lessons missed', { min: 0, max: 10_000, computed: true }),
    reason: area('事由', 'Reason', { required: true, max: 200 }),
    attachIds: references('证明材料', 'Proof', 'attach', {
      max: 9,
      help: {
        zh: '病假超过3天须有医院证明，最迟在销假时补交',
        en: 'Sick leave of more than 3 days needs a proof of the hospital, on return at the latest',
      },
    }),
    leavesCampus: flag('离校', 'Leaves the campus', {
      default: 0,
      help: { zh: '上课时间离校，批准后生成出门条', en: 'In school time; once approved there is a gate pass' },
    }),
    pickupParentId: reference('接送人', 'Picked up by', 'studentparents'),
    guardPassNo: text('出门条号', 'Gate pass', { max: 16, computed: true }),
    needSubstitute: flag('须安排代课', 'Needs cover', {
      default: 1,
      help: {
        zh: '教职工缺的课须全部有人代，才能最后批准；自行换好课的选“否”并写明安排',
        en: 'All lessons that a teacher misses must be covered before the last approval; set it to no where that is arranged, and say how',
      },
    }),
    substitutePlan: text('代课安排', 'Cover arranged', { max: 200 }),
    applyUser: reference('申请人', 'Filed by', 'user', { computed: true }),
    applyTime: instant('申请时间', 'Filed at', { computed: true }),
    backTime: instant('返校时间', 'Back at', { computed: true }),
    backConfirmUser: reference('销假确认人', 'Return confirmed by', 'user', { computed: true }),
    processDefinitionId: text('流程', 'Process', { max: 20, computed: true, inner: true }),
    processInstanceId: text('流程实例', 'Process instance', { max: 20, computed: true, inner: true }),
    // What the office plans with: it goes when the leave is undone.
    absenceId: reference('教师缺勤', 'Teacher absence', 'teacherabsence', { computed: true, inner: true }),
  },
  oneOf: [['studentId', 'userId']],
  // Why somebody is away is known to those who work with that person.
  reachedBy: ['studentId', 'userId'],
  reachedApart: true,
  unique: [['guardPassNo']],
  ranges: [['startTime', 'endTime']],
  list: [
    'applicantType',
    'studentId',
    'classId',
    'userId',
    'leaveType',
    'startTime',
    'endTime',
    'days',
    'lessons',
    'reason',
    'applyUser',
    'applyTime',
    'schoolId',
    'leavesCampus',
    'backTime',
  ],
  aside: ['schoolId', 'leavesCampus', 'backTime', 'applyUser', 'applyTime'],
  search: ['studentId', 'classId', 'userId', 'leaveType', 'startTime', 'schoolId'],
  sort: '-startTime',
  groups: [
    {
      label: { zh: '请假', en: 'Leave' },
      fields: ['schoolId', 'applicantType', 'studentId', 'userId', 'leaveType', 'startTime', 'endTime', 'reason'],
    },
    { label: { zh: '证明与离校', en: 'Proof and gate' }, fields: ['attachIds', 'leavesCampus', 'pickupParentId'] },
    { label: { zh: '代课', en: 'Cover' }, fields: ['needSubstitute', 'substitutePlan'] },
  ],
  status: {
    dict: 'leave_status',
    default: 0,
    switchedBy: 'leave_edit',
    tones: { '0': 'off', '1': 'warn', '2': 'good', '3': 'off', '4': 'off', '5': 'off', '6': 'good', '7': 'off' },
  },
})
