import type { Bundle } from '../ui/words.ts'

/** What is said where somebody's rights have changed under an open page. */
export const rightsWords = {
  'rights.changed': {
    zh: '您的权限已变更，菜单和按钮已随之更新',
    en: 'Your rights have changed: menus and buttons are up to date',
  },
} as const satisfies Bundle
