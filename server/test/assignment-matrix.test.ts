import type { AssignmentMatrix } from '@data-brain/contract/calls/timetable'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeTerm, type Term } from './timetable-parts.ts'
import { makeWorld, type Person, type World } from './world.ts'

let world: World
let admin: Person
let term: Term

beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  term = await makeTerm(admin)
}, 60_000)
afterAll(() => world.close())

const matrixFor = (who: Person) =>
  who.get<AssignmentMatrix>('blade-user/teacherclass/matrix', { semesterId: term.semesterId })
interface Listed {
  readonly id: string
  readonly userId: string
  readonly role: string
  readonly weekHours: number
}

describe('ISSUE-15-3 the table of assignments', () => {
  it('has each assignment of the semester once, in its class and subject, and sums what teachers give', async () => {
    const { data } = await matrixFor(admin)
    const { records } = (
      await admin.get<{ records: Listed[] }>('blade-user/teacherclass/list', {
        semesterId: term.semesterId,
        size: 200,
      })
    ).data
    expect(records.length).toBeGreaterThan(0)
    expect(data.assignments.map(({ id }) => id).toSorted()).toEqual(records.map(({ id }) => id).toSorted())
    for (const each of data.assignments) {
      expect(data.classes.map(({ id }) => id)).toContain(each.of)
      expect(data.subjects.map(({ id }) => id)).toContain(each.subjectId)
    }
    for (const { teacherId, hours } of data.loads)
      expect(hours).toBe(
        records
          .filter(({ userId, role }) => userId === teacherId && role === '1')
          .reduce((sum, { weekHours }) => sum + weekHours, 0),
      )
    expect(data.classes.filter(({ isTeachClass }) => !isTeachClass).map(({ id }) => id)).toEqual(
      expect.arrayContaining([...term.classes]),
    )
  })

  it('is of the assignments alone for whoever sees nothing else, and not there for another tenant', async () => {
    const { data } = await matrixFor(await world.colleague(admin, ['teacherclass_view']))
    expect(data.classes.length).toBe(new Set(data.assignments.map(({ of }) => of)).size)
    expect((await matrixFor(await world.tenant())).status).toBe(404)
    expect((await matrixFor(await world.colleague(admin, ['schoolclass_view']))).status).toBe(403)
  })
})
