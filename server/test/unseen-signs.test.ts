import { entityOf } from '@data-brain/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sample } from './sample.ts'
import { makeWorld, type Person, type World } from './world.ts'

/*
 * What is copied out of a chat or a telephone's contacts brings signs along that nobody sees. They are not stored, and
 * whoever searches with them finds what was meant.
 */

let world: World
let admin: Person
const parent = entityOf('studentparents')
const pasted = { parentName: '\u2066张\u200b三\u2069', mobile: '\u202d138 0000 1234\u202c' }
const found = { parentName: '', mobile: '' }

beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  const { draft } = await sample(admin, parent)
  const made = await admin.post<{ id: string }>(`${parent.path}/submit`, {
    ...draft,
    ...pasted,
    workUnit: '\u200b第一中学，高中部\ufeff',
    position: '\u200b',
  })
  expect(made.msg).toBe('操作成功')
  Object.assign(found, (await admin.get(`${parent.path}/personal`, { id: made.data.id })).data)
  Object.assign(found, (await admin.get(`${parent.path}/detail`, { id: made.data.id })).data, { mobile: found.mobile })
})
afterAll(() => world.close())

it('R-LIST-1 stores a name, a number and a text without signs that nobody sees', () => {
  expect(found).toMatchObject({
    parentName: '张三',
    workUnit: '第一中学，高中部',
    position: null,
    mobile: '13800001234',
  })
})

it('R-LIST-1 finds by what was pasted, in the search, in a filter, and by a number with blanks', async () => {
  const count = async (query: Record<string, string>): Promise<number> =>
    (await admin.get<{ total: number }>(`${parent.path}/list`, { current: '1', size: '10', ...query })).data.total
  expect(await count({ parentName: pasted.parentName })).toBe(1)
  expect(await count({ mobile: pasted.mobile })).toBe(1)
  expect(await count({ mobile: '138-0000-1234' })).toBe(1)
  expect(await count({ keyword: pasted.mobile })).toBe(1)
  expect(await count({ mobile: '139 0000 1234' })).toBe(0)
})
