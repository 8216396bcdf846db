import type { Bundle } from '../ui/words.ts'
import { fileKinds } from './shell.ts'

/** Words of setting schools up: the steps on the first page. */
export const setUpWords = {
  'setUp.title': { zh: '开始使用', en: 'Get started' },
  'setUp.ofSchool': { zh: '设置“{name}”', en: 'Set up “{name}”' },
  'setUp.done': { zh: '完成 {done}/{all}', en: '{done} of {all} done' },
  'setUp.stepDone': { zh: '已完成', en: 'Done' },
  'setUp.school': { zh: '登记学校', en: 'Register the school' },
  'setUp.schoolText': {
    zh: '校名、标识码和学段，主校区随学校一起建立',
    en: 'Name, code and stages; the main campus is created with the school',
  },
  'setUp.campusText': {
    zh: '学校没有校区了：班级和教室都设在校区，请先新增',
    en: 'The school has no campus left. Classes and rooms belong to a campus, so add one first.',
  },
  'setUp.campusAct': { zh: '新增校区', en: 'Add a campus' },
  'setUp.schoolAct': { zh: '登记学校', en: 'Register the school' },
  'setUp.year': { zh: '设置学年和学期', en: 'Set the school year and its semesters' },
  'setUp.yearText': {
    zh: '当前学年、当前学期和第 1 周的周一',
    en: 'The current year and semester, and the Monday of week 1',
  },
  'setUp.yearAct': { zh: '设置学年', en: 'Set the year' },
  'setUp.currentText': {
    zh: '学校有学年，但没有当前学年：请把正在进行的设为当前',
    en: 'The school has school years, but none is current. Make the present one current.',
  },
  'setUp.currentAct': { zh: '查看学年', en: 'View school years' },
  'setUp.semesterText': {
    zh: '当前学年还没有当前学期：请新增，或把正在进行的设为当前',
    en: 'The current year has no current semester. Add one, or make the present one current.',
  },
  'setUp.semesterAct': { zh: '设置学期', en: 'Set the semester' },
  'setUp.grades': { zh: '确认年级', en: 'Check the grades' },
  'setUp.gradesText': { zh: '由学校的学段决定', en: 'They follow from the school’s stages' },
  'setUp.gradesAct': { zh: '查看年级', en: 'View grades' },
  'setUp.classes': { zh: '开设班级', en: 'Create the classes' },
  'setUp.classesText': {
    zh: '每个年级有几个班，一次建好',
    en: 'Enter how many classes each grade has and create them all at once',
  },
  'setUp.classesAct': { zh: '按年级开班', en: 'Create classes by grade' },
  'setUp.students': { zh: '导入学生', en: 'Import the students' },
  'setUp.studentsText': {
    zh: `手头的花名册就可以：${fileKinds.zh}`,
    en: `The roster you have will do: ${fileKinds.en}`,
  },
  'setUp.studentsAct': { zh: '导入学生', en: 'Import students' },
  'setUp.first': { zh: '请先完成上一步', en: 'Finish the previous step first' },
} as const satisfies Bundle
