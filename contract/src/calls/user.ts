import { defineCall } from '../call.ts'
import { user } from '../entities/system/user.ts'
import { codeOf } from '../entity.ts'
import { emptyAnswer, idOf, idsOf, integerValue, listOf, objectOf, textValue, textValues } from '../shape.ts'
import { clientFields } from './client.ts'

const of = user.name
const view = { codes: [codeOf(user, 'view')] } as const
const edit = { codes: [codeOf(user, 'edit')] } as const
const reset = { codes: ['user_reset'] } as const
const userIds = idsOf(of, { label: user.label, required: true })

export const grantRoles = defineCall({
  method: 'POST',
  path: 'blade-user/grant',
  of,
  access: { codes: ['user_role'] },
  summary: { zh: '用户：分配角色', en: 'Give users roles' },
  // The versions of the users, in their order: who has changed since is not overwritten. Left out, all are.
  input: { userIds, roleIds: idsOf('role'), versions: textValues() },
  answer: emptyAnswer,
})

export const resetPassword = defineCall({
  method: 'POST',
  path: 'blade-user/reset-password',
  of,
  access: reset,
  summary: { zh: '用户：重置密码（新密码只显示一次）', en: 'Reset passwords; the new ones are told once' },
  input: { userIds: idsOf(of, { label: user.label, required: true, max: 50 }) },
  answer: listOf(
    objectOf({
      userId: idOf(of),
      account: textValue(),
      realName: textValue(),
      password: textValue(),
      identities: integerValue({
        help: { zh: '已取消关联的第三方账号数', en: 'accounts elsewhere that are no longer linked' },
      }),
    }),
  ),
})

export const unlockUsers = defineCall({
  method: 'POST',
  path: 'blade-user/unlock',
  of,
  access: reset,
  summary: { zh: '用户：解除登录锁定', en: 'Unlock accounts' },
  input: { userIds },
  answer: emptyAnswer,
})

export const resetSecondFactor = defineCall({
  method: 'POST',
  path: 'blade-user/reset-second-factor',
  of,
  access: reset,
  summary: { zh: '用户：停用两步验证', en: 'Remove second factors' },
  input: { userIds },
  answer: emptyAnswer,
})

/** The settings of a user's platform travel as a JSON text, empty where nothing is set. */
const platform = objectOf({
  id: idOf(of),
  userId: idOf(of),
  account: textValue(),
  realName: textValue({ nullable: true }),
  userType: textValue({ nullable: true }),
  userExt: textValue(),
  version: integerValue(),
})

export const platformDetail = defineCall({
  method: 'GET',
  path: 'blade-user/platform-detail',
  of,
  access: view,
  summary: { zh: '用户：平台信息', en: 'A user’s platform settings' },
  input: { id: idOf(of, { required: true }) },
  answer: platform,
})

export const updatePlatform = defineCall({
  method: 'POST',
  path: 'blade-user/update-platform',
  of,
  access: edit,
  summary: { zh: '用户：修改平台信息', en: 'Change a user’s platform settings' },
  as: 'form',
  input: {
    userId: idOf(of, { required: true }),
    userType: textValue({ label: user.fields.userType.label, max: 32 }),
    userExt: textValue({ label: user.fields.userExt.label, max: 65_000 }),
  },
  answer: platform,
})

export const clientsOfUser = defineCall({
  method: 'GET',
  path: 'blade-system/userclientrelevance/selectClientByUserId',
  of,
  access: view,
  summary: { zh: '用户：可用的客户端', en: 'The clients named for a user' },
  input: { userId: idOf(of, { required: true }) },
  answer: listOf(objectOf(clientFields)),
})

const client = { zh: '客户端', en: 'Clients' }

export const saveClientsOfUser = defineCall({
  method: 'POST',
  path: 'blade-system/userclientrelevance/save',
  of,
  access: edit,
  summary: { zh: '用户：指定可用的客户端', en: 'Name the clients that a user may log in with' },
  as: 'json',
  input: { userId: idOf(of, { required: true }), clientIds: idsOf('client', { label: client, max: 5_000 }) },
  answer: emptyAnswer,
})

export const removeClientsOfUser = defineCall({
  method: 'POST',
  path: 'blade-system/userclientrelevance/removeByUserIdAndClientIds',
  of,
  access: edit,
  summary: { zh: '用户：移除可用的客户端', en: 'Take clients away from a user' },
  input: { userId: idOf(of, { required: true }), clientIds: idsOf('client', { label: client, required: true }) },
  answer: emptyAnswer,
})
