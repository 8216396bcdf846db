import { rules, user } from '@data-brain/contract'
import { sql } from '../../database/statement.ts'
import { addConstraints, notAfterToday } from '../../entity/agreement.ts'
import type { Context } from '../../entity/repository.ts'
import { addRules, type Saving } from '../../entity/rules.ts'
import { holdsCode } from '../../kernel/actor.ts'
import { raiseGrants } from '../../kernel/authenticate.ts'
import { fieldProblem, Problem } from '../../kernel/problem.ts'
import { parameterOf } from '../../kernel/setting.ts'
import { accountHash, ownLocks } from '../auth/index.ts'
import { sendMessage } from '../desk/index.ts'
import { idOfLink, linkOf } from '../resource/index.ts'
import { mustCoverRoles, mustCoverUsers, mustStandWithin } from './held-rights.ts'

const avatarLimit = 500 * 1024

/** An avatar is a picture that was uploaded here (stored without its leave to be read), or one at a web address. */
async function checkAvatar(saving: Saving<typeof user>): Promise<void> {
  const { values, context } = saving
  const given = values.avatar
  if (typeof given !== 'string' || given === '') return
  const refuse = (zh: string, en: string): never => {
    throw fieldProblem(
      [{ field: 'avatar', label: user.fields.avatar.label, reason: { zh, en } }],
      context.circumstance.language,
    )
  }
  const id = idOfLink(given)
  if (!id) {
    const wrong = rules.url.check(given)
    if (wrong) refuse('请上传图片', 'is no uploaded picture')
    return
  }
  const file = await context.tx.one<{ extension: string; attach_size: number }>(
    sql`select extension, attach_size from attach where tenant_id = ${context.actor.tenantId} and id = ${id}`,
  )
  if (!file) return refuse('所选数据不存在', 'the chosen file does not exist')
  if (!['jpg', 'png'].includes(file.extension) || file.attach_size > avatarLimit)
    refuse('只能是jpg或png，且不超过500kB', 'must be a jpg or png of at most 500 kB')
  values.avatar = linkOf(id)
}

/** Roles given and taken away are of those whose every permission the caller holds; so is the person they belong to. */
async function checkPower(saving: Saving<typeof user>): Promise<void> {
  const { before, values, context, id } = saving
  if ('roleId' in values) {
    const was = new Set(before?.roleId ?? [])
    const is = new Set(values.roleId ?? [])
    if ((was.size > 0 || is.size > 0) && !holdsCode(context.actor, 'user_role'))
      throw new Problem('forbidden', { code: 'user_role' })
    await mustCoverRoles(
      context.tx,
      context.actor,
      [...is].filter((role) => !was.has(role)),
    )
    await mustCoverRoles(
      context.tx,
      context.actor,
      [...was].filter((role) => !is.has(role)),
    )
  }
  // A phone opens the account, too, where codes to log in with are sent to it.
  if (before && ['account', 'roleId', 'phone'].some((name) => name in values))
    await mustCoverUsers(context.tx, context.actor, [id])
}

/** Where codes to log in with are sent to phones, whoever has another number is told: it may be somebody else's doing. */
async function tellOfPhone({ tx, actor: { tenantId } }: Context, userId: string): Promise<void> {
  if ((await parameterOf(tx, tenantId, 'login.phone')) !== 1) return
  await sendMessage(tx, tenantId, [userId], {
    kind: 'phone-changed',
    title: { zh: '您用于登录的手机号码已更改', en: 'The phone number by which you log in was changed' },
    body: {
      zh: '如果您没有要求更改，请立即联系管理员。',
      en: 'If you did not ask for it, get in touch with an administrator at once.',
    },
  })
}

export function addUserRules(): void {
  addConstraints(user, { app_user_birthday_past: { field: 'birthday', reason: notAfterToday } })
  addRules(user, {
    beforeSave: async (saving) => {
      await checkAvatar(saving)
      await checkPower(saving)
    },
    afterSave: async ({ id, values, before, context }) => {
      if ('roleId' in values || 'deptId' in values) await mustStandWithin(context.tx, context.actor, [id])
      if (before && ['roleId', 'deptId', 'account', 'realName'].some((name) => name in values))
        await raiseGrants(context.tx, context.actor.tenantId)
      if (before && 'phone' in values) await tellOfPhone(context, id)
      if (values.account !== undefined) {
        const { tenantId } = context.actor
        const hash = accountHash(context.cipher, values.account, tenantId)
        await ownLocks(context.tx, { tenantId, hash, userId: id })
      }
    },
  })
}
