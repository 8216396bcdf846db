import { addDays } from '@data-brain/contract/rules/school-year'
import ICAL from 'ical.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { maskText } from '../src/kernel/mask-text.ts'
import { calendarText, folded } from '../src/modules/timetable/ical.ts'
import { dayIn, makeTerm, publish, type Term } from './timetable-parts.ts'
import { makeWorld, type Person, type Row, type World } from './world.ts'

let world: World
let admin: Person
let term: Term

beforeAll(async () => {
  world = await makeWorld()
}, 60_000)
afterAll(() => world.close())

interface Feed {
  readonly id: string
  readonly kind: string
  readonly targetName: string | null
  readonly readAt: string | null
  readonly withdrawnAt: string | null
  readonly path: string
}

const path = 'blade-user/classschedule'
const make = (who: Person, input: Record<string, string>) =>
  who.post<Feed>(`${path}/makeFeed?${new URLSearchParams(input)}`)
const withdraw = (who: Person, id: string) => who.post<Feed>(`${path}/withdrawFeed?id=${id}`)
const listOf = async (who: Person): Promise<Feed[]> => (await who.get<Feed[]>(`${path}/feeds`)).data
/** As a calendar program does: without a session. */
const read = (address: string, language = 'zh') =>
  world.http.inject({ method: 'GET', url: address, headers: { 'accept-language': language } })

interface Read {
  readonly uid: string
  readonly begin: string
  readonly end: string
  readonly zone: string
  readonly summary: string
  readonly location: string
  readonly description: string
}

/** What a library of others reads out of the text. */
function parsed(text: string): { name: string; events: Read[] } {
  const calendar = new ICAL.Component(ICAL.parse(text))
  expect(calendar.getFirstSubcomponent('vtimezone')?.getFirstPropertyValue('tzid')).toBe('Asia/Shanghai')
  const events = calendar.getAllSubcomponents('vevent').map((each) => {
    const event = new ICAL.Event(each)
    return {
      uid: event.uid,
      begin: event.startDate.toString(),
      end: event.endDate.toString(),
      zone: String(each.getFirstProperty('dtstart')?.getParameter('tzid') ?? ''),
      summary: event.summary,
      location: event.location,
      description: event.description,
    }
  })
  return { name: String(calendar.getFirstPropertyValue('x-wr-calname')), events }
}
const eventsOf = async (address: string): Promise<Read[]> => {
  const answer = await read(address)
  expect(answer.statusCode, answer.payload.slice(0, 200)).toBe(200)
  return parsed(answer.payload).events
}
const daysOf = (events: readonly Read[]): string[] => events.map(({ begin }) => begin.slice(0, 10))

/** A teacher of the term, logged in. */
async function teacherOf(id: string): Promise<Person> {
  await world.owner.query('update credential set must_change = 0 where user_id = $1', [id])
  const { rows } = await world.owner.query<{ account: string }>('select account from app_user where id = $1', [id])
  return world.as(admin.tenantId, rows[0]!.account)
}

/** A term with bell times, a holiday on the Monday of week 2 that the Saturday after makes up for, and a published lesson on Mondays. */
async function fresh(): Promise<void> {
  admin = await world.tenant()
  term = await makeTerm(admin)
  for (const [no, from, to] of [
    [1, '08:00', '08:40'],
    [2, '08:50', '09:30'],
  ] as const)
    await term.add('schoolperiod', {
      ...{ schoolId: term.schoolId, campusId: null, gradeIds: [], season: '0', kind: '1', periodNo: no },
      ...{ periodName: `第${no}节`, beginTime: from, endTime: to },
    })
  const day = { schoolId: term.schoolId, dayName: null }
  await term.add('schoolcalendarday', { ...day, day: dayIn(term, 2, 1), dayType: '2', useWeekday: null })
  await term.add('schoolcalendarday', { ...day, day: dayIn(term, 2, 6), dayType: '3', useWeekday: '1' })
  await admin.post('blade-user/schoolyear/submit', { id: term.yearId, isCurrent: 1 })
  const current = await admin.post('blade-user/schoolsemester/submit', { id: term.semesterId, isCurrent: 1 })
  expect(current.msg).toBe('操作成功')
  const plan = await term.plan()
  await term.lesson(plan, { span: 2, classroomId: term.rooms[0] })
  await term.lesson(plan, { classId: term.classes[1], teacherId: term.teachers[1], weekday: '2', weekType: '1' })
  expect((await publish(admin, plan)).msg).toBe('操作成功')
}

/** Days of a lesson: of the weeks it is given in, those within the term, whose first week may begin before it. */
const daysHeld = (weekday: number, isGiven = (_week: number): boolean => true): string[] =>
  Array.from({ length: term.weekCount }, (_, at) => at + 1)
    .filter(isGiven)
    .map((week) => dayIn(term, week, week === 2 && weekday === 1 ? 6 : weekday))
    .filter((day) => day >= `${term.firstMonday.slice(0, 4)}-09-01`)
const mondays = (): number => daysHeld(1).length
const isOdd = (week: number): boolean => week % 2 === 1

describe('ISSUE-15-5 a calendar feed', () => {
  beforeAll(fresh, 60_000)

  it('is read without a session: lessons on their days, none on holidays, made-up days as those they make up for', async () => {
    const teacher = await teacherOf(term.teachers[0])
    const { path: address } = (await make(teacher, { kind: 'own' })).data
    const answer = await read(address)
    expect(answer.headers['content-type']).toBe('text/calendar; charset=utf-8')
    const { name, events } = parsed(answer.payload)
    expect(name).toBe('我的课程表')
    expect(daysOf(events)).toEqual(daysHeld(1))
    expect(events.length).toBeGreaterThan(10)
    const day = dayIn(term, 3, 1)
    expect(events.find(({ begin }) => begin.startsWith(day))).toMatchObject({
      begin: `${day}T08:00:00`,
      end: `${day}T09:30:00`,
      zone: 'Asia/Shanghai',
      summary: expect.stringMatching(/ 一班$/),
      location: '101',
      description: '第1至2节，教师：王芳',
    })
    const english = parsed((await read(address, 'en')).payload)
    expect([english.name, english.events[1]!.description]).toEqual(['My timetable', 'Periods 1 to 2, Teacher: 王芳'])
  })

  it('of a class and of a room holds theirs, odd weeks alone where a lesson is of these', async () => {
    const [first, second] = term.classes
    const feeds: Record<string, string>[] = [
      { kind: 'class', classId: first },
      { kind: 'class', classId: second },
      { kind: 'room', classroomId: term.rooms[0] },
      { kind: 'room', classroomId: term.rooms[1] },
    ]
    const found: number[] = []
    for (const feed of feeds) found.push((await eventsOf((await make(admin, feed)).data.path)).length)
    const odds = daysHeld(2, isOdd)
    expect(found).toEqual([mondays(), odds.length, mondays(), 0])
    expect(odds.length).toBeLessThan(mondays() / 2 + 1)
    const [newest] = await listOf(admin)
    expect(newest).toMatchObject({ kind: 'room', targetName: '102', withdrawnAt: null })
    expect(newest!.readAt).not.toBeNull()
    const odd = await eventsOf((await make(admin, { kind: 'class', classId: second })).data.path)
    expect(daysOf(odd)).toEqual(odds)
  })

  it('names its events the same after a plan is published anew, and tells the other room', async () => {
    const { path: address } = (await make(admin, { kind: 'class', classId: term.classes[0] })).data
    const before = await eventsOf(address)
    const plan = await term.plan()
    await term.lesson(plan, { span: 2, classroomId: term.rooms[1] })
    await publish(admin, plan)
    const after = await eventsOf(address)
    expect(after.map(({ uid }) => uid)).toEqual(before.map(({ uid }) => uid))
    expect(new Set(after.map(({ uid }) => uid)).size).toBe(mondays())
    expect([before[0]!.location, after[0]!.location]).toEqual(['101', '102'])
  })

  it('names no pupil, not even whose it is', async () => {
    const pupil = await world.colleague(admin, [])
    const { rows } = await world.owner.query<{ real_name: string }>('select real_name from app_user where id = $1', [
      pupil.userId,
    ])
    const { gradeId } = await classOf(term.classes[0])
    const student = await term.add('student', { ...{ classId: term.classes[0], gradeId }, name: '小明明' })
    await world.owner.query('update student set user_id = $1 where id = $2', [pupil.userId, student.id])
    const { path: address } = (await make(pupil, { kind: 'own' })).data
    const { payload } = await read(address)
    expect(parsed(payload).events).toHaveLength(mondays())
    for (const name of ['小明明', rows[0]!.real_name, student.id, pupil.userId]) expect(payload).not.toContain(name)
  })

  it('is kept as a hash alone, and its address is masked where logs would hold it', async () => {
    const { path: address, id } = (await make(admin, { kind: 'own' })).data
    const token = address.split('/').at(-1)!.replace('.ics', '')
    expect(token).toMatch(/^bsf_[0-9]{6}_[A-Za-z0-9_-]{43}$/)
    const { rows } = await world.owner.query('select to_jsonb(f)::text as row from calendar_feed f where id = $1', [id])
    expect(rows[0].row).not.toContain(token.slice(11))
    expect(JSON.stringify(await listOf(admin))).not.toContain(token.slice(11))
    expect(maskText(address)).not.toContain(token.slice(11, 20))
  })

  it('answers in words that it is gone once it was withdrawn, and that there is none where there never was', async () => {
    const { path: address, id } = (await make(admin, { kind: 'own' })).data
    const other = await world.colleague(admin, [])
    expect((await withdraw(other, id)).status).toBe(404)
    expect((await read(address)).statusCode).toBe(200)
    expect((await withdraw(admin, id)).data.withdrawnAt).not.toBeNull()
    const gone = await read(address)
    expect([gone.statusCode, gone.json().msg]).toEqual([410, expect.stringContaining('已撤回')])
    expect((await read(address, 'en')).json().msg).toContain('withdrawn')
    for (const odd of [address.replace(/.{4}\.ics$/, 'AAAA.ics'), address.replace('.ics', ''), `${address}x`])
      expect((await read(odd)).statusCode).toBe(404)
    // Of another tenant it opens nothing either.
    const elsewhere = await world.tenant()
    expect((await read(address.replace(`_${admin.tenantId}_`, `_${elsewhere.tenantId}_`))).statusCode).toBe(404)
  })

  it('opens what its maker may see now, and nothing once that is nothing', async () => {
    const codes = ['classschedule_view', 'schoolclass_view']
    const clerk = await world.colleague(admin, codes)
    const { path: address } = (await make(clerk, { kind: 'class', classId: term.classes[0] })).data
    expect(await eventsOf(address)).toHaveLength(mondays())
    const nobody = await world.colleague(admin, [])
    const refused = await make(nobody, { kind: 'class', classId: term.classes[0] })
    expect(refused.status).toBe(403)
    const unseen = await world.colleague(admin, ['classschedule_view'])
    expect((await make(unseen, { kind: 'class', classId: term.classes[0] })).status).toBe(404)
    expect(await listOf(nobody)).toEqual([])
    const { roleId } = (await admin.get<Row>('blade-user/detail', { id: clerk.userId })).data
    await admin.post('blade-system/role/grant', { roleIds: [roleId], menuIds: [], dataScopeIds: [], apiScopeIds: [] })
    expect((await read(address)).statusCode).toBe(410)
    const own = (await make(nobody, { kind: 'own' })).data.path
    expect((await read(own)).statusCode).toBe(200)
    await world.owner.query('update app_user set status = 0 where id = $1', [nobody.userId])
    expect((await read(own)).statusCode).toBe(410)
  })

  it('asks for the class or room that it is of, and there are twenty of one person at most', async () => {
    const person = await world.colleague(admin, [])
    expect((await make(admin, { kind: 'class' })).msg).toContain('classId')
    expect((await make(admin, { kind: 'room' })).msg).toContain('classroomId')
    for (let n = 0; n < 20; n += 1) expect((await make(person, { kind: 'own' })).code).toBe(200)
    const more = await make(person, { kind: 'own' })
    expect([more.code, more.msg]).toEqual([400, '每人最多20个日历订阅，请先撤回不再使用的'])
    await withdraw(person, (await listOf(person))[0]!.id)
    expect((await make(person, { kind: 'own' })).code).toBe(200)
  })
})

describe('ISSUE-15-5 the text of a calendar', () => {
  const event = {
    ...{ uid: 'a', day: '2026-09-01', beginTime: '08:00', endTime: '08:40' },
    ...{ summary: '数学', location: null, description: '' },
  }
  const made = new Date('2026-08-31T00:00:00Z')

  it('carries every sign of what it tells, and lines of 75 octets at most', () => {
    const odd = '反斜杠\\、分号;逗号,换行\n“引号”：'.repeat(8)
    const text = calendarText('课程表', [{ ...event, summary: odd, location: odd, description: odd }], made)
    const { name, events } = parsed(text)
    expect([name, events[0]!.summary, events[0]!.location, events[0]!.description]).toEqual(['课程表', odd, odd, odd])
    for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
  })

  it('cuts no sign in two', () => {
    for (let shift = 0; shift < 5; shift += 1) {
      const line = `${'x'.repeat(shift)}${'课😀'.repeat(40)}`
      const lines = folded(line).split('\r\n')
      expect(lines.join('').replaceAll(' ', '')).toBe(line)
      expect(lines.join('')).not.toContain('\ufffd')
    }
  })

  it('has a lesson without bell times last the day', () => {
    const [found] = parsed(calendarText('课', [{ ...event, beginTime: null, endTime: null }], made)).events
    expect([found!.begin, found!.end]).toEqual(['2026-09-01', addDays('2026-09-01', 1)])
  })
})

const classOf = async (id: string): Promise<Row> => (await admin.get<Row>('blade-user/schoolclass/detail', { id })).data
