import { codeOf, entityOf, school, schoolclass, student, user } from '@data-brain/contract'
import {
  type Quality,
  type QualityFinding,
  type QualityShare,
  qualityAssign,
  qualityIgnore,
  qualityList,
  qualitySummary,
} from '@data-brain/contract/calls/quality'
import { findingsMost, isQualityKey, type QualityKey, qualityCheck } from '@data-brain/contract/quality'
import { isId } from '../../database/id.ts'
import { sql } from '../../database/statement.ts'
import { modelOf } from '../../entity/model.ts'
import { seenOf } from '../../entity/reached.ts'
import { rowsOf } from '../../entity/routes.ts'
import { besideRef, nameRef, tableRef, titleRef } from '../../entity/select.ts'
import { on } from '../../entity/serve-call.ts'
import { holdsCode } from '../../kernel/actor.ts'
import { loadActor } from '../../kernel/load-actor.ts'
import { fieldProblem, Problem } from '../../kernel/problem.ts'
import type { Call, Route } from '../../kernel/route.ts'
import { sendMessage } from '../desk/index.ts'
import { othersOf } from './quality-checks.ts'
import {
  countChecks,
  entityOfCheck,
  lookingOf,
  rowsWithin,
  runWithin,
  schoolColumn,
  stateOf,
  type VisibleChecks,
} from './quality-count.ts'

type Sql = ReturnType<typeof sql>

/** How many classes are listed: those with the most missing values. */
const classesMost = 60
const schoolsMost = 60
const trendDays = 60
/** How long one statement over a whole district may take. */
const summarySeconds = 20
/** Other records that one finding names. */
const othersMost = 5

const editCode = (key: QualityKey): string => codeOf(entityOfCheck(key), 'edit')

/** The filters of the list that shows what a check finds; null where there is none. */
function listOf(key: QualityKey, { today }: VisibleChecks, schoolId: string | null): Record<string, string> | null {
  const { query } = qualityCheck(key)
  if (!query) return null
  const entity = entityOfCheck(key)
  const asked = Object.entries(query).map(([name, value]) => [name, value === '@today' ? today : value])
  const place = schoolId === null || !schoolColumn(entity) ? {} : { [entity === school ? 'id' : 'schoolId']: schoolId }
  return { ...Object.fromEntries(asked), ...place }
}

/** The school that is looked at: the one that was asked for, or the only one. */
async function placeOf(call: Call, asked: string | undefined) {
  const { tenantId } = call.actor
  const schools = await seenOf(
    call,
    school,
    (scope) =>
      sql`select t.id from school t where t.tenant_id = ${tenantId} and t.status = 1
          ${asked ? sql`and t.id = ${asked}` : sql``} ${scope} order by t.sort, t.id limit 2`,
  )
  if (asked && schools.length === 0) throw new Problem('not_found')
  return { schoolId: asked ?? null, single: schools.length === 1 }
}

/** Of all rows together, beside each that is shown. */
interface Whole {
  readonly all: number
  readonly allComplete: number
}

/** Of how many enrolled pupils nothing is missing, by what stands in a column. */
async function sharesBy(
  looking: VisibleChecks,
  schoolId: string | null,
  by: 'school' | 'class',
): Promise<(QualityShare & Whole)[]> {
  const missing = looking.keys.filter(
    (key) => qualityCheck(key).entity === student.name && qualityCheck(key).kind === 'missing',
  )
  if (missing.length === 0) return []
  const whole = sql.join(
    missing.map((key) => sql`(${stateOf(looking, key)}) is distinct from 1`),
    sql` and `,
  )
  const [column, target, title, most] =
    by === 'school'
      ? (['school_id', school.name, 'school_name', schoolsMost] as const)
      : (['class_id', schoolclass.name, 'class_name', classesMost] as const)
  return runWithin<QualityShare & Whole>(
    looking,
    sql`select p.id, p.${nameRef(title)} as name, x.total, x.complete, (sum(x.total) over ())::int as "all", (sum(x.complete) over ())::int as "allComplete" from (
          select of, count(*)::int as total, (count(*) filter (where whole))::int as complete from (
            select t.${nameRef(column)} as of, ${whole} as whole
            from ${rowsWithin(looking, student, schoolId)} and t.status = 1 and t.${nameRef(column)} is not null offset 0) w group by of) x
        join ${nameRef(target)} p on p.tenant_id = ${looking.tenantId} and p.id = x.of
        order by x.complete::float / x.total, x.total desc, p.id limit ${sql.lit(most)}`,
  )
}

/** The findings of past days. Only for callers whose data scope is unrestricted: parts of the rows were never counted apart. */
async function trendOf(looking: VisibleChecks, schoolId: string | null): Promise<Quality['trend']> {
  if (!looking.whole || looking.keys.length === 0) return []
  return looking.tx.run<Quality['trend'][number]>(
    sql`select day::text as day, sum(count)::int as count from quality_daily
        where tenant_id = ${looking.tenantId} and day > ${looking.today}::date - ${trendDays}::int
          and check_key = any(${[...looking.keys]}::text[]) ${schoolId === null ? sql`` : sql`and school_id = ${schoolId}`}
        group by 1 order by 1`,
  )
}

interface Wanted {
  /** Which findings: open ones, or those that are ignored. */
  readonly ignored: boolean
  readonly schoolId: string | null
  readonly ids?: readonly string[]
}

const findingsOf = (looking: VisibleChecks, key: QualityKey, { ignored, schoolId, ids }: Wanted): Sql =>
  sql`${rowsWithin(looking, entityOfCheck(key), schoolId)} ${ids ? sql`and t.id = any(${[...ids]}::bigint[])` : sql``}
      and (${stateOf(looking, key)}) = ${sql.lit(ignored ? 2 : 1)}`

const besideText = (alias: string, key: QualityKey): Sql =>
  sql`nullif(array_to_string(${besideRef(modelOf(entityOfCheck(key)), alias)}, ' · '), '')`

/** A page of the findings of one check, those with the nearest due day first. */
async function pageOf(
  looking: VisibleChecks,
  key: QualityKey,
  wanted: Wanted,
  { size, skip }: { readonly size: number; readonly skip: number },
): Promise<QualityFinding[]> {
  const model = modelOf(entityOfCheck(key))
  const { tenantId } = looking
  const others = othersOf[key]
  const rows = await runWithin<Omit<QualityFinding, 'code' | 'check' | 'ignored'>>(
    looking,
    sql`select f.id::text as id, ${titleRef(model, 'f')} as title, ${besideText('f', key)} as beside, f.update_time as since,
          k.reason, k.owner_id::text as "ownerId", u.real_name as owner, k.due_day::text as "dueDay"
        from (select t.id from ${findingsOf(looking, key, wanted)}) found
        join ${tableRef(model, 'f')} on f.tenant_id = ${tenantId} and f.id = found.id
        left join quality_mark k on k.tenant_id = ${tenantId} and k.check_key = ${key} and k.row_id = f.id
        left join app_user u on u.tenant_id = ${tenantId} and u.id = k.owner_id
        order by k.due_day nulls last, ${titleRef(model, 'f')}, f.id limit ${size} offset ${skip}`,
  )
  const beside = new Map<string, QualityFinding['others'][number][]>()
  if (others && rows.length > 0) {
    const found = await runWithin<{ of: string; id: string; title: string; beside: string | null }>(
      looking,
      sql`select t.id::text as of, o.id::text as id, o.title, o.beside from ${tableRef(model)}
          cross join lateral (select o.id, ${titleRef(model, 'o')} as title, ${besideText('o', key)} as beside from ${tableRef(model, 'o')}
            where o.tenant_id = ${tenantId} and ${others} ${looking.reached(model.entity.name, 'o')} order by o.id limit ${othersMost}) o
          where t.tenant_id = ${tenantId} and t.id = any(${rows.map(({ id }) => id)}::bigint[])`,
    )
    for (const { of, ...other } of found) beside.set(of, [...(beside.get(of) ?? []), other])
  }
  return rows.map((row) => ({
    ...row,
    code: model.entity.name,
    check: key,
    others: beside.get(row.id) ?? [],
    ignored: wanted.ignored,
  }))
}

/** Open findings that somebody is asked to put right, the nearest due day first. */
export async function assignedTo(looking: VisibleChecks, userId: string | null): Promise<QualityFinding[]> {
  if (userId === null) return []
  const marks = await looking.tx.run<{ key: QualityKey; id: string }>(
    sql`select check_key as key, row_id::text as id from quality_mark
        where tenant_id = ${looking.tenantId} and owner_id = ${userId} and reason is null
          and check_key = any(${[...looking.keys]}::text[]) order by due_day nulls last, row_id limit 500`,
  )
  const found: QualityFinding[] = []
  for (const [key, of] of Map.groupBy(marks, (mark) => mark.key))
    found.push(
      ...(await pageOf(
        looking,
        key,
        { ignored: false, schoolId: null, ids: of.map(({ id }) => id) },
        { size: 500, skip: 0 },
      )),
    )
  const last = '9999'
  return found.sort((a, b) => ((a.dueDay ?? last) < (b.dueDay ?? last) ? -1 : 1))
}

/** A page of what all checks find, one check after the other. */
async function everyFinding(
  looking: VisibleChecks,
  wanted: Wanted,
  { size, skip }: { readonly size: number; readonly skip: number },
) {
  const sums = new Map<QualityKey, number>()
  for (const { key, count, ignored } of await countChecks(looking, wanted.schoolId, wanted.ids))
    sums.set(key, (sums.get(key) ?? 0) + (wanted.ignored ? ignored : count))
  const records: QualityFinding[] = []
  let before = 0
  for (const [key, count] of sums) {
    const from = Math.max(0, skip - before)
    if (count > from && records.length < size)
      records.push(...(await pageOf(looking, key, wanted, { size: size - records.length, skip: from })))
    before += count
  }
  return { total: before, records }
}

const shareOf = ({ id, name, total, complete }: QualityShare): QualityShare => ({ id, name, total, complete })

const summary = on(qualitySummary, async ({ schoolId: asked }, call) => {
  const { single, schoolId } = await placeOf(call, asked)
  await call.tx.allow({ statement: summarySeconds })
  const looking = await lookingOf(call)
  const found = await countChecks(looking, schoolId)
  const sums = new Map<QualityKey, { count: number; ignored: number }>()
  for (const { key, count, ignored } of found) {
    const sum = sums.get(key) ?? { count: 0, ignored: 0 }
    sums.set(key, { count: sum.count + count, ignored: sum.ignored + ignored })
  }
  const schools = await sharesBy(looking, schoolId, 'school')
  const moment = await call.tx.one<{ at: string }>(sql`select now() as at`)
  return {
    at: moment!.at,
    checks: looking.keys
      // People stand in no school: of one of several nothing is said of them.
      .filter((key) => schoolId === null || schoolColumn(entityOfCheck(key)) !== undefined)
      .map((key) => ({
        key,
        ...(sums.get(key) ?? { count: 0, ignored: 0 }),
        code: qualityCheck(key).entity,
        query: listOf(key, looking, schoolId),
        mayDecide: holdsCode(call.actor, editCode(key)),
      })),
    pupils: { total: schools[0]?.all ?? 0, complete: schools[0]?.allComplete ?? 0 },
    schools: schools.map(shareOf),
    classes: single ? (await sharesBy(looking, schoolId, 'class')).map(shareOf) : [],
    trend: await trendOf(looking, schoolId),
    mine: (await assignedTo(looking, call.actor.userId)).length,
  }
})

const list = on(
  qualityList,
  async ({ schoolId: asked, check, ignored, mine, code, id, current = 1, size = 10 }, call) => {
    const { schoolId } = await placeOf(call, asked)
    const looking = await lookingOf(call)
    const most = Math.min(size, findingsMost)
    const skip = (current - 1) * most
    if (mine === 1) {
      const all = await assignedTo(looking, call.actor.userId)
      return { total: all.length, records: all.slice(skip, skip + most) }
    }
    if (code !== undefined || id !== undefined) {
      const keys = looking.keys.filter((key) => qualityCheck(key).entity === code)
      if (!isId(id) || keys.length === 0) return { total: 0, records: [] }
      const wanted = { ignored: ignored === 1, schoolId: null, ids: [id] }
      return everyFinding({ ...looking, keys }, wanted, { size: most, skip })
    }
    if (check === undefined) return everyFinding(looking, { ignored: ignored === 1, schoolId }, { size: most, skip })
    mustBeCheck(call, check)
    if (!looking.keys.includes(check)) throw new Problem('not_found')
    const wanted = { ignored: ignored === 1, schoolId }
    const counted = await runWithin<{ n: number }>(
      looking,
      sql`select count(*)::int as n from ${findingsOf(looking, check, wanted)}`,
    )
    return {
      total: counted[0]!.n,
      records: await pageOf(looking, check, wanted, { size: most, skip }),
    }
  },
)

/** Refuses what is the key of no check. */
export function mustBeCheck({ circumstance }: Call, check: string | undefined): asserts check is QualityKey {
  if (isQualityKey(check)) return
  throw fieldProblem(
    [
      {
        field: 'check',
        label: { zh: '检查项', en: 'Check' },
        reason: { zh: '没有这个检查项，请重新选择', en: 'there is no such check: choose one' },
      },
    ],
    circumstance.language,
  )
}

/** The finding that is decided about; refuses whoever may not change the record, or whose reach it is out of. */
async function decided(
  call: Call,
  { check, id }: { readonly check: QualityKey; readonly id: string },
  states: readonly boolean[],
): Promise<VisibleChecks> {
  const looking = await lookingOf(call)
  if (!looking.keys.includes(check) || !isId(id)) throw new Problem('not_found')
  const entity = entityOfCheck(check)
  const code = editCode(check)
  if (!holdsCode(call.actor, code)) throw new Problem('forbidden', { code })
  const reach = await rowsOf(entity, call).reach([code])
  const [editable] = await runWithin(
    { ...looking, values: { ...looking.values, ...reach?.values } },
    sql`select 1 from ${tableRef(modelOf(entity))} where t.tenant_id = ${looking.tenantId} and t.id = ${id} ${reach ? sql`and ${reach.sql}` : sql``}`,
  )
  if (!editable) throw new Problem('not_found')
  for (const ignored of states) {
    const [found] = await runWithin(
      looking,
      sql`select 1 from ${findingsOf(looking, check, { ignored, schoolId: null, ids: [id] })}`,
    )
    if (found) return looking
  }
  throw new Problem('not_found')
}

const ignore = on(qualityIgnore, async ({ check, id, ignored, reason }, call) => {
  const { tx, actor } = call
  mustBeCheck(call, check)
  const words = reason?.trim()
  if (ignored === 1 && !words)
    throw fieldProblem(
      [
        {
          field: 'reason',
          label: { zh: '原因', en: 'Reason' },
          reason: { zh: '请填写忽略的原因', en: 'say why the finding is ignored' },
        },
      ],
      call.circumstance.language,
    )
  await decided(call, { check, id }, ignored === 1 ? [false, true] : [true])
  const mark = sql`tenant_id = ${actor.tenantId} and check_key = ${check} and row_id = ${id}`
  if (ignored === 1) {
    await tx.run(
      sql`insert into quality_mark (tenant_id, check_key, row_id, reason, update_user) values (${actor.tenantId}, ${check}, ${id}, ${words}, ${actor.userId})
          on conflict (tenant_id, check_key, row_id) do update set reason = excluded.reason, update_user = excluded.update_user, update_time = now()`,
    )
    return
  }
  await tx.run(sql`delete from quality_mark where ${mark} and owner_id is null`)
  await tx.run(
    sql`update quality_mark set reason = null, update_user = ${actor.userId}, update_time = now() where ${mark} and reason is not null`,
  )
})

/** Whether somebody can be asked: the caller, or an enabled user whom the caller sees. */
async function mayBeAsked(call: Call, ownerId: string): Promise<boolean> {
  if (ownerId === call.actor.userId) return true
  const found = await seenOf(
    call,
    user,
    (scope) =>
      sql`select 1 from app_user t where t.tenant_id = ${call.actor.tenantId} and t.id = ${ownerId} and t.status = 1 ${scope}`,
  )
  return found.length > 0
}

/** Whether somebody could put a finding right: it is within their reach, and they may change the record. */
async function canPutRight(
  call: Call,
  ownerId: string,
  finding: { readonly check: QualityKey; readonly id: string },
): Promise<boolean> {
  if (ownerId === call.actor.userId) return true
  const owner = await loadActor(call.tx, call.actor.tenantId, ownerId, { sessionId: null })
  if (!owner) return false
  try {
    await decided({ ...call, actor: owner }, finding, [false])
    return true
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
}

const assign = on(qualityAssign, async ({ check, id, ownerId, dueDay }, call) => {
  const { tx, actor } = call
  mustBeCheck(call, check)
  const { today } = await decided(call, { check, id }, [false])
  const mark = sql`tenant_id = ${actor.tenantId} and check_key = ${check} and row_id = ${id}`
  if (!ownerId) {
    await tx.run(sql`delete from quality_mark where ${mark}`)
    return
  }
  const wrong = (field: string, label: { zh: string; en: string }, reason: { zh: string; en: string }): Problem =>
    fieldProblem([{ field, label, reason }], call.circumstance.language)
  if (!(await mayBeAsked(call, ownerId)))
    throw wrong(
      'ownerId',
      { zh: '负责人', en: 'Owner' },
      { zh: '不是启用的用户，请另选', en: 'is no enabled user: choose another' },
    )
  if (!(await canPutRight(call, ownerId, { check, id })))
    throw wrong(
      'ownerId',
      { zh: '负责人', en: 'Owner' },
      { zh: '不能修改这条记录，请另选', en: 'may not change this record: choose another' },
    )
  if (dueDay && dueDay < today)
    throw wrong('dueDay', { zh: '期限', en: 'Due day' }, { zh: '不能早于今天', en: 'cannot be before today' })
  await tx.run(
    sql`insert into quality_mark (tenant_id, check_key, row_id, owner_id, due_day, update_user)
        values (${actor.tenantId}, ${check}, ${id}, ${ownerId}, ${dueDay ?? null}, ${actor.userId})
        on conflict (tenant_id, check_key, row_id) do update set owner_id = excluded.owner_id, due_day = excluded.due_day,
          update_user = excluded.update_user, update_time = now()`,
  )
  if (ownerId !== actor.userId)
    await sendMessage(tx, actor.tenantId, [ownerId], {
      kind: 'quality-assigned',
      title: { zh: '有一个数据问题请您处理', en: 'A finding in the data is yours to put right' },
      body: {
        zh: `${entityOf(qualityCheck(check).entity).label.zh}${dueDay ? `，期限${dueDay}` : ''}`,
        en: `${entityOf(qualityCheck(check).entity).label.en}${dueDay ? `, due on ${dueDay}` : ''}`,
      },
      link: '/wel/quality?mine=1',
    })
})

export const qualityRoutes: readonly Route[] = [summary, list, ignore, assign]
