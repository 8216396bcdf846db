import type { Bundle } from '../ui/words.ts'

/** Words of the page about oneself; they come with it. */
export const infoWords = {
  'info.account': { zh: '账号信息', en: 'Account info' },
  'info.password': { zh: '修改密码', en: 'Change password' },
  'info.avatar': { zh: '头像', en: 'Avatar' },
  'info.upload': { zh: '上传头像', en: 'Upload avatar' },
  'info.realName': { zh: '真实姓名', en: 'Real name' },
  'info.username': { zh: '用户名', en: 'Username' },
  'info.phone': { zh: '手机', en: 'Phone' },
  'info.email': { zh: '邮箱', en: 'Email' },
  'info.realNameEmpty': { zh: '请输入真实姓名', en: 'Enter your real name' },
  'info.emailFormat': { zh: '邮箱格式不正确', en: 'This is not an email address' },
  'info.oldPassword': { zh: '原密码', en: 'Current password' },
  'info.newPassword': { zh: '新密码', en: 'New password' },
  'info.newPassword1': { zh: '确认新密码', en: 'New password again' },
  'info.policy': {
    zh: '至少 {least} 个字符，字母、数字、符号都可以；不要用账号或常见密码。',
    en: 'At least {least} characters of any kind; neither your account nor a common password.',
  },
  'info.mustChange': { zh: '请先修改初始密码，再继续使用。', en: 'Change the first password before going on.' },
  'info.oldEmpty': { zh: '请输入原密码', en: 'Enter the current password' },
  'info.tooShort': { zh: '新密码至少 {least} 个字符', en: 'The new password needs at least {least} characters' },
  'info.tooPlain': { zh: '新密码太简单', en: 'The new password is too simple' },
  'info.isAccount': { zh: '新密码不能是账号', en: 'The new password must not be the account' },
  'info.sameAsOld': { zh: '新密码不能与原密码相同', en: 'The new password must differ from the current one' },
  'info.show': { zh: '显示密码', en: 'Show passwords' },
} as const satisfies Bundle
