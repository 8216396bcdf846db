import { leave, leaveapprovalrule } from '@data-brain/contract'
import { applicants, leaveStates } from '@data-brain/contract/rules/leave'
import { addConstraints } from '../../entity/agreement.ts'
import { addRules, isPutBack, refuseField, type Saving } from '../../entity/rules.ts'
import { Problem } from '../../kernel/problem.ts'
import { halfDaysOf, momentsOf } from './half-days.ts'
import { pupilOf } from './subject.ts'

type Draft = Saving<typeof leave>

/** Any moment of a half-day means that half-day. */
async function onHalfDays({ context, values, whole }: Draft): Promise<void> {
  if (!('startTime' in values || 'endTime' in values) || whole.startTime >= whole.endTime) return
  const { tx, actor } = context
  const pupil = whole.studentId ? await pupilOf(tx, actor.tenantId, whole.studentId) : undefined
  const place = {
    tenantId: actor.tenantId,
    schoolId: whole.schoolId,
    campusId: pupil?.campusId,
    gradeId: pupil?.gradeId,
  }
  const moments = await momentsOf(tx, place, await halfDaysOf(tx, place, whole.startTime, whole.endTime))
  Object.assign(values, moments)
  Object.assign(whole, moments)
}

/** Whether nothing changes but of whom a leave tells, as two records of one child become one, and two again. */
const followsMerge = ({ context, values }: Draft): boolean =>
  (context.merging || context.action === 'undo') &&
  Object.keys(values).every((name) => name === 'studentId' || name === 'pickupParentId')

async function beforeSave(saving: Draft): Promise<void> {
  const { context, before, values, whole } = saving
  if (before && before.status !== leaveStates.draft && followsMerge(saving)) return
  if (before && before.status !== leaveStates.draft)
    throw new Problem('rule_broken', {
      reason: {
        zh: '已提交的请假不能修改，请撤回或取消后重新申请',
        en: 'A leave that was filed is not changed: withdraw or cancel it, and ask anew',
      },
    })
  if (saving.status !== undefined && saving.status !== leaveStates.draft)
    throw new Problem('rule_broken', {
      reason: {
        zh: '请假的状态由提交、审批、销假和取消改变，不能直接修改',
        en: 'The state of a leave is changed by filing, deciding, returning and cancelling',
      },
    })
  if (isPutBack(context)) return
  if (!before) values.applyUser = context.actor.userId
  const isPupil = whole.applicantType === applicants.pupil
  if (isPupil !== Boolean(whole.studentId))
    refuseField(saving, leave, isPupil ? 'studentId' : 'userId', '须与请假人类型一致', 'must fit the kind of applicant')
  if (!isPupil && (whole.leavesCampus === 1 || whole.pickupParentId))
    refuseField(saving, leave, 'leavesCampus', '只适用于学生', 'is for pupils alone')
  await onHalfDays(saving)
}

/** What the constraints of leave mean, and what is judged before it is written. */
export function addLeaveRules(): void {
  const overlap = {
    zh: '与此人已有的请假重叠',
    en: 'overlaps with a leave of the same person',
  }
  addConstraints(leave, {
    leave_once_student: { field: 'startTime', reason: overlap },
    leave_once_user: { field: 'startTime', reason: overlap },
    leave_span_order: {
      field: 'endTime',
      of: ['startTime', 'endTime'],
      reason: { zh: '须晚于开始时间', en: 'must be after the start' },
      holds: ({ startTime, endTime }) => String(startTime) < String(endTime),
    },
    leave_reason_length: {
      field: 'reason',
      of: ['reason'],
      reason: { zh: '至少写5个字', en: 'needs at least 5 characters' },
      holds: ({ reason }) => String(reason).trim().length >= 5,
    },
    leave_person_fits: { field: 'applicantType', reason: { zh: '须与请假人一致', en: 'must fit who is away' } },
    leave_pupil_leaves: { field: 'leavesCampus', reason: { zh: '只适用于学生', en: 'is for pupils alone' } },
  })
  addConstraints(leaveapprovalrule, {
    leaveapprovalrule_once: {
      field: 'minDays',
      reason: {
        zh: '与同类请假人、同一请假类型的其他规则的天数重叠',
        en: 'overlaps with the days of another rule for the same people and kind of leave',
      },
    },
    leaveapprovalrule_days_order: {
      field: 'maxDays',
      of: ['minDays', 'maxDays'],
      reason: { zh: '须大于“超过天数”', en: 'must be more than the days that it begins after' },
      holds: ({ minDays, maxDays }) => Number(minDays) < Number(maxDays),
    },
    leaveapprovalrule_steps_follow: {
      field: 'step2',
      reason: { zh: '步骤须依次填写，中间不能空', en: 'must be given before a later step is' },
    },
  })
  addRules(leave, {
    beforeSave,
    beforeRemove: async ({ before }) => {
      if (before.status !== leaveStates.draft)
        throw new Problem('rule_broken', {
          reason: {
            zh: '已提交的请假不能删除，请撤回或取消',
            en: 'A leave that was filed is not removed: withdraw or cancel it',
          },
        })
    },
  })
}
