/* What is usual about leave where a school says nothing else. */

/** Keys of the dictionary leave_status. */
export const leaveStates = {
  draft: 0,
  open: 1,
  approved: 2,
  refused: 3,
  withdrawn: 4,
  cancelled: 5,
  back: 6,
  void: 7,
} as const

/** Keys of the dictionary applicant_type. */
export const applicants = { pupil: '1', staff: '2' } as const

/** Keys of the dictionary leave_approver. */
export const approvers = {
  classTeacher: '1',
  gradeHead: '2',
  dean: '3',
  vicePrincipal: '4',
  principal: '5',
  deptHead: '6',
  deptHeadAbove: '7',
  subjectHead: '8',
  named: '9',
} as const
export type Approver = (typeof approvers)[keyof typeof approvers]

/** Who approves leave of more than `minDays` and at most `maxDays` days, one after another. */
export interface LeaveRoute {
  readonly applicantType: string
  readonly minDays: number
  readonly maxDays: number | null
  readonly steps: readonly Approver[]
}

const { classTeacher, gradeHead, dean, principal, subjectHead } = approvers

/** The routes of schools that have no rules of their own. */
export const usualRoutes: readonly LeaveRoute[] = [
  { applicantType: '1', minDays: 0, maxDays: 1, steps: [classTeacher] },
  { applicantType: '1', minDays: 1, maxDays: 3, steps: [classTeacher, gradeHead] },
  { applicantType: '1', minDays: 3, maxDays: null, steps: [classTeacher, gradeHead, principal] },
  { applicantType: '2', minDays: 0, maxDays: 1, steps: [subjectHead] },
  { applicantType: '2', minDays: 1, maxDays: 3, steps: [subjectHead, dean] },
  { applicantType: '2', minDays: 3, maxDays: null, steps: [subjectHead, dean, principal] },
]

/** Kinds of leave, keys of the dictionary leave_type, that pupils do not have: marriage and maternity. */
export const staffOnlyLeave: readonly string[] = ['4', '5']

const sick = '2'
/** Whether a leave needs a proof of the hospital. */
export const needsProof = (leaveType: string | undefined, days: number | null | undefined): boolean =>
  leaveType === sick && (days ?? 0) > 3
