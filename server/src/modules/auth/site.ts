import type { AnswerOf } from '@data-brain/contract/call'
import type { whoAmI } from '@data-brain/contract/calls/auth'
import { sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import { parametersOf } from '../../kernel/setting.ts'

/**
 * Settings of the tenant that the console goes by for this person. `switching` is absent where switch mode is off, and for
 * those who have nothing to choose between.
 */
type SiteSettings = Pick<AnswerOf<typeof whoAmI>, 'lockIdle' | 'switching'>
type Choice = NonNullable<SiteSettings['switching']>['depts'][number]

/** What the console goes by, read with the person. */
export async function siteSettings(tx: Tx, { tenantId, userId, sessionId }: Actor): Promise<SiteSettings> {
  const { 'lock.idle': lockIdle, 'login.switch': switchMode } = await parametersOf(tx, tenantId, [
    'lock.idle',
    'login.switch',
  ])
  if (switchMode === 0) return { lockIdle }
  const row = await tx.one<{ depts: Choice[]; roles: Choice[]; dept_id: string | null; role_id: string | null }>(
    sql`select s.dept_id, s.role_id,
          coalesce((select json_agg(json_build_object('id', d.id::text, 'name', d.dept_name) order by l.ord)
            from app_user_dept l join dept d on d.tenant_id = l.tenant_id and d.id = l.target_id
            where l.tenant_id = s.tenant_id and l.owner_id = s.user_id), '[]') as depts,
          coalesce((select json_agg(json_build_object('id', r.id::text, 'name', r.role_name) order by l.ord)
            from app_user_role l join role r on r.tenant_id = l.tenant_id and r.id = l.target_id
            where l.tenant_id = s.tenant_id and l.owner_id = s.user_id), '[]') as roles
        from session s where s.tenant_id = ${tenantId} and s.user_id = ${userId} and s.id = ${sessionId}`,
  )
  if (!row) return { lockIdle }
  const { depts, roles } = row
  const isAmong = (id: string | null, choices: readonly Choice[]): boolean => choices.some((each) => each.id === id)
  // What was chosen and is no longer one's own counts as nothing.
  const deptId = isAmong(row.dept_id, depts) ? row.dept_id! : ''
  const roleId = isAmong(row.role_id, roles) ? row.role_id! : ''
  const lost = (row.dept_id ?? '') !== deptId || (row.role_id ?? '') !== roleId
  if (depts.length < 2 && roles.length < 2 && !lost) return { lockIdle }
  const choose = lost || (depts.length > 1 && !deptId) || (roles.length > 1 && !roleId)
  return { lockIdle, switching: { depts, roles, deptId, roleId, choose } }
}
