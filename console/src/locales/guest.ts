import type { Bundle } from '../ui/words.ts'

/** Words of the page of registrations. */
export const guestWords = {
  'guest.approve': { zh: '通过', en: 'Approve' },
  'guest.refuse': { zh: '拒绝', en: 'Refuse' },
  'guest.approveOf': { zh: '通过 {name} 的注册申请', en: 'Approve the registration of {name}' },
  'guest.refuseOf': { zh: '拒绝 {name} 的注册申请', en: 'Refuse the registration of {name}' },
  'guest.refuseMany': { zh: '拒绝 {count} 个注册申请', en: 'Refuse {count} registrations' },
  'guest.note': {
    zh: '通过后将以下列资料建立用户：可用申请时设置的密码登录，也可用 {source} 登录。没有角色的用户登录后看不到任何内容。',
    en: 'This creates a user, who can log in with the password they chose or through {source}. A user without a role sees nothing.',
  },
  'guest.name': { zh: '姓名', en: 'Name' },
  'guest.account': { zh: '账号', en: 'Account' },
  'guest.roles': { zh: '角色', en: 'Roles' },
  'guest.noRoles': {
    zh: '您没有“角色配置”权限：用户将没有角色，之后由有权限的管理员配置。',
    en: 'You may not assign roles. The user starts without a role until an administrator assigns one.',
  },
  'guest.depts': { zh: '部门', en: 'Departments' },
  'guest.reason': { zh: '拒绝原因', en: 'Reason' },
  'guest.reasonHelp': {
    zh: '只有管理员能看到；对方可以重新申请。',
    en: 'Seen by administrators only. The person may apply again.',
  },
  'guest.approved': { zh: '已通过', en: 'Approved' },
  'guest.refused': { zh: '已拒绝', en: 'Refused' },
} as const satisfies Bundle
