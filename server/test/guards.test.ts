import { entityOf, nameOf } from '@data-brain/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sample } from './sample.ts'
import { add, admin, classes, makeSchool, narrowed, type Row, type Rows, schoolId, world } from './scope-school.ts'
import type { Person } from './world.ts'

/* R-PERM-3: what everybody may look at names, beyond itself, only what its reader could choose. */

beforeAll(makeSchool, 60_000)
afterAll(() => world.close())

const room = 'blade-user/schoolclassroom'

it('R-PERM-3 A1 a room names its class to whoever could choose that, in lists, details, exports and changes, and keeps it when others save', async () => {
  const made = new Map([['school', schoolId]])
  const { draft } = await sample(admin, entityOf('schoolclassroom'), made)
  const rooms: Row[] = []
  for (const [at, { id, campusId }] of classes.slice(0, 2).entries()) {
    const plain = { ...draft, schoolId, campusId, roomCode: `G${at}`, roomName: `教室${at}` }
    const { id: roomId } = await add('schoolclassroom', plain)
    rooms.push(await add('schoolclassroom', { id: roomId, homeClassId: id }))
  }
  const codes = ['view', 'edit', 'export'].map((verb) => `schoolclassroom_${verb}`)
  const scope = {
    ...{ scopeClass: 'schoolclass', scopeType: '5' },
    scopeValue: { all: [{ field: 'id', op: 'in', value: [classes[0]!.id] }] },
  }
  const porter = await narrowed([...codes, 'history_view'], [scope])
  const free = await world.colleague(admin, codes)
  const named = async (who: Person): Promise<unknown[]> => {
    const listed = (await who.get<Rows>(`${room}/list`, { ascs: 'roomCode' })).data.records
    const whole = await Promise.all(
      rooms.map(async ({ id }) => (await who.get<Row>(`${room}/detail`, { id })).data.homeClassId),
    )
    expect(listed.map((row) => row.homeClassId)).toEqual(whole)
    expect(listed.map((row) => Boolean(row[nameOf('homeClassId')]))).toEqual(whole.map(Boolean))
    return whole
  }
  const [own, other] = classes.map(({ id }) => id)
  expect(await named(free)).toEqual([own, other])
  expect(await named(porter)).toEqual([own, null])
  const exported = (column: string) => porter.get(`${room}/export`, { format: 'csv', columns: column })
  expect(String((await exported('roomName,homeClassId')).data)).not.toContain(String(classes[1]!.className))
  const changes = JSON.stringify((await porter.get(`${room}/history`, { id: rooms[1]!.id })).data)
  expect(changes).toContain('homeClassId')
  expect(changes).not.toContain(other)
  // Whoever is not shown the class saves the room without it, and it stays.
  const { version } = (await porter.get<Row>(`${room}/detail`, { id: rooms[1]!.id })).data
  const saved = await porter.post<Row>(`${room}/submit`, { id: rooms[1]!.id, version, homeClassId: null, capacity: 51 })
  expect([saved.msg, saved.data.homeClassId]).toEqual(['操作成功', null])
  expect(await named(free)).toEqual([own, other])
  // One's own is taken away, and put there again, as before; one that could not be chosen is not.
  const put = async (at: number, homeClassId: string | null) =>
    (await porter.post(`${room}/submit`, { id: rooms[at]!.id, homeClassId })).status
  expect(await put(0, null)).toBe(200)
  expect(await named(free)).toEqual([null, other])
  expect([await put(0, other!), await put(0, own!)]).toEqual([400, 200])
  expect(await named(free)).toEqual([own, other])
})
