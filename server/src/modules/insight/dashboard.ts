import {
  codeOf,
  type Entity,
  flowinstance,
  leave,
  school,
  schoolclass,
  schoolsemester,
  student,
  studentdetail,
  studentparents,
  substitution,
  user,
  type Words,
} from '@data-brain/contract'
import { type Dashboard, type DashboardFigure, dashboardSummary } from '@data-brain/contract/calls/dashboard'
import { zone } from '../../database/connect.ts'
import { sql } from '../../database/statement.ts'
import { countSeveral } from '../../entity/count-several.ts'
import { seenOf } from '../../entity/reached.ts'
import { contextOf, rowsOf } from '../../entity/routes.ts'
import { on } from '../../entity/serve-call.ts'
import { type Actor, holdsCode } from '../../kernel/actor.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Call, Route } from '../../kernel/route.ts'
import { StampedCache } from '../../kernel/stamped-cache.ts'
import { mayRead } from '../desk/index.ts'
import { countTasks } from '../flow/index.ts'
import { figuresKept, pastOf } from './figures-daily.ts'
import { stockTilesOf } from './stock-tiles.ts'
import { type DashboardScope, onLeaveFilter, schoolsMost, tilesOf } from './tiles.ts'

/*
 * The dashboard: counts within the caller’s data scope, each by the very filters of the list that it opens, so that the two
 * say the same at the same moment. What its reader may not list is absent, and never zero.
 */

interface Wanted {
  readonly key: string
  readonly entity: Entity
  readonly query: Readonly<Record<string, string>>
  readonly counted: Words
  /** What it tells of besides. */
  readonly also?: readonly Entity[]
}

const pupilsNow: Words = { zh: '状态为在读的学生', en: 'Students whose status is enrolled' }

function figuresOf({ schoolId, alone, today, monday }: DashboardScope): Wanted[] {
  const of: Record<string, string> = schoolId ? { schoolId } : {}
  return [
    ...(alone
      ? []
      : [
          {
            key: 'schools',
            entity: school,
            query: { status: '1' },
            counted: { zh: '启用的学校', en: 'Schools in use' },
          },
        ]),
    { key: 'pupils', entity: student, query: { status: '1', ...of }, counted: pupilsNow },
    {
      key: 'classes',
      entity: schoolclass,
      query: { status: '1', ...of },
      counted: { zh: '状态为正常的行政班', en: 'Classes whose status is normal' },
    },
    // Of one of several schools nobody says who works there: people stand in departments.
    ...(schoolId && !alone
      ? []
      : [
          {
            key: 'staff',
            entity: user,
            query: { status: '1' },
            counted: { zh: '启用的用户', en: 'Users who are enabled' },
          },
        ]),
    {
      key: 'awayPupils',
      entity: leave,
      query: { ...onLeaveFilter(today), applicantType: '1', ...of },
      counted: { zh: '批准的请假包含今天的学生', en: 'Approved leave of students that covers today' },
    },
    {
      key: 'awayStaff',
      entity: leave,
      query: { ...onLeaveFilter(today), applicantType: '2', ...of },
      counted: { zh: '批准的请假包含今天的教职工', en: 'Approved leave of staff that covers today' },
    },
    {
      key: 'coversWaiting',
      entity: substitution,
      query: { status: '0', day_ge: today, ...of },
      counted: { zh: '今天及以后尚未确认的调代课', en: 'Cover from today on that is not confirmed' },
    },
    // Nor of processes: they are a tenant’s.
    ...(schoolId && !alone
      ? []
      : [
          {
            key: 'running',
            entity: flowinstance,
            query: { state: '1' },
            counted: { zh: '审批中的流程', en: 'Processes in approval' },
          },
          {
            key: 'ended',
            entity: flowinstance,
            query: { state_in: '2,3', endTime_datege: `${monday} 00:00:00` },
            counted: { zh: '本周一以来办结的流程', en: 'Processes decided since Monday' },
          },
          {
            key: 'incidents',
            entity: flowinstance,
            query: { state: '6' },
            counted: { zh: '出现异常、等待处理的流程', en: 'Processes that stand at an incident' },
          },
        ]),
  ]
}

function gapsOf({ schoolId }: DashboardScope): Wanted[] {
  const of: Record<string, string> = schoolId ? { schoolId } : {}
  const pupils = { status: '1', ...of }
  return [
    {
      key: 'noGuardian',
      entity: student,
      query: { ...pupils, guardians_null: '1' },
      counted: { zh: '没有登记家长的在读学生', en: 'Enrolled students without a parent on file' },
      also: [studentparents],
    },
    {
      key: 'noPhoto',
      entity: student,
      query: { ...pupils, photo_null: '1' },
      counted: { zh: '没有照片的在读学生', en: 'Enrolled students without a photo' },
    },
    {
      key: 'national',
      entity: student,
      query: { ...pupils, national_notnull: '1' },
      counted: { zh: '国家学籍表有缺项的在读学生', en: 'Enrolled students with gaps in the national form' },
      also: [studentparents, studentdetail],
    },
    {
      key: 'noClass',
      entity: student,
      query: { ...pupils, classId_null: '1' },
      counted: { zh: '没有班级的在读学生', en: 'Enrolled students without a class' },
    },
    {
      key: 'noTeacher',
      entity: schoolclass,
      query: { status: '1', ...of, headTeacherId_null: '1' },
      counted: { zh: '没有班主任的行政班', en: 'Classes without a class teacher' },
    },
  ]
}

async function count(call: Call, at: string, wanted: readonly Wanted[]): Promise<DashboardFigure[]> {
  const told = wanted.filter(
    ({ entity, also = [] }) =>
      mayRead(call.actor, codeOf(entity, 'view'), `/${entity.path}/list`) &&
      also.every((each) => holdsCode(call.actor, codeOf(each, 'view'))),
  )
  const values = new Map<Wanted, number>()
  // One connection serves them: one after the other, and the rows of an entity are looked at once.
  for (const [entity, some] of Map.groupBy(told, (each) => each.entity)) {
    const counts = await countSeveral(
      entity,
      contextOf(call),
      some.map(({ query }) => query),
    )
    for (const [nth, each] of some.entries()) values.set(each, counts[nth]!)
  }
  return told.map((each) => {
    const { key, entity, query, counted } = each
    return { key, value: values.get(each)!, at, counted, code: entity.name, query }
  })
}

/** Tasks of the caller’s own: they stand on pages of their own, without filters. */
async function tasks(call: Call, at: string): Promise<DashboardFigure[]> {
  const { todo, claim } = await countTasks(call)
  return [
    {
      key: 'todo',
      value: todo,
      counted: { zh: '等待本人办理的任务', en: 'Tasks that wait for you' },
      code: 'worktodo',
    },
    {
      key: 'claim',
      value: claim,
      counted: { zh: '本人可以签收的任务', en: 'Tasks that you can take' },
      code: 'workclaim',
    },
  ].map((each) => ({ ...each, at, query: {} }))
}

const dayOf = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' })

type Named = NonNullable<Dashboard['school']>
type Semester = Named & Pick<DashboardScope, 'begin' | 'end'>

/** What is looked at: the school that was asked for, or the only one, and its semester. */
async function aboutOf(call: Call, asked: { schoolId?: string; semesterId?: string }) {
  const { tenantId } = call.actor
  // The one that is asked for comes first, wherever it stands among hundreds.
  const found = await seenOf<Named & { n: number }>(
    call,
    school,
    (scope) =>
      sql`select t.id, t.school_name as name, count(*) over ()::int as n from school t where t.tenant_id = ${tenantId} and t.status = 1 ${scope}
          order by t.id = ${asked.schoolId ?? null}::bigint desc nulls last, t.sort, t.id limit ${schoolsMost}`,
  )
  const schoolCount = found[0]?.n ?? 0
  const schools = found.map(({ id, name }) => ({ id, name }))
  const [first] = schools
  const chosen = (asked.schoolId ? first?.id === asked.schoolId : schoolCount === 1) ? first : undefined
  if (asked.schoolId && !chosen) throw new Problem('not_found')
  const [semester] = chosen
    ? await seenOf<Semester>(
        call,
        schoolsemester,
        (
          scope,
        ) => sql`select t.id, t.semester_name as name, t.begin_date as begin, t.end_date as end from schoolsemester t
            where t.tenant_id = ${tenantId} and t.school_id = ${chosen.id} and ${asked.semesterId ? sql`t.id = ${asked.semesterId}` : sql`t.is_current = 1`} ${scope} limit 1`,
      )
    : []
  if (asked.semesterId && !semester) throw new Problem('not_found')
  const now = Date.now()
  const today = dayOf.format(now)
  const weekday = (new Date(`${today}T00:00:00Z`).getUTCDay() + 6) % 7
  const about: DashboardScope = {
    schoolId: chosen?.id ?? null,
    schools,
    schoolCount,
    alone: schoolCount <= 1,
    semesterId: semester?.id ?? null,
    begin: semester?.begin ?? null,
    end: semester?.end ?? null,
    today,
    monday: dayOf.format(now - weekday * 86_400_000),
  }
  const named = (of: Named | undefined): Named | null => (of ? { id: of.id, name: of.name } : null)
  return { about, school: named(chosen), semester: named(semester) }
}

/** What was counted for somebody: for whom, which is told by the very actor, and when. */
interface KeptDashboard {
  readonly actor: Actor
  readonly counted: number
  readonly answer: Omit<Dashboard, 'at'>
}

const kept = new StampedCache<KeptDashboard>(200)
/** What shared catalogues name moves no stamp of a tenant: nothing is kept longer, in milliseconds. */
const keptFor = 60_000

/** What moves with every write in the tenant, and the moment that it is. */
async function momentOf({ tx, actor }: Call): Promise<{ stamp: string; at: string }> {
  const { tenantId } = actor
  return (await tx.one<{ stamp: string; at: string }>(
    sql`select now() as at, coalesce((select entities from grant_stamp where tenant_id = ${tenantId}), 0)
          + coalesce((select sum(stamp) from entity_stamp where tenant_id = ${tenantId}), 0) as stamp`,
  ))!
}

/**
 * Counts as of now: those that somebody was told before hold as long as nothing has been written in the tenant. They are kept
 * for that actor alone, who is another once a role, a scope or the session changes.
 */
export const dashboardRoute: Route = on(dashboardSummary, async (asked, call) => {
  const { actor } = call
  const { stamp, at } = await momentOf(call)
  const key = [actor.sessionId, call.circumstance.language, asked.schoolId, asked.semesterId].join('|')
  const now = Date.now()
  const moment = `${stamp} ${dayOf.format(now)}`
  const known = kept.known(key, moment)
  if (known && known.actor === actor && now - known.counted < keptFor) return withTasks(call, at, known.answer)
  const { about, ...places } = await aboutOf(call, asked)
  const gaps = gapsOf(about)
  const missing = new Set(gaps.map(({ key }) => key))
  const counted = await count(call, at, [...figuresOf(about), ...gaps])
  const past = await pastFor(call, about)
  const answer = {
    ...places,
    figures: counted
      .filter(({ key }) => !missing.has(key))
      .map((each) => (past.has(each.key) ? { ...each, past: past.get(each.key)! } : each)),
    tiles: [...(await tilesOf(call, about)), ...(await stockTilesOf(call, about))],
    gaps: counted.filter(({ key }) => missing.has(key)),
  }
  if (actor.sessionId) kept.keep(key, moment, { actor, counted: now, answer })
  return withTasks(call, at, answer)
})

/** Past figures of what the caller reaches whole: of a part of the rows no day was ever counted. */
async function pastFor(call: Call, about: DashboardScope) {
  const whole: string[] = []
  for (const [key, entity] of Object.entries(figuresKept))
    if ((await rowsOf(entity, call).reach([codeOf(entity, 'view')])) === undefined) whole.push(key)
  return pastOf(call, whole, about)
}

/** The answer with the caller’s tasks, which are no rows of an entity and are counted each time. */
async function withTasks(call: Call, at: string, answer: KeptDashboard['answer']): Promise<Dashboard> {
  const asOf = (figures: readonly DashboardFigure[]): DashboardFigure[] => figures.map((each) => ({ ...each, at }))
  return {
    ...answer,
    at,
    figures: [...asOf(answer.figures), ...(await tasks(call, at))],
    gaps: asOf(answer.gaps),
  }
}
