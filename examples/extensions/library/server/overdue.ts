import { inPlatform, inTenant, type RecurringWork, sendMessage, sql } from '@data-brain/server/extension'
import { loan } from '../contract/loan.ts'

/** The day that it is at school. */
export const today = (): string => new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai' }).format(Date.now())

/** Each morning: tells whoever lent a book that should have been returned the day before. */
export const overdue: RecurringWork = {
  name: 'library_overdue',
  cron: '10 7 * * *',
  run: async ({ platform, pool }) => {
    const tenants = await inPlatform(platform, (tx) =>
      tx.run<{ tenant_id: string }>(sql`select tenant_id from tenant order by tenant_id`),
    )
    let told = 0
    for (const { tenant_id: tenantId } of tenants)
      told += await inTenant(pool, tenantId, async (tx) => {
        const late = await tx.run<{ user_id: string; n: number }>(
          sql`select create_user as user_id, count(*)::int as n from library_loan
              where tenant_id = ${tenantId} and state = '1' and due_on = ${today()}::date - 1 and create_user is not null group by 1`,
        )
        let sent = 0
        for (const { user_id: userId, n } of late)
          sent += await sendMessage(tx, tenantId, [userId], {
            kind: 'library-overdue',
            title: { zh: `有${n}册图书逾期未还`, en: n === 1 ? 'A book is overdue' : `${n} books are overdue` },
            link: `/${loan.path}`,
          })
        return sent
      })
    return { told }
  },
}
