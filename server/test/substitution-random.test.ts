import { addDays } from '@data-brain/contract/rules/school-year'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ModelLesson, Paper, type Sub } from './substitution-model.ts'
import { dayOf, makeStaffed, path, type Staffed } from './substitution-parts.ts'
import { publish } from './timetable-parts.ts'
import { makeWorld, type Person, type Row, type World } from './world.ts'

/*
 * Absences, covers, exchanges, moves, rooms, examinations and what is decided of them, at random, each by its call: what is
 * taken and refused is what a person with a pencil finds, and so is what the database holds at last.
 */

const steps = process.env.TEST_LONG ? 10_000 : 2_000
const weeks = [3, 4, 5, 6]

let world: World
let admin: Person
let term: Staffed

beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  term = await makeStaffed(world, admin)
}, 60_000)
afterAll(() => world.close())

let seed = 20_261_126
const dice = (n: number): number => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
  return Math.floor((seed / 2_147_483_648) * n)
}
const one = <T>(of: readonly T[]): T => of[dice(of.length)]!

/** A plan with lessons of both classes on three days: some in rooms, on the playground, in odd weeks, of two periods. */
async function timetable(): Promise<ModelLesson[]> {
  const semester = (await admin.get<Row>('blade-user/schoolsemester/detail', { id: term.semesterId })).data
  const days = { beginDate: semester.beginDate, endDate: semester.endDate }
  const own = { schoolId: term.schoolId, semesterId: term.semesterId, subjectId: term.subjectId }
  await term.add('teacherclass', {
    ...own,
    ...days,
    classId: term.classes[0],
    userId: term.third,
    role: '2',
    weekHours: 2,
  })
  const planId = await term.plan()
  const teachers = [...term.teachers, term.third]
  const [room] = term.rooms
  const lessons: ModelLesson[] = []
  for (const weekday of [1, 2, 3])
    for (const [classAt, classId] of term.classes.entries())
      for (const period of [1, 2, 3, 5]) {
        const teacherId = teachers[(period + classAt + weekday) % 3]!
        const classroomId = period === 2 && classAt === 0 ? room : period === 3 ? term.playground : null
        const span = period === 5 ? 2 : 1
        const odd = period === 1 && classAt === 1
        const row = await term.lesson(planId, {
          ...{ weekday: String(weekday), periodNo: period, classId, teacherId, classroomId, span },
          weekType: odd ? '1' : '0',
        })
        const taught = weeks.filter((week) => !odd || week % 2 === 1).map((week) => dayOf(term, week, weekday))
        lessons.push({ id: row.id, classId, teacherId, room: classroomId ?? null, period, span, days: new Set(taught) })
      }
  const out = await publish(admin, planId)
  if (out.code !== 200) throw new Error(out.msg)
  return lessons
}

/** What the database has taken on the days of these weeks: `thing|id|date|period`, as often as it is. */
async function takenByDatabase(): Promise<Map<string, number>> {
  const [from, to] = [dayOf(term, weeks[0]!), addDays(dayOf(term, weeks.at(-1)!), 6)]
  const { rows } = await world.owner.query<{ key: string; n: number }>(
    `select concat_ws('|', o.resource_type, o.resource_id, g.day::date, o.period_no) as key, count(*)::int as n
     from scheduleoccupancy o cross join lateral unnest(o.days) span cross join lateral generate_series(lower(span), upper(span) - 1, interval '1 day') g(day)
     where o.tenant_id = $1 and g.day between $2::date and $3::date group by 1`,
    [admin.tenantId, from, to],
  )
  return new Map(rows.map(({ key, n }) => [key, n]))
}

const sorted = (map: ReadonlyMap<string, number>): string[] => [...map].map(([key, n]) => `${key} ${n}`).toSorted()

it(`ISSUE-15-6 ${steps} random steps leave nobody in two places and lose no lesson and no cover`, {
  timeout: 900_000,
}, async () => {
  const lessons = await timetable()
  const paper = new Paper(lessons, new Map([[term.playground, 2]]))
  expect(sorted(await takenByDatabase())).toEqual(sorted(paper.taken()))
  const teachers = [...term.teachers, term.third]
  const rooms = [...term.rooms, term.playground]
  const anyDay = (): string => dayOf(term, one(weeks), 1 + dice(5))
  const anyLesson = (): [ModelLesson, string] => {
    const lesson = one(lessons)
    return [lesson, one([...lesson.days])]
  }
  const kept: Sub[] = []
  const note = (subs: readonly Sub[], rows: readonly Pick<Row, 'id'>[]): void => {
    for (const [at, sub] of subs.entries()) {
      sub.id = rows[at]!.id
      kept.push(sub)
    }
  }
  const counts = { done: 0, refused: 0 }
  /** What the call says of a step beside what the paper says of it. */
  const both = async <T>(
    what: string,
    done: boolean,
    asked: Promise<{ status: number; msg: string; data: T }>,
  ): Promise<T | undefined> => {
    const answer = await asked
    expect(
      [what, answer.status, answer.msg].join(' '),
      `after ${counts.done} done and ${counts.refused} refused`,
    ).toMatch(done ? / 200 / : / 400 /)
    counts[done ? 'done' : 'refused'] += 1
    return done ? answer.data : undefined
  }
  const put = async (sub: Sub): Promise<void> => {
    const done = paper.attempt(() => paper.lay(sub))
    const { lesson, day, kind } = sub
    const row = await both(
      `kind ${kind}`,
      done,
      admin.post<Row>(`${path}/submit`, {
        ...{ schoolId: term.schoolId, scheduleId: lesson.id, day, kind },
        ...{ newTeacherId: sub.teacher, newDay: sub.newDay, newPeriodNo: sub.newPeriod, newClassroomId: sub.room },
      }),
    )
    if (row) note([sub], [row])
  }
  const moves: readonly (() => Promise<void>)[] = [
    async () => {
      const items = Array.from({ length: 1 + dice(3) }, () => ({ of: anyLesson(), teacher: one(teachers) }))
      const confirmed = dice(2) === 1
      const made: Sub[] = []
      const once = new Set(items.map(({ of: [lesson, day] }) => `${lesson.id}|${day}`)).size === items.length
      const done =
        once &&
        paper.attempt(() =>
          items.every(({ of: [lesson, day], teacher }) => {
            const sub = paper.cover(lesson, day, teacher, confirmed ? 1 : 0)
            if (sub) made.push(sub)
            return sub !== undefined
          }),
        )
      const covers = items.map(({ of: [lesson, day], teacher }) => ({ scheduleId: lesson.id, day, teacherId: teacher }))
      const rows = await both('cover', done, admin.post<Row[]>(`${path}/cover`, { covers, confirmed }))
      if (rows) note(made, rows)
    },
    async () => {
      const items = Array.from({ length: 1 + dice(2) }, () => [anyLesson(), anyLesson()] as const)
      const made: Sub[] = []
      const named = items.flat().map(([lesson, day]) => `${lesson.id}|${day}`)
      const done =
        new Set(named).size === named.length &&
        paper.attempt(() =>
          items.every(([first, second]) => {
            const pair = paper.swap(first, second, 0)
            if (pair) made.push(...pair)
            return pair !== undefined
          }),
        )
      const shown = ([lesson, day]: readonly [ModelLesson, string]) => ({ scheduleId: lesson.id, day })
      const pairs = items.map(([first, second]) => ({ first: shown(first), second: shown(second) }))
      const rows = await both('swap', done, admin.post<Row[]>(`${path}/swap`, { pairs }))
      if (rows) note(made, rows)
    },
    async () => {
      const [lesson, day] = anyLesson()
      const teacher = dice(3) === 0 ? one(teachers) : undefined
      await put({ lesson, day, kind: '2', newDay: anyDay(), newPeriod: 1 + dice(7), teacher, status: 0 })
    },
    async () => {
      const [lesson, day] = anyLesson()
      await put({ lesson, day, kind: '4', room: one(rooms), status: 1 })
    },
    async () => {
      const [lesson, day] = anyLesson()
      await put({ lesson, day, kind: '3', status: 1 })
    },
    async () => {
      const [classId, date, period] = [one(term.classes), anyDay(), 1 + dice(6)]
      const made: Sub[] = []
      const found = paper
        .all()
        .filter(
          (given) =>
            given.lesson.classId === classId &&
            given.date === date &&
            period >= given.period &&
            period < given.period + given.lesson.span,
        )
      const done = paper.attempt(() =>
        found.every(({ lesson, day }) => {
          const sub: Sub = { lesson, day, kind: '3', status: 1 }
          made.push(sub)
          return paper.lay(sub)
        }),
      )
      const asked = { schoolId: term.schoolId, from: date, to: date, classIds: [classId], periods: [period] }
      const answer = await both('suspend', done, admin.post<{ ids: string[] }>(`${path}/suspend`, asked))
      expect(answer?.ids.length).toBe(made.length)
      if (answer)
        note(
          made,
          answer.ids.map((id) => ({ id })),
        )
    },
    ...Array.from({ length: 4 }, () => async () => {
      if (kept.length === 0) return
      const active = kept.filter(({ status }) => status <= 2)
      const sub = dice(5) > 0 && active.length > 0 ? one(active) : one(kept)
      const verb = one(['accept', 'decline', 'cancel', 'cancel'] as const)
      const done = paper.attempt(() => paper.decide(sub, verb))
      await both(verb, done, admin.post<null>(`${path}/${verb}?ids=${sub.id}`))
    }),
    async () => {
      const old = [...paper.absences.keys()]
      if (old.length > 3) {
        const id = one(old)
        expect((await admin.remove('blade-user/teacherabsence', id)).status).toBe(200)
        paper.absences.delete(id)
        return
      }
      const [teacherId, begin, first] = [one(teachers), anyDay(), 1 + dice(6)]
      const end = addDays(begin, dice(2))
      const last = begin === end ? first + dice(3) : 1 + dice(6)
      const row = await term.add('teacherabsence', {
        ...{ schoolId: term.schoolId, teacherId, leaveType: '1', beginDate: begin, endDate: end },
        ...{ beginPeriodNo: first, endPeriodNo: last },
      })
      const slots = new Set<string>()
      for (const day of new Set([begin, end]))
        for (let period = day === begin ? first : 1; period <= (day === end ? last : 20); period += 1)
          slots.add(`${teacherId}|${day}|${period}`)
      paper.absences.set(row.id, slots)
    },
  ]
  for (let step = 0; step < steps; step += 1) {
    await one(moves)()
    if (step % 100 === 99) expect(sorted(await takenByDatabase()), `after step ${step}`).toEqual(sorted(paper.taken()))
  }
  expect(sorted(await takenByDatabase())).toEqual(sorted(paper.taken()))
  const { rows } = await world.owner.query<{ id: string; status: number }>(
    'select id::text as id, status from substitution where tenant_id = $1 order by id',
    [admin.tenantId],
  )
  expect(rows.map(({ id, status }) => `${id} ${status}`)).toEqual(
    kept.map(({ id, status }) => `${id} ${status}`).toSorted(),
  )
  // What is shown is what is held.
  for (const given of paper.all().slice(0, 40)) {
    const who = term.people[teachers.indexOf(given.teacher)]!
    const week = await who.get<{ id: string; date: string; periodNo: number; change: { day: string } | null }[]>(
      'blade-user/classschedule/getUserClassSchedule',
      { date: given.date },
    )
    expect(week.data).toContainEqual(
      expect.objectContaining({ id: given.lesson.id, date: given.date, periodNo: given.period }),
    )
  }
  expect(Math.min(counts.done, counts.refused)).toBeGreaterThan(steps / 10)
})

it('ISSUE-15-6 of a hundred who book one teacher for one period at once exactly one does', {
  timeout: 120_000,
}, async () => {
  const other = await world.tenant()
  const own = await makeStaffed(world, other)
  const many = 100
  const row = await own.lesson(undefined, { weekday: '5', periodNo: 1 })
  const { tenantId } = other
  // A hundred classes, each with a teacher and a lesson in that period.
  await world.owner.query('begin')
  for (const [table, id, more] of [
    [
      'schoolclass',
      own.classes[0],
      `'grade_id', (select array_agg(g.id) from sysgrade g where g.tenant_id = t.tenant_id and g.id <> t.grade_id)[1 + n % 2], 'class_no', n / 2 + 1, 'class_name', '班' || n, 'ext_id', null`,
    ],
    ['app_user', own.teachers[0], `'account', 'many' || n, 'real_name', '教师' || n, 'ext_id', null`],
  ] as const)
    await world.owner.query(
      `insert into ${table} select (jsonb_populate_record(null::${table}, to_jsonb(t) || jsonb_build_object('id', 5000 + n, ${more}))).*
       from ${table} t cross join generate_series(1, ${many}) n where t.tenant_id = $1 and t.id = $2`,
      [tenantId, id],
    )
  for (const [table, teacher] of [
    ['teacherclass', 'user_id'],
    ['classschedule', 'teacher_id'],
  ] as const)
    await world.owner.query(
      `insert into ${table} select (jsonb_populate_record(null::${table}, to_jsonb(t) || jsonb_build_object('id', 6000 + n, 'class_id', 5000 + n, '${teacher}', 5000 + n, 'ext_id', null))).*
       from ${table} t cross join generate_series(1, ${many}) n where t.tenant_id = $1 and ${table === 'classschedule' ? 't.id = $2' : 't.class_id = $2 and t.user_id = $3'}`,
      table === 'classschedule' ? [tenantId, row.id] : [tenantId, own.classes[0], own.teachers[0]],
    )
  await world.owner.query('commit')
  const out = await publish(other, String(row.planId))
  expect(out.msg).toBe('操作成功')
  const friday = dayOf(own, 4, 5)
  // Sessions of their own: of one session the calls could wait for one another.
  const sessions = await Promise.all(Array.from({ length: 10 }, () => world.as(tenantId, 'admin')))
  const answers = await Promise.all(
    Array.from({ length: many }, (_, n) =>
      sessions[n % 10]!.post<Row[]>(`${path}/cover`, {
        covers: [{ scheduleId: String(6001 + n), day: friday, teacherId: own.third }],
      }),
    ),
  )
  const won = answers.filter(({ status }) => status === 200)
  expect(won).toHaveLength(1)
  for (const { status, msg } of answers.filter((answer) => !won.includes(answer)))
    expect([status, msg]).toEqual([400, expect.stringContaining(`“赵敏”${friday}第1节已有课`)])
  const { rows } = await world.owner.query(
    `select schedule_id from scheduleoccupancy where tenant_id = $1 and resource_type = 'T' and resource_id = $2 and period_no = 1 and days @> $3::date`,
    [tenantId, own.third, friday],
  )
  expect(rows).toHaveLength(1)
})
