import type { Bundle } from '../ui/words.ts'

/** Words of the top menu page, beside those of granting. */
export const topmenuWords = {
  'topmenu.grant': { zh: '菜单配置', en: 'Assign menus' },
  'topmenu.grantOf': { zh: '{names}的菜单', en: 'Menus of {names}' },
  'topmenu.alike': {
    zh: '已选 {count} 个顶部菜单：保存后它们的菜单都与下面勾选的相同。',
    en: '{count} top menus are selected. After saving, all of them have exactly what is ticked below.',
  },
  'topmenu.granted': { zh: '菜单配置已保存', en: 'Menus saved' },
} as const satisfies Bundle
