import { type AnswerOf, defineCall } from '../call.ts'
import { flowprocess } from '../entities/flow/flowprocess.ts'
import { leave } from '../entities/flow/leave.ts'
import { studentparents } from '../entities/student/studentparents.ts'
import {
  decimalValue,
  emptyAnswer,
  flagValue,
  idOf,
  idsOf,
  instantValue,
  integerValue,
  listOf,
  objectOf,
  oneOf,
  rowOf,
  textValue,
  truthValue,
  wordsValue,
} from '../shape.ts'

/* Leave, beside its list, which is generic. Who may do what follows from who is away and who files (modules/leave). */

const of = leave.name
const { fields } = leave
const businessId = idOf(of, { required: true, label: leave.label })

/** What a request says. All of it may be missing where a draft is looked at. */
const request = {
  processDefinitionId: idOf(flowprocess.name, { label: flowprocess.label }),
  // 1 a pupil, 2 somebody of the staff; absent: whoever asks.
  applicantType: oneOf(['1', '2'], { label: fields.applicantType.label }),
  studentId: idOf('student', { label: fields.studentId.label }),
  userId: idOf('user', { label: fields.userId.label }),
  leaveType: textValue({ max: 32, label: fields.leaveType.label }),
  // Any moment of a half-day means that half-day.
  startTime: instantValue({ label: fields.startTime.label }),
  endTime: instantValue({ label: fields.endTime.label }),
  reason: textValue({ max: 200, label: fields.reason.label }),
  attachIds: idsOf('attach', { max: 9, label: fields.attachIds.label }),
  leavesCampus: flagValue({ label: fields.leavesCampus.label }),
  pickupParentId: idOf(studentparents.name, { label: fields.pickupParentId.label }),
  needSubstitute: flagValue({ label: fields.needSubstitute.label }),
  substitutePlan: textValue({ max: 200, label: fields.substitutePlan.label }),
} as const

/** A lesson that somebody misses. */
const missed = objectOf(
  {
    scheduleId: textValue(),
    date: textValue(),
    periodNo: integerValue(),
    span: integerValue(),
    subjectName: textValue(),
    className: textValue(),
    teacherName: textValue(),
    // Of staff: whether somebody gives it instead.
    isCovered: truthValue(),
  },
  { name: 'LeaveMissed' },
)

const steps = listOf(
  objectOf({
    name: textValue(),
    people: listOf(objectOf({ id: textValue(), name: textValue() })),
  }),
)

export const startLeave = defineCall({
  method: 'POST',
  path: 'blade-desk/process/leave/start-process',
  of,
  access: 'session',
  summary: { zh: '请假：提交申请，发起审批', en: 'Leave: file a request and have it decided' },
  as: 'json',
  // With an id: a draft that is sent as it stands, with what is given besides.
  input: { id: idOf(of, { label: leave.label }), ...request },
  answer: objectOf({ id: textValue(), processInstanceId: textValue(), days: decimalValue(), lessons: integerValue() }),
})

export const previewLeave = defineCall({
  method: 'POST',
  path: 'blade-desk/process/leave/preview',
  of,
  access: 'session',
  summary: {
    zh: '请假：试算天数、缺课与审批人，不保存',
    en: 'Leave: count days and lessons, and say who would approve; nothing is kept',
  },
  as: 'json',
  input: request,
  answer: objectOf({
    // The half-days that are meant.
    startTime: instantValue({ nullable: true }),
    endTime: instantValue({ nullable: true }),
    days: decimalValue({ nullable: true }),
    lessons: listOf(missed),
    approvers: steps,
    // Whether a proof has to come, at the latest on return.
    needsProof: truthValue(),
    // What stands against it, by field where it is one.
    problems: listOf(objectOf({ field: textValue({ nullable: true }), message: wordsValue() })),
  }),
})

export const leavePeople = defineCall({
  method: 'GET',
  path: 'blade-desk/process/leave/people',
  of,
  access: 'session',
  summary: {
    zh: '请假：可以为谁请假（本人、本班学生），以及可接送的家长',
    en: 'Leave: for whom one can ask (oneself, pupils of the own class), and who may pick them up',
  },
  input: { processDefinitionId: idOf(flowprocess.name, { label: flowprocess.label }) },
  answer: objectOf({
    processName: textValue({ nullable: true }),
    // For whom this process is meant, where that is known.
    meantFor: oneOf(['1', '2'], { nullable: true }),
    // Oneself: as a pupil or as staff; none for whoever is neither in any school.
    self: objectOf({ applicantType: textValue(), id: textValue(), name: textValue() }, { nullable: true }),
    pupils: listOf(
      objectOf({
        id: textValue(),
        name: textValue(),
        className: textValue(),
        parents: listOf(objectOf({ id: textValue(), name: textValue() })),
      }),
    ),
  }),
})

/** A step of its process that waits. */
const standing = objectOf({
  processInstanceId: textValue(),
  processDefinitionId: textValue(),
  processDefinitionName: textValue(),
  taskId: textValue({ nullable: true }),
  taskName: textValue({ nullable: true }),
  assignee: textValue({ nullable: true }),
  assigneeName: textValue({ nullable: true }),
  // Of several who can take it: who they are.
  candidateNames: textValue({ nullable: true }),
})

export const leaveDetail = defineCall({
  method: 'GET',
  path: 'blade-desk/process/leave/detail',
  of,
  access: 'session',
  summary: { zh: '请假申请：详情与审批进度', en: 'Leave request: detail, and where it stands' },
  // Under the family’s name, or that of every other detail.
  input: { businessId: idOf(of), id: idOf(of) },
  answer: rowOf(leave, {
    processDefinitionId: textValue({ nullable: true }),
    processInstanceId: textValue({ nullable: true }),
    personName: textValue(),
    className: textValue({ nullable: true }),
    pickupName: textValue({ nullable: true }),
    files: listOf(objectOf({ id: textValue(), name: textValue(), link: textValue() })),
    missed: listOf(missed),
    flow: { ...standing, nullable: true },
    may: objectOf({ withdraw: truthValue(), cancel: truthValue(), back: truthValue() }),
    needsProof: truthValue(),
  }),
})

export const leaveBack = defineCall({
  method: 'POST',
  path: 'blade-desk/process/leave/back',
  of,
  access: 'session',
  summary: { zh: '请假：销假，确认已返校', en: 'Leave: confirm that somebody is back' },
  as: 'json',
  input: {
    businessId,
    // Absent: now, or when the leave ends if that is earlier.
    backTime: instantValue({ label: fields.backTime.label }),
    // Proof that comes with the return.
    attachIds: idsOf('attach', { max: 9, label: fields.attachIds.label }),
  },
  answer: emptyAnswer,
})

export const cancelLeave = defineCall({
  method: 'POST',
  path: 'blade-desk/process/leave/cancel',
  of,
  access: 'session',
  summary: {
    zh: '请假：取消已批准的请假，缺勤与代课一并取消',
    en: 'Leave: cancel what was approved, with its absence and the cover for it',
  },
  as: 'json',
  input: { businessId, comment: textValue({ max: 200, label: { zh: '说明', en: 'Comment' } }) },
  // How many covers went with it.
  answer: objectOf({ covers: integerValue() }),
})

export const leavePass = defineCall({
  method: 'GET',
  path: 'blade-desk/process/leave/pass',
  of,
  access: 'session',
  summary: { zh: '请假：核验出门条', en: 'Leave: check a gate pass' },
  input: { code: textValue({ required: true, max: 16, label: fields.guardPassNo.label }) },
  answer: objectOf({
    code: textValue(),
    // It holds now: the leave is approved and its time has come and is not over.
    isValid: truthValue(),
    message: wordsValue(),
    studentName: textValue(),
    className: textValue({ nullable: true }),
    startTime: instantValue(),
    endTime: instantValue(),
    pickupName: textValue({ nullable: true }),
  }),
})

export const leaveRoutes = defineCall({
  method: 'GET',
  path: 'blade-desk/leaveapprovalrule/usual',
  of: 'leaveapprovalrule',
  access: { codes: ['leaveapprovalrule_view'] },
  summary: {
    zh: '请假审批规则：学校没有规则时的默认流程',
    en: 'Leave approval rules: the usual routes, where a school has none',
  },
  answer: listOf(
    objectOf({
      applicantType: textValue(),
      minDays: decimalValue(),
      maxDays: decimalValue({ nullable: true }),
      steps: listOf(textValue()),
    }),
  ),
})

export type LeavePreview = AnswerOf<typeof previewLeave>
export type LeaveDetail = AnswerOf<typeof leaveDetail>
export type MissedLesson = LeavePreview['lessons'][number]
export type LeavePeople = AnswerOf<typeof leavePeople>
