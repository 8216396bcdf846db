import type { Bundle } from '../ui/words.ts'

/** What is said where somebody's rights have changed under an open page. */
export const rightsWords = {
  'rights.changed': {
    zh: '您的权限已变更，菜单和按钮已随之更新',
    en: 'Your rights have changed: menus and buttons are up to date',
  },
  'rights.kept': {
    zh: '“{pages}”已关闭，未保存的内容已存为草稿',
    en: '“{pages}” was closed; what was not saved is kept as a draft',
  },
  'rights.and': { zh: '”“', en: '”, “' },
} as const satisfies Bundle
