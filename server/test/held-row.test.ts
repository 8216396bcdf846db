import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeWorld, type Person, type Row, type World } from './world.ts'

let world: World
let admin: Person
beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
}, 60_000)
afterAll(() => world.close())

it('R-CALL-1 a row that somebody else works on for long is called that, not an outage, and nothing is changed', async () => {
  const made = await admin.post<Row>('blade-system/post/submit', { postCode: 'held', postName: '图书员', category: 1 })
  expect(made.status, made.msg).toBe(200)
  const { id, version } = made.data
  await world.owner.query('begin')
  try {
    await world.owner.query('select 1 from post where id = $1 for update', [id])
    const change = { id, version, postName: '图书管理员' }
    const [zh, en] = await Promise.all([
      admin.post('blade-system/post/submit', change, { fails: true }),
      admin.post('blade-system/post/submit', change, { language: 'en', fails: true }),
    ])
    expect([zh.status, zh.msg]).toEqual([503, '其他人正在处理相同的数据，请稍后再试'])
    expect([en.status, en.msg]).toEqual([503, 'Somebody else is working on the same data: try again shortly'])
    expect(Number(zh.headers['retry-after'])).toBeGreaterThan(0)
  } finally {
    await world.owner.query('rollback')
  }
  expect((await admin.get<Row>('blade-system/post/detail', { id })).data.postName).toBe('图书员')
  expect((await admin.post('blade-system/post/submit', { id, version, postName: '图书管理员' })).status).toBe(200)
})
