import { defineEntity } from '../../entity.ts'
import { choice, decimal, flag, integer, reference } from '../../field.ts'
import { remark, schoolId } from '../common.ts'

const step = (zh: string, en: string, more: { readonly required?: true } = {}) => choice(zh, en, 'leave_approver', more)
const named = (zh: string, en: string, by: string) => reference(zh, en, 'user', { only: { by, is: ['9'] } } as const)

/**
 * Who approves leave in a school, by who is away, for how long and why. A school that has none of these for an applicant
 * goes by the usual routes (rules/leave.ts).
 */
export const leaveapprovalrule = defineEntity({
  name: 'leaveapprovalrule',
  path: 'blade-desk/leaveapprovalrule',
  label: { zh: '请假审批规则', en: 'Leave approval rule' },
  short: '规则',
  ownership: 'school',
  title: 'applicantType',
  beside: ['leaveType', 'minDays', 'maxDays', 'schoolId'],
  fields: {
    schoolId,
    applicantType: choice('请假人类型', 'Applicant', 'applicant_type', { required: true, default: '1' }),
    leaveType: choice('请假类型', 'Kind of leave', 'leave_type', {
      help: {
        zh: '留空则适用于所有类型；写明类型的规则优先',
        en: 'Left empty: every kind. A rule that names a kind goes before one that names none',
      },
    }),
    minDays: decimal('超过天数', 'More days than', { required: true, min: 0, max: 366, scale: 1, default: 0 }),
    maxDays: decimal('至多天数', 'Days at most', {
      min: 0.5,
      max: 366,
      scale: 1,
      help: { zh: '留空则不限', en: 'Left empty: no limit' },
    }),
    step1: step('第一步', 'Step 1', { required: true }),
    step1User: named('第一步审批人', 'Approver of step 1', 'step1'),
    step2: step('第二步', 'Step 2'),
    step2User: named('第二步审批人', 'Approver of step 2', 'step2'),
    step3: step('第三步', 'Step 3'),
    step3User: named('第三步审批人', 'Approver of step 3', 'step3'),
    step4: step('第四步', 'Step 4'),
    step4User: named('第四步审批人', 'Approver of step 4', 'step4'),
    timeoutHours: integer('办理时限（小时）', 'Hours to decide', {
      min: 1,
      max: 720,
      help: {
        zh: '每一步各自计时，周末和放假日不计；留空则不限',
        en: 'For each step by itself; weekends and holidays do not count. Left empty: no limit',
      },
    }),
    onTimeout: choice('超时处理', 'When overdue', 'leave_timeout', {
      help: { zh: '留空则提醒审批人', en: 'Left empty: the approver is reminded' },
    }),
    allowDelegate: flag('可委派', 'Can be delegated', { default: 1 }),
    remark,
  },
  list: [
    'schoolId',
    'applicantType',
    'leaveType',
    'minDays',
    'maxDays',
    'step1',
    'step2',
    'step3',
    'step4',
    'timeoutHours',
    'onTimeout',
  ],
  aside: ['timeoutHours', 'onTimeout'],
  search: ['schoolId', 'applicantType', 'leaveType'],
  sort: 'minDays',
  groups: [
    {
      label: { zh: '适用范围', en: 'For whom' },
      fields: ['schoolId', 'applicantType', 'leaveType', 'minDays', 'maxDays'],
    },
    {
      label: { zh: '审批步骤', en: 'Steps' },
      fields: ['step1', 'step1User', 'step2', 'step2User', 'step3', 'step3User', 'step4', 'step4User'],
    },
    { label: { zh: '办理', en: 'Deciding' }, fields: ['timeoutHours', 'onTimeout', 'allowDelegate', 'remark'] },
  ],
})
