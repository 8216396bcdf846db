import type { Bundle } from '../ui/words.ts'

export const tryWords = {
  'try.works': { zh: '连接正常', en: 'It works' },
  'try.fails': { zh: '连接不正常', en: 'It does not work' },
  'try.took': { zh: '用时 {ms} 毫秒', en: 'It took {ms} ms' },
  'try.again': { zh: '再试一次', en: 'Try again' },
} as const satisfies Bundle
