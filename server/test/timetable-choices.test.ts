import type { Choice } from '@data-brain/contract/generic'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeTerm, type Term } from './timetable-parts.ts'
import { type CallOptions, makeWorld, type Person, type Row, type World } from './world.ts'

/* Who and where, for a lesson that is written in the timetable. */

let world: World
let admin: Person
let term: Term
let planId: string
let standing: Row
beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  term = await makeTerm(admin)
  planId = await term.plan()
  // 王芳 teaches class one on Monday, in the second room of the two.
  standing = await term.lesson(planId, { weekday: '1', periodNo: 2, classroomId: term.rooms[1] })
  await term.lesson(planId, { weekday: '2', periodNo: 1, weekType: '1' })
}, 60_000)
afterAll(() => world.close())

const choices = async (of: 'teacher' | 'room', asked: CallOptions['query'], who = admin): Promise<Choice[]> => {
  const answer = await who.get<Choice[]>(`blade-user/timetableplan/${of}/select`, { id: planId, ...asked })
  expect(answer.msg).toBe('操作成功')
  return answer.data
}
const lesson = (weekday: number, periodNo: number) => ({
  ...{ classId: term.classes[1], subjectId: term.subjectId, weekday, periodNo, span: 1, weekType: '0' },
})
const besides = (found: readonly Choice[]): Record<string, string | undefined> =>
  Object.fromEntries(found.map(({ name, beside }) => [name, beside?.[0]]))

describe('ISSUE-15-3 the teachers for a lesson', () => {
  it('begin with those assigned to it, the free before the taken, and say what they teach then and how much in all', async () => {
    const [first, second] = await choices('teacher', lesson(1, 2))
    expect([first?.name, first?.beside?.slice(0, 2)]).toEqual(['李强', ['空闲', '已排0节']])
    // One every week, and one in the odd weeks: one and a half.
    expect([second?.name, second?.beside?.slice(0, 2)]).toEqual([
      '王芳',
      [expect.stringMatching(/^已有课：一班 /), '已排1.5节'],
    ])
  })

  it('are as free as the weeks of the lesson let them be, and for that lesson itself', async () => {
    const even = { ...lesson(2, 1), weekType: '2' }
    expect(besides(await choices('teacher', even))).toMatchObject({ 王芳: '空闲' })
    expect(besides(await choices('teacher', { ...even, weekType: '0' }))).toMatchObject({
      王芳: expect.stringMatching(/^已有课/),
    })
    expect(besides(await choices('teacher', { ...even, weekType: '3', weeks: '2,4' }))).toMatchObject({ 王芳: '空闲' })
    // A double one reaches into the second period.
    expect(besides(await choices('teacher', { ...lesson(1, 1), span: 2 }))).toMatchObject({
      王芳: expect.stringMatching(/^已有课/),
    })
    expect(besides(await choices('teacher', { ...lesson(1, 2), lessonId: standing.id }))).toMatchObject({
      王芳: '空闲',
    })
  })

  it('are found by name among all of the school, and named by id', async () => {
    const other = await admin.post<Row>('blade-user/submit', { account: 'nobody-yet', realName: '赵一鸣' })
    expect((await choices('teacher', { ...lesson(1, 2), keyword: '赵一' })).map(({ id }) => id)).toEqual([
      other.data.id,
    ])
    const named = await choices('teacher', { ...lesson(1, 2), ids: `${other.data.id},${term.teachers[0]}` })
    expect(named.map(({ name }) => name)).toEqual(['王芳', '赵一鸣'])
    // Before there is a day and a period, nobody is called free.
    const [early] = await choices('teacher', { classId: term.classes[1], subjectId: term.subjectId })
    expect(early?.beside?.[0]).toMatch(/^已排/)
  })
})

describe('ISSUE-15-3 the rooms for a lesson', () => {
  it('begin with the free ones, and say what is in the others', async () => {
    const found = await choices('room', lesson(1, 2))
    const [last] = found.slice(-1)
    expect(last?.id).toBe(term.rooms[1])
    expect(last?.beside?.[0]).toMatch(/^已有课：/)
    expect(found.slice(0, -1).map(({ beside }) => beside?.[0])).toEqual(found.slice(1).map(() => '空闲'))
    // The playground takes two classes at once.
    expect(besides(await choices('room', lesson(1, 2)))).toMatchObject({ 操场: '空闲' })
    expect(besides(await choices('room', lesson(1, 3)))).toEqual(
      Object.fromEntries(found.map(({ name }) => [name, '空闲'])),
    )
  })

  it('say it in English', async () => {
    const answer = await admin.get<Choice[]>(
      'blade-user/timetableplan/room/select',
      { id: planId, ...lesson(1, 2) },
      { language: 'en' },
    )
    expect(answer.data.map(({ beside }) => beside?.[0]?.split(':')[0])).toEqual(['free', 'free', 'taken'])
  })

  it('R-PROD-2 are told to nobody of another tenant, nor to whoever writes no lessons', async () => {
    const stranger = await world.tenant()
    for (const of of ['room', 'teacher']) {
      const path = `blade-user/timetableplan/${of}/select`
      expect((await stranger.get(path, { id: planId, ...lesson(1, 2) })).status).toBe(404)
      const reader = await world.colleague(admin, ['timetableplan_view', 'classschedule_view'])
      expect((await reader.get(path, { id: planId, ...lesson(1, 2) })).status).toBe(403)
    }
  })
})
