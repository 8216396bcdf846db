import type { Bundle } from '../ui/words.ts'

export const gaveWayWords = {
  'shell.gaveWay': {
    zh: '此浏览器已改用其他账号登录，本窗口已随之切换',
    en: 'Somebody else has logged in with this browser: this window now is theirs',
  },
  'shell.gaveWayKept': {
    zh: '账号 {account} 没有保存的内容只保留在本窗口，供该账号登录后继续。',
    en: 'What {account} had not saved stays in this window, for that person alone.',
  },
} as const satisfies Bundle
