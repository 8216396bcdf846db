import type { Bundle } from '../ui/words.ts'

/** Words for who runs the platform and has no school there. */
export const platformStartWords = {
  'setUp.platform': { zh: '这里管理整个平台', en: 'This is the platform administration' },
  'setUp.platformText': {
    zh: '学校的数据在各自的租户里。先新增一个租户，再用它的管理员账号登录，登记学校。',
    en: 'Each school’s data lives in its own tenant. Add a tenant, then log in with its administrator account and register the school.',
  },
  'setUp.platformAct': { zh: '新增租户', en: 'Add a tenant' },
  'setUp.tenantUntil': { zh: '{day} 到期', en: 'until {day}' },
  'setUp.tenantAlways': { zh: '长期有效', en: 'no expiry' },
  'setUp.tenants': { zh: '查看租户', en: 'View tenants' },
} as const satisfies Bundle
