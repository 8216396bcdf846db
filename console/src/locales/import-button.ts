import type { Bundle } from '../ui/words.ts'

/** The word of the button that leads from a list to its import: apart, so that a list does not bring the import's words. */
export const importButtonWords = {
  'import.commit': { zh: '导入', en: 'Import' },
} as const satisfies Bundle
