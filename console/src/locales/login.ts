/** Words of the log-in page: it carries no library, so they are a plain table of its own. */
export const loginWords = {
  title: { zh: '登录', en: 'Login' },
  product: { zh: '数据大脑', en: 'Data Brain' },
  tenant: { zh: '租户编号', en: 'Tenant code' },
  account: { zh: '账号', en: 'Account' },
  password: { zh: '密码', en: 'Password' },
  show: { zh: '显示', en: 'Show' },
  hide: { zh: '隐藏', en: 'Hide' },
  login: { zh: '登录', en: 'Log in' },
  busy: { zh: '正在登录…', en: 'Logging in…' },
  change: { zh: '更换租户', en: 'Change tenant' },
  other: { zh: 'English', en: '中文' },
  noTenant: { zh: '请先输入租户编号', en: 'Enter the tenant code first' },
  noAccount: { zh: '请先输入账号名称', en: 'Enter the account name first' },
  noPassword: { zh: '请先输入密码', en: 'Enter the password first' },
  unknown: { zh: '未知错误', en: 'Unknown error' },
  offline: { zh: '连接不上服务器，请检查网络', en: 'The server cannot be reached: check the network' },
} as const
