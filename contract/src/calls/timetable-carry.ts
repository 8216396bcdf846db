import { defineCall } from '../call.ts'
import { schoolsemester } from '../entities/school/schoolsemester.ts'
import { teacherclass } from '../entities/school/teacherclass.ts'
import { timetablerule } from '../entities/school/timetablerule.ts'
import { codeOf } from '../entity.ts'
import { idOf, integerValue, listOf, objectOf, type ValueOf, wordsValue } from '../shape.ts'

const input = {
  semesterId: idOf(schoolsemester.name, { required: true, label: { zh: '带入学期', en: 'Into semester' } }),
  from: idOf(schoolsemester.name, { required: true, label: { zh: '来源学期', en: 'From semester' } }),
} as const

const item = objectOf(
  {
    text: wordsValue(),
    // Why it is not carried over; absent where it is.
    reason: wordsValue({ nullable: true }),
  },
  { name: 'CarriedItem' },
)

const answer = objectOf(
  {
    make: listOf(item),
    // So many are in the semester already.
    there: integerValue(),
    left: listOf(item),
  },
  { name: 'CarriedOver' },
)

export const previewAssignments = defineCall({
  method: 'GET',
  path: 'blade-user/teacherclass/carryOver/preview',
  of: teacherclass.name,
  access: { codes: [codeOf(teacherclass, 'add')] },
  summary: {
    zh: '任课关系：从另一学期带入将新增哪些',
    en: 'Teaching: which assignments of another semester would be carried over',
  },
  input,
  answer,
})

export const carryAssignments = defineCall({
  method: 'POST',
  path: 'blade-user/teacherclass/carryOver',
  of: teacherclass.name,
  access: { codes: [codeOf(teacherclass, 'add')] },
  summary: {
    zh: '任课关系：从另一学期带入继续的班级的任课，已有的跳过',
    en: 'Teaching: carry over the assignments of another semester for the classes that go on; what is there stays',
  },
  input,
  answer,
})

export const previewRules = defineCall({
  method: 'GET',
  path: 'blade-user/timetablerule/carryOver/preview',
  of: timetablerule.name,
  access: { codes: [codeOf(timetablerule, 'add')] },
  summary: {
    zh: '排课规则：从另一学期带入将新增哪些',
    en: 'Timetable rules: which rules of another semester would be carried over',
  },
  input,
  answer,
})

export const carryRules = defineCall({
  method: 'POST',
  path: 'blade-user/timetablerule/carryOver',
  of: timetablerule.name,
  access: { codes: [codeOf(timetablerule, 'add')] },
  summary: {
    zh: '排课规则：从另一学期带入，已有的跳过',
    en: 'Timetable rules: carry over those of another semester; what is there stays',
  },
  input,
  answer,
})

export type Carried = ValueOf<typeof answer>
export type CarriedItem = ValueOf<typeof item>
