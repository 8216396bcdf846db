import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readFet } from '../src/modules/import/timetable/fet-book.ts'
import { type FetNaming, fetOf } from '../src/modules/timetable/fet.ts'
import { evaluate } from '../src/modules/timetable/solver/evaluate.ts'
import type { Activity, Problem } from '../src/modules/timetable/solver/problem.ts'
import { makeDice } from '../src/modules/timetable/solver/search.ts'
import { solve } from '../src/modules/timetable/solver/solve.ts'
import { all, deep, one, parsed, type Read, texts } from './fet-parts.ts'
import { importer } from './import-entity-parts.ts'
import { makeTerm, type Term } from './timetable-parts.ts'
import { school } from './timetable-school.ts'
import { makeWorld, type Person, type Row, type World } from './world.ts'

const naming: FetNaming = {
  title: '试验学校',
  day: (day) => `周${'一二三四五六日'[day - 1]}`,
  period: (no) => `第${no}节`,
  of: (id) => id,
}

const lesson = (id: string, more: Partial<Activity> = {}): Activity => ({
  ...{ id, subject: 'maths', classes: ['a'], teachers: ['x'], span: 1 },
  ...more,
})
const small = (more: Partial<Problem> = {}): Problem => ({
  days: [1, 2],
  periods: [
    { no: 1, half: 'am' },
    { no: 2, half: 'am' },
    { no: 3, half: 'pm' },
    { no: 4, half: 'pm' },
  ],
  weeks: 16,
  classes: [{ id: 'a' }, { id: 'b' }],
  teachers: [{ id: 'x' }, { id: 'y' }],
  rooms: [],
  activities: [lesson('1'), lesson('2', { teachers: ['y'], classes: ['b'] })],
  rules: [],
  ...more,
})

/** A file of so many lessons that all have a place. */
const manyLessons = (count: number): string => {
  const numbers = Array.from({ length: count }, (_each, at) => at + 1)
  const lessons = numbers.map(
    (id) => `<Activity><Subject>数学</Subject><Students>一班</Students><Duration>1</Duration><Id>${id}</Id></Activity>`,
  )
  const places = numbers.map(
    (id) =>
      `<ConstraintActivityPreferredStartingTime><Weight_Percentage>100</Weight_Percentage><Activity_Id>${id}</Activity_Id><Preferred_Day>周一</Preferred_Day><Preferred_Hour>第1节</Preferred_Hour></ConstraintActivityPreferredStartingTime>`,
  )
  return `<fet version="6.0.0"><Days_List><Day><Name>周一</Name></Day></Days_List><Hours_List><Hour><Name>第1节</Name></Hour></Hours_List><Activities_List>${lessons.join('')}</Activities_List><Time_Constraints_List>${places.join('')}</Time_Constraints_List></fet>`
}

/** What FET looks names up in: it opens no file that uses one that is not in its list. */
function namesOf(fet: Read): Record<'days' | 'hours' | 'teachers' | 'subjects' | 'students' | 'rooms', string[]> {
  const list = (name: string, each: string): string[] => all(one(fet, name), each).map((of) => one(of, 'Name').text)
  const students = one(fet, 'Students_List')
  return {
    days: list('Days_List', 'Day'),
    hours: list('Hours_List', 'Hour'),
    teachers: list('Teachers_List', 'Teacher'),
    subjects: list('Subjects_List', 'Subject'),
    students: ['Year', 'Group'].flatMap((kind) => deep(students, kind).map((of) => one(of, 'Name').text)),
    rooms: list('Rooms_List', 'Room'),
  }
}

/** Everything in a file that names something, beside the list that it must be in. */
function references(fet: Read): { readonly name: string; readonly among: string }[] {
  const known = namesOf(fet)
  const within = ['Activities_List', 'Time_Constraints_List', 'Space_Constraints_List'].map((name) => one(fet, name))
  const tags = {
    days: ['Day', 'Preferred_Day', 'Preferred_Starting_Day', 'Selected_Day'],
    hours: ['Hour', 'Preferred_Hour', 'Preferred_Starting_Hour', 'Selected_Hour'],
    teachers: ['Teacher', 'Teacher_Name'],
    subjects: ['Subject', 'Subject_Name'],
    students: ['Students', 'Students_Name'],
    rooms: ['Room', 'Preferred_Room'],
  } as const
  const ids = new Set(deep(within[0]!, 'Id').map(({ text }) => text))
  const lost = (Object.keys(tags) as (keyof typeof tags)[]).flatMap((among) =>
    tags[among].flatMap((tag) =>
      within
        .flatMap((of) => deep(of, tag))
        .filter(({ text }) => text !== '' && !known[among].includes(text))
        .map(({ text }) => ({ name: text, among })),
    ),
  )
  const noLesson = within.flatMap((of) => deep(of, 'Activity_Id')).filter(({ text }) => !ids.has(text))
  return [...lost, ...noLesson.map(({ text }) => ({ name: text, among: 'activities' }))]
}

/** Counts that stand before what they count: FET believes neither if they differ. */
const miscounted = (fet: Read): string[] =>
  [fet, ...fet.within.flatMap((of) => [of, ...of.within])].flatMap((of) =>
    of.within.flatMap(({ name, text }) => {
      const counted = /^Number_of_(\w+?)s$/.exec(name)?.[1]?.replace(/ie$/, 'y')
      const tag = counted === 'Activitie' || counted === 'Activity' ? 'Activity_Id' : counted
      if (!tag || tag === 'Student' || all(of, tag).length === Number(text)) return []
      return [`${of.name} ${name} ${text}`]
    }),
  )

describe('ISSUE-15-5 a problem as a FET file', () => {
  it.each([4, 12])('of %i classes names only what it lists, each under one name, and counts right', (classes) => {
    const problem = school(classes, 16, 3)
    const { text, left } = fetOf(problem, naming)
    expect(left).toEqual({ rules: [], activities: [] })
    const fet = parsed(text)
    expect(text.startsWith('<?xml version="1.0" encoding="UTF-8"?>\n\n<fet version="6.8.5">')).toBe(true)
    expect(all(one(fet, 'Activities_List'), 'Activity')).toHaveLength(problem.activities.length)
    for (const names of Object.values(namesOf(fet))) {
      expect(new Set(names).size).toBe(names.length)
      expect(names.every((name) => name === name.trim() && name !== '')).toBe(true)
    }
    expect(references(fet)).toEqual([])
    expect(miscounted(fet)).toEqual([])
    // FET refuses a file without these two.
    expect(deep(fet, 'ConstraintBasicCompulsoryTime')).toHaveLength(1)
    expect(deep(fet, 'ConstraintBasicCompulsorySpace')).toHaveLength(1)
  })

  it('has names with signs of XML as they are, tells two of one name apart, and leaves out what XML cannot write', () => {
    const names: Record<string, string> = {
      ...{ a: '七（1）班 & <重点> "A"', b: '  七（2）班\n', x: "O'Brien 王芳", y: "O'Brien 王芳" },
      ...{ maths: '数\u0007学', art: '' },
    }
    const problem = small({ activities: [lesson('1'), lesson('2', { teachers: ['y'], subject: 'art' })] })
    const fet = parsed(fetOf(problem, { ...naming, title: '<&">', of: (id) => names[id] ?? id }).text)
    const known = namesOf(fet)
    expect([known.students, known.teachers, known.subjects]).toEqual([
      ['七（1）班 & <重点> "A"', '七（2）班'],
      ["O'Brien 王芳", "O'Brien 王芳 (2)"],
      ['数学', 'art'],
    ])
    expect(one(fet, 'Institution_Name').text).toBe('<&">')
    expect(references(fet)).toEqual([])
  })

  it('with every lesson locked is read back as the same timetable, which keeps all hard rules', async () => {
    const problem = school(6, 16, 2)
    const { timetable } = solve(problem, { seed: 2, seconds: 20, improves: false })
    const at = new Map(timetable.placements.map(({ activity, ...slot }) => [activity, slot]))
    const locked = problem.activities.map((activity) => ({ ...activity, locked: at.get(activity.id)! }))
    const file = fetOf({ ...problem, activities: locked }, naming)
    const { lessons } = await readFet(file.text)
    const placements = lessons.flatMap(({ id, day = '', hour = '', room = '' }) => file.placed(id, day, hour, room))
    expect(placements).toEqual(timetable.placements)
    expect(evaluate(problem, { placements }).hard).toBe(0)
  })

  it('ISSUE-15-4 excludes exactly those lessons that share a class or a pupil (走班), whatever the groups are', () => {
    const counts = { apart: 0, together: 0 }
    for (let seed = 1; seed <= 150; seed += 1) {
      const dice = makeDice(seed)
      const pupils = Array.from({ length: 6 }, (_, at) => ({ id: `p${at}`, of: ['a', 'b', null][dice(3)] ?? null }))
      const groups = ['g', 'h', 'k'].map((id) => {
        const own = pupils.filter(() => dice(2) === 0)
        return { id, pupils: own.map((each) => each.id), classes: [...new Set(own.flatMap(({ of }) => of ?? []))] }
      })
      const activities = [
        ...['a', 'b'].map((id) => lesson(`whole ${id}`, { classes: [id], teachers: [] })),
        ...groups.map(({ id }) => lesson(`part ${id}`, { classes: [], groups: [id], teachers: [] })),
      ]
      const problem = small({ groups, activities })
      const fet = parsed(fetOf(problem, naming).text)
      // FET's own meaning: a set of students is its subgroups, and a year without groups is one of its own.
      const atoms = new Map<string, Set<string>>()
      for (const year of all(one(fet, 'Students_List'), 'Year')) {
        const subgroups = deep(year, 'Subgroup').map((each) => one(each, 'Name').text)
        atoms.set(one(year, 'Name').text, new Set(subgroups.length > 0 ? subgroups : [one(year, 'Name').text]))
        for (const group of all(year, 'Group'))
          atoms.set(one(group, 'Name').text, new Set(all(group, 'Subgroup').map((each) => one(each, 'Name').text)))
      }
      const taken = all(one(fet, 'Activities_List'), 'Activity').map(
        (each) => new Set(texts(each, 'Students').flatMap((name) => [...atoms.get(name)!])),
      )
      for (const [i, first] of activities.entries())
        for (const [j, second] of activities.entries()) {
          if (i >= j) continue
          const both = { ...problem, activities: [first, second] }
          const once = evaluate(both, {
            placements: [first, second].map(({ id }) => ({ activity: id, day: 1, period: 1 })),
          })
          const apart = once.hard > 0
          counts[apart ? 'apart' : 'together'] += 1
          expect([seed, first.id, second.id, [...taken[i]!].some((each) => taken[j]!.has(each))]).toEqual([
            ...[seed, first.id, second.id],
            apart,
          ])
        }
    }
    expect(Math.min(counts.apart, counts.together)).toBeGreaterThan(100)
  })

  it('holds lessons of odd and even weeks that are locked to one slot as one, and leaves out what collides', () => {
    const at = { day: 1, period: 1 }
    const problem = small({
      activities: [
        lesson('odd', { weeks: 0b0101, locked: at }),
        lesson('even', { weeks: 0b1010, subject: 'art', teachers: ['y'], locked: at }),
        lesson('double', { classes: ['b'], teachers: ['x'], span: 2, locked: at }),
        lesson('every', { teachers: ['x'], locked: at }),
        lesson('free'),
      ],
    })
    const file = fetOf(problem, naming)
    expect(file.left.activities.map(({ id }) => id)).toEqual(['double', 'every'])
    const fet = parsed(file.text)
    const [together, free, more] = all(one(fet, 'Activities_List'), 'Activity')
    expect(more).toBeUndefined()
    expect([texts(together!, 'Teacher'), texts(together!, 'Subject')]).toEqual([['x', 'y'], ['maths / art']])
    expect(texts(free!, 'Subject')).toEqual(['maths'])
    // FET skips a second one with a warning.
    expect(deep(fet, 'ConstraintActivityPreferredStartingTime')).toHaveLength(1)
    expect(file.placed(1, '周一', '第1节', '').map(({ activity }) => activity)).toEqual(['odd', 'even'])
  })

  it('lets a double begin nowhere that it would run over a break, nor in what is closed to its subject', () => {
    const problem = small({
      activities: [lesson('double', { span: 2 })],
      rules: [
        { id: 'r', kind: 'unavailable', of: { subjects: ['maths'] }, slots: [{ day: 2, period: 4 }], hard: true },
        { id: 't', kind: 'unavailable', of: { teachers: ['x'] }, slots: [{ day: 1, period: 1 }], hard: true },
      ],
    })
    const fet = parsed(fetOf(problem, naming).text)
    const [starts] = deep(fet, 'ConstraintActivityPreferredStartingTimes')
    expect(
      all(starts!, 'Preferred_Starting_Time').map(
        (each) => one(each, 'Preferred_Starting_Day').text + one(each, 'Preferred_Starting_Hour').text,
      ),
    ).toEqual(['周一第1节', '周一第3节', '周二第1节'])
    const [closed] = deep(fet, 'ConstraintTeacherNotAvailableTimes')
    expect(texts(closed!, 'Teacher')).toEqual(['x'])
    expect(all(closed!, 'Not_Available_Time').map((each) => one(each, 'Day').text + one(each, 'Hour').text)).toEqual([
      '周一第1节',
    ])
  })

  it('has a room for each of the lessons that may be in one at once, and means the one room by all', () => {
    const problem = small({
      rooms: [{ id: '操场', type: 'field', concurrency: 2 }],
      activities: [lesson('1', { room: { type: 'field' } })],
    })
    const file = fetOf(problem, naming)
    expect(namesOf(parsed(file.text)).rooms).toEqual(['操场 #1', '操场 #2'])
    expect(file.placed(1, '周二', '第4节', '操场 #2')).toEqual([{ activity: '1', day: 2, period: 4, room: '操场' }])
  })

  it('says which rules FET has nothing for', () => {
    const rules = [
      { id: 'row', kind: 'inRow', of: { teachers: 'all' }, max: 2, hard: true },
      { id: 'gaps', kind: 'windows', of: { teachers: 'all' }, max: 1, weight: 1 },
      { id: 'days', kind: 'daysPerWeek', of: { teachers: ['x'] }, max: 1, hard: true },
    ] as const
    const file = fetOf(small({ rules: rules.map((rule) => structuredClone(rule) as Problem['rules'][number]) }), naming)
    expect(file.left.rules.map(({ id }) => id)).toEqual(['row', 'gaps'])
    expect(deep(parsed(file.text), 'ConstraintTeacherMaxDaysPerWeek')).toHaveLength(1)
  })
})

describe('ISSUE-15-5 timetableplan/fet', () => {
  let world: World
  let admin: Person
  let term: Term
  let planId: string
  beforeAll(async () => {
    world = await makeWorld()
    admin = await world.tenant()
    term = await makeTerm(admin)
    for (const [entity, id] of [
      ['schoolyear', term.yearId],
      ['schoolsemester', term.semesterId],
    ] as const) {
      const { version } = (await admin.get<Row>(`blade-user/${entity}/detail`, { id })).data
      await admin.post(`blade-user/${entity}/submit`, { id, version, isCurrent: 1 })
    }
    planId = await term.plan()
    await term.lesson(planId, { weekday: '2', periodNo: 3, isLocked: 1 })
    await term.lesson(planId, { classId: term.classes[1], weekday: '3', periodNo: 2, classroomId: term.playground })
  }, 60_000)
  afterAll(() => world.close())

  const download = async (who: Person, query: Record<string, string>) =>
    world.http.inject({
      url: '/api/blade-user/timetableplan/fet',
      query,
      headers: { 'blade-auth': `bearer ${who.token}`, 'accept-language': 'zh-CN' },
    })

  it('answers the plan as a file of its name: what is assigned, what is locked, when teachers are unavailable', async () => {
    await admin.post('blade-user/submit', {
      ...{ id: term.teachers[0], version: 1 },
      unavailableSlots: [{ weekday: 1, periodNo: 1 }],
    })
    const answer = await download(admin, { id: planId })
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/xml; charset=utf-8'])
    const plan = (await admin.get<Row>('blade-user/timetableplan/detail', { id: planId })).data
    expect(decodeURIComponent(String(answer.headers['content-disposition']))).toContain(`${plan.planName}.fet`)
    const fet = parsed(answer.body)
    expect(references(fet)).toEqual([])
    expect(namesOf(fet)).toMatchObject({ days: ['周一', '周二', '周三', '周四', '周五'], students: ['一班', '二班'] })
    // Five lessons a week of each class, by the one teacher who is assigned to give them.
    const lessons = all(one(fet, 'Activities_List'), 'Activity')
    expect(
      lessons.map((each) => [texts(each, 'Students'), texts(each, 'Teacher')].flat().join(' ')).toSorted(),
    ).toEqual([...Array(5).fill('一班 王芳'), ...Array(5).fill('二班 王芳')].toSorted())
    const locked = deep(fet, 'ConstraintActivityPreferredStartingTime')
    expect(locked.map((each) => [texts(each, 'Preferred_Day'), texts(each, 'Preferred_Hour')].flat())).toEqual([
      ['周二', '3'],
    ])
    const [closed] = deep(fet, 'ConstraintTeacherNotAvailableTimes')
    expect(texts(closed!, 'Teacher')).toEqual(['王芳'])
  })

  it('locks each lesson where the plan has it when that is asked for, its room too', async () => {
    const fet = parsed((await download(admin, { id: planId, placed: '1' })).body)
    expect(deep(fet, 'ConstraintActivityPreferredStartingTime')).toHaveLength(2)
    expect(deep(fet, 'ConstraintActivityPreferredRoom').flatMap((each) => texts(each, 'Room'))).toContain('操场 #1')
  })

  it('says in its comments which locked lessons it does not hold, and why', async () => {
    const other = await term.plan()
    const first = { weekday: '4', periodNo: 1, isLocked: 1, teacherId: term.teachers[1] }
    await term.lesson(other, first)
    await term.lesson(other, { ...first, classId: term.classes[1] })
    const fet = parsed((await download(admin, { id: other })).body)
    expect(one(fet, 'Comments').text).toMatch(/^未导出的课（与其他课冲突）：二班.*（李强，周四第1节）$/)
    // Nobody is assigned to the first one, and it stands all the same.
    const teachers = all(one(fet, 'Activities_List'), 'Activity').flatMap((each) => texts(each, 'Teacher'))
    expect(teachers.filter((name) => name === '李强')).toHaveLength(1)
  })

  it('is refused to whoever may only look at plans, and answers nothing of another tenant', async () => {
    const colleague = await world.colleague(admin, ['timetableplan_view', 'classschedule_view'])
    expect((await download(colleague, { id: planId })).statusCode).toBe(403)
    expect((await download(await world.tenant(), { id: planId })).statusCode).toBe(404)
  })

  describe('and a FET file that is brought in', () => {
    const importing = () => importer(world, admin, 'classschedule')

    it('becomes the same lessons in a new draft plan', async () => {
      const text = (await download(admin, { id: planId, placed: '1' })).body
      // What FET writes has a mark before it.
      const form = importing()
      const read = await form.read({ ...term, campusId: '' }, Buffer.from(`\ufeff${text}`), 'x_data_and_timetable.fet')
      expect(read).toMatchObject({ failure: null, missing: [] })
      await form.check(read)
      expect(await form.faults(read.id)).toEqual([])
      expect(await form.commit(read.id)).toMatchObject({ state: 'done', stored: 2 })
      const plans = (
        await admin.get<{ records: Row[] }>('blade-user/timetableplan/list', { schoolId: term.schoolId, size: 50 })
      ).data.records
      const made = plans.find(({ planName }) => planName === '导入的课表')!
      const board = await admin.get<{ lessons: Record<string, unknown>[] }>('blade-user/timetableplan/board', {
        ...{ id: made.id, by: 'school' },
      })
      expect(board.data.lessons).toMatchObject([
        { className: '一班', teacherName: '王芳', weekday: 2, periodNo: 3, span: 1 },
        { className: '二班', teacherName: '王芳', weekday: 3, periodNo: 2, span: 1 },
      ])
    })

    it.each([
      ['without placed lessons', () => fetOf(small(), naming).text, '没有排好的课'],
      [
        'with entities of its own',
        () => fetOf(small(), naming).text.replace('\n\n', '\n<!DOCTYPE fet [<!ENTITY a "aaaa">]>\n'),
        '不允许的 XML 声明',
      ],
      ['with more lessons than one import takes', () => manyLessons(8_001), '停用其他学校的课，另存后上传'],
    ])('%s is refused in words that say so', async (_what, text, words) => {
      const read = await importing().read({ ...term, campusId: '' }, Buffer.from(text()), 'a.fet')
      expect(JSON.stringify(read.failure)).toContain(words)
    })
  })
})
