import { user } from '@data-brain/contract'
import { sql } from '../../database/statement.ts'
import { addRules, isPutBack } from '../../entity/rules.ts'
import { raiseGrants } from '../../kernel/authenticate.ts'
import { Problem } from '../../kernel/problem.ts'
import { endSessions } from '../auth/index.ts'
import { holdAdmins, mustCoverUsers, mustKeepAdmin } from '../system/index.ts'

/*
 * A user that is put back as it was is a change of somebody's power, like one that is made by hand: it asks for the same
 * power, ends the sessions of whoever is disabled by it, and leaves the tenant an administrator.
 */

export function addUserBackRules(): void {
  addRules(user, {
    beforeSave: async (saving) => {
      if (!isPutBack(saving.context)) return
      const { context, id, before } = saving
      await holdAdmins(context.tx, context.actor.tenantId)
      if (before) await mustCoverUsers(context.tx, context.actor, [id])
    },
    afterSave: async (saving) => {
      if (!isPutBack(saving.context)) return
      const { tx, actor } = saving.context
      await mustCoverUsers(tx, actor, [saving.id])
      const stands = await tx.one<{ status: number }>(
        sql`select status from app_user where tenant_id = ${actor.tenantId} and id = ${saving.id}`,
      )
      if (stands?.status !== 1) {
        if (saving.id === actor.userId)
          throw new Problem('rule_broken', { reason: { zh: '不能停用自己', en: 'You cannot disable yourself' } })
        await endSessions(tx, actor.tenantId, saving.id, 'disabled')
      }
      await mustKeepAdmin(tx, actor.tenantId)
      await raiseGrants(tx, actor.tenantId)
    },
    beforeRemove: async (removing) => {
      if (!isPutBack(removing.context)) return
      const { tx, actor } = removing.context
      if (removing.id === actor.userId)
        throw new Problem('rule_broken', { reason: { zh: '不能删除自己', en: 'You cannot remove yourself' } })
      await holdAdmins(tx, actor.tenantId)
      await mustCoverUsers(tx, actor, [removing.id])
    },
    afterRemove: async (removing) => {
      if (!isPutBack(removing.context)) return
      const { tx, actor } = removing.context
      await mustKeepAdmin(tx, actor.tenantId)
      await raiseGrants(tx, actor.tenantId)
    },
  })
}
