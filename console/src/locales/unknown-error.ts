import type { Bundle } from '../ui/words.ts'

/** The one text of the specification that the first paint may need. */
export const unknownError = {
  'spec.unknownError': { zh: '未知错误', en: 'Unknown error' },
} as const satisfies Bundle
