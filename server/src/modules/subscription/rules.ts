import { report, reportsubscription } from '@data-brain/contract'
import { everyKeys, subscriptionStates, wayKeys } from '@data-brain/contract/subscription'
import { newId } from '../../database/id.ts'
import { sql } from '../../database/statement.ts'
import { type Context, Repository } from '../../entity/repository.ts'
import { addRules, changesField, isPutBack, refuseField, type Saving } from '../../entity/rules.ts'
import { system } from '../../kernel/actor.ts'
import { Problem } from '../../kernel/problem.ts'
import { sendMessage } from '../desk/index.ts'
import { refuseReport, refuseTaker, reportSource } from '../export/index.ts'
import { refuseWithoutService } from '../mail/index.ts'
import { parametersIn } from './asked.ts'
import { Planner } from './calendar.ts'
import { followsCalendar, localText } from './schedule.ts'

/** As whom what comes by the clock is done. */
export const machine = 'report-delivery'
/** Where people see their own subscriptions. */
export const subscriptionsPage = '/report/subscription'
/** As many subscriptions as one person has. */
const most = 20

type Subscribing = Saving<typeof reportsubscription>

/** Somebody else's comes with the rights of whoever made it: an administrator ends it, and says nothing else of it. */
function refuseOthers({ before, values, status, context: { actor } }: Subscribing): void {
  if (!before || actor.kind === 'machine' || before.createUser === actor.userId) return
  if (Object.keys(values).length === 0 && status === subscriptionStates.paused) return
  throw new Problem('rule_broken', {
    reason: {
      zh: '这是他人的订阅：只能暂停或删除',
      en: 'This is somebody else’s subscription: it can be paused or removed only',
    },
  })
}

async function refuseMany({ before, context: { tx, actor } }: Subscribing): Promise<void> {
  if (before) return
  // Many at once are counted one after the other.
  await tx.run(
    sql`select pg_advisory_xact_lock(hashtextextended(${`subscription|${actor.tenantId}|${actor.userId}`}, 0))`,
  )
  const has = await tx.one<{ n: number }>(
    sql`select count(*)::int as n from reportsubscription where tenant_id = ${actor.tenantId} and create_user = ${actor.userId}`,
  )
  if (has!.n >= most)
    throw new Problem('rule_broken', {
      reason: {
        zh: `每人最多${most}个订阅，请先删除不需要的`,
        en: `At most ${most} subscriptions each: remove one that is not needed`,
      },
    })
}

/** Sets fields that nobody said. */
function put(
  { values, whole }: Subscribing,
  more: Pick<Partial<Subscribing['values']>, 'weekday' | 'calendarId'>,
): void {
  Object.assign(values, more)
  Object.assign(whole, more)
}

/** Which day it comes on, by a weekday or a calendar: where nobody says whose, that of the only school that there is. */
async function settleDay(saving: Subscribing): Promise<void> {
  const { whole, context } = saving
  const isWeekly = whole.every === everyKeys.week
  if (isWeekly && !whole.weekday) refuseField(saving, reportsubscription, 'weekday', '请选择', 'is missing')
  // What another way to come has left is of no use any more.
  const isLeft = (name: 'weekday' | 'calendarId'): boolean => Boolean(whole[name]) && !changesField(saving, name)
  if (!isWeekly && isLeft('weekday')) put(saving, { weekday: null })
  if (!followsCalendar(whole)) {
    if (isLeft('calendarId')) put(saving, { calendarId: null })
    return
  }
  if (whole.calendarId) return
  const schools = await context.tx.run<{ id: string }>(
    sql`select id from school where tenant_id = ${context.actor.tenantId} limit 2`,
  )
  if (schools.length !== 1)
    refuseField(saving, reportsubscription, 'calendarId', '请选择学校', 'is missing: choose a school')
  put(saving, { calendarId: schools[0]!.id })
}

/** Mail goes to the address of whoever subscribes, by a service of the tenant. */
async function refuseNoMail(saving: Subscribing): Promise<void> {
  const { whole, context } = saving
  const { tx, actor } = context
  if (whole.way !== wayKeys.mail) return
  const user = await tx.one<{ email: string | null }>(
    sql`select email from app_user where tenant_id = ${actor.tenantId} and id = ${actor.userId}`,
  )
  if (!user?.email)
    refuseField(
      saving,
      reportsubscription,
      'way',
      '不能含邮件：您的个人信息中没有电子邮箱',
      'cannot include mail: your own details have no e-mail address',
    )
  await refuseWithoutService(tx, actor.tenantId)
}

/** Judges a subscription and says when it comes next. */
async function judge(saving: Subscribing): Promise<void> {
  const { before, values, whole, context, status } = saving
  const { tx, actor } = context
  refuseOthers(saving)
  await refuseMany(saving)
  const state = status ?? before?.status ?? subscriptionStates.on
  if (state !== subscriptionStates.on) {
    if (before?.status === subscriptionStates.on || !before) Object.assign(values, { nextRun: null, pauseReason: null })
    return
  }
  await settleDay(saving)
  if (!before || changesField(saving, 'way')) await refuseNoMail(saving)
  const begins = !before || before.status !== subscriptionStates.on || isPutBack(context)
  if (begins) {
    refuseTaker(reportSource, actor)
    const parameters = parametersIn(whole.asked)
    if (!parameters)
      refuseField(saving, reportsubscription, 'asked', '不是报表运行时询问的内容', 'is not what a report asks for')
    const { entity } = await refuseReport(context, whole.reportId, parameters).catch((problem: unknown) => {
      if (!(problem instanceof Problem && problem.problem === 'not_found')) throw problem
      return refuseField(
        saving,
        reportsubscription,
        'reportId',
        '不存在，或未共享给您',
        'is not there, or not shared with you',
      )
    })
    if (entity.name !== before?.subject) Object.assign(values, { subject: entity.name })
    if (context.circumstance.reason) Object.assign(values, { reason: context.circumstance.reason })
  }
  if (!begins && !changesField(saving, 'every', 'weekday', 'calendarId', 'hour')) return
  const { every, hour } = whole
  const planned = {
    ...{ every, hour, weekday: whole.weekday ?? null, calendarId: whole.calendarId ?? null },
    lastRun: before?.lastRun ?? null,
  }
  const nextRun = await new Planner(tx, actor.tenantId).next(planned, localText(new Date()))
  Object.assign(values, { nextRun, pauseReason: null })
}

/**
 * A report that goes takes its subscriptions along; whoever has one is told. Those of whoever removes it come back with the
 * report where that is taken back; nobody takes back what is others'.
 */
async function endAll(context: Context, id: string, name: string): Promise<void> {
  const { tx, actor, circumstance } = context
  const { tenantId } = actor
  const rows = await tx.run<{ id: string; user: string | null }>(
    sql`select id, create_user as "user" from reportsubscription where tenant_id = ${tenantId} and report_id = ${id}`,
  )
  const others = rows.filter(({ user }) => user === null || user !== actor.userId)
  const own = rows.filter((row) => !others.includes(row))
  const remove = (some: typeof rows, as: Context): Promise<void> =>
    new Repository(reportsubscription, as).remove(some.map((row) => row.id))
  await remove(own, { ...context, unscoped: true })
  if (others.length === 0) return
  await remove(others, {
    ...context,
    actor: system(machine, tenantId),
    circumstance: { ...circumstance, requestId: newId() },
  })
  await sendMessage(
    tx,
    tenantId,
    others.flatMap(({ user }) => user ?? []),
    {
      kind: 'report-ended',
      title: {
        zh: `报表已删除，订阅已结束：${name}`,
        en: `The report was removed, its subscription has ended: ${name}`,
      },
      link: subscriptionsPage,
    },
  )
}

/** What is special about subscriptions, and about a report that has some. */
export function addSubscriptionRules(): void {
  addRules(reportsubscription, { beforeSave: judge })
  addRules(report, { beforeRemove: ({ context, id, before }) => endAll(context, id, before.name) })
}
