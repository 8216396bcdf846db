import type { Bundle } from '../ui/words.ts'

/** The words of the first page of a school office. */
export const officeHomeWords = {
  'home.sizes': { zh: '各班人数', en: 'Students by class' },
  'home.classNo': { zh: '{no}班', en: 'No. {no}' },
  'home.sizeOver': { zh: '超 {count}', en: '+{count}' },
  'home.imports': { zh: '最近导入', en: 'Latest imports' },
  'home.import.none': { zh: '还没有导入过学生', en: 'No students have been imported yet' },
  'home.import.done': { zh: '新增 {added} 名，更新 {updated} 名', en: '{added} added, {updated} updated' },
  'home.import.bad': { zh: '{count} 行待修改', en: '{count} rows to correct', enOne: '{count} row to correct' },
  'home.import.waits': { zh: '待导入', en: 'To be imported' },
  'home.import.undone': { zh: '已撤销', en: 'Undone' },
  'home.import.failed': { zh: '读取失败', en: 'Could not be read' },
  'home.import.works': { zh: '处理中', en: 'In progress' },
  'home.schools': { zh: '各校人数', en: 'Students by school' },
  'home.start.student': { zh: '新增学生', en: 'Add a student' },
  'home.start.import': { zh: '导入学生', en: 'Import students' },
} as const satisfies Bundle
