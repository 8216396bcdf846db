import { codeOf, type Row, user } from '@data-brain/contract'
import type { AnswerOf, InputOf } from '@data-brain/contract/call'
import { changeOwnProfile, ownProfile } from '@data-brain/contract/calls/account'
import { grantRoles, platformDetail, resetPassword, updatePlatform } from '@data-brain/contract/calls/user'
import { removedShape } from '@data-brain/contract/generic'
import { isId } from '../../database/id.ts'
import { sql } from '../../database/statement.ts'
import type { Values } from '../../entity/check.ts'
import { Repository } from '../../entity/repository.ts'
import { contextOf, rowsOf, submit } from '../../entity/routes.ts'
import { draftSchema, listParameters, pageSchema, rowSchema } from '../../entity/schema.ts'
import { on } from '../../entity/serve-call.ts'
import { shapeSchema } from '../../entity/shape-schema.ts'
import { raiseGrants } from '../../kernel/authenticate.ts'
import { namesRow, objectOf } from '../../kernel/body.ts'
import { refuseBrokenTexts } from '../../kernel/broken-text.ts'
import { isBrokenText, plainText } from '../../kernel/parameter.ts'
import { hashPassword, randomPassword, wireMd5 } from '../../kernel/password.ts'
import { fieldProblem, Problem } from '../../kernel/problem.ts'
import { type Call, code, type Route, route } from '../../kernel/route.ts'
import { accountHash, dropIdentities, endSessions, md5Of, refuseWeak, setPassword, unlock } from '../auth/index.ts'
import { sendMessage } from '../desk/index.ts'
import { freshLink } from '../resource/index.ts'
import { holdAdmins, mustCoverUsers, mustKeepAdmin } from './held-rights.ts'
import { holdUsers, withLocks } from './user-lock.ts'

type User = Row<typeof user>

/** A user as it leaves the server: with an avatar that can be shown. */
const shown = <R extends Pick<User, 'avatar'>>(call: Call, row: R): R => ({
  ...row,
  avatar: freshLink(call.services, call.actor, row.avatar),
})

/** What a list of users is asked for: a department stands for everything under it too. */
export function deptsBelow({ deptId, ...query }: Call['query']): Call['query'] {
  return deptId ? { ...query, deptId_below: deptId } : query
}

/** A page of users, each with whether log-in is locked for it. */
async function page(call: Call): Promise<unknown> {
  const found = await rowsOf(user, call).page(deptsBelow(call.query), call.query.deptId ? undefined : call.stamp)
  return { ...found, records: await withLocks(call, found.records) }
}

/** A password as a person or a client sent it; a text, of a length that somebody could type. */
function givenPassword(call: Call, value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value === 'string' && value.length <= 128 && !isBrokenText(value)) return value
  throw fieldProblem(
    [
      {
        field: 'password',
        label: { zh: '密码', en: 'Password' },
        reason: { zh: '须为不超过128位的文字', en: 'must be a text of at most 128 characters' },
      },
    ],
    call.circumstance.language,
  )
}

async function storePassword(call: Call, userId: string, md5: string, oneTime: boolean): Promise<void> {
  const hash = await hashPassword(md5, call.services.secrets.pepper)
  await setPassword(call.tx, { tenantId: call.actor.tenantId, userId, hash, oneTime })
}

/**
 * Adds or changes a user. A new one without a password gets a random one, told once in `password`. A password is not
 * changed here: that is what a reset and the person's own change are for.
 */
async function save(call: Call): Promise<unknown> {
  refuseBrokenTexts(call.body)
  const { password, password2: _, ...draft } = objectOf(call.body)
  return namesRow(draft) ? edit(call, plainText(draft.id), draft) : add(call, draft, givenPassword(call, password))
}

async function add(call: Call, draft: Values, given: string | undefined): Promise<unknown> {
  if (given !== undefined) await refuseWeak(given, { account: plainText(draft.account), tenantId: call.actor.tenantId })
  const row = await submit(user, { ...call, body: draft })
  const password = given ?? randomPassword()
  await storePassword(call, row.id, given === undefined ? wireMd5(password) : md5Of(given), given === undefined)
  return { ...shown(call, row), ...(given === undefined ? { password } : {}) }
}

async function edit(call: Call, id: string, draft: Values): Promise<unknown> {
  const { tx, actor } = call
  await holdAdmins(tx, actor.tenantId)
  if (!isId(id)) throw new Problem('not_found')
  const before = await tx.one<{ status: number }>(
    sql`select status from app_user where tenant_id = ${actor.tenantId} and id = ${id}`,
  )
  const row = await submit(user, { ...call, body: { ...draft, id } })
  if (before && before.status !== row.status) {
    if (id === actor.userId)
      throw new Problem(
        'rule_broken',
        { reason: { zh: '不能停用自己', en: 'You cannot disable yourself' } },
        { field: 'status', fields: [] },
      )
    await mustCoverUsers(tx, actor, [id])
    if (row.status !== 1) await endSessions(tx, actor.tenantId, id, 'disabled')
    await raiseGrants(tx, actor.tenantId)
  }
  await mustKeepAdmin(tx, actor.tenantId)
  return shown(call, row)
}

async function remove(call: Call, ids: readonly string[]): Promise<void> {
  const { tx, actor } = call
  if (actor.userId !== null && ids.includes(actor.userId))
    throw new Problem('rule_broken', { reason: { zh: '不能删除自己', en: 'You cannot remove yourself' } })
  await holdAdmins(tx, actor.tenantId)
  await mustCoverUsers(tx, actor, ids)
  await rowsOf(user, call).remove(ids)
  await mustKeepAdmin(tx, actor.tenantId)
  await raiseGrants(tx, actor.tenantId)
}

/** What people may change of themselves. */
async function updateInfo({ version, ...values }: InputOf<typeof changeOwnProfile>, call: Call): Promise<User> {
  const read = version === undefined || version === null ? {} : { version: Number(plainText(version)) }
  return shown(call, await ownRows(call).edit(self(call), { ...values, ...read }))
}

/**
 * One's own row is one's own, whatever the roles say of others. What the tenant's own fields say of somebody is for those
 * who work with users.
 */
const ownRows = (call: Call): Repository<typeof user> =>
  new Repository(user, { ...contextOf(call), actor: { ...call.actor, custom: undefined }, unscoped: true })

function self(call: Call): string {
  if (call.actor.userId === null) throw new Problem('not_found')
  return call.actor.userId
}

/** One's own row, with one's own numbers in full. */
async function info(call: Call): Promise<User> {
  const rows = ownRows(call)
  const row = await rows.detail(self(call))
  return { ...shown(call, row), ...(await rows.personal(row.id)) }
}

/** Replaces the roles of users. */
async function grant(call: Call, { userIds, roleIds = [], versions }: InputOf<typeof grantRoles>): Promise<void> {
  const { tx, actor } = call
  await holdAdmins(tx, actor.tenantId)
  await holdUsers(call, userIds, 'user_role')
  const rows = new Repository(user, { ...contextOf(call), unscoped: true })
  for (const id of [...userIds].sort()) {
    const version = versions?.[userIds.indexOf(id)]
    await rows.edit(id, { roleId: roleIds, ...(version === undefined ? {} : { version: Number(version) }) })
  }
  await mustKeepAdmin(tx, actor.tenantId)
}

/**
 * Gives users random passwords, told once, that must be changed; their sessions end, their lock-outs are lifted, and the
 * accounts elsewhere by which they could log in are unlinked: an account that was taken over is closed to whoever took it.
 */
async function reset(call: Call, userIds: readonly string[]): Promise<AnswerOf<typeof resetPassword>> {
  const { tx, services } = call
  const { tenantId, userId: own } = call.actor
  // Who has come by an open console would need no password.
  if (own !== null && userIds.includes(own))
    throw new Problem('rule_broken', {
      reason: {
        zh: '自己的密码请在“个人信息”的“修改密码”中修改',
        en: 'Change your own password under User info, Password',
      },
    })
  const users = await holdUsers(call, userIds, 'user_reset')
  const told: AnswerOf<typeof resetPassword>[number][] = []
  for (const { id, account, realName } of users) {
    const password = randomPassword()
    const identities = await dropIdentities(call, id)
    await storePassword(call, id, wireMd5(password), true)
    await unlock(tx, { tenantId, hash: accountHash(services.cipher, account, tenantId) })
    told.push({ userId: id, account, realName, password, identities })
  }
  await sendMessage(
    tx,
    tenantId,
    told.map((each) => each.userId),
    {
      kind: 'password-reset',
      title: { zh: '管理员重置了您的密码', en: 'An administrator reset your password' },
      body: {
        zh: '关联的第三方账号已取消，可在个人信息中重新关联。如果您没有要求重置，请立即联系管理员。',
        en: 'Accounts elsewhere were unlinked; you may link them again under User info. If you did not ask for it, get in touch with an administrator at once.',
      },
    },
  )
  return told
}

type Platform = AnswerOf<typeof platformDetail>

/** What belongs to a user's platform: its settings travel as a JSON text. */
async function platformOf(call: Call, id: string): Promise<Platform> {
  const { userExt, ...row } = await rowsOf(user, call).detail(id)
  return {
    id,
    userId: id,
    account: row.account,
    realName: row.realName,
    userType: row.userType,
    userExt: userExt === null || userExt === undefined ? '' : JSON.stringify(userExt),
    version: row.version,
  }
}

async function savePlatform(
  { userId, userType, userExt }: InputOf<typeof updatePlatform>,
  call: Call,
): Promise<Platform> {
  let settings: unknown
  try {
    settings = userExt === undefined ? undefined : JSON.parse(userExt)
  } catch {
    throw fieldProblem(
      [{ field: 'userExt', label: user.fields.userExt.label, reason: { zh: '须为JSON', en: 'must be JSON' } }],
      call.circumstance.language,
    )
  }
  refuseBrokenTexts(settings)
  await rowsOf(user, call).edit(userId, {
    ...(userType === undefined ? {} : { userType }),
    ...(userExt === undefined ? {} : { userExt: settings }),
  })
  return platformOf(call, userId)
}

const tag = user.name
const view = code(codeOf(user, 'view'))
const editing = code(codeOf(user, 'edit'))
const password = {
  type: 'string',
  description: 'of a new user: md5 hex or the password itself; none: a random one is answered once',
}

export const userRoutes: readonly Route[] = [
  ...(['page', 'list'] as const).map((call) =>
    route({
      method: 'GET',
      path: `/blade-user/${call}`,
      tag,
      access: view,
      stampOf: user.name,
      summary: { zh: '用户：列表', en: 'Users' },
      parameters: listParameters(user),
      dataSchema: pageSchema(user),
      handler: page,
    }),
  ),
  route({
    method: 'GET',
    path: '/blade-user/detail',
    tag,
    access: view,
    summary: { zh: '用户：详情', en: 'One user' },
    parameters: { id: { kind: 'id', required: true } },
    dataSchema: rowSchema(user),
    handler: async (call) =>
      shown(call, (await withLocks(call, [await rowsOf(user, call).detail(call.parameters.id)]))[0]!),
  }),
  on(ownProfile, (_, call) => info(call), { always: true }),
  route({
    method: 'POST',
    path: '/blade-user/submit',
    tag,
    access: code(codeOf(user, 'add'), codeOf(user, 'edit')),
    summary: { zh: '用户：新增或修改', en: 'User: add or change' },
    bodySchema: draftSchema(user, { password }),
    dataSchema: rowSchema(user),
    handler: save,
  }),
  route({
    method: 'POST',
    path: '/blade-user/update',
    tag,
    access: editing,
    summary: { zh: '用户：修改', en: 'User: change' },
    bodySchema: draftSchema(user),
    dataSchema: rowSchema(user),
    handler: async (call) => {
      if (!objectOf(call.body).id) throw new Problem('parameter_missing', { field: 'id' }, { field: 'id', fields: [] })
      return save(call)
    },
  }),
  on(changeOwnProfile, updateInfo),
  route({
    method: 'POST',
    path: '/blade-user/remove',
    tag,
    access: code(codeOf(user, 'delete')),
    summary: { zh: '用户：删除', en: 'User: remove' },
    parameters: { ids: { kind: 'ids', required: true } },
    dataSchema: shapeSchema(removedShape),
    handler: async (call) => {
      await remove(call, call.parameters.ids)
      return { requestId: call.circumstance.requestId }
    },
  }),
  on(grantRoles, async (sent, call) => grant(call, sent)),
  on(resetPassword, ({ userIds }, call) => reset(call, userIds)),
  on(platformDetail, ({ id }, call) => platformOf(call, id)),
  on(updatePlatform, savePlatform),
]
