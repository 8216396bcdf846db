import type { TimerPlan } from '@data-brain/contract/flow/plan'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dueOf } from '../src/modules/flow/due.ts'
import { flowTimers } from '../src/modules/flow/index.ts'
import { bpmn, deploy, history, list, pass, people, start, step, waits } from './flow-parts.ts'
import { dayIn, makeTerm, type Term } from './timetable-parts.ts'
import { makeWorld, type Person, type Row, type World } from './world.ts'

let world: World
let admin: Person
let term: Term
let at: Record<'zhang' | 'li' | 'wang', Person>
beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  term = await makeTerm(admin)
  at = await people(world, admin, 'zhang', 'li', 'wang')
}, 60_000)
afterAll(() => world.close())

/** A moment of a weekday in a week of the term, in the product's zone. */
const moment = (week: number, weekday: number, time: string): number =>
  Date.parse(`${dayIn(term, week, weekday)}T${time}:00+08:00`)

interface Case {
  readonly title: string
  readonly timer: TimerPlan
  /** Set on the Friday of the third week at four in the afternoon. */
  readonly at: () => number
  readonly repeats?: number | null
}

const clock = (kind: TimerPlan['kind'], value: string): TimerPlan => ({ kind, value, by: 'clock' })
const hour = 3_600_000
const now = () => moment(3, 5, '16:00')

const cases: readonly Case[] = [
  { title: 'a day', timer: clock('date', '2031-09-01'), at: () => Date.parse('2031-09-01T00:00:00+08:00') },
  { title: 'a moment', timer: clock('date', '2031-09-01T08:00:00Z'), at: () => Date.parse('2031-09-01T08:00:00Z') },
  {
    title: 'a moment without a zone is one of the product’s',
    timer: clock('date', '2031-09-01T08:00'),
    at: () => Date.parse('2031-09-01T08:00:00+08:00'),
  },
  {
    title: 'a moment of another zone',
    timer: clock('date', '2031-09-01T08:00:00+0100'),
    at: () => Date.parse('2031-09-01T07:00:00Z'),
  },
  {
    title: 'a field of the form',
    timer: clock('date', 'field:begin'),
    at: () => Date.parse('2031-05-04T00:00:00+08:00'),
  },
  { title: 'a duration', timer: clock('duration', 'P1DT2H'), at: () => now() + 26 * hour },
  { title: 'a duration with parts of a second', timer: clock('duration', 'PT1.5S'), at: () => now() + 1_500 },
  { title: 'a circle of three', timer: clock('cycle', 'R3/PT1H'), at: () => now() + hour, repeats: 2 },
  { title: 'a circle without an end', timer: clock('cycle', 'R/PT1H'), at: () => now() + hour, repeats: null },
  {
    title: 'a circle that begins later',
    timer: clock('cycle', 'R3/2099-09-01T08:00:00+08:00/PT1H'),
    at: () => Date.parse('2099-09-01T08:00:00+08:00'),
    repeats: 2,
  },
  {
    title: 'a circle that has begun',
    timer: clock('cycle', 'R3/2001-09-01/PT1H'),
    at: () => now() + hour,
    repeats: 2,
  },
  {
    title: 'a school day leads over the weekend',
    timer: { kind: 'duration', value: 'P1D', by: 'schoolDays' },
    at: () => moment(4, 1, '16:00'),
  },
  {
    title: 'two school days lead over a holiday and onto a day that is made up for',
    timer: { kind: 'duration', value: 'P5D', by: 'schoolDays' },
    at: () => moment(4, 6, '16:00'),
  },
  {
    title: 'hours of school go on with the next first bell',
    timer: { kind: 'duration', value: 'PT4H', by: 'schoolHours' },
    at: () => moment(4, 1, '11:00'),
  },
  {
    title: 'a circle of school hours',
    timer: { kind: 'cycle', value: 'R2/PT1H', by: 'schoolHours' },
    at: () => moment(3, 5, '17:00'),
    repeats: 1,
  },
]

describe('R-FLOW-2 when a timer comes due', () => {
  beforeAll(async () => {
    const day = { schoolId: term.schoolId, dayName: null }
    await term.add('schoolcalendarday', { ...day, day: dayIn(term, 4, 3), dayType: '2', useWeekday: null })
    await term.add('schoolcalendarday', { ...day, day: dayIn(term, 4, 6), dayType: '3', useWeekday: '3' })
  })

  it.each(cases)('$title', async ({ timer, at, repeats = 0 }) => {
    const { tenantId } = admin
    const due = await world.inTenant(tenantId, (tx) =>
      dueOf(timer, { begin: '2031-05-04' }, { tx, tenantId, schoolId: term.schoolId }, now()),
    )
    expect(due && { at: new Date(due.at).toISOString(), repeats: due.repeats }).toEqual({
      at: new Date(at()).toISOString(),
      repeats,
    })
  })

  it('an empty field of the form is no time', async () => {
    const { tenantId } = admin
    const place = { tenantId, schoolId: term.schoolId }
    const due = await world.inTenant(tenantId, (tx) => dueOf(clock('date', 'field:begin'), {}, { tx, ...place }, now()))
    expect(due).toBeUndefined()
  })
})

/** Lets all timers of the tenant come due, and fires them. */
async function passTime(): Promise<void> {
  await world.owner.query("update flow_timer set due_time = now() - interval '1 minute' where tenant_id = $1", [
    admin.tenantId,
  ])
  await flowTimers.run(world.services, { tenantId: admin.tenantId, signal: new AbortController().signal })
}

const timers = async (): Promise<Row[]> =>
  (await world.owner.query('select kind, tries, repeats from flow_timer where tenant_id = $1', [admin.tenantId]))
    .rows as Row[]

const formal = (name: string, value: string): string =>
  `<timerEventDefinition><${name} xsi:type="tFormalExpression" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">${value}</${name}></timerEventDefinition>`

describe('R-FLOW-3 a timer', () => {
  it('on the way holds a process until its moment', async () => {
    const caught = `<intermediateCatchEvent id="t" name="等待">${formal('timeDuration', 'P1D')}</intermediateCatchEvent>`
    const id = await deploy(admin, bpmn('start -> t -> one -> end', caught + step('one', 'li'), { key: 'caught' }))
    await start(at.zhang, id)
    expect((await list(at.zhang, 'send'))[0]).toMatchObject({ activity: '等待' })
    expect(await waits(at.li)).toEqual([])
    await passTime()
    expect(await waits(at.li)).toEqual(['one'])
    await pass(at.li, 'one')
    expect(await timers()).toEqual([])
  })

  it('that comes round beside a step begins as many steps as it says, and ends with the step', async () => {
    const edge = (id: string, circle: string): string =>
      `<boundaryEvent id="${id}" attachedToRef="one" cancelActivity="false">${formal('timeCycle', circle)}</boundaryEvent>`
    const model = (key: string, circle: string): string =>
      bpmn(
        'start -> one -> end\nround -> two -> end',
        step('one', 'li') + step('two', 'wang') + edge('round', circle),
        {
          key,
        },
      )
    const id = await deploy(admin, model('thrice', 'R3/PT1H'))
    const instance = await start(at.zhang, id)
    for (const count of [1, 2, 3]) {
      await passTime()
      expect(await waits(at.wang)).toEqual(Array(count).fill('two'))
    }
    expect(await timers()).toEqual([])
    expect(await waits(at.li)).toEqual(['one'])
    await pass(at.li, 'one')
    for (let count = 0; count < 3; count += 1) await pass(at.wang, 'two')
    expect((await list(at.zhang, 'send')).find((each) => each.processInstanceId === instance)).toMatchObject({
      processIsFinished: 'finished',
    })
    await start(at.zhang, await deploy(admin, model('endless', 'R/PT1H')))
    await passTime()
    await passTime()
    expect(await waits(at.wang)).toEqual(['two', 'two'])
    expect(await timers()).toHaveLength(1)
    await pass(at.li, 'one')
    expect(await timers()).toEqual([])
    for (let count = 0; count < 2; count += 1) await pass(at.wang, 'two')
  })
})

describe('R-FLOW-3 a service that fails', () => {
  const told = (id: string, title: string): string =>
    `<serviceTask id="${id}" name="${title}"><extensionElements><db:action kind="inbox" title="${title}"><db:to kind="account" names="li"/></db:action></extensionElements></serviceTask>`
  /** Lets the database refuse messages of such a title. */
  const refuse = async (title: string): Promise<void> => {
    await world.owner.query(`create or replace function refuse_message() returns trigger language plpgsql as
      $$ begin if new.kind = 'flow-message' and new::text like '%${title}%' then raise exception 'refused'; end if; return new; end $$`)
    await world.owner.query(
      'create or replace trigger refuse_message before insert on inbox for each row execute function refuse_message()',
    )
  }
  const messages = async (): Promise<string[]> =>
    (await at.li.get<{ records: { title: string }[] }>('blade-desk/inbox/list')).data.records.map(({ title }) => title)

  it('is tried again by the job, stands as an incident with its words, and goes on once it can', async () => {
    const id = await deploy(
      admin,
      bpmn('start -> v -> w -> one -> end', told('v', '通知甲') + told('w', '通知乙') + step('one', 'li'), {
        key: 'service',
      }),
    )
    await refuse('通知甲')
    const instance = await start(at.zhang, id)
    for (let tries = 1; tries < 5; tries += 1) {
      expect(await timers()).toMatchObject([{ kind: 'retry', tries }])
      await passTime()
    }
    expect(await timers()).toEqual([])
    const stands = (await history(at.zhang, instance)).find(({ state }) => state === 'incident')
    expect(stands?.incident).toEqual({ zh: '“通知甲”执行失败5次', en: '“通知甲” failed 5 times' })
    expect(await waits(at.li)).toEqual([])
    // The next service has failed once, whatever became of the one before.
    await refuse('通知乙')
    const retry = await admin.post('blade-flow/follow/retry', undefined, { query: { processInstanceId: instance } })
    expect(retry.status, retry.msg).toBe(200)
    for (let tries = 1; tries < 4; tries += 1) await passTime()
    await refuse('无')
    await passTime()
    expect(await waits(at.li)).toEqual(['one'])
    expect((await messages()).filter((title) => title.startsWith('通知')).sort()).toEqual(['通知乙', '通知甲'])
    await pass(at.li, 'one')
  })

  it('counts the failures of each service for itself', async () => {
    await refuse('通知甲')
    const id = await deploy(
      admin,
      bpmn('start -> v -> w -> one -> end', told('v', '通知甲') + told('w', '通知乙') + step('one', 'li'), {
        key: 'counted',
      }),
    )
    await start(at.zhang, id)
    for (let tries = 1; tries < 4; tries += 1) await passTime()
    expect(await timers()).toMatchObject([{ kind: 'retry', tries: 4 }])
    await refuse('通知乙')
    await passTime()
    expect(await timers()).toMatchObject([{ kind: 'retry', tries: 1 }])
  })
})
