import { student, studentparents } from '@data-brain/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sample } from './sample.ts'
import { makeWorld, type Person, type Row, type World } from './world.ts'

let world: World
let admin: Person
beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
})
afterAll(() => world?.close())

const add = async (path: string, draft: object, person = admin): Promise<Row> => {
  const answer = await person.post<Row>(`${path}/submit`, draft)
  expect([answer.status, answer.msg]).toEqual([200, '操作成功'])
  return answer.data
}

it('C12 names pupils with a guardian’s phone in common, only to whoever may see guardians and those pupils', async () => {
  const pupil = async (name: string, mobile: string, person = admin): Promise<string> => {
    const { draft } = await sample(admin, student)
    const { id } = await add(student.path, { ...draft, name }, person)
    const { draft: guardian } = await sample(admin, studentparents)
    await add(studentparents.path, { ...guardian, studentId: id, mobile, contactPriority: 1 })
    return id
  }
  const siblings = async (person: Person, id: string) =>
    person.get<{ id: string; name: string; className: string | null }[]>(`${student.path}/siblings`, { id })
  const one = await pupil('周一', '13900001111')
  const clerk = await world.colleague(admin, ['student_view', 'student_add', 'studentparents_view'])
  const two = await pupil('周二', '13900001111', clerk)
  const other = await pupil('吴三', '13900002222')
  const { data } = await siblings(admin, one)
  expect(data.map(({ id, name }) => [id, name])).toEqual([[two, '周二']])
  expect((await siblings(admin, other)).data).toEqual([])
  expect((await siblings(await world.colleague(admin, ['student_view']), one)).data).toEqual([])
  expect((await siblings(await world.colleague(admin, ['studentparents_view']), one)).status).toBe(403)
  expect((await siblings(await world.tenant(), one)).status).toBe(404)

  // Who works with the pupils that they made themselves is told of no other.
  const scope = await add('blade-system/data-scope', {
    ...{ scopeName: '本人', resourceCode: 'own', scopeClass: 'student', scopeType: '2' },
  })
  const { roleId } = (await admin.get<{ roleId: string }>('blade-user/detail', { id: clerk.userId })).data
  const granted = await admin.post('blade-system/role/grant', {
    roleIds: [roleId],
    menuIds: await world.menuIds(['student_view', 'student_add', 'studentparents_view']),
    dataScopeIds: [scope.id],
  })
  expect(granted.msg).toBe('操作成功')
  expect((await siblings(clerk, two)).data).toEqual([])
  expect((await siblings(clerk, one)).status).toBe(404)
})
