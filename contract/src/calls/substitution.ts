import { type AnswerOf, defineCall } from '../call.ts'
import { classschedule } from '../entities/school/classschedule.ts'
import { school } from '../entities/school/school.ts'
import { substitution } from '../entities/school/substitution.ts'
import { teacherabsence } from '../entities/school/teacherabsence.ts'
import { codeOf } from '../entity.ts'
import {
  dateValue,
  decimalValue,
  emptyAnswer,
  flagValue,
  idOf,
  idsOf,
  integerValue,
  listOf,
  objectOf,
  rowOf,
  textValue,
  truthValue,
  wordsValue,
} from '../shape.ts'

const of = substitution.name
const { day: dayField, reason: reasonField, newTeacherId, newClassroomId, countsAsExtra } = substitution.fields
const view = { codes: [codeOf(substitution, 'view')] } as const
const arranging = { codes: [codeOf(substitution, 'add')] } as const

const lesson = idOf(classschedule.name, { required: true, label: substitution.fields.scheduleId.label })
const day = dateValue({ required: true, label: dayField.label })
const reason = textValue({ max: 200, label: reasonField.label })
/** Days from one to another, both of them among them; 62 at most. */
const span = {
  schoolId: idOf(school.name, { required: true, label: school.label }),
  from: dateValue({ required: true, label: { zh: '开始日期', en: 'From' } }),
  to: dateValue({ required: true, label: { zh: '结束日期', en: 'Until' } }),
} as const
const ids = { ids: idsOf(of, { required: true }) } as const

/** A lesson on one day, as it stands now: where a substitution holds, with what that says. */
const lessonOnDay = {
  scheduleId: textValue(),
  // The day on which the timetable has it: with the lesson it names what a substitution is about.
  day: textValue(),
  // When it is given, which is another day where it has been moved.
  date: textValue(),
  periodNo: integerValue(),
  span: integerValue(),
  className: textValue(),
  subjectId: textValue(),
  subjectName: textValue(),
  teacherId: textValue(),
  teacherName: textValue(),
  classroomName: textValue({ nullable: true }),
  substitutionId: textValue({ nullable: true }),
} as const

export const uncoveredLessons = defineCall({
  method: 'GET',
  path: 'blade-user/substitution/uncovered',
  of,
  access: view,
  summary: {
    zh: '调代课：缺勤教师还没有人代的课',
    en: 'Substitution: lessons of absent teachers that nobody covers yet',
  },
  input: span,
  answer: listOf(
    objectOf({
      ...lessonOnDay,
      absenceId: idOf(teacherabsence.name),
      // Who has been asked for it and has declined.
      declinedBy: listOf(textValue()),
    }),
  ),
})

export const substituteCandidates = defineCall({
  method: 'GET',
  path: 'blade-user/substitution/candidates',
  of,
  access: arranging,
  summary: {
    zh: '调代课：谁可以代一节课，按合适程度排序并说明原因',
    en: 'Substitution: who could cover a lesson, the most suitable first, with reasons',
  },
  input: { scheduleId: lesson, day },
  answer: listOf(
    objectOf({
      teacherId: textValue(),
      teacherName: textValue(),
      isFree: truthValue(),
      sameSubject: truthValue(),
      knowsClass: truthValue(),
      sameCampus: truthValue(),
      hasDeclined: truthValue(),
      // Periods covered this semester, those that are still to come among them.
      covers: integerValue(),
      // Periods that the teacher gives on that day already.
      periodsThatDay: integerValue(),
      // Only who is free is suitable; among these the larger the better.
      score: decimalValue(),
      reasons: listOf(wordsValue()),
    }),
  ),
})

export const coverLessons = defineCall({
  method: 'POST',
  path: 'blade-user/substitution/cover',
  of,
  access: arranging,
  summary: {
    zh: '调代课：安排代课，可一次安排多节（如一整天）',
    en: 'Substitution: have lessons covered, several at once, such as a whole day',
  },
  as: 'json',
  input: {
    covers: listOf(
      objectOf({
        scheduleId: lesson,
        day,
        teacherId: idOf('user', { required: true, label: newTeacherId.label }),
        classroomId: idOf('schoolclassroom', { label: newClassroomId.label }),
        // The substitution that was seen on the lesson, 0 for none: where another is there by now, it is refused. Absent:
        // what is there is replaced.
        over: textValue({ max: 20 }),
      }),
      { required: true, min: 1, max: 60, label: { zh: '代课', en: 'Covers' } },
    ),
    reason,
    countsAsExtra: flagValue({ label: countsAsExtra.label }),
    // Nobody is asked: it holds at once. Takes the right to decide.
    confirmed: truthValue(),
  },
  // All of them or none.
  answer: listOf(rowOf(substitution)),
})

const swapped = objectOf({ scheduleId: lesson, day }, { required: true })

export const swapLessons = defineCall({
  method: 'POST',
  path: 'blade-user/substitution/swap',
  of,
  access: arranging,
  summary: {
    zh: '调代课：对调一对或多对课的时间',
    en: 'Substitution: let one or more pairs of lessons change places',
  },
  as: 'json',
  input: {
    pairs: listOf(objectOf({ first: swapped, second: swapped }), {
      required: true,
      min: 1,
      max: 30,
      label: { zh: '对调', en: 'Pairs' },
    }),
    reason,
    confirmed: truthValue(),
  },
  answer: listOf(rowOf(substitution)),
})

export const suspendLessons = defineCall({
  method: 'POST',
  path: 'blade-user/substitution/suspend',
  of,
  access: { codes: ['substitution_decide'] },
  summary: {
    zh: '调代课：考试周等停课，只停所列年级、班级、节次的课',
    en: 'Substitution: take out the lessons of an examination week, those of the grades, classes and periods that are named alone',
  },
  as: 'json',
  input: {
    ...span,
    // Absent: all of them.
    gradeIds: idsOf('sysgrade', { label: { zh: '年级', en: 'Grades' } }),
    classIds: idsOf('schoolclass', { label: { zh: '班级', en: 'Classes' } }),
    periods: listOf(integerValue({ min: 1, max: 14 }), { max: 14, label: { zh: '节次', en: 'Periods' } }),
    reason,
  },
  // Cover that had been given for such a lesson stays, and holds again once the suspension is cancelled.
  answer: objectOf({ lessons: integerValue(), ids: listOf(textValue()) }),
})

export const acceptSubstitutions = defineCall({
  method: 'POST',
  path: 'blade-user/substitution/accept',
  of,
  access: 'session',
  summary: {
    zh: '调代课：接受（本人的，或有审定权限的）',
    en: 'Substitution: accept one’s own, or those that one may decide',
  },
  input: ids,
  answer: emptyAnswer,
})

export const declineSubstitutions = defineCall({
  method: 'POST',
  path: 'blade-user/substitution/decline',
  of,
  access: 'session',
  summary: {
    zh: '调代课：拒绝（本人的，或有审定权限的）',
    en: 'Substitution: decline one’s own, or those that one may decide',
  },
  input: ids,
  answer: emptyAnswer,
})

export const cancelSubstitutions = defineCall({
  method: 'POST',
  path: 'blade-user/substitution/cancel',
  of,
  access: { codes: ['substitution_decide'] },
  summary: { zh: '调代课：取消，课恢复原样', en: 'Substitution: cancel; the lessons are again as they were' },
  input: ids,
  answer: emptyAnswer,
})

export const ownSubstitutions = defineCall({
  method: 'GET',
  path: 'blade-user/substitution/own',
  of,
  access: 'session',
  summary: {
    zh: '调代课：与我有关的，待我确认的在前',
    en: 'Substitution: those that concern the caller, those that wait for an answer first',
  },
  input: { from: dateValue(), to: dateValue() },
  answer: listOf(
    objectOf({
      id: textValue(),
      kind: textValue(),
      status: integerValue(),
      day: textValue(),
      date: textValue(),
      periodNo: integerValue(),
      span: integerValue(),
      className: textValue(),
      subjectName: textValue(),
      teacherName: textValue(),
      newTeacherName: textValue({ nullable: true }),
      classroomName: textValue({ nullable: true }),
      reason: textValue({ nullable: true }),
      // Whether it waits for the caller's own answer.
      awaitsMe: truthValue(),
    }),
  ),
})

export const substitutionCounts = defineCall({
  method: 'GET',
  path: 'blade-user/substitution/counts',
  of,
  access: view,
  summary: {
    zh: '调代课：各教师代课、被代与计酬节数',
    en: 'Substitution: periods that each teacher has covered, given away, and is paid for',
  },
  input: span,
  answer: listOf(
    objectOf({
      teacherId: textValue(),
      teacherName: textValue(),
      covered: integerValue(),
      givenAway: integerValue(),
      // Of those covered, the ones that count for pay.
      extra: integerValue(),
    }),
  ),
})

export type UncoveredLesson = AnswerOf<typeof uncoveredLessons>[number]
export type Candidate = AnswerOf<typeof substituteCandidates>[number]
export type OwnSubstitution = AnswerOf<typeof ownSubstitutions>[number]
