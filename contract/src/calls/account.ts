import { defineCall } from '../call.ts'
import { user } from '../entities/system/user.ts'
import {
  emptyAnswer,
  fieldOf,
  flagValue,
  idOf,
  idsOf,
  instantValue,
  integerValue,
  jsonValue,
  listOf,
  objectOf,
  rowOf,
  textValue,
} from '../shape.ts'
import { socialWay } from './auth.ts'

/* What a person does with the own account. */

const own = { of: user.name, access: 'session' } as const

export const ownProfile = defineCall({
  ...own,
  method: 'GET',
  path: 'blade-user/info',
  summary: { zh: '用户：本人', en: 'The caller' },
  answer: rowOf(user),
})

export const changeOwnProfile = defineCall({
  ...own,
  method: 'POST',
  path: 'blade-user/update-info',
  summary: { zh: '用户：修改本人资料', en: 'Change what one may change of oneself' },
  as: 'json',
  // What is not sent stays as it is.
  input: {
    avatar: fieldOf(user, 'avatar'),
    name: fieldOf(user, 'name'),
    realName: fieldOf(user, 'realName'),
    phone: fieldOf(user, 'phone'),
    email: fieldOf(user, 'email'),
    birthday: fieldOf(user, 'birthday'),
    sex: fieldOf(user, 'sex'),
    // The version that was read; checked when sent.
    version: jsonValue(),
  },
  answer: rowOf(user),
})

export const mySessions = defineCall({
  ...own,
  method: 'GET',
  path: 'blade-user/sessions',
  summary: { zh: '用户：本人的登录会话', en: 'The caller’s own sessions' },
  answer: listOf(
    objectOf({
      id: idOf('session'),
      address: textValue({ nullable: true }),
      agent: textValue({ nullable: true }),
      clientId: textValue(),
      createdAt: instantValue(),
      lastUsed: instantValue(),
      // 1: the one that asks.
      own: flagValue(),
    }),
  ),
})

export const endMySessions = defineCall({
  ...own,
  method: 'POST',
  path: 'blade-user/end-sessions',
  summary: {
    zh: '用户：结束本人的登录会话（不给出ids时结束其他全部会话）',
    en: 'End sessions of the caller’s own; without ids, all but this one',
  },
  input: { ids: idsOf('session') },
  answer: emptyAnswer,
})

export const changePassword = defineCall({
  ...own,
  method: 'POST',
  path: 'blade-user/update-password',
  summary: { zh: '修改密码', en: 'Change the password' },
  as: 'form',
  input: {
    oldPassword: textValue({ required: true, label: { zh: '原密码', en: 'Old password' } }),
    newPassword: textValue({ required: true, label: { zh: '新密码', en: 'New password' } }),
    newPassword1: textValue({ required: true, label: { zh: '确认密码', en: 'Confirmation' } }),
  },
  answer: emptyAnswer,
})

const password = textValue({ required: true, max: 128, label: { zh: '账号密码', en: 'Account password' } })
const code = textValue({ required: true, max: 32, label: { zh: '验证码', en: 'Code' } })
/** Told once. */
const recoveryCodes = objectOf({ recoveryCodes: listOf(textValue()) })

export const secondFactor = defineCall({
  ...own,
  method: 'GET',
  path: 'blade-user/second-factor',
  summary: { zh: '两步验证状态', en: 'One’s own second factor' },
  answer: objectOf({
    on: flagValue(),
    since: instantValue({ nullable: true }),
    recoveryLeft: integerValue(),
    // 1: the tenant demands it of this person.
    must: flagValue(),
  }),
})

export const beginSecondFactor = defineCall({
  ...own,
  method: 'POST',
  path: 'blade-user/second-factor/begin',
  summary: { zh: '开始设置两步验证', en: 'Begin a second factor' },
  as: 'form',
  input: { password },
  // The picture is an address of the kind data:.
  answer: objectOf({ secret: textValue(), uri: textValue(), qr: textValue() }),
})

export const confirmSecondFactor = defineCall({
  ...own,
  method: 'POST',
  path: 'blade-user/second-factor/confirm',
  summary: { zh: '启用两步验证', en: 'Put the second factor in force' },
  as: 'form',
  input: { code },
  answer: recoveryCodes,
})

export const renewRecoveryCodes = defineCall({
  ...own,
  method: 'POST',
  path: 'blade-user/second-factor/recovery',
  summary: { zh: '重新生成恢复码', en: 'New recovery codes' },
  as: 'form',
  input: { password, code },
  answer: recoveryCodes,
})

export const removeSecondFactor = defineCall({
  ...own,
  method: 'POST',
  path: 'blade-user/second-factor/remove',
  summary: { zh: '停用两步验证', en: 'Remove the second factor' },
  as: 'form',
  input: { password, code },
  answer: emptyAnswer,
})

export const myIdentities = defineCall({
  ...own,
  method: 'GET',
  path: 'blade-user/identities',
  summary: { zh: '本人关联的第三方账号', en: 'Accounts elsewhere that are linked to the caller' },
  answer: objectOf({
    identities: listOf(
      objectOf({
        ...socialWay,
        id: textValue(),
        // What the person is called there.
        socialName: textValue({ nullable: true }),
        linkedAt: instantValue(),
        lastUsed: instantValue({ nullable: true }),
      }),
    ),
    // Those of which there is none yet.
    providers: listOf(objectOf(socialWay)),
  }),
})

export const unlinkIdentity = defineCall({
  ...own,
  method: 'POST',
  path: 'blade-user/unlink-identity',
  summary: { zh: '取消本人的第三方账号关联', en: 'Unlink one of the caller’s accounts elsewhere' },
  as: 'form',
  input: { id: idOf('identity', { required: true }) },
  answer: emptyAnswer,
})

const long = textValue({ max: 4_000 })

export const linkIdentity = defineCall({
  ...own,
  method: 'POST',
  path: 'blade-user/link-identity',
  summary: { zh: '为本人关联第三方账号', en: 'Link an account elsewhere to the caller' },
  as: 'form',
  // What a provider sent back, or the oauth_id of whoever it did not know.
  input: { source: textValue({ max: 32 }), code: long, state: long, iss: long, oauthId: long },
  answer: emptyAnswer,
})
