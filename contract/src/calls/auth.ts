import { defineCall } from '../call.ts'
import { customFieldShape } from '../custom.ts'
import {
  emptyAnswer,
  idOf,
  integerValue,
  listOf,
  objectOf,
  oneOf,
  tenantValue,
  textValue,
  truthValue,
} from '../shape.ts'

const of = 'blade-auth'

/** A log-in at somebody else's that a tenant offers. */
export const socialWay = {
  source: textValue(),
  name: textValue(),
  nameEn: textValue({ nullable: true }),
  kind: oneOf(['oidc', 'github', 'gitee']),
} as const

const text = textValue({ max: 4_000 })

export const getToken = defineCall({
  method: 'POST',
  path: 'blade-auth/oauth/token',
  of,
  access: 'public',
  summary: { zh: '登录或刷新令牌', en: 'Log in, or refresh the tokens' },
  as: 'form',
  // Which of them are needed depends on the grant.
  input: {
    grant_type: text,
    tenantId: text,
    username: text,
    password: text,
    scope: text,
    type: text,
    refresh_token: text,
    phone: text,
    code: text,
    source: text,
    iss: text,
    state: text,
    ticket: text,
  },
  bare: true,
  // Of somebody whom only a provider knows: no tokens, and an `oauth_id` to register with.
  answer: objectOf({
    access_token: textValue(),
    refresh_token: textValue(),
    token_type: textValue(),
    expires_in: integerValue(),
    scope: textValue(),
    tenant_id: textValue(),
    user_id: textValue(),
    dept_id: textValue(),
    post_id: textValue(),
    role_id: textValue(),
    oauth_id: textValue(),
    account: textValue(),
    user_name: textValue(),
    nick_name: textValue(),
    real_name: textValue(),
    role_name: textValue(),
    avatar: textValue(),
    client_id: textValue(),
    detail: objectOf({ type: textValue() }),
    license: textValue(),
    jti: textValue(),
    must_change: truthValue({ optional: true }),
    must_second: truthValue({ optional: true }),
  }),
})

export const loginWays = defineCall({
  method: 'GET',
  path: 'blade-auth/oauth/ways',
  of,
  access: 'public',
  summary: { zh: '登录方式', en: 'Ways to log in' },
  input: { tenantId: tenantValue({ required: true }) },
  answer: objectOf({
    captcha: integerValue(),
    phone: integerValue(),
    switchMode: integerValue(),
    social: listOf(objectOf(socialWay)),
  }),
})

const picture = { key: textValue(), image: textValue() } as const

export const getCaptcha = defineCall({
  method: 'GET',
  path: 'blade-auth/oauth/captcha',
  of,
  access: 'public',
  summary: { zh: '图形验证码', en: 'A picture to read' },
  input: { tenantId: tenantValue() },
  bare: true,
  // Clients of this wire read it beside the envelope's fields, or as its data.
  answer: objectOf({ code: integerValue(), success: truthValue(), ...picture, data: objectOf(picture) }),
})

export const sendPhoneCode = defineCall({
  method: 'POST',
  path: 'blade-auth/oauth/sms-code',
  of,
  access: 'public',
  summary: { zh: '发送登录短信验证码', en: 'Send a code to log in with' },
  as: 'form',
  input: {
    tenantId: tenantValue({ required: true }),
    phone: textValue({ max: 32, label: { zh: '手机号码', en: 'Mobile number' }, empty: true }),
  },
  // Seconds until another one may be asked for.
  answer: objectOf({ wait: integerValue() }),
})

export const logOut = defineCall({
  method: 'GET',
  path: 'blade-auth/oauth/logout',
  of,
  access: 'session',
  summary: { zh: '退出登录', en: 'Log out' },
  answer: emptyAnswer,
})

/** A department or a role that somebody may work as. */
const work = objectOf({ id: textValue(), name: textValue() })

export const whoAmI = defineCall({
  method: 'GET',
  path: 'blade-auth/oauth/user-info',
  of,
  access: 'session',
  summary: { zh: '当前用户', en: 'Who is logged in' },
  answer: objectOf({
    userId: idOf('user'),
    tenantId: tenantValue(),
    tenantName: textValue(),
    account: textValue(),
    userName: textValue(),
    nickName: textValue(),
    realName: textValue(),
    avatar: textValue(),
    // Of a session that was narrowed, what it works as; several are separated by commas.
    roleId: textValue(),
    roleName: textValue(),
    deptId: textValue(),
    postId: textValue(),
    oauthId: textValue(),
    roles: listOf(textValue()),
    permissions: listOf(textValue()),
    mustChange: truthValue(),
    mustSecond: truthValue(),
    severalSchools: truthValue(),
    // Of the tenant's rights, as they were no later than what is answered: the live channel greets with it too.
    rightsStamp: textValue(),
    /** The tenant's own fields of what the caller works with, where it has any. */
    customFields: listOf(customFieldShape, { optional: true }),
    lockIdle: integerValue({
      help: {
        zh: '无操作多少分钟后自动锁屏，0为从不',
        en: 'minutes without a key or a move after which the console locks itself; 0 never',
      },
    }),
    /** Switch mode, for somebody with a choice. */
    switching: objectOf(
      {
        depts: listOf(work),
        roles: listOf(work),
        // Empty while nothing was chosen.
        deptId: textValue(),
        roleId: textValue(),
        choose: truthValue({
          help: {
            zh: '须先选择：尚未选择，或所选已不属于本人',
            en: 'something has to be chosen: nothing was yet, or what was is no longer one’s own',
          },
        }),
      },
      { optional: true },
    ),
    detail: objectOf({ type: textValue() }),
  }),
})

export const clearCache = defineCall({
  method: 'GET',
  path: 'blade-auth/oauth/clear-cache',
  of,
  access: 'session',
  summary: { zh: '清除缓存', en: 'Clear the cache' },
  answer: emptyAnswer,
})

export const lockSession = defineCall({
  method: 'POST',
  path: 'blade-auth/session/lock',
  of,
  access: 'session',
  summary: { zh: '锁定会话', en: 'Lock the session' },
  as: 'form',
  // 64 hex digits; without it the account's own password unlocks.
  input: { verifier: textValue({ label: { zh: '锁屏校验值', en: 'Verifier' } }) },
  answer: emptyAnswer,
})

export const unlockSession = defineCall({
  method: 'POST',
  path: 'blade-auth/session/unlock',
  of,
  access: 'session',
  summary: { zh: '解锁会话', en: 'Unlock the session' },
  as: 'form',
  // One of the two.
  input: {
    key: textValue({ label: { zh: '锁屏密钥', en: 'Key' } }),
    password: textValue({ label: { zh: '账号密码', en: 'Account password' } }),
  },
  answer: emptyAnswer,
})
