import { entities } from '@data-brain/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { oneOfEach } from './sample.ts'
import { makeWorld, type Person, type World } from './world.ts'

let world: World, admin: Person
beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  await oneOfEach(world, admin, '甲')
})
afterAll(() => world.close())
it('R-LIST-2 every list can be searched by a word, and finds what its title says', async () => {
  const wrong: string[] = []
  for (const { name, path, title, fields } of entities) {
    if (fields[title]?.kind !== 'reference') continue
    const all = await admin.get<{ records: Record<string, string>[] }>(`${path}/list`, { size: 10 })
    const shown = all.data?.records?.[0]?.[title.replace(/Id$/, 'Name')]
    if (!shown) {
      wrong.push(`${name}: nothing ${all.status}`)
      continue
    }
    const found = await admin.get<{ total: number }>(`${path}/list`, { keyword: shown })
    const none = await admin.get<{ total: number }>(`${path}/list`, { keyword: '没有这个词' })
    if (!(found.data.total > 0) || none.data.total !== 0)
      wrong.push(`${name} ${shown} ${found.data?.total} ${none.data?.total} ${found.status}`)
  }
  expect(wrong).toEqual([])
})
