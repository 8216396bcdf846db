import type { Bundle } from '../ui/words.ts'

/** Words of the tab about how one logs in. */
export const securityWords = {
  'security.mustSecond': {
    zh: '管理员须先设置两步验证，再继续使用。',
    en: 'Administrators must set up two-step log-in before they continue.',
  },
  'security.second': { zh: '两步验证', en: 'Two-step log-in' },
  'security.secondText': {
    zh: '登录时除密码外，再输入手机验证器应用里的 6 位数字。密码泄露时，别人仍无法登录。',
    en: 'After the password, log-in asks for six digits from an authenticator app on your phone. The password alone is then not enough to log in.',
  },
  'security.on': { zh: '已启用', en: 'On' },
  'security.off': { zh: '未启用', en: 'Off' },
  'security.onNote': {
    zh: '启用于 {since}，还有 {count} 个恢复码',
    en: 'since {since}, {count} recovery codes left',
    enOne: 'since {since}, 1 recovery code left',
  },
  'security.must': {
    zh: '管理员必须使用两步验证，不能停用。',
    en: 'Administrators must use two-step log-in. It cannot be turned off.',
  },
  'security.another': { zh: '换用另一部手机', en: 'Use another phone' },
  'security.anotherText': {
    zh: '原手机随即失效。请接着用新手机设置，在此之前不能做其他操作。',
    en: 'The old phone is no longer valid. Set up the new one now; nothing else can be done before that.',
  },
  'security.setUp': { zh: '设置两步验证', en: 'Set up' },
  'security.setUpDone': {
    zh: '两步验证已启用，您在其他设备上的登录已结束',
    en: 'Two-step log-in is on; you are logged out everywhere else',
  },
  'security.next': { zh: '下一步', en: 'Next' },
  'security.confirm': { zh: '启用', en: 'Turn on' },
  'security.remove': { zh: '停用两步验证', en: 'Turn off' },
  'security.removed': { zh: '两步验证已停用', en: 'Two-step log-in is off' },
  'security.newCodes': { zh: '重新生成恢复码', en: 'New recovery codes' },
  'security.newCodesText': {
    zh: '生成后，原来的恢复码全部作废。',
    en: 'Your present recovery codes become invalid.',
  },
  'security.password': { zh: '账号密码', en: 'Account password' },
  'security.passwordEmpty': { zh: '请输入账号密码', en: 'Enter your account password' },
  'security.code': { zh: '验证码', en: 'Code' },
  'security.codeEmpty': { zh: '请输入验证码', en: 'Enter the code' },
  'security.codeHelp': { zh: '验证器应用里显示的 6 位数字', en: 'The six digits that the app shows' },
  'security.codeOrRecovery': {
    zh: '验证器应用里的 6 位数字，或一个恢复码',
    en: 'Six digits of the app, or a recovery code',
  },
  'security.qr': { zh: '用验证器应用扫描的二维码', en: 'QR code for the authenticator app' },
  'security.scan': {
    zh: '用任意验证器应用扫描二维码，再输入它显示的数字。',
    en: 'Scan the code with any authenticator app, then enter the digits that it shows.',
  },
  'security.byHand': { zh: '不能扫描时，在应用里手动输入密钥：', en: 'Or type this key into the app:' },
  'security.copy': { zh: '复制', en: 'Copy' },
  'security.download': { zh: '下载', en: 'Download' },
  'security.print': { zh: '打印', en: 'Print' },
  'security.codes': { zh: '恢复码', en: 'Recovery codes' },
  'security.codesName': { zh: '{account} 的恢复码', en: 'Recovery codes of {account}' },
  'security.codesOnce': { zh: '只显示这一次，请立即保存。', en: 'Shown only once. Save them now.' },
  'security.codesText': {
    zh: '手机不在身边时，可用恢复码代替验证码登录，每个只能用一次。',
    en: 'Without your phone, log in with one of these in place of a code. Each works once.',
  },
  'security.codesKept': { zh: '我已保存', en: 'I have saved them' },

  'security.identities': { zh: '第三方账号', en: 'Linked accounts' },
  'security.identitiesText': {
    zh: '关联后，可直接用第三方账号登录。',
    en: 'Once linked, you can log in with a third-party account.',
  },
  'security.noProviders': {
    zh: '没有可用的第三方登录。',
    en: 'No third-party log-in is available.',
  },
  'security.linked': { zh: '关联于 {since}', en: 'Linked {since}' },
  'security.linkedUsed': { zh: '关联于 {since}，最近登录 {used}', en: 'Linked {since}, last used {used}' },
  'security.link': { zh: '关联{provider}', en: 'Link {provider}' },
  'security.unlink': { zh: '解除关联', en: 'Unlink' },
  'security.unlinkOf': { zh: '解除关联{provider}', en: 'Unlink {provider}' },
  'security.unlinkAsk': { zh: '解除与{provider}的关联？', en: 'Unlink {provider}?' },
  'security.unlinkBody': {
    zh: '之后不能再用它登录，可以随时重新关联。',
    en: 'You can no longer log in with it. You may link it again at any time.',
  },
  'security.unlinked': { zh: '已解除关联', en: 'Unlinked' },

  'security.sessions': { zh: '我的会话', en: 'My sessions' },
  'security.sessionsText': {
    zh: '您的账号在这些设备上登录。看到不认识的，请结束它并修改密码。',
    en: 'Your account is logged in on these devices. If you do not know one, end it and change your password.',
  },
  'security.thisBrowser': { zh: '本浏览器', en: 'This browser' },
  'security.sessionNote': {
    zh: '{address}，最近使用 {used}，登录于 {since}',
    en: '{address}, last used {used}, since {since}',
  },
  'security.sessionHere': {
    zh: '{address}，正在使用，登录于 {since}',
    en: '{address}, in use now, since {since}',
  },
  'security.end': { zh: '结束', en: 'End' },
  'security.endOf': { zh: '结束 {device}', en: 'End {device}' },
  'security.endAsk': { zh: '结束 {device} 上的会话？', en: 'End the session on {device}?' },
  'security.endOthers': { zh: '结束其他全部会话', en: 'End all others' },
  'security.endOthersAsk': {
    zh: '结束其他 {count} 个会话？',
    en: 'End the other {count} sessions?',
    enOne: 'End the other session?',
  },
  'security.endBody': {
    zh: '那里会立即退出登录，没有保存的内容留在那个浏览器里。',
    en: 'That device is logged out at once. Unsaved work stays in its browser.',
  },
  'security.ended': { zh: '已结束', en: 'Ended' },
} as const satisfies Bundle
