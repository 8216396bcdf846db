import type { Bundle } from '../ui/words.ts'

/** The words of a child's record. */
export const studentWords = {
  'student.seat': { zh: '{no} 号', en: 'No. {no}' },
  'student.age': { zh: '{count} 岁', en: '{count} years', enOne: '{count} year' },
  'student.showNumber': { zh: '显示号码', en: 'Show number' },
} as const satisfies Bundle
