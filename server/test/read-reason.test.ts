import { studentparents } from '@data-brain/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { because } from './because.ts'
import { setParameter } from './login-parts.ts'
import { sample } from './sample.ts'
import { jobEnded, makeWorld, type Person, type Row, type World } from './world.ts'

/* Where a tenant asks why somebody looks at a child's record. */

let world: World
let admin: Person
let pupil: Row
let other: Row

beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  for (const each of [0, 1]) {
    const { draft } = await sample(admin, studentparents)
    const { data } = await admin.get<Row>('blade-user/student/detail', { id: String(draft.studentId) })
    if (each === 0) pupil = data
    else other = data
  }
  await setParameter(admin, 'log.readReason', '1')
})
afterAll(() => world.close())

const student = 'blade-user/student'
const reasons = async (): Promise<(string | null)[]> =>
  (
    await world.owner.query('select reason from read_log where tenant_id = $1 and child_id = $2 order by id', [
      admin.tenantId,
      pupil.id,
    ])
  ).rows.map(({ reason }) => reason)

it('A3 refuses a record without a reason, names the child, and records nothing', async () => {
  const before = await reasons()
  for (const [call, query] of [
    ['detail', { id: pupil.id }],
    ['history', { id: pupil.id }],
    ['personal', { id: pupil.id }],
    ['list', { id: pupil.id, columns: 'name,remark' }],
  ] as const) {
    const refused = await admin.get(`${student}/${call}`, query)
    expect([call, refused.status, refused.data]).toEqual([call, 428, { children: [pupil.id] }])
    expect(refused.msg).toBe('请先说明查看学生信息的事由')
  }
  for (const empty of ['', '   ', '%']) {
    const refused = await admin.get(`${student}/detail`, { id: pupil.id }, { headers: { 'read-reason': empty } })
    expect(refused.status).toBe(428)
  }
  expect(await reasons()).toEqual(before)
})

it('A3 shows it with one, which stands in the access records', async () => {
  const before = (await reasons()).length
  for (const call of ['detail', 'history', 'personal'])
    expect((await admin.get(`${student}/${call}`, { id: pupil.id }, because('家访'))).status).toBe(200)
  expect((await reasons()).slice(before)).toEqual(['家访', '家访', '家访'])
  // What is longer than the record holds is cut, and no reason to refuse.
  expect((await admin.get(`${student}/detail`, { id: pupil.id }, because('访'.repeat(300)))).status).toBe(200)
  expect((await reasons()).at(-1)).toBe('访'.repeat(200))
})

it('A3 asks nothing of the usual list, nor of whoever adds a record', async () => {
  expect((await admin.get(`${student}/list`)).status).toBe(200)
  const { draft } = await sample(admin, studentparents, new Map([['student', pupil.id]]))
  expect((await admin.post('blade-user/studentparents/submit', draft)).msg).toBe('操作成功')
})

it('A3 asks whoever changes one, and is shown another’s change: nothing is changed until it is told', async () => {
  const draft = { id: pupil.id, remark: '改' }
  expect((await admin.post(`${student}/submit`, draft)).status).toBe(428)
  const { data } = await admin.get<Row>(`${student}/detail`, { id: pupil.id }, because('核对'))
  expect([data.remark ?? null, data.version]).toEqual([pupil.remark ?? null, pupil.version])
  const key = { 'idempotency-key': 'read-reason-0001' }
  expect((await admin.post(`${student}/submit`, draft, { headers: key })).status).toBe(428)
  const headers = { ...key, ...because('核对').headers }
  expect((await admin.post(`${student}/submit`, draft, { headers })).status).toBe(200)
  const stale = { ...draft, version: pupil.version }
  expect((await admin.post(`${student}/submit`, stale)).status).toBe(428)
  expect((await admin.post(`${student}/submit`, stale, because('核对'))).status).toBe(409)
})

it('A3 asks before a file of children’s records is begun, at once and in the background', async () => {
  expect((await admin.get(`${student}/export`, { format: 'csv' })).status).toBe(428)
  const options = { query: { format: 'csv' } }
  expect((await admin.post(`${student}/export-job`, undefined, options)).status).toBe(428)
  const before = (await reasons()).length
  const asked = await admin.post<{ jobId: string }>(`${student}/export-job`, undefined, {
    ...options,
    ...because('报表'),
  })
  expect((await jobEnded(admin, asked)).state).toBe('done')
  expect((await reasons()).slice(before)).toEqual(['报表'])
  // What tells of no child is nobody's record.
  expect((await admin.get('blade-system/dept/export', { format: 'csv' })).status).toBe(200)
})

it('A3 names all the children of a page, and asks nothing elsewhere', async () => {
  const page = await admin.get<{ children: string[] }>(`${student}/list`, { columns: 'name,remark' })
  expect(page.status).toBe(428)
  expect(page.data.children).toEqual(expect.arrayContaining([pupil.id, other.id]))
  const elsewhere = await world.tenant()
  const { draft } = await sample(elsewhere, studentparents)
  expect((await elsewhere.get(`${student}/detail`, { id: String(draft.studentId) })).status).toBe(200)
})
