import type { Words } from './field.ts'

/** A setting that the server reads: what it may be, and what holds where a tenant has set nothing. */
export type ParameterDefinition = { readonly label: Words; readonly help: Words } & (
  | { readonly type: 'integer'; readonly min: number; readonly max: number; readonly default: number }
  | { readonly type: 'flag'; readonly default: 0 | 1 }
  | { readonly type: 'text'; readonly max: number; readonly default: string }
)

/** Every parameter that the server reads, by its key. A tenant may keep others for itself: nobody reads those. */
export const parameters = {
  'account.maxFailures': {
    type: 'integer',
    min: 3,
    max: 20,
    default: 5,
    label: { zh: '登录失败次数上限', en: 'Wrong passwords before a lock' },
    help: {
      zh: '15分钟内输错这么多次密码,账号即被锁定',
      en: 'So many wrong passwords within 15 minutes lock the account',
    },
  },
  'account.lockMinutes': {
    type: 'integer',
    min: 1,
    max: 1_440,
    default: 15,
    label: { zh: '锁定时长(分钟)', en: 'Minutes of a lock' },
    help: {
      zh: '首次锁定的时长;连续锁定会逐次加倍,最长1小时(或此时长)',
      en: 'Length of the first lock; each further one is twice as long, up to an hour (or this length)',
    },
  },
  'account.oneTimeHours': {
    type: 'integer',
    min: 1,
    max: 720,
    default: 24,
    label: { zh: '一次性密码有效期(小时)', en: 'Hours of a one-time password' },
    help: {
      zh: '重置密码后,须在此时间内登录并修改',
      en: 'After a reset the password must be used and changed within this time',
    },
  },
  'session.absoluteDays': {
    type: 'integer',
    min: 1,
    max: 365,
    default: 30,
    label: { zh: '会话最长天数', en: 'Days of a session' },
    help: {
      zh: '登录后最迟经过此时间须重新登录,无论是否一直在用',
      en: 'After this time at the latest one must log in again, however active one was',
    },
  },
  'log.retentionDays': {
    type: 'integer',
    min: 180,
    max: 3_650,
    default: 180,
    label: { zh: '日志保留天数', en: 'Days that logs are kept' },
    help: {
      zh: '不少于180天。日志按月整体清除,以各租户中最长的天数为准,因此实际保留时间可能更长',
      en: 'At least 180. Logs go by whole months, after the longest time that any tenant has set, so they may stay longer',
    },
  },
  'log.reads': {
    type: 'flag',
    default: 0,
    label: { zh: '记录查询', en: 'Log reading too' },
    help: {
      zh: '0只记录提交、导出、下载与被拒绝的请求;1同时记录查询',
      en: '0 logs what was sent, exported, downloaded or refused; 1 logs reading as well',
    },
  },
  'sms.perPhoneMinute': {
    type: 'integer',
    min: 1,
    max: 60,
    default: 1,
    label: { zh: '每个号码每分钟短信数', en: 'Text messages per number and minute' },
    help: {
      zh: '同一手机号码1分钟内最多发送这么多条短信',
      en: 'One mobile number is sent at most so many messages within a minute',
    },
  },
  'sms.perPhoneDay': {
    type: 'integer',
    min: 1,
    max: 1_000,
    default: 10,
    label: { zh: '每个号码每天短信数', en: 'Text messages per number and day' },
    help: {
      zh: '同一手机号码24小时内最多发送这么多条短信',
      en: 'One mobile number is sent at most so many messages within 24 hours',
    },
  },
  'sms.perTenantDay': {
    type: 'integer',
    min: 1,
    max: 1_000_000,
    default: 100,
    label: { zh: '租户每天短信数', en: 'Text messages per tenant and day' },
    help: {
      zh: '整个租户24小时内最多发送这么多条短信',
      en: 'The whole tenant sends at most so many messages within 24 hours',
    },
  },
  'lock.idle': {
    type: 'integer',
    min: 0,
    max: 240,
    default: 0,
    label: { zh: '自动锁屏(分钟)', en: 'Minutes until the screen locks' },
    help: {
      zh: '无操作达到此时长后,倒计时60秒并自动锁屏;按任意键或移动鼠标即可停止。0为不自动锁屏',
      en: 'So long without a key or a move, a countdown of 60 seconds begins, and then the screen locks; any key or move stops it. 0 never locks',
    },
  },
  'login.switch': {
    type: 'flag',
    default: 0,
    label: { zh: '切换模式', en: 'Switch mode' },
    help: {
      zh: '1:有多个部门或角色的人登录后选择以哪个部门、哪个角色工作,并可随时切换',
      en: '1: who has several departments or roles chooses after log-in as which to work, and may switch',
    },
  },
  'login.captcha': {
    type: 'flag',
    default: 0,
    label: { zh: '验证码模式', en: 'Captcha mode' },
    help: {
      zh: '1:用账号密码登录时须输入图形验证码。建议同时启用手机验证码登录,供看不清图片的人使用',
      en: '1: logging in with a password needs the signs of a picture as well. Turn the phone code on beside it, for those who cannot read pictures',
    },
  },
  'login.phone': {
    type: 'flag',
    default: 0,
    label: { zh: '手机验证码登录', en: 'Log-in by phone code' },
    help: {
      zh: '1:可用手机号码和短信验证码登录;须先启用短信配置',
      en: '1: one may log in with a mobile number and a code sent to it; an SMS service must be enabled',
    },
  },
  'login.smsTemplate': {
    type: 'text',
    max: 32,
    default: '',
    label: { zh: '登录验证码的短信配置', en: 'SMS service of phone codes' },
    help: {
      zh: '短信配置的编号,其模板须含变量 code;留空使用已启用的配置',
      en: 'Code of the SMS service whose template has the variable code; the enabled one where empty',
    },
  },
  'login.secondFactor': {
    type: 'flag',
    default: 0,
    label: { zh: '管理员须用两步验证', en: 'Second factor of administrators' },
    help: {
      zh: '1:管理员必须设置两步验证,未设置者登录后只能先去设置;其他人可自愿使用',
      en: '1: administrators must have a second factor, and until then can only set it up; for others it is a choice',
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
