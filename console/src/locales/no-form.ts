import type { Bundle } from '../ui/words.ts'

/** What is said to somebody whom an address leads to a form that is not theirs to open. */
export const noFormWords = {
  'noForm.edit': {
    zh: '您没有修改{label}的权限，如需修改请联系管理员',
    en: 'You may not change this ({label}). Ask an administrator if you need to',
  },
  'noForm.add': {
    zh: '您没有新增{label}的权限，如需新增请联系管理员',
    en: 'You may not add one here ({label}). Ask an administrator if you need to',
  },
} as const satisfies Bundle
