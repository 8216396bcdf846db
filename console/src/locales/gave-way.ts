import type { Bundle } from '../ui/words.ts'

export const gaveWayWords = {
  'shell.gaveWay': {
    zh: '此浏览器已改用其他账号登录，本窗口已随之切换',
    en: 'Another account has logged in with this browser. This window has switched to it.',
  },
  'shell.gaveWayKept': {
    zh: '账号 {account} 没有保存的内容只保留在本窗口，供该账号登录后继续。',
    en: 'Unsaved work of {account} is kept in this window until that account logs in again.',
  },
} as const satisfies Bundle
