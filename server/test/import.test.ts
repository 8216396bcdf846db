import { afterAll, beforeAll, expect, it } from 'vitest'
import { batchOf, checked, committed, countOf, line, makeSchool, table, uploaded, xlsx } from './import-parts.ts'
import { makeWorld, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.close())

it('reads, checks and stores a good file in one batch, and takes it back', async () => {
  const admin = await world.tenant()
  const place = await makeSchool(admin)
  const file = await xlsx(table([0, 1, 2, 3].map((index) => line(place, index))))
  const batch = await uploaded(world, admin, place, file)
  expect(batch).toMatchObject({ state: 'mapping', total: 4, missing: [] })
  expect(batch.columns.every((column) => column.key !== null && column.confidence === 1)).toBe(true)
  const ready = await checked(world, admin, place, file)
  expect(ready).toMatchObject({ state: 'checked', counts: { add: 4, update: 0, skip: 0, bad: 0 } })
  const done = await committed(admin, ready.id)
  expect(done).toMatchObject({ state: 'done', failure: null, counts: { add: 4 } })
  expect(await countOf(world, admin, 'student')).toBe(4)
  const undo = await admin.post('blade-user/import/undo', undefined, { query: { id: ready.id } })
  expect(undo.status).toBe(200)
  expect(await batchOf(admin, ready.id)).toMatchObject({ state: 'undone' })
  expect(await countOf(world, admin, 'student')).toBe(0)
})
