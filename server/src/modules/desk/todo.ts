import {
  codeOf,
  type Entity,
  guest,
  job,
  notice,
  schoolclass,
  schoolsemester,
  schoolyear,
  student,
  substitution,
  teacherabsence,
  user,
} from '@data-brain/contract'
import { type Figure, waiting } from '@data-brain/contract/calls/home'
import { zone } from '../../database/connect.ts'
import { sql } from '../../database/statement.ts'
import { rowsOf } from '../../entity/routes.ts'
import { on } from '../../entity/serve-call.ts'
import { type Actor, holdsCode } from '../../kernel/actor.ts'
import type { Call, Route } from '../../kernel/route.ts'
import { routeKey } from '../../kernel/route-path.ts'
import { ofPeople, peopleOf } from '../log/index.ts'
import { awaitedReceipts } from './reader.ts'

const day = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' })
/** A day as the wire has it, so many days before today. */
const daysAgo = (days: number): string => day.format(Date.now() - days * 86_400_000)

interface Listed {
  readonly key: string
  readonly entity: Entity
  readonly query: (today: string) => Readonly<Record<string, string>>
}

/** What is counted on an entity's list, for whoever may see that list. Its data scopes hold here too. */
const listed: readonly Listed[] = [
  {
    key: 'absentToday',
    entity: teacherabsence,
    query: (today) => ({ status: '1', beginDate_le: today, endDate_ge: today }),
  },
  { key: 'coversWaiting', entity: substitution, query: (today) => ({ status: '0', day_ge: today }) },
  { key: 'guests', entity: guest, query: () => ({ status: '0' }) },
  {
    key: 'failedJobs',
    entity: job,
    query: () => ({ state: 'failed', createTime_dategt: `${daysAgo(7)} 00:00:00` }),
  },
  { key: 'yearsOver', entity: schoolyear, query: (today) => ({ isCurrent: '1', endDate_datelt: today }) },
  { key: 'semestersOver', entity: schoolsemester, query: (today) => ({ isCurrent: '1', endDate_datelt: today }) },
  { key: 'withoutClass', entity: student, query: () => ({ status: '1', classId_null: '1' }) },
  { key: 'withoutTeacher', entity: schoolclass, query: () => ({ status: '1', headTeacherId_null: '1' }) },
  { key: 'withoutRole', entity: user, query: () => ({ status: '1', roleId_null: '1' }) },
]

/** Whether somebody may call the list that a count leads to: what an API scope keeps from them is not counted for them. */
export const mayRead = (actor: Actor, code: string, path: string): boolean =>
  holdsCode(actor, code) && !actor.refused.has(routeKey({ method: 'GET', path }))

async function ofLists(call: Call): Promise<Figure[]> {
  const today = daysAgo(0)
  const found: Figure[] = []
  // One connection serves them: one after the other.
  for (const { key, entity, query } of listed) {
    if (!mayRead(call.actor, codeOf(entity, 'view'), `/${entity.path}/list`)) continue
    const asked = query(today)
    found.push({ key, code: entity.name, query: asked, count: await rowsOf(entity, call).count(asked) })
  }
  return found
}

/** Errors of the last 24 hours, for those who may read the error log; counted up to a hundred. */
async function ofLogs(call: Call): Promise<Figure[]> {
  const { tx, actor } = call
  if (!mayRead(actor, 'logerror_view', '/blade-log/error/list')) return []
  const row = await tx.one<{ n: number }>(
    sql`select count(*)::int as n from (select 1 from log_error where tenant_id = ${actor.tenantId} and create_time >= now() - interval '24 hours' ${ofPeople(peopleOf('error', call))} limit 100) e`,
  )
  return [{ key: 'errors', code: 'logerror', query: { range: 'day' }, count: row?.n ?? 0 }]
}

/** Notices that ask the caller for a receipt: answered where they are counted. */
const ofReceipts = async (call: Call): Promise<Figure> => ({
  key: 'receipts',
  code: notice.name,
  query: {},
  count: await awaitedReceipts(call),
})

/** Imports of the caller that were checked and never brought in. */
async function ofImports({ tx, actor }: Call): Promise<Figure[]> {
  if (!holdsCode(actor, 'student_import')) return []
  const row = await tx.one<{ n: number }>(
    sql`select count(*)::int as n from import_batch where tenant_id = ${actor.tenantId} and user_id = ${actor.userId} and entity = 'student' and state in ('mapping', 'checked')`,
  )
  return [{ key: 'imports', code: 'import', query: {}, count: row?.n ?? 0 }]
}

type Counting = (call: Call) => Promise<Figure[]>
const others: Counting[] = []
/** Counts more of what waits, of a module that stands above this one. */
export const addFigures = (counting: Counting): number => others.push(counting)

async function ofOthers(call: Call): Promise<Figure[]> {
  const found: Figure[] = []
  // One connection serves them: one after the other.
  for (const counting of others) found.push(...(await counting(call)))
  return found
}

/** What is said though there is none of it: the way to a page that is in nobody’s menus. */
const stays = 'passes'

/** What waits for the caller today, each with the list that shows it; what there is none of is left out. */
export const todoRoute: Route = on(waiting, async (_, call) =>
  [
    await ofReceipts(call),
    ...(await ofOthers(call)),
    ...(await ofLists(call)),
    ...(await ofImports(call)),
    ...(await ofLogs(call)),
  ].filter(({ key, count }) => count > 0 || key === stays),
)
