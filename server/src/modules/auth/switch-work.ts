import { isId } from '../../database/id.ts'
import { sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { Problem } from '../../kernel/problem.ts'
import type { GrantedPerson } from './person.ts'

/** Switch mode: the one department and role that somebody wants to work as. */
export interface SwitchTarget {
  readonly deptId: string | undefined
  readonly roleId: string | undefined
}

type Headers = Readonly<Record<string, string | string[] | undefined>>

/** The `Dept-Id` and `Role-Id` headers of a token call; an empty one says nothing. */
export function readNarrow(headers: Headers): SwitchTarget {
  const one = (name: string): string | undefined => {
    const value = headers[name]
    if (value === undefined || value === '') return undefined
    if (!isId(value)) throw new Problem('narrow_refused')
    return value
  }
  return { deptId: one('dept-id'), roleId: one('role-id') }
}

/**
 * Narrows a session that was just granted to what is wanted, and answers the person as the session now stands: a
 * session that was narrowed before stays so until something else is wanted. Throws `narrow_refused` for a department
 * or role that the user does not have; the transaction must then be rolled back.
 */
export async function narrowSession(
  tx: Tx,
  tenantId: string,
  granted: GrantedPerson,
  { deptId, roleId }: SwitchTarget,
): Promise<GrantedPerson> {
  if ((deptId && !idsOf(granted.dept_ids).includes(deptId)) || (roleId && !idsOf(granted.role_ids).includes(roleId)))
    throw new Problem('narrow_refused')
  if (deptId || roleId)
    await tx.run(
      sql`update session set dept_id = coalesce(${deptId ?? null}::bigint, dept_id), role_id = coalesce(${roleId ?? null}::bigint, role_id)
          where tenant_id = ${tenantId} and id = ${granted.session_id}`,
    )
  const session = await tx.one<{ dept_id: string | null; role_id: string | null; alias: string | null }>(
    sql`select s.dept_id, s.role_id, (select r.role_alias from role r where r.tenant_id = s.tenant_id and r.id = s.role_id) as alias
        from session s where s.tenant_id = ${tenantId} and s.id = ${granted.session_id}`,
  )
  return {
    ...granted,
    ...(session?.dept_id ? { dept_ids: session.dept_id } : {}),
    ...(session?.role_id ? { role_ids: session.role_id, role_aliases: session.alias } : {}),
  }
}

const idsOf = (list: string | null): string[] => (list ?? '').split(',')
