import type { Bundle } from '../ui/words.ts'

/** The words of the first page of whoever looks at several schools. */
export const bureauHomeWords = {
  'home.bySchool': { zh: '各校情况', en: 'School by school' },
  'home.school': { zh: '学校', en: 'School' },
  'home.col.noClass': { zh: '未分班', en: 'No class' },
  'home.col.noTeacher': { zh: '无班主任', en: 'No class teacher' },
  'home.overdue': { zh: '需要设置学期的学校', en: 'Schools that need a current semester' },
  'home.semesterOver': { zh: '{name}已于 {day} 结束', en: '{name} ended on {day}' },
  'home.noSemester': { zh: '没有当前学期', en: 'No current semester' },
  'home.read': { zh: '通知阅读情况', en: 'Who has read the notices' },
  'home.readBy': { zh: '{read} / {all} 名已读', en: '{read} of {all} have read it' },
  'home.noPhoto': { zh: '缺照片', en: 'No photo' },
  'home.start.school': { zh: '登记学校', en: 'Register a school' },
  'home.figures.schools': { zh: '学校', en: 'Schools' },
} as const satisfies Bundle
