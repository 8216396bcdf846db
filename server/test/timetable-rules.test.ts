import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeTerm, type Term } from './timetable-parts.ts'
import { jobEnded, makeWorld, type Person, type Row, type World } from './world.ts'

let world: World
let admin: Person
let term: Term

beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.close())

const fresh = async (): Promise<void> => {
  admin = await world.tenant()
  term = await makeTerm(admin)
}

type Draft = Record<string, unknown>
const submit = (draft: Draft) =>
  admin.post<Row>('blade-user/timetablerule/submit', {
    ...{ schoolId: term.schoolId, semesterId: term.semesterId },
    ...(draft.id ? {} : { strength: '1' }),
    ...draft,
  })
const rule = async (draft: Draft): Promise<Row> => {
  const answer = await submit(draft)
  expect(answer.msg).toBe('操作成功')
  return answer.data
}
const rules = async (): Promise<Row[]> =>
  (
    await admin.get<{ records: Row[] }>('blade-user/timetablerule/list', {
      semesterId_equal: term.semesterId,
      size: 50,
    })
  ).data.records
/** None of the rules that a semester gets by itself. */
const alone = async (): Promise<string> => {
  const id = await term.plan()
  for (const each of await rules()) await admin.remove('blade-user/timetablerule', each.id)
  return id
}
const generate = async (id: string) => {
  const job = await jobEnded(admin, await admin.post(`blade-user/timetableplan/generate?id=${id}&seed=3&seconds=1`))
  expect(job.state, JSON.stringify(job.failure)).toBe('done')
  return job.result as { lessons: number; missing: number; broken: number }
}
const lessonsIn = async (id: string) =>
  (await admin.get<{ records: Row[] }>('blade-user/classschedule/list', { planId_equal: id, size: 100 })).data.records
/** The newest message. */
const told = async (): Promise<string> =>
  JSON.stringify((await admin.get<{ records: Row[] }>('blade-desk/inbox/list')).data.records[0])
const all = (periodNo: number) => [1, 2, 3, 4, 5].map((weekday) => ({ weekday, periodNo }))

describe('R-SCHOOL-21 the rules of a semester', () => {
  beforeAll(fresh, 60_000)

  it('are the usual ones with its first plan, seen and switched off like others, and never come back by themselves', async () => {
    const id = await term.plan()
    const usual = await rules()
    expect(usual.map(({ kind, strength, status }) => [kind, strength, status]).toSorted()).toEqual([
      ['8', '1', 1],
      ['9', '2', 1],
    ])
    for (const each of usual) await rule({ id: each.id, version: each.version, status: 0 })
    // Ten lessons of one subject may now stand on one day; a copy of the plan has the same rules.
    await rule({ kind: '7', whose: '1', max: 1 })
    expect((await generate(id)).missing).toBe(2)
    expect(new Set((await lessonsIn(id)).map(({ weekday }) => weekday)).size).toBe(1)
    const copied = await admin.post<Row>(`blade-user/timetableplan/copy?id=${id}`)
    expect(copied.code).toBe(200)
    expect(await rules()).toHaveLength(3)
    for (const each of await rules()) expect((await admin.remove('blade-user/timetablerule', each.id)).code).toBe(200)
    await term.plan()
    expect(await rules()).toEqual([])
  })

  it('name main subjects in the morning and sports not first where the school teaches them', async () => {
    const known = await admin.get<{ records: Row[] }>('blade-user/syssubject/list', { size: 50 })
    const main = known.data.records.find(({ subjectName }) => subjectName === '语文')!
    const sports = known.data.records.find(({ subjectName }) => String(subjectName).startsWith('体育'))!
    const other = await makeTerm(admin)
    const own = { schoolId: other.schoolId, researchSlot: null }
    const a = await other.add('schoolsubject', { ...own, subjectName: '语文', sysSubjectId: main.id })
    const b = await other.add('schoolsubject', { ...own, subjectName: '体育', sysSubjectId: sports.id })
    await other.plan()
    const found = await admin.get<{ records: Row[] }>('blade-user/timetablerule/list', {
      semesterId_equal: other.semesterId,
    })
    expect(
      found.data.records.map(({ kind, subjectIds }) => [kind, subjectIds]).toSorted(([x], [y]) => (x! < y! ? -1 : 1)),
    ).toEqual([
      ['1', [b.id]],
      ['2', [a.id]],
      ['8', []],
      ['9', []],
    ])
  })

  it.each<[string, () => Draft, string]>([
    ['without its periods', () => ({ kind: '1' }), '节次：不能为空'],
    ['without a number', () => ({ kind: '4', whose: '1' }), '最多：不能为空'],
    ['without saying of whom', () => ({ kind: '5', max: 2 }), '对象：不能为空'],
    ['of 0 periods', () => ({ kind: '4', whose: '1', max: 0 }), '最多：须大于0'],
    ['with a part of another kind', () => ({ kind: '9', max: 2 }), '最多：这类规则没有这一项，请清空'],
    [
      'of teachers with classes',
      () => ({ kind: '4', whose: '1', max: 2, classIds: [term.classes[0]] }),
      '班级：对象是教师时',
    ],
    [
      'of classes with teachers',
      () => ({ kind: '4', whose: '2', max: 2, teacherIds: [term.teachers[0]] }),
      '教师：对象是班级时',
    ],
    ['that closes a break', () => ({ kind: '1', slots: [{ weekday: 1, periodNo: 9 }] }), '节次：作息时间里没有第9节课'],
    ['that closes a Sunday', () => ({ kind: '1', slots: [{ weekday: 7, periodNo: 1 }] }), '节次：都不在上课日'],
    ['that fixes nobody', () => ({ kind: '3', slots: all(1) }), '学科：请至少选择'],
    ['of no lessons at one time', () => ({ kind: '11', classIds: [...term.classes] }), '学科：请选择学科'],
    ['that is a wish to be apart', () => ({ kind: '12', teacherIds: [...term.teachers], strength: '2' }), '要求：'],
    ['of a kind that there is not', () => ({ kind: '99' }), '规则：'],
  ])('are refused in words at the field: one %s', async (_, draft, words) => {
    const answer = await submit(draft())
    expect([answer.code, answer.msg]).toEqual([400, expect.stringContaining(words)])
  })

  it('name nobody of another school, year or tenant', async () => {
    const stranger = await world.tenant()
    const theirs = await makeTerm(stranger)
    const made = { kind: '1', slots: all(1) }
    const elsewhere = await submit({ ...made, teacherIds: [theirs.teachers[0]] })
    expect([elsewhere.code, elsewhere.msg]).toEqual([400, expect.stringContaining('教师')])
    const other = await makeTerm(admin)
    const foreign = await submit({ ...made, classIds: [other.classes[0]] })
    expect([foreign.code, foreign.msg]).toEqual([400, '班级：“一班”不属于该学校的这个学期'])
    const subject = await submit({ ...made, subjectIds: [other.subjectId] })
    expect([subject.code, subject.msg]).toEqual([400, expect.stringContaining('不属于该学校')])
    const semester = await submit({ ...made, semesterId: other.semesterId })
    expect([semester.code, semester.msg]).toEqual([400, expect.stringContaining('学期')])
    // Nor does anybody elsewhere see or change them.
    const own = await rule(made)
    expect((await stranger.get('blade-user/timetablerule/detail', { id: own.id })).code).toBe(404)
  })

  it('keep those that they name from being removed unsaid', async () => {
    const own = await rule({ kind: '1', slots: all(1), teacherIds: [term.teachers[1]] })
    const answer = await admin.post<{ blockers: { label: string }[] }>(`blade-user/remove?ids=${term.teachers[1]}`)
    expect(answer.code).toBe(400)
    expect(answer.data.blockers.map(({ label }) => label)).toContain('排课规则')
    await admin.remove('blade-user/timetablerule', own.id)
  })
})

describe('R-SCHOOL-21 the generator', () => {
  beforeEach(fresh, 60_000)

  it('keeps what must hold: closed and fixed periods, rows, days and lessons at one time', async () => {
    const id = await alone()
    const meeting = await term.add('schoolsubject', {
      schoolId: term.schoolId,
      subjectName: '班会',
      researchSlot: null,
    })
    const days = (await admin.get<Row>('blade-user/schoolsemester/detail', { id: term.semesterId })).data
    for (const [at, classId] of term.classes.entries())
      await term.add('teacherclass', {
        ...{ schoolId: term.schoolId, semesterId: term.semesterId, subjectId: meeting.id, classId, weekHours: 1 },
        ...{ userId: term.teachers[at], role: '1', beginDate: days.beginDate, endDate: days.endDate },
      })
    const morning = [1, 2, 3, 4, 5].flatMap((weekday) => [1, 2, 3, 4].map((periodNo) => ({ weekday, periodNo })))
    await rule({
      kind: '3',
      subjectIds: [meeting.id],
      slots: [
        { weekday: 1, periodNo: 7 },
        { weekday: 3, periodNo: 6 },
      ],
    })
    await rule({ kind: '11', subjectIds: [meeting.id], classIds: [...term.classes] })
    await rule({ kind: '1', slots: all(4) })
    await rule({ kind: '2', subjectIds: [term.subjectId], half: '1' })
    await rule({ kind: '5', whose: '1', max: 2 })
    await rule({ kind: '4', whose: '2', max: 2 })
    await rule({ kind: '7', whose: '1', teacherIds: [term.teachers[0]], max: 5 })
    await rule({
      kind: '1',
      slots: morning,
      teacherIds: [term.teachers[0]],
      subjectIds: [term.subjectId],
      strength: '1',
      status: 0,
    })
    const made = await generate(id)
    expect(made).toMatchObject({ missing: 0, broken: 0 })
    const lessons = await lessonsIn(id)
    const of = (subject: string) => lessons.filter(({ subjectId }) => subjectId === subject)
    const at = (each: Row) => `${each.weekday}-${each.periodNo}`
    expect(new Set(of(meeting.id).map(at)).size).toBe(1)
    expect(['1-7', '3-6']).toContain(at(of(meeting.id)[0]!))
    expect(of(term.subjectId)).toHaveLength(10)
    for (const each of of(term.subjectId)) expect(Number(each.periodNo)).toBeLessThan(4)
    for (const day of ['1', '2', '3', '4', '5']) {
      const own = new Set(
        lessons
          .filter((each) => each.weekday === day && each.teacherId === term.teachers[0])
          .map(({ periodNo }) => periodNo),
      )
      expect(own.has(1) && own.has(2) && own.has(3)).toBe(false)
    }
  })

  it('says which lessons find no place for a rule that nobody can meet, and how often a wish is not kept', async () => {
    const id = await alone()
    await rule({ kind: '7', whose: '1', teacherIds: [term.teachers[0]], max: 1 })
    await rule({ kind: '6', whose: '1', max: 0, strength: '3' })
    await rule({ kind: '2', half: '2', strength: '4' })
    await rule({ kind: '1', slots: [...all(7), ...all(8)], strength: '1' })
    expect(await generate(id)).toMatchObject({
      ...{ lessons: 6, missing: 4, broken: 1 },
      unkept: [{ en: 'Every lesson: in the afternoon only (wish, low): not kept in 4 places' }],
    })
    const message = await told()
    expect(message).toContain('已排6节，未排4节')
    expect(message).toMatch(/未排：[一二]班\S+（王芳）\d节/)
    expect(message).toContain('所有课：只排在下午（尽量，低），4处未做到')
    expect(message).not.toContain('空堂')
  })

  it('keeps to the rules of the campus of a class: its rooms, and the way to another campus', async () => {
    const id = await alone()
    const first = (await admin.get<Row>('blade-user/schoolclass/detail', { id: term.classes[0] })).data
    const south = await term.add('schoolcampus', {
      schoolId: term.schoolId,
      campusName: '南校区',
      campusCode: 'S',
      isMain: 0,
    })
    const second = (await admin.get<Row>('blade-user/schoolclass/detail', { id: term.classes[1] })).data
    const moved = await admin.post('blade-user/schoolclass/submit', {
      ...{ id: second.id, version: second.version, campusId: south.id, classroomId: null },
    })
    expect(moved.msg).toBe('操作成功')
    expect(first.campusId).not.toBe(south.id)
    await rule({ kind: '13', gap: 2 })
    await rule({ kind: '8', max: 1 })
    expect(await generate(id)).toMatchObject({ missing: 0, broken: 0 })
    const lessons = await lessonsIn(id)
    for (const day of ['1', '2', '3', '4', '5']) {
      const [a, b] = lessons.filter(({ weekday }) => weekday === day).map(({ periodNo }) => Number(periodNo))
      expect(Math.abs(a! - b!)).toBeGreaterThan(2)
    }
  })
})
