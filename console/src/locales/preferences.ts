import type { Bundle } from '../ui/words.ts'

/** Words of the tab about how one likes the console. */
export const preferenceWords = {
  'preferences.text': {
    zh: '选择后立即生效，保存在本浏览器。自选颜色在右上角头像菜单的“主题”里。',
    en: 'Changes apply at once and are kept in this browser. To pick your own colour, open Theme in the menu at the top right.',
  },
  'preferences.landing': { zh: '登录后打开', en: 'Page after log-in' },
  'preferences.kept': { zh: '已保存', en: 'Saved' },
  'preferences.shortcuts': { zh: '单键快捷键', en: 'Single-key shortcuts' },
  'preferences.shortcutsText': {
    zh: '关闭后，不带 Ctrl 或 Alt 的快捷键不起作用，方向键、回车和 Esc 不受影响。',
    en: 'When off, shortcuts without Ctrl or Alt do nothing. Arrow keys, Enter and Esc still work.',
  },
} as const satisfies Bundle
