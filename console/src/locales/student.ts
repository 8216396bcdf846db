import type { Bundle } from '../ui/words.ts'

/** The words of a child's record. */
export const studentWords = {
  'student.seat': { zh: '{no} 号', en: 'No. {no}' },
  'student.age': { zh: '{count} 岁', en: '{count} years', enOne: '{count} year' },
  'student.showNumber': { zh: '显示号码', en: 'Show number' },
  'student.noGuardian': { zh: '还没有登记家长', en: 'No parent is on file yet' },
  'student.siblings': { zh: '兄弟姐妹', en: 'Siblings' },
  'student.siblingsNote': { zh: '家长手机号相同', en: 'Same parent’s phone' },
  'student.birthday': { zh: '今天生日，满 {count} 岁', en: 'Birthday today: {count}' },
  'student.unplaced': { zh: '尚未分班', en: 'Not in a class yet' },
  'student.missing': {
    zh: '国家学籍表还缺 {count} 项：{names}',
    en: 'Missing for the national form ({count}): {names}',
  },
  'student.andMore': { zh: '{names} 等', en: '{names} and more' },
  'student.photoOf': { zh: '{name}的照片', en: 'Photo of {name}' },
} as const satisfies Bundle
