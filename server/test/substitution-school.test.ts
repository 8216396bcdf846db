import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dayOf, makeStaffed, type Staffed } from './substitution-parts.ts'
import { makeTerm, type Term } from './timetable-parts.ts'
import { makeWorld, type Person, type Row, type World } from './world.ts'

/* At which school somebody is missed, and who is offered for a school first. */

let world: World
let admin: Person
let term: Staffed
let other: Term

beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  term = await makeStaffed(world, admin)
  other = await makeTerm(admin)
}, 60_000)
afterAll(() => world.close())

const nameOf = async (id: string): Promise<string> =>
  String((await admin.get<Row>('blade-user/school/detail', { id })).data.schoolName)
const absence = (teacherId: string, schoolId: string, day: string, until = day) =>
  admin.post<Row>('blade-user/teacherabsence/submit', {
    ...{ schoolId, teacherId, leaveType: '1', beginDate: day, endDate: until },
  })

describe('ISSUE-15-6 an absence', () => {
  it('is refused at a school where the teacher has no lessons then, and the right one is named', async () => {
    const wrong = await absence(term.teachers[0], other.schoolId, dayOf(term, 3))
    expect([wrong.status, wrong.msg]).toEqual([
      400,
      `学校：该教师这几天在这所学校没有课，请改选：${await nameOf(term.schoolId)}`,
    ])
    expect((await absence(term.teachers[0], term.schoolId, dayOf(term, 3))).msg).toBe('操作成功')
    // In no term nobody has lessons anywhere.
    expect((await absence(term.teachers[0], other.schoolId, '2031-01-05')).msg).toBe('操作成功')
  })

  it('is taken at each school of somebody who teaches at several', async () => {
    const { semesterId, schoolId, subjectId, classes } = other
    const semester = (await admin.get<Row>('blade-user/schoolsemester/detail', { id: semesterId })).data
    await other.add('teacherclass', {
      ...{ schoolId, semesterId, subjectId, classId: classes[0], userId: term.teachers[1], role: '2', weekHours: 1 },
      ...{ beginDate: semester.beginDate, endDate: semester.endDate },
    })
    const [from, to] = [dayOf(term, 4), dayOf(other, 4)].toSorted()
    for (const each of [schoolId, term.schoolId])
      expect((await absence(term.teachers[1], each, from!, to)).msg).toBe('操作成功')
  })
})

describe('ISSUE-15-8 who is offered for a school', () => {
  it('are its own people first, then all others; and of schools those where somebody teaches', async () => {
    const users = (near: string) =>
      admin.get<{ id: string; usual: boolean }[]>('blade-user/select', { near, size: 50 }).then(({ data }) => data)
    const first = await users(other.schoolId)
    const own = first.filter(({ usual }) => usual).map(({ id }) => id)
    expect(own.toSorted()).toEqual([...other.teachers, term.teachers[1]].toSorted())
    expect(first.slice(0, own.length).every(({ usual }) => usual)).toBe(true)
    expect(first.map(({ id }) => id)).toContain(term.third)
    await world.owner.query('update teacherclass set end_date = current_date + 1 where semester_id = $1', [
      other.semesterId,
    ])
    const schools = await admin.get<{ id: string; usual: boolean }[]>('blade-user/school/select', {
      near: other.teachers[0],
    })
    expect(schools.data.map(({ id, usual }) => [id, usual])).toEqual([
      [other.schoolId, true],
      [term.schoolId, false],
    ])
  })
})
