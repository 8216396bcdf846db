import type { Bundle } from '../ui/words.ts'

/** Words of the menu page; the prefix `menu.` belongs to the names of the menus. */
export const menuWords = {
  'menuPage.chooseIcon': { zh: '选择图标', en: 'Choose an icon' },
  'menuPage.searchIcon': { zh: '搜索图标名称', en: 'Search icon names' },
  'menuPage.noIcon': { zh: '选择图标', en: 'Choose an icon' },
} as const satisfies Bundle
