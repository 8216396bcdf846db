import { classschedule, codeOf } from '@data-brain/contract'
import { sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import type { Context } from '../../entity/repository.ts'
import { announce } from '../../kernel/announce.ts'

const told = new WeakSet<Tx>()

/**
 * Tells whoever may change lessons, and has worked here lately, that some have changed: two who arrange one draft see what the
 * other one does. Once in a transaction, however many lessons it writes.
 */
export async function notifyEditors({ tx, actor }: Pick<Context, 'tx' | 'actor'>): Promise<void> {
  if (told.has(tx)) return
  told.add(tx)
  const editors = await tx.run<{ id: string }>(
    sql`select distinct s.user_id::text as id from session s
        where s.tenant_id = ${actor.tenantId} and s.revoked_at is null and s.last_used > now() - interval '2 hours' and exists (
          select from app_user_role k join role r on r.tenant_id = k.tenant_id and r.id = k.target_id
          where k.tenant_id = s.tenant_id and k.owner_id = s.user_id and (r.is_admin = 1 or exists (
            select from role_menu_seen g join menu m on m.id = g.menu_id
            where g.tenant_id = r.tenant_id and g.role_id = r.id and m.code = ${codeOf(classschedule, 'edit')})))`,
  )
  await announce(
    tx,
    actor.tenantId,
    'timetable',
    editors.map(({ id }) => id),
  )
}

const toldAll = new WeakSet<Tx>()

/**
 * Tells everybody that what is taught on some day may be otherwise now: whoever looks at a week, or at what is to be covered,
 * sees it at once. It is not said what has changed, so nobody needs to be chosen. Once in a transaction.
 */
export async function notifyWeeks({ tx, actor }: Pick<Context, 'tx' | 'actor'>): Promise<void> {
  if (toldAll.has(tx)) return
  toldAll.add(tx)
  await announce(tx, actor.tenantId, 'timetable')
}
