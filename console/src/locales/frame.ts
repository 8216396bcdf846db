import type { Bundle } from '../ui/words.ts'

export const frameWords = {
  'frame.newWindow': { zh: '在新窗口打开', en: 'Open in a new window' },
  'frame.slow': {
    zh: '加载较慢。如果页面不允许内嵌显示，请在新窗口打开。',
    en: 'This takes long. If the page cannot be shown inside the console, open it in a new window.',
  },
} as const satisfies Bundle
