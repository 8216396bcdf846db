import type { SchoolTree } from '@data-brain/contract/calls/school'
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

const treeFor = (who: Person) => who.get<SchoolTree>('blade-user/school/tree', { schoolId: term.schoolId })

describe('ISSUE-15-8 the school tree', () => {
  it('has each campus, floor, room, grade and class once, under what it belongs to', async () => {
    const { data } = await treeFor(admin)
    const listed = async (entity: string) =>
      (
        await admin.get<{ records: { id: string }[] }>(`blade-user/${entity}/list`, {
          schoolId: term.schoolId,
          size: 100,
        })
      ).data.records
        .map(({ id }) => id)
        .toSorted()
    expect(data.rooms.map(({ id }) => id).toSorted()).toEqual(await listed('schoolclassroom'))
    expect(data.floors.map(({ id }) => id).toSorted()).toEqual(await listed('schoolfloor'))
    expect(data.campuses.map(({ id }) => id).toSorted()).toEqual(await listed('schoolcampus'))
    for (const room of data.rooms) expect(data.floors.map(({ id }) => id)).toContain(room.floorId)
    for (const floor of data.floors) expect(data.campuses.map(({ id }) => id)).toContain(floor.campusId)
    if (data.yearId === term.yearId)
      expect(data.classes.map(({ id }) => id).toSorted()).toEqual([...term.classes].toSorted())
    for (const each of data.classes) expect(data.grades.map(({ id }) => id)).toContain(each.gradeId)
  })

  it('shows the classes of the current year', async () => {
    const year = (await admin.get<{ version: number }>('blade-user/schoolyear/detail', { id: term.yearId })).data
    const made = await admin.post('blade-user/schoolyear/submit', {
      id: term.yearId,
      version: year.version,
      isCurrent: 1,
    })
    expect(made.msg).toBe('操作成功')
    const { data } = await treeFor(admin)
    expect(data.yearId).toBe(term.yearId)
    expect(data.classes.map(({ name }) => name)).toEqual(['一班', '二班'])
  })

  it('has nothing of what the caller may not see, and nothing for another tenant', async () => {
    const roomless = await world.colleague(admin, ['school_view', 'schoolclass_view', 'schoolcampus_view'])
    const { data } = await treeFor(roomless)
    expect([data.rooms, data.floors]).toEqual([[], []])
    expect(data.classes.length).toBe(2)
    const stranger = await world.tenant()
    expect((await treeFor(stranger)).status).toBe(404)
  })
})
