import type { Bundle } from '../ui/words.ts'

/** The words of the first page of whoever keeps accounts and rights. */
export const adminHomeWords = {
  'home.lockedAccounts': { zh: '锁定中的账号', en: 'Locked accounts' },
  'home.noneLocked': { zh: '没有因输错密码而锁定的账号', en: 'No accounts are locked for wrong passwords' },
  'home.lockedFor': {
    zh: '{account}，{minutes} 分钟后自动解锁',
    en: '{account}, unlocks automatically in {minutes} min',
  },
  'home.allLocked': { zh: '全部 {count} 个', en: 'All {count}' },
  'home.unlock': { zh: '解锁', en: 'Unlock' },
  'home.unlockNamed': { zh: '解锁 {name}', en: 'Unlock {name}' },
  'home.unlocked': { zh: '已解锁', en: 'Unlocked' },
  'home.accounts': { zh: '账号情况', en: 'Accounts that need attention' },
  'home.start.user': { zh: '新增用户', en: 'Add a user' },
  'home.start.role': { zh: '角色与权限', en: 'Roles and rights' },
  'home.signIns': { zh: '近 14 天登录', en: 'Log-ins of the last 14 days' },
  'home.signIns.good': { zh: '成功', en: 'Successful' },
  'home.signIns.failed': { zh: '失败', en: 'Failed' },
  'home.signIns.day': { zh: '成功 {good} 次，失败 {failed} 次', en: '{good} successful, {failed} failed' },
  'home.log': { zh: '登录日志', en: 'Log-in log' },
  'home.figures.disabled': { zh: '已停用', en: 'Disabled' },
  'home.figures.noRole': { zh: '没有角色', en: 'Without a role' },
  'home.figures.neverUsed': { zh: '从未登录', en: 'Never logged in' },
  'home.figures.signIns': { zh: '今日登录', en: 'Log-ins today' },
  'home.figures.lockedNow': { zh: '锁定中', en: 'Locked now' },
  'home.figures.locked': { zh: '今日锁定', en: 'Locked today' },
  'home.figures.storage': { zh: '已用存储', en: 'Storage used' },
} as const satisfies Bundle
