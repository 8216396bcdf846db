import type { Bundle } from '../ui/words.ts'

/** Words of the lock dialog and the lock page. */
export const lockWords = {
  'lock.dialog': { zh: '锁屏', en: 'Lock the screen' },
  'lock.password': { zh: '锁屏密码', en: 'Lock password' },
  'lock.passwordHelp': {
    zh: '只用于这一次锁屏，与账号密码无关',
    en: 'Used for this lock only; not your account password',
  },
  'lock.lock': { zh: '锁定', en: 'Lock' },
  'lock.again': { zh: '用上次的锁屏密码', en: 'Reuse the last lock password' },
  'lock.unlock': { zh: '解锁', en: 'Unlock' },
  'lock.logout': { zh: '退出登录', en: 'Log out' },
  'lock.wrong': { zh: '锁屏密码错误，还可以试 {left} 次', en: 'Wrong lock password. {left} tries left' },
  'lock.wrong.last': {
    zh: '锁屏密码错误，再错一次将退出登录',
    en: 'Wrong lock password. One more wrong try logs you out',
  },
  'lock.account': { zh: '账号密码', en: 'Account password' },
  'lock.accountEmpty': { zh: '账号密码不能为空', en: 'Account password cannot be empty' },
  'lock.forgot': { zh: '忘记锁屏密码？用账号密码解锁', en: 'Forgot it? Unlock with your account password' },
  'lock.remembered': { zh: '用锁屏密码解锁', en: 'Use the lock password' },
  'lock.elsewhere': {
    zh: '会话已在其他窗口锁定，请用账号密码解锁',
    en: 'Locked in another window. Unlock with your account password',
  },
  'lock.unattended': {
    zh: '长时间没有操作，已自动锁定，请用账号密码解锁',
    en: 'Locked after a period without activity. Unlock with your account password',
  },
  'lock.idle': { zh: '即将自动锁屏', en: 'The screen is about to lock' },
  'lock.idleText': {
    zh: '{count} 秒后锁定。按任意键或移动鼠标即可继续。',
    en: 'Locks in {count} seconds. Press any key or move the mouse to continue.',
    enOne: 'Locks in 1 second. Press any key or move the mouse to continue.',
  },
  'lock.ended': {
    zh: '锁屏密码连续输错 5 次，已退出登录',
    en: 'Five wrong lock passwords in a row. You have been logged out',
  },
} as const satisfies Bundle
