import type { Words } from './field.ts'

/**
 * Every expected failure: its HTTP status (which is also the envelope's `code`) and its words.
 * `{x}` is replaced by the detail of that name.
 */
export const problems = {
  bad_request: { status: 400, zh: '请求无法识别', en: 'The request could not be understood' },
  field_invalid: { status: 400, zh: '{label}：{reason}', en: '{label}: {reason}' },
  field_unknown: { status: 400, zh: '没有名为 {field} 的字段', en: 'There is no field named {field}' },
  parameter_missing: { status: 400, zh: '缺少必要的请求参数：{field}', en: 'Missing parameter: {field}' },
  body_too_large: { status: 413, zh: '内容太大，上限为 {limit}', en: 'Too large: the limit is {limit}' },
  media_unsupported: { status: 415, zh: '不支持的内容类型', en: 'Unsupported content type' },
  unauthorized: { status: 401, zh: '请求未授权', en: 'Please log in' },
  session_locked: { status: 423, zh: '已锁定，请先解锁', en: 'Locked: unlock first' },
  unlock_failed: { status: 400, zh: '锁屏密码错误', en: 'Wrong lock password' },
  session_ended: { status: 401, zh: '登录已结束：{reason}', en: 'Your session has ended: {reason}' },
  forbidden: { status: 403, zh: '没有权限：{code}', en: 'Permission missing: {code}' },
  password_must_change: { status: 403, zh: '请先修改初始密码', en: 'Change the first password before going on' },
  not_found: { status: 404, zh: '没有找到该数据', en: 'Not found' },
  feed_gone: {
    status: 410,
    zh: '该日历订阅已撤回或已失效，请向提供地址的人重新索取',
    en: 'This calendar feed was withdrawn or has ended: ask whoever gave you the address for another',
  },
  route_unknown: { status: 404, zh: '没有这个接口', en: 'There is no such call' },
  conflict: { status: 409, zh: '{taken}', en: '{taken}' },
  stale: { status: 409, zh: '该数据已被他人修改', en: 'Someone else has changed this record' },
  save_differs: {
    status: 422,
    zh: '先前的保存已完成，这次的内容与它不同：请关闭后查看已保存的数据',
    en: 'The earlier save has been done, and this one says something else: close the form and look at what was saved',
  },
  save_unknown: {
    status: 409,
    zh: '先前的保存还在进行，或已被中断：请查看数据后再决定是否重新填写',
    en: 'The earlier save is still going on, or was cut off: look at the data before you enter it again',
  },
  rule_broken: { status: 400, zh: '{reason}', en: '{reason}' },
  blocked: { status: 400, zh: '无法删除：{reason}', en: 'Cannot be deleted: {reason}' },
  reference_unknown: { status: 400, zh: '{label}：所选数据不存在', en: '{label}: the chosen row does not exist' },
  login_failed: { status: 400, zh: '用户名或密码错误', en: 'Wrong account or password' },
  login_locked: {
    status: 400,
    zh: '用户登录失败次数过多，请{minutes}分钟后再试',
    en: 'Too many failures: try again in {minutes} min',
  },
  login_busy: { status: 429, zh: '登录繁忙，请稍后再试', en: 'Log-in is busy: try again shortly' },
  client_failed: { status: 400, zh: '客户端认证失败！', en: 'Unknown client' },
  refresh_failed: { status: 400, zh: '登录已失效，请重新登录', en: 'The session has ended: log in again' },
  grant_unsupported: { status: 400, zh: '不支持的授权方式', en: 'Unsupported grant type' },
  tenant_unusable: { status: 400, zh: '租户已停用或到期', en: 'The tenant is disabled or has expired' },
  too_many: { status: 429, zh: '请求过于频繁，请稍后再试', en: 'Too many requests: try again shortly' },
  busy: {
    status: 503,
    zh: '其他人正在处理相同的数据，请稍后再试',
    en: 'Somebody else is working on the same data: try again shortly',
  },
  outage: { status: 503, zh: '服务暂时不可用，请稍后再试', en: 'Temporarily unavailable: try again shortly' },
  disk_full: {
    status: 507,
    zh: '服务器磁盘已满，未能完成：请联系管理员腾出空间后重试',
    en: 'Not done: the disk of the server is full. Ask your administrator to make room, then try again',
  },
  outcome_unknown: {
    status: 503,
    zh: '保存时连接中断，不能确定是否已保存：请刷新后核对，再决定是否重新提交',
    en: 'The connection was lost while saving, and it is not certain whether it was kept: reload and check before you send it again',
  },
  bug: { status: 500, zh: '服务器异常，编号 {requestId}', en: 'Server error, no. {requestId}' },
  account_disabled: {
    status: 400,
    zh: '账号已停用，请联系管理员',
    en: 'The account is disabled: ask your administrator',
  },
  password_expired: {
    status: 400,
    zh: '初始密码已过期，请联系管理员重置',
    en: 'The one-time password has expired: ask your administrator for a new one',
  },
  password_wrong: { status: 400, zh: '原密码不正确！', en: 'The old password is wrong!' },
  password_differs: { status: 400, zh: '请输入正确的确认密码！', en: 'The two new passwords differ!' },
  password_same: { status: 400, zh: '新密码不能与原密码相同', en: 'The new password must differ from the old one' },
  password_weak: {
    status: 400,
    zh: '新密码过于简单或常见，请换一个',
    en: 'The new password is too short or too common: choose another',
  },
  tenant_differs: {
    status: 400,
    zh: '请求头与参数中的租户编号不一致',
    en: 'The tenant of the header is not the tenant of the parameter',
  },
  read_reason: {
    status: 428,
    zh: '请先说明查看学生信息的事由',
    en: 'Say first why you look at a student’s record',
  },
  out_of_scope: {
    status: 403,
    zh: '超出您的数据权限范围',
    en: 'Outside the rows that you may work with',
  },
  cross_site: { status: 403, zh: '不能由其他网站发起该请求', en: 'This call cannot come from another site' },
  tenant_disabled: {
    status: 400,
    zh: '租户已停用，请联系平台管理员',
    en: 'The tenant is disabled: ask the platform’s administrator',
  },
  tenant_expired: {
    status: 400,
    zh: '租户已到期，请联系平台管理员续期',
    en: 'The tenant has expired: ask the platform’s administrator to renew it',
  },
  tenant_ending: {
    status: 400,
    zh: '租户已停用，其数据将被清除；如需保留，请联系平台管理员',
    en: 'The tenant is closed and its data are about to be removed: to keep them, ask the platform’s administrator',
  },
  quota_reached: {
    status: 400,
    zh: '账号数已达租户额度（{quota}个）：请删除不再使用的账号，或请平台管理员提高额度',
    en: 'All {quota} accounts of the tenant’s quota are in use: remove unused ones, or ask the platform’s administrator for more',
  },
  narrow_refused: {
    status: 400,
    zh: '您不属于所选的部门或角色',
    en: 'You do not have the chosen department or role',
  },
  storage_full: {
    status: 400,
    zh: '存储空间不足：已用 {used}，额度 {quota}，该文件 {size}；请删除不再使用的附件，或请平台管理员提高额度',
    en: 'Not enough room: {used} of {quota} are used and the file has {size}; remove attachments that are no longer needed, or ask the platform’s administrator for more',
  },
  storage_away: {
    status: 503,
    zh: '文件存储暂时不可用，请稍后再试；如一直如此，请联系管理员检查对象存储',
    en: 'The file store cannot be reached: try again shortly, or ask your administrator to check the object storage',
  },
  sms_limit: { status: 429, zh: '{reason}', en: '{reason}' },
  social_unavailable: {
    status: 400,
    zh: '该第三方登录方式不可用',
    en: 'This way of logging in is not available',
  },
  social_state: {
    status: 400,
    zh: '第三方登录已失效，请在同一浏览器中重新登录',
    en: 'This log-in has run out, was used already or began in another browser: begin again',
  },
  social_failed: {
    status: 400,
    zh: '第三方登录未能确认您的身份，请重新登录',
    en: 'The other site did not confirm who you are: begin again',
  },
  social_ticket: {
    status: 400,
    zh: '第三方登陆信息错误！',
    en: 'The social log-in that this belongs to has run out: begin again',
  },
  social_tenant: { status: 400, zh: '租户信息错误！', en: 'The social log-in was started for another tenant' },
  social_linked: {
    status: 400,
    zh: '该第三方账号已关联用户',
    en: 'That account is linked to a user already',
  },
  guest_waiting: {
    status: 400,
    zh: '注册申请已提交,请耐心等待管理员通过!',
    en: 'Your registration was sent. Please wait until an administrator approves it',
  },
  captcha_needed: { status: 400, zh: '请输入图形验证码', en: 'Enter the signs of the picture' },
  captcha_wrong: { status: 400, zh: '验证码不正确', en: 'The signs of the picture are wrong' },
  way_off: { status: 400, zh: '该登录方式未启用', en: 'This way to log in is not enabled' },
  phone_code_wrong: {
    status: 400,
    zh: '短信验证码不正确或已失效',
    en: 'The code is wrong or has expired',
  },
  phone_ambiguous: {
    status: 400,
    zh: '该手机号码对应多个账号，请使用账号密码登录',
    en: 'Several accounts have this number: log in with account and password',
  },
  second_factor_needed: { status: 400, zh: '请输入两步验证码', en: 'Enter the code of the second factor' },
  second_factor_wrong: { status: 400, zh: '两步验证码不正确或已使用', en: 'The code is wrong, or was used already' },
  second_factor_over: {
    status: 400,
    zh: '两步验证已超时，请重新登录',
    en: 'That took too long or too many tries: log in again',
  },
  second_factor_on: { status: 400, zh: '已启用两步验证', en: 'The second factor is on already' },
  second_factor_off: { status: 400, zh: '尚未启用两步验证', en: 'The second factor is not on' },
  second_factor_must: {
    status: 403,
    zh: '请先设置两步验证',
    en: 'Set up the second factor before going on',
  },
} as const satisfies Record<string, { status: number } & Words>

export type ProblemCode = keyof typeof problems

/** Every answer of the server but the bare ones of the token and captcha calls. */
export interface Envelope<T = unknown> {
  code: number
  success: boolean
  msg: string
  data: T
}

/** A page of a list. */
export interface Page<T> {
  total: number
  size: number
  current: number
  pages: number
  records: T[]
}

/** What a blocked delete names: how many rows of what still point at the row. */
export interface Blocker {
  entity: string
  /** The field by which those rows refer to the one that cannot go. */
  field?: string
  label: string
  /** Chinese measure word of those rows, where it is not the usual one. */
  unit?: string
  count: number
  sample: string[]
}
export const envelopeWords = {
  done: { zh: '操作成功', en: 'Done' },
} as const
