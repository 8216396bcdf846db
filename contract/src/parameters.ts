import type { Words } from './field.ts'

/** The parts of the page that the settings are shown in, in their order. */
export const parameterGroups = {
  account: { zh: '账号安全', en: 'Accounts' },
  login: { zh: '登录方式', en: 'Logging in' },
  session: { zh: '会话与锁屏', en: 'Sessions and screen lock' },
  sms: { zh: '短信', en: 'Text messages' },
  log: { zh: '日志', en: 'Logs' },
  quality: { zh: '数据质量', en: 'Data quality' },
} as const satisfies Record<string, Words>

export type ParameterGroup = keyof typeof parameterGroups

/** A setting that the server reads: what it may be, and what holds where a tenant has set nothing. */
export type ParameterDefinition = {
  readonly group: ParameterGroup
  readonly label: Words
  readonly help: Words
  /** What a number counts. */
  readonly unit?: Words
  /** The entity whose titles the text is chosen from. */
  readonly from?: string
} & (
  | { readonly type: 'integer'; readonly min: number; readonly max: number; readonly default: number }
  | { readonly type: 'flag'; readonly default: 0 | 1 }
  | { readonly type: 'text'; readonly max: number; readonly default: string }
)

/** Every parameter that the server reads, by its key. A tenant may keep others for itself: nobody reads those. */
export const parameters = {
  'account.maxFailures': {
    group: 'account',
    type: 'integer',
    min: 3,
    max: 20,
    default: 5,
    label: { zh: '登录失败次数上限', en: 'Wrong passwords before a lock' },
    help: {
      zh: '15 分钟内输错这么多次密码，账号即被锁定',
      en: 'The account is locked after this many wrong passwords within 15 minutes',
    },
    unit: { zh: '次', en: 'times' },
  },
  'account.lockMinutes': {
    group: 'account',
    type: 'integer',
    min: 1,
    max: 1_440,
    default: 15,
    label: { zh: '账号锁定时长', en: 'Length of a lock' },
    help: {
      zh: '首次锁定的时长；连续锁定会逐次加倍，最长 1 小时（或此时长）',
      en: 'Length of the first lock; each further one is twice as long, up to an hour (or this length)',
    },
    unit: { zh: '分钟', en: 'minutes' },
  },
  'account.oneTimeHours': {
    group: 'account',
    type: 'integer',
    min: 1,
    max: 720,
    default: 24,
    label: { zh: '一次性密码有效期', en: 'Life of a one-time password' },
    help: {
      zh: '重置密码后，须在此时间内登录并修改',
      en: 'After a reset the password must be used and changed within this time',
    },
    unit: { zh: '小时', en: 'hours' },
  },
  'session.absoluteDays': {
    group: 'session',
    type: 'integer',
    min: 1,
    max: 365,
    default: 30,
    label: { zh: '会话最长时间', en: 'Longest session' },
    help: {
      zh: '登录后最迟经过此时间须重新登录，无论是否一直在用',
      en: 'After this time at the latest one must log in again, however active one was',
    },
    unit: { zh: '天', en: 'days' },
  },
  'log.retentionDays': {
    group: 'log',
    type: 'integer',
    min: 180,
    max: 3_650,
    default: 180,
    label: { zh: '日志保留时间', en: 'How long logs are kept' },
    help: {
      zh: '日志按月整体清除，以各租户中最长的时间为准，因此实际保留时间可能更长',
      en: 'Logs go by whole months, after the longest time that any tenant has set, so they may stay longer',
    },
    unit: { zh: '天', en: 'days' },
  },
  'log.reads': {
    group: 'log',
    type: 'flag',
    default: 0,
    label: { zh: '记录查询', en: 'Log reading too' },
    help: {
      zh: '关闭时只记录提交、导出、下载与被拒绝的请求；开启后也记录查询',
      en: 'Off, logs hold what was sent, exported, downloaded or refused; on, reading as well',
    },
  },
  'log.readReason': {
    group: 'log',
    type: 'flag',
    default: 0,
    label: { zh: '查看学生信息须说明事由', en: 'Reason for reading a student’s record' },
    help: {
      zh: '开启后，打开、导出或打印学生档案、显示完整号码前须填写事由；事由写入访问记录',
      en: 'When on, anyone who opens, exports or prints a student’s record or shows a full number must give a reason first; it is kept in the access records',
    },
  },
  'sms.perPhoneMinute': {
    group: 'sms',
    type: 'integer',
    min: 1,
    max: 60,
    default: 1,
    label: { zh: '每个号码每分钟短信数', en: 'Text messages per number and minute' },
    help: {
      zh: '同一手机号码 1 分钟内最多发送这么多条短信',
      en: 'Maximum messages to one mobile number in one minute',
    },
    unit: { zh: '条', en: 'messages' },
  },
  'sms.perPhoneDay': {
    group: 'sms',
    type: 'integer',
    min: 1,
    max: 1_000,
    default: 10,
    label: { zh: '每个号码每天短信数', en: 'Text messages per number and day' },
    help: {
      zh: '同一手机号码 24 小时内最多发送这么多条短信',
      en: 'Maximum messages to one mobile number in 24 hours',
    },
    unit: { zh: '条', en: 'messages' },
  },
  'sms.perTenantDay': {
    group: 'sms',
    type: 'integer',
    min: 1,
    max: 1_000_000,
    default: 100,
    label: { zh: '租户每天短信数', en: 'Text messages per tenant and day' },
    help: {
      zh: '整个租户 24 小时内最多发送这么多条短信',
      en: 'Maximum messages sent by the whole tenant in 24 hours',
    },
    unit: { zh: '条', en: 'messages' },
  },
  'lock.idle': {
    group: 'session',
    type: 'integer',
    min: 0,
    max: 240,
    default: 0,
    label: { zh: '自动锁屏', en: 'Automatic screen lock' },
    help: {
      zh: '无操作达到此时长后，倒计时 60 秒并自动锁屏；按任意键或移动鼠标即可停止。0 为不自动锁屏',
      en: 'So long without a key or a move, a countdown of 60 seconds begins, and then the screen locks; any key or move stops it. 0 never locks',
    },
    unit: { zh: '分钟', en: 'minutes' },
  },
  'login.switch': {
    group: 'login',
    type: 'flag',
    default: 0,
    label: { zh: '切换模式', en: 'Switch mode' },
    help: {
      zh: '开启后，有多个部门或角色的人登录后选择以哪个部门、哪个角色工作，并可随时切换',
      en: 'On, who has several departments or roles chooses after log-in as which to work, and may switch',
    },
  },
  'login.captcha': {
    group: 'login',
    type: 'flag',
    default: 0,
    label: { zh: '验证码模式', en: 'Captcha mode' },
    help: {
      zh: '开启后，用账号密码登录时须输入图形验证码。建议同时启用手机验证码登录，供看不清图片的人使用',
      en: 'On, logging in with a password needs the signs of a picture as well. Turn the phone code on beside it, for those who cannot read pictures',
    },
  },
  'login.phone': {
    group: 'login',
    type: 'flag',
    default: 0,
    label: { zh: '手机验证码登录', en: 'Log-in by phone code' },
    help: {
      zh: '开启后，可用手机号码和短信验证码登录；须先启用短信配置',
      en: 'On, one may log in with a mobile number and a code sent to it; an SMS service must be enabled',
    },
  },
  'login.smsTemplate': {
    group: 'login',
    type: 'text',
    max: 32,
    default: '',
    from: 'sms',
    label: { zh: '登录验证码的短信配置', en: 'SMS service of phone codes' },
    help: {
      zh: '其短信模板须含变量 code；未指定时使用已启用的短信配置',
      en: 'The SMS template must contain the variable code. If none is chosen, the enabled service is used',
    },
  },
  'login.secondFactor': {
    group: 'login',
    type: 'flag',
    default: 0,
    label: { zh: '管理员须用两步验证', en: 'Second factor of administrators' },
    help: {
      zh: '开启后，管理员必须设置两步验证，未设置者登录后只能先去设置；其他人可自愿使用',
      en: 'On, administrators must have a second factor, and until then can only set it up; for others it is a choice',
    },
  },
  'quality.off': {
    group: 'quality',
    type: 'text',
    max: 1_000,
    default: '',
    label: { zh: '停用的检查项', en: 'Checks switched off' },
    help: {
      zh: '检查项的编号，用逗号分隔，如 pupilPhoto,staffNo；编号见“数据质量”页面各检查项',
      en: 'Keys of checks, separated by commas, such as pupilPhoto,staffNo; the data quality page shows the key of each',
    },
  },
  'quality.phoneFamilies': {
    group: 'quality',
    type: 'integer',
    min: 1,
    max: 50,
    default: 3,
    label: { zh: '同一家长手机号的学生数', en: 'Students per parent’s number' },
    help: {
      zh: '同一手机号登记为更多学生的家长时，列为可疑',
      en: 'A number that stands for parents of more students than this is doubtful',
    },
  },
} as const satisfies Record<string, ParameterDefinition>

export type ParameterKey = keyof typeof parameters

/** The definition of a key that the server reads; undefined of any other. */
export const parameterDefinition = (key: string): ParameterDefinition | undefined =>
  Object.hasOwn(parameters, key) ? parameters[key as ParameterKey] : undefined

/** What a stored text means by its definition, or in words why it means nothing. */
export function readParameter(
  definition: ParameterDefinition,
  text: string,
): { readonly value: number | string } | { readonly wrong: Words } {
  switch (definition.type) {
    case 'integer': {
      const { min, max } = definition
      const value = /^(0|-?[1-9][0-9]{0,14})$/.test(text) ? Number(text) : Number.NaN
      return value >= min && value <= max
        ? { value }
        : { wrong: { zh: `须为${min}到${max}的整数`, en: `must be a whole number from ${min} to ${max}` } }
    }
    case 'flag':
      return text === '0' || text === '1'
        ? { value: Number(text) }
        : { wrong: { zh: '须为0或1', en: 'must be 0 or 1' } }
    case 'text':
      return [...text].length <= definition.max
        ? { value: text }
        : { wrong: { zh: `不能超过${definition.max}个字符`, en: `at most ${definition.max} characters` } }
  }
}
