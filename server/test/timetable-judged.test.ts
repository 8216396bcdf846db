import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeTerm, publish, type Term } from './timetable-parts.ts'
import { makeWorld, type Person, type Row, type World } from './world.ts'

/*
 * What the database alone says of published lessons, whoever writes: beside brute force, and from two connections in every order.
 */

let world: World
let admin: Person
let term: Term
let one: pg.Client
let two: pg.Client
let look: pg.Client

const connect = async (): Promise<pg.Client> => {
  const client = new pg.Client(world.asApp)
  await client.connect()
  await client.query(`set app.tenant_id = '${admin.tenantId}'`)
  return client
}

beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  term = await makeTerm(admin)
  one = await connect()
  two = await connect()
  look = await connect()
}, 60_000)
afterAll(async () => {
  await Promise.all([one, two, look].map((client) => client?.end()))
  await world.close()
})

let ids = 1_000_000
const nextId = (): number => {
  ids += 1
  return ids
}

interface Lesson {
  readonly classAt: 0 | 1
  readonly teacherAt: 0 | 1
  readonly room: string | null
  readonly weekday: number
  readonly period: number
  readonly span: number
  readonly weekType: string
  readonly weeks: readonly number[] | null
}

/** Puts two lessons into a plan and publishes it, in a transaction that is taken back: whether the database takes it. */
async function taken(lessons: readonly Lesson[]): Promise<boolean> {
  await one.query('begin')
  try {
    const plan = nextId()
    await one.query(
      `insert into timetableplan (tenant_id, id, school_id, semester_id, plan_name, status) values ($1, $2::bigint, $3, $4, ($2::bigint)::text, 0)`,
      [admin.tenantId, plan, term.schoolId, term.semesterId],
    )
    for (const lesson of lessons)
      await one.query(
        `insert into classschedule (tenant_id, id, school_id, semester_id, plan_id, class_id, subject_id, teacher_id, classroom_id, weekday, period_no, span, week_type, weeks)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
        [
          ...[
            admin.tenantId,
            nextId(),
            term.schoolId,
            term.semesterId,
            plan,
            term.classes[lesson.classAt],
            term.subjectId,
          ],
          ...[term.teachers[lesson.teacherAt], lesson.room, String(lesson.weekday), lesson.period, lesson.span],
          ...[lesson.weekType, lesson.weeks && JSON.stringify(lesson.weeks)],
        ],
      )
    await one.query(
      'update timetableplan set status = 2, begin_week = 2, end_week = 16 where tenant_id = $1 and id = $2',
      [admin.tenantId, plan],
    )
    return true
  } catch (error) {
    expect((error as pg.DatabaseError).constraint).toBe('scheduleoccupancy_free')
    return false
  } finally {
    await one.query('rollback')
  }
}

/** From the second week on: a term may begin in the middle of the first. */
const weeksTaught = ({ weekType, weeks }: Lesson): number[] =>
  Array.from({ length: 15 }, (_, at) => at + 2).filter(
    (week) =>
      weekType === '0' ||
      (weekType === '1' && week % 2 === 1) ||
      (weekType === '2' && week % 2 === 0) ||
      (weekType === '3' && weeks!.includes(week)),
  )
/** Slot by slot and week by week: what a person with a pencil finds. */
const collide = (a: Lesson, b: Lesson): boolean => {
  const slots = (lesson: Lesson): Set<string> =>
    new Set(
      weeksTaught(lesson).flatMap((week) =>
        Array.from({ length: lesson.span }, (_, at) => `${week}|${lesson.weekday}|${lesson.period + at}`),
      ),
    )
  const theirs = slots(b)
  const meet = [...slots(a)].some((slot) => theirs.has(slot))
  return (
    meet &&
    (a.classAt === b.classAt ||
      a.teacherAt === b.teacherAt ||
      (a.room !== null && a.room === b.room && a.room !== term.playground))
  )
}

const plain = { room: null, weekday: 1, weekType: '0', weeks: null } as const
const stretches = Array.from({ length: 7 }, (_, at) => at + 1).flatMap((period) =>
  [1, 2, 3, 4].filter((span) => period + span <= 8).map((span) => ({ period, span })),
)

describe('R-SCHOOL-6 double booking, beside brute force', () => {
  it.each([
    {
      what: 'a teacher',
      pair: [
        { classAt: 0, teacherAt: 0 },
        { classAt: 1, teacherAt: 0 },
      ],
    },
    {
      what: 'a class',
      pair: [
        { classAt: 0, teacherAt: 0 },
        { classAt: 0, teacherAt: 1 },
      ],
    },
    {
      what: 'a room',
      pair: [
        { classAt: 0, teacherAt: 0, room: 0 },
        { classAt: 1, teacherAt: 1, room: 0 },
      ],
    },
  ] as const)(
    'of $what is found for every two stretches of periods, and for no others',
    { timeout: 120_000 },
    async ({ pair }) => {
      const wrong: string[] = []
      let met = 0
      for (const a of stretches)
        for (const b of stretches) {
          const lessons = pair.map(
            (each, at): Lesson => ({
              ...plain,
              ...each,
              room: 'room' in each ? term.rooms[0] : null,
              ...(at === 0 ? a : b),
            }),
          )
          const clash = collide(lessons[0]!, lessons[1]!)
          if (clash) met += 1
          if ((await taken(lessons)) === clash) wrong.push(`${a.period}+${a.span} ${b.period}+${b.span}`)
        }
      expect(wrong).toEqual([])
      expect(met).toBeGreaterThan(200)
    },
  )

  it('is found for any weeks, days and rooms', { timeout: 120_000 }, async () => {
    let seed = 7
    const dice = (n: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return Math.floor((seed / 2_147_483_648) * n)
    }
    const any = (): Lesson => {
      const weekType = String(dice(4))
      return {
        classAt: dice(2) as 0 | 1,
        teacherAt: dice(2) as 0 | 1,
        room: [null, term.rooms[0], term.rooms[1], term.playground][dice(4)]!,
        weekday: 1 + dice(2),
        ...stretches[dice(stretches.length)]!,
        weekType,
        weeks: weekType === '3' ? [...new Set([1 + dice(16), 1 + dice(16)])] : null,
      }
    }
    const counts = { free: 0, clash: 0 }
    for (let n = 0; n < 600; n += 1) {
      const pair = [any(), any()]
      const clash = collide(pair[0]!, pair[1]!)
      counts[clash ? 'clash' : 'free'] += 1
      expect(await taken(pair), JSON.stringify(pair)).toBe(!clash)
    }
    expect(Math.min(counts.free, counts.clash)).toBeGreaterThan(50)
  })

  it('takes as many lessons at once as a room has places, and not one more, whichever weeks they are', async () => {
    const at = (weekType: string, weeks: readonly number[] | null, who: 0 | 1, period = 1): Lesson => ({
      ...plain,
      ...{ classAt: who, teacherAt: who, room: term.playground, period, span: 1, weekType, weeks },
    })
    expect(await taken([at('0', null, 0), at('0', null, 1)])).toBe(true)
    // One place for each lesson would not do, in the order in which these come: they change places from week to week.
    expect(await taken([at('3', [2, 3], 0), at('3', [4, 5], 0), at('3', [2, 4], 1), at('3', [3, 5], 1)])).toBe(true)
  })
})

/** All orders of four steps of one and four of the other. */
const orders = (): number[][] => {
  const found: number[][] = []
  const grow = (order: number[], left: [number, number]): void => {
    if (left[0] + left[1] === 0) found.push(order)
    for (const who of [0, 1] as const)
      if (left[who] > 0) grow([...order, who], who === 0 ? [left[0] - 1, left[1]] : [left[0], left[1] - 1])
  }
  grow([], [4, 4])
  return found
}

type Step = readonly [text: string, ...values: unknown[]]

/** Whether a connection waits for a lock, asked until it does or has its answer. */
async function settledOrWaits(client: pg.Client, done: { is: boolean }): Promise<void> {
  const pid = (client as unknown as { processID: number }).processID
  while (!done.is) {
    const { rows } = await world.owner.query<{ waits: boolean }>(
      `select wait_event_type = 'Lock' as waits from pg_stat_activity where pid = $1`,
      [pid],
    )
    if (rows[0]?.waits) return
  }
}

/** Runs two transactions in an order of their steps; who waits for the other goes on when it can. Which of them committed. */
async function interleave(
  order: readonly number[],
  steps: readonly [readonly Step[], readonly Step[]],
): Promise<boolean[]> {
  const clients = [one, two] as const
  const at: [number, number] = [0, 0]
  const failed: [boolean, boolean] = [false, false]
  const pending: [Promise<unknown>, Promise<unknown>] = [Promise.resolve(), Promise.resolve()]
  for (const who of order as (0 | 1)[]) {
    const [text, ...values] = steps[who][at[who]]!
    at[who] += 1
    const done = { is: false }
    pending[who] = pending[who]
      .then(() => clients[who].query(text, values))
      .catch(() => {
        failed[who] = true
      })
      .finally(() => {
        done.is = true
      })
    await settledOrWaits(clients[who], done)
  }
  await Promise.all(pending)
  for (const client of clients) await client.query('rollback')
  return failed.map((each) => !each)
}

interface Race {
  readonly rule: string
  readonly before: () => Promise<unknown>
  readonly steps: () => readonly [readonly Step[], readonly Step[]]
  /** What must not be, counted. */
  readonly violations: () => Promise<number>
}

const count = async (text: string, values: readonly unknown[]): Promise<number> =>
  Number((await look.query<{ n: string }>(text, [...values])).rows[0]!.n)

const lessonInto = (plan: number, more: { classAt?: 0 | 1; teacherAt?: 0 | 1; weekday?: string } = {}): Step => [
  `insert into classschedule (tenant_id, id, school_id, semester_id, plan_id, class_id, subject_id, teacher_id, weekday, period_no, span, week_type)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 1, 1, '0')`,
  ...[admin.tenantId, nextId(), term.schoolId, term.semesterId, plan],
  ...[term.classes[more.classAt ?? 0], term.subjectId, term.teachers[more.teacherAt ?? 0], more.weekday ?? '1'],
]
const draftPlan = (id: number): Step => [
  `insert into timetableplan (tenant_id, id, school_id, semester_id, plan_name, status) values ($1, $2::bigint, $3, $4, ($2::bigint)::text, 0)`,
  ...[admin.tenantId, id, term.schoolId, term.semesterId],
]
const published = (id: number, from: number, to: number): Step => [
  'update timetableplan set status = 2, begin_week = $3, end_week = $4 where tenant_id = $1 and id = $2',
  ...[admin.tenantId, id, from, to],
]
const run = async (...steps: readonly Step[]): Promise<void> => {
  for (const [text, ...values] of steps) await look.query(text, values)
}
const clear = (): Promise<void> =>
  run(
    ['delete from classschedule where tenant_id = $1', admin.tenantId],
    ['delete from timetableplan where tenant_id = $1', admin.tenantId],
  )

/** Pairs of published lessons of the tenant that share a class or teacher in a slot of a common week, found without the constraint. */
const doubleBookings = (): Promise<number> =>
  count(
    `select count(*) as n from classschedule a join classschedule b on b.tenant_id = a.tenant_id and a.id < b.id and a.weekday = b.weekday
        and a.period_no < b.period_no + b.span and b.period_no < a.period_no + a.span
        and (a.teacher_id = b.teacher_id or a.class_id = b.class_id)
      join timetableplan p on p.tenant_id = a.tenant_id and p.id = a.plan_id and p.status = 2
      join timetableplan q on q.tenant_id = b.tenant_id and q.id = b.plan_id and q.status = 2
        and int4range(p.begin_week, p.end_week, '[]') && int4range(q.begin_week, q.end_week, '[]')
      where a.tenant_id = $1`,
    [admin.tenantId],
  )

let plans: [number, number] = [0, 0]
const races: readonly Race[] = [
  {
    rule: 'R-SCHOOL-6 two lessons of one teacher are put into a published plan',
    before: async () => {
      await clear()
      plans = [nextId(), nextId()]

      await run(draftPlan(plans[0]), published(plans[0], 1, 16))
    },
    steps: () => [
      [['begin'], lessonInto(plans[0], { classAt: 0 }), ['select 1'], ['commit']],
      [['begin'], lessonInto(plans[0], { classAt: 1 }), ['select 1'], ['commit']],
    ],
    violations: doubleBookings,
  },
  {
    rule: 'R-SCHOOL-6 a plan is published while a lesson is put into it',
    before: async () => {
      await clear()
      plans = [nextId(), nextId()]
      await run(draftPlan(plans[0]), lessonInto(plans[0], { classAt: 0 }))
    },
    steps: () => [
      [['begin'], ['select 1'], published(plans[0], 1, 16), ['commit']],
      [
        ['begin'],
        ['select status from timetableplan where tenant_id = $1 and id = $2 for share', admin.tenantId, plans[0]],
        lessonInto(plans[0], { classAt: 1 }),
        ['commit'],
      ],
    ],
    violations: doubleBookings,
  },
  {
    rule: 'R-SCHOOL-9 two plans are published for one week',
    before: async () => {
      await clear()
      plans = [nextId(), nextId()]
      await run(draftPlan(plans[0]), draftPlan(plans[1]), lessonInto(plans[0]), lessonInto(plans[1], { weekday: '2' }))
    },
    steps: () => [
      [['begin'], ['select 1'], published(plans[0], 1, 8), ['commit']],
      [['begin'], ['select 1'], published(plans[1], 8, 16), ['commit']],
    ],
    violations: () =>
      count(
        `select greatest(count(*) - 1, 0) as n from timetableplan where tenant_id = $1 and status = 2 and int4range(begin_week, end_week, '[]') @> 8`,
        [admin.tenantId],
      ),
  },
  {
    rule: 'R-SCHOOL-8 a plan is published while its teacher is taken off the class',
    before: async () => {
      await clear()
      await look.query(
        `insert into teacherclass (tenant_id, id, school_id, semester_id, user_id, class_id, subject_id, role, week_hours, begin_date, end_date)
         select tenant_id, $2, school_id, id, $3, $4, $5, '2', 5, begin_date, end_date from schoolsemester s
         where tenant_id = $1 and id = $6 and not exists (select from teacherclass a where a.tenant_id = s.tenant_id and a.user_id = $3 and a.class_id = $4)`,
        [admin.tenantId, nextId(), term.teachers[1], term.classes[1], term.subjectId, term.semesterId],
      )
      plans = [nextId(), nextId()]
      await run(draftPlan(plans[0]), lessonInto(plans[0], { classAt: 1, teacherAt: 1 }))
    },
    steps: () => [
      [['begin'], ['select 1'], published(plans[0], 1, 16), ['commit']],
      [
        ['begin'],
        ['select 1'],
        [
          'delete from teacherclass where tenant_id = $1 and user_id = $2 and class_id = $3',
          ...[admin.tenantId, term.teachers[1], term.classes[1]],
        ],
        ['commit'],
      ],
    ],
    violations: () =>
      count(
        `select count(*) as n from classschedule l join timetableplan p on p.tenant_id = l.tenant_id and p.id = l.plan_id and p.status = 2
         where l.tenant_id = $1 and not exists (select from teacherclass a where a.tenant_id = l.tenant_id and a.user_id = l.teacher_id and a.class_id = l.class_id)`,
        [admin.tenantId],
      ),
  },
  {
    rule: 'R-SCHOOL-13 two become the main teacher of one class and subject',
    before: () => run(['update teacherclass set role = $2 where tenant_id = $1', admin.tenantId, '2']),
    steps: () =>
      [
        ...([0, 1] as const).map((at): Step[] => [
          ['begin'],
          ['select 1'],
          [
            `update teacherclass set role = '1' where tenant_id = $1 and user_id = $2 and class_id = $3`,
            ...[admin.tenantId, term.teachers[at], term.classes[0]],
          ],
          ['commit'],
        ]),
      ] as unknown as readonly [readonly Step[], readonly Step[]],
    violations: () =>
      count(
        `select greatest(count(*) - 1, 0) as n from teacherclass where tenant_id = $1 and role = '1' and class_id = $2`,
        [admin.tenantId, term.classes[0]],
      ),
  },
  {
    rule: 'R-SCHOOL-1 a semester becomes current while its year ceases to be',
    before: () =>
      run(
        ['update schoolsemester set is_current = 0 where tenant_id = $1', admin.tenantId],
        ['update schoolyear set is_current = 1 where tenant_id = $1 and id = $2', admin.tenantId, term.yearId],
      ),
    steps: () => [
      [
        ['begin'],
        ['select 1'],
        ['update schoolsemester set is_current = 1 where tenant_id = $1 and id = $2', admin.tenantId, term.semesterId],
        ['commit'],
      ],
      [
        ['begin'],
        ['select 1'],
        ['update schoolyear set is_current = 0 where tenant_id = $1 and id = $2', admin.tenantId, term.yearId],
        ['commit'],
      ],
    ],
    violations: () =>
      count(
        `select count(*) as n from schoolsemester m join schoolyear y on y.tenant_id = m.tenant_id and y.id = m.year_id
         where m.tenant_id = $1 and m.is_current = 1 and y.is_current = 0`,
        [admin.tenantId],
      ),
  },
]

describe('two transactions of four steps, in each of their seventy orders', () => {
  it.each(races)('$rule: never both', { timeout: 120_000 }, async ({ before, steps, violations }) => {
    const all = orders()
    expect(all).toHaveLength(70)
    let committed = 0
    for (const order of all) {
      await before()
      const done = await interleave(order, steps())
      expect(await violations(), order.join('')).toBe(0)
      if (done.some(Boolean)) committed += 1
    }
    // It is no rule that lets nobody through.
    expect(committed).toBe(70)
  })
})

describe('R-SCHOOL-9 a hundred who publish at once', () => {
  it('leave one timetable for each week, and every lesson of it as it was drafted', { timeout: 120_000 }, async () => {
    await clear()
    await run(['update teacherclass set role = $2 where tenant_id = $1', admin.tenantId, '2'])
    const drafts: { id: string; from: number }[] = []
    for (let n = 0; n < 100; n += 1) {
      const id = await term.plan()
      await term.lesson(id, { weekday: '5', periodNo: 1 + (n % 4) })
      drafts.push({ id, from: 1 + (n % 16) })
    }
    const answers = await Promise.all(drafts.map(({ id, from }) => publish(admin, id, from)))
    expect(answers.filter(({ code }) => code === 200).length).toBeGreaterThan(0)
    const { rows } = await look.query<Row>(
      `select id, begin_week, end_week from timetableplan where tenant_id = $1 and status = 2 order by begin_week`,
      [admin.tenantId],
    )
    const weeks = rows.flatMap(({ begin_week: from, end_week: to }) =>
      Array.from({ length: Number(to) - Number(from) + 1 }, (_, at) => Number(from) + at),
    )
    expect(new Set(weeks).size).toBe(weeks.length)
    expect(await doubleBookings()).toBe(0)
    // What is taken is what the published lessons need, no more and no less.
    expect(
      await count(
        `select count(*) as n from classschedule l join timetableplan p on p.tenant_id = l.tenant_id and p.id = l.plan_id
         where l.tenant_id = $1 and (p.status = 2) <> exists (select from scheduleoccupancy o where o.tenant_id = l.tenant_id and o.schedule_id = l.id)`,
        [admin.tenantId],
      ),
    ).toBe(0)
    expect(await count('select count(*) as n from classschedule where tenant_id = $1', [admin.tenantId])).toBe(100)
  })
})
