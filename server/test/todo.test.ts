import { entities, entityOf } from '@data-brain/contract'
import { todayInChina } from '@data-brain/contract/rules/school-year'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sample } from './sample.ts'
import { makeWorld, type Person, type Row, type World } from './world.ts'

interface Waiting {
  key: string
  code: string
  query: Record<string, string>
  count: number
}

let world: World
let admin: Person
let stranger: Person
beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  stranger = await world.tenant()
  const made = new Map<string, string>()
  const add = async (entity: string, draft: object = {}): Promise<Row> => {
    const answer = await admin.post<Row>(`${entityOf(entity).path}/submit`, {
      ...(await sample(admin, entityOf(entity), made)).draft,
      ...draft,
    })
    if (answer.code !== 200) throw new Error(`${entity}: ${answer.msg}`)
    return answer.data
  }
  for (let nth = 0; nth < 3; nth += 1) await add('student', { classId: null, gradeId: null, seatNo: null })
  await add('schoolclass', { headTeacherId: null, deputyTeacherIds: [] })
  await add('schoolyear', {
    yearName: '1998-1999学年',
    startYear: 1998,
    beginDate: '1998-09-01',
    endDate: '1999-07-01',
    isCurrent: 1,
  })
  const today = todayInChina()
  await add('teacherabsence', { beginDate: today, endDate: today, beginPeriodNo: null, endPeriodNo: null })
  await add('teacherabsence', {
    beginDate: '2001-09-03',
    endDate: '2001-09-03',
    beginPeriodNo: null,
    endPeriodNo: null,
  })
  for (const account of ['one', 'two'])
    await admin.post('blade-user/submit', { account: `nobody-${account}`, realName: '无角色' })
})
afterAll(() => world.close())

const todo = async (who: Person): Promise<Waiting[]> => (await who.get<Waiting[]>('blade-desk/todo')).data

describe('R-ROUTE-4 what waits for somebody, on the first page', () => {
  it('is counted, and each count is what the list that it leads to shows', async () => {
    const waiting = await todo(admin)
    const counts = Object.fromEntries(waiting.map(({ key, count }) => [key, count]))
    expect(counts).toMatchObject({ withoutClass: 3, withoutTeacher: 1, withoutRole: 2, yearsOver: 1, absentToday: 1 })
    for (const { key, code, query, count } of waiting.filter((each) =>
      entities.some(({ name }) => name === each.code),
    )) {
      const { data } = await admin.get<{ total: number }>(`${entityOf(code).path}/list`, query)
      expect(data.total, key).toBe(count)
    }
  })

  it('is only what somebody may see', async () => {
    expect(await todo(await world.colleague(admin, []))).toEqual([])
    const clerk = await todo(await world.colleague(admin, ['student_view']))
    expect(clerk.map(({ key }) => key)).toEqual(['withoutClass'])
  })

  it('R-PERM-4 counts nothing of a list that an API scope keeps from somebody', async () => {
    const clerk = await world.colleague(admin, ['student_view', 'user_view'])
    expect((await todo(clerk)).map(({ key }) => key)).toEqual(['withoutClass', 'withoutRole'])
    const scope = await admin.post<Row>('blade-system/api-scope/submit', {
      scopeName: '用户列表',
      resourceCode: 'user-list',
      scopePath: 'GET /blade-user/list',
      scopeType: '1',
    })
    expect((await clerk.get('blade-user/list')).status).toBe(403)
    expect((await todo(clerk)).map(({ key }) => key)).toEqual(['withoutClass'])
    expect((await admin.remove('blade-system/api-scope', scope.data.id)).code).toBe(200)
  })

  it('R-PROD-2 knows nothing of another tenant', async () => {
    expect((await todo(stranger)).map(({ key }) => key)).not.toContain('withoutClass')
  })

  it('goes away when it is done', async () => {
    const { data } = await admin.get<{ records: Row[] }>('blade-user/list', { roleId_null: 1 })
    expect(data.records.map(({ account }) => account).sort()).toEqual(['nobody-one', 'nobody-two'])
    for (const { id } of data.records) expect((await admin.remove('blade-user', id)).code).toBe(200)
    expect((await todo(admin)).map(({ key }) => key)).not.toContain('withoutRole')
  })
})
