import { sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import { parametersOf } from '../../kernel/setting.ts'

/** A department or a role that somebody may work as. */
interface Choice {
  readonly id: string
  readonly name: string
}

/** Switch mode, for somebody with a choice: what there is to choose from, and what was chosen for this session. */
export interface Switching {
  readonly depts: readonly Choice[]
  readonly roles: readonly Choice[]
  /** Empty while nothing was chosen. */
  readonly deptId: string
  readonly roleId: string
  /** Something has to be chosen: nothing was yet, or what was is no longer one's own. */
  readonly choose: boolean
}

/** Settings of the tenant that the console goes by for this person. */
export interface SiteSettings {
  /** Minutes without a key or a move after which the console locks itself; 0 never. */
  readonly lockIdle: number
  /** Absent where switch mode is off, and for those who have nothing to choose between. */
  readonly switching?: Switching
}

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
