import type { Bundle } from '../ui/words.ts'

/** Words of the tab about how one likes the console. */
export const preferenceWords = {
  'preferences.text': {
    zh: '选择后立即生效，保存在本浏览器。自选颜色在右上角的“主题”里。',
    en: 'What you choose holds at once, in this browser. A colour of your own is under Theme at the top.',
  },
  'preferences.landing': { zh: '登录后打开', en: 'Page after log-in' },
  'preferences.kept': { zh: '已保存', en: 'Kept' },
  'preferences.shortcuts': { zh: '单键快捷键', en: 'Shortcuts of a single key' },
  'preferences.shortcutsText': {
    zh: '关闭后，不带 Ctrl 或 Alt 的快捷键不起作用，方向键、回车和 Esc 不受影响。',
    en: 'When off, shortcuts without Ctrl or Alt do nothing; arrows, Enter and Esc work as ever.',
  },
} as const satisfies Bundle
