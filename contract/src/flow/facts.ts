import type { Field, Words } from '../field.ts'

/* What conditions of a process speak of, beside the fields of its form. */

export const factsLabel: Words = { zh: '流程条件', en: 'Conditions' }

const named = (zh: string, en: string, rest: Partial<Field> & Pick<Field, 'kind'>): Field => ({
  label: { zh, en },
  ...rest,
})

/** What is known of every instance, beside the fields of its form. */
export const flowFacts: Readonly<Record<string, Field>> = {
  'applicant.deptId': named('申请人所在部门', 'Department of the applicant', { kind: 'reference', to: 'dept' }),
  'applicant.id': named('申请人', 'Applicant', { kind: 'reference', to: 'user' }),
  schoolId: named('学校', 'School', { kind: 'reference', to: 'school' }),
  outcome: named('上一步的审批结果', 'Last decision', {
    kind: 'choice',
    dict: 'flow:outcome',
    options: [
      { key: 'ok', label: { zh: '同意', en: 'Agreed' } },
      { key: 'no', label: { zh: '驳回', en: 'Refused' } },
    ],
  }),
}

/** What the pages of the product bring that are the form of a process, by their key. */
export const factsOfForms: Readonly<Record<string, Readonly<Record<string, Field>>>> = {
  leave: {
    days: named('请假天数', 'Days of leave', { kind: 'decimal', scale: 1 }),
    lessons: named('缺课节数', 'Lessons missed', { kind: 'integer' }),
    leaveType: named('请假类型', 'Type of leave', { kind: 'choice', dict: 'leave_type' }),
    applicantType: named('请假人类型', 'Pupil or staff', { kind: 'choice', dict: 'applicant_type' }),
    leavesCampus: named('是否离校', 'Leaves the campus', { kind: 'flag' }),
    steps: named('审批步数', 'Steps of the route', { kind: 'integer' }),
    studentId: named('学生', 'Student', { kind: 'reference', to: 'student' }),
    classId: named('班级', 'Class', { kind: 'reference', to: 'schoolclass' }),
  },
}
