import type { Bundle } from '../ui/words.ts'

/** Words of the dialogs that take the steps of setting a school up. */
export const setUpDialogWords = {
  'setUp.yearTitle': { zh: '设置“{name}”的学年', en: 'School year of “{name}”' },
  'setUp.yearOk': { zh: '新增学年和 2 个学期', en: 'Add the year and 2 semesters' },
  'setUp.yearName': { zh: '学年', en: 'School year' },
  'setUp.begin': { zh: '开始日期', en: 'Begins' },
  'setUp.end': { zh: '结束日期', en: 'Ends' },
  'setUp.beginOf': { zh: '{name}开始日期', en: '{name} begins' },
  'setUp.endOf': { zh: '{name}结束日期', en: '{name} ends' },
  'setUp.weeks': {
    zh: '第 1 周从 {monday}（周一）开始，共 {weeks} 周',
    en: 'Week 1 begins on Monday {monday}; {weeks} weeks',
  },
  'setUp.current': { zh: '当前学期', en: 'Current semester' },
  'setUp.dates': { zh: '请填写全部日期', en: 'Fill in all dates' },
  'setUp.yearDone': { zh: '{name}已设为当前学年', en: '{name} is the current school year' },

  'setUp.classesTitle': { zh: '按年级开班', en: 'Open classes by grade' },
  'setUp.schoolOf': { zh: '学校', en: 'School' },
  'setUp.each': { zh: '每个年级的班数', en: 'Classes of every grade' },
  'setUp.classesOf': { zh: '{grade}的班数', en: 'Classes of {grade}' },
  'setUp.has': { zh: '已有 {count} 个班', en: 'has {count}' },
  'setUp.range': { zh: '须为 0 到 60 的整数', en: 'A whole number from 0 to 60' },
  'setUp.classesOk': { zh: '新建 {count} 个班', en: 'Open {count} classes', enOne: 'Open 1 class' },
  'setUp.classesNone': { zh: '新建班级', en: 'Open classes' },
  'setUp.makes': { zh: '新建 {nos} 班', en: 'New: {nos}' },
  'setUp.fewer': {
    zh: '已有 {count} 个班；要减少，请在行政班中删除',
    en: 'There are {count}. To have fewer, delete them in the list of classes',
  },
  'setUp.willMake': { zh: '将新建：{names}', en: 'Will be opened: {names}' },
  'setUp.andMore': { zh: '{names} 等 {count} 个班', en: '{names} and others, {count} in all' },
  'setUp.fill': { zh: '请填写班数', en: 'Give the numbers of classes' },
  'setUp.nothing': { zh: '没有需要新建的班', en: 'There is no class to open' },
  'setUp.noYear': { zh: '请先设置当前学年', en: 'Set the current school year first' },
  'setUp.classesDone': { zh: '已新建 {count} 个班', en: '{count} classes opened', enOne: '1 class opened' },
} as const satisfies Bundle
