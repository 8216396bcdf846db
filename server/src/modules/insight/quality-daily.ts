import type { QualityKey } from '@data-brain/contract/quality'
import { sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { sendMessage } from '../desk/index.ts'
import type { RecurringWork } from '../jobs/index.ts'
import { inTenants } from './in-tenants.ts'
import { assignedTo } from './quality.ts'
import { countChecks, entityOfCheck, lookingAtAll, rowsWithin, stateOf, type VisibleChecks } from './quality-count.ts'

const link = '/wel/quality'

/** Forgets what was decided of findings that are none any more: one that comes again is a new one. */
async function forgetMended(looking: VisibleChecks): Promise<void> {
  const { tx, tenantId } = looking
  const decided = await tx.run<{ key: QualityKey }>(
    sql`select distinct check_key as key from quality_mark where tenant_id = ${tenantId} and check_key = any(${[...looking.keys]}::text[])`,
  )
  for (const { key } of decided)
    await tx.run(
      sql`delete from quality_mark k where k.tenant_id = ${tenantId} and k.check_key = ${key}
            and k.row_id not in (select t.id from ${rowsWithin(looking, entityOfCheck(key), null)} and ${stateOf(looking, key)} is not null)`,
    )
}

/** Keeps what each check finds on a day in each school; a day that is kept already stays as it is. */
async function keepDay(tx: Tx, tenantId: string): Promise<number> {
  const looking = await lookingAtAll(tx, tenantId)
  await forgetMended(looking)
  const [kept] = await tx.run(
    sql`select 1 from quality_daily where tenant_id = ${tenantId} and day = ${looking.today}::date limit 1`,
  )
  if (kept) return 0
  const found = await countChecks(looking, null)
  return tx.count(
    sql`insert into quality_daily (tenant_id, day, school_id, check_key, count)
        select ${tenantId}, ${looking.today}::date, x.school, x.key, x.count
        from unnest(${found.map((each) => each.schoolId ?? '0')}::bigint[], ${found.map(({ key }) => key)}::text[], ${found.map(({ count }) => count)}::int[]) x(school, key, count)
        on conflict do nothing`,
  )
}

export const qualityDaily: RecurringWork = {
  name: 'quality-daily',
  cron: '40 2 * * *',
  run: async (services, tick) => ({ kept: await inTenants(services, tick, keepDay) }),
}

/** Tells whoever puts findings right what is left of theirs, and each principal what is found in the school. */
async function tellAll(tx: Tx, tenantId: string): Promise<number> {
  const looking = await lookingAtAll(tx, tenantId)
  const { today } = looking
  const owners = await tx.run<{ id: string }>(
    sql`select distinct owner_id::text as id from quality_mark where tenant_id = ${tenantId} and owner_id is not null and reason is null`,
  )
  let told = 0
  for (const { id } of owners) {
    const open = await assignedTo(looking, id)
    if (open.length === 0) continue
    const late = open.filter(({ dueDay }) => dueDay !== null && dueDay < today).length
    told += await sendMessage(tx, tenantId, [id], {
      kind: 'quality-digest',
      title: {
        zh: `您有${open.length}个数据问题待处理`,
        en:
          open.length === 1
            ? 'One finding in the data waits for you'
            : `${open.length} findings in the data wait for you`,
      },
      ...(late > 0 ? { body: { zh: `其中${late}个已过期限`, en: `Past their due day: ${late}` } } : {}),
      link: `${link}?mine=1`,
    })
  }
  const schools = await tx.run<{ id: string; name: string; principal: string; count: number }>(
    sql`select s.id::text as id, s.school_name as name, s.principal_id::text as principal, sum(d.count)::int as count
        from school s join quality_daily d on d.tenant_id = s.tenant_id and d.school_id = s.id
        where s.tenant_id = ${tenantId} and s.status = 1 and s.principal_id is not null
          and d.check_key = any(${[...looking.keys]}::text[])
          and d.day = (select max(day) from quality_daily where tenant_id = ${tenantId})
        group by 1, 2, 3 having sum(d.count) > 0 order by 1`,
  )
  for (const { id, name, principal, count } of schools)
    told += await sendMessage(tx, tenantId, [principal], {
      kind: 'quality-digest',
      title: {
        zh: `${name}的数据有${count}个问题`,
        en: count === 1 ? `One finding in the data of ${name}` : `${count} findings in the data of ${name}`,
      },
      link: `${link}?schoolId=${id}`,
    })
  return told
}

export const qualityDigest: RecurringWork = {
  name: 'quality-digest',
  cron: '30 7 * * 1',
  run: async (services, tick) => ({ told: await inTenants(services, tick, tellAll) }),
}
