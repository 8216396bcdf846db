import { report, schoolclass, student, teacherclass } from '@data-brain/contract'
import { emptyReport, type ReportContent } from '@data-brain/contract/report'
import type { DemoRows } from './book.ts'

const count = { of: 'count', field: null } as const
const by = (field: string) => ({ field, by: null })
const enrolled = { all: [{ field: 'status', op: 'equal', value: 1 }] }

/** Reports to begin with: each answers whoever it is shared with by the rows within their own scope. */
export function planReports(book: DemoRows): void {
  const { registrar, classTeacher, principal, bureau } = book.known.roles
  const add = (name: string, roleIds: readonly string[], remark: string, content: ReportContent): void => {
    book.add(report, { name, subject: content.entity, content, roleIds: [...roleIds], remark })
  }
  const overseers = [registrar, principal, bureau]
  add('在校生年级与性别', [...overseers, classTeacher], '在读学生，各年级男女人数', {
    ...emptyReport(student),
    ...{ groups: [by('gradeId')], cross: by('sex'), measures: [count], chart: 'columns' },
    ...{ filter: enrolled, parameters: ['schoolId'] },
  })
  add('各班人数', [...overseers, classTeacher], '在读学生，按学校、年级和班级，附占比', {
    ...emptyReport(student),
    ...{ groups: [by('schoolId'), by('gradeId'), by('classId')], measures: [count, { of: 'share', field: null }] },
    ...{ filter: enrolled, parameters: ['gradeId'] },
  })
  add('各学科周课时', overseers, '任课关系，各学科的周课时合计与平均', {
    ...emptyReport(teacherclass),
    groups: [by('subjectId')],
    measures: [count, { of: 'sum', field: 'weekHours' }, { of: 'average', field: 'weekHours' }],
    ...{ parameters: ['schoolId', 'semesterId'], sort: { by: 1, down: true }, chart: 'bars' },
  })
  add('行政班名册', overseers, '各班的年级、班主任与教室', {
    ...emptyReport(schoolclass),
    columns: ['className', 'gradeId', 'gradeId.stage', 'headTeacherId', 'classroomId', 'maxSize'],
    parameters: ['schoolId'],
  })
}
