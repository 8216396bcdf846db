import { type Entity, entities, entityOf } from '@data-brain/contract'
import type { QualityMerge } from '@data-brain/contract/calls/quality'
import { leaveStates } from '@data-brain/contract/rules/leave'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sample } from './sample.ts'
import {
  add,
  admin,
  classes,
  inClasses,
  makeSchool,
  narrowed,
  pupils,
  type Row,
  schoolId,
  world,
} from './scope-school.ts'
import type { Person } from './world.ts'

/** Issue 17, point 4: two records of one child become one, with all that belongs to them, and two again by an undo. */

beforeAll(makeSchool)
afterAll(() => world.close())

const pupil = (name: string) => pupils.get(name)!.id
const undo = (requestId: string | null) =>
  admin.post('blade-log/history/undo', undefined, { query: { requestId: String(requestId) } })
const merge = (
  id: string,
  otherId: string,
  more: Record<string, unknown> = {},
  who: Pick<Person, 'post'> = admin,
  check = 'pupilTwin',
) => who.post<QualityMerge>('blade-desk/quality/merge', { check, id, otherId, ...more })
const detail = async (path: string, id: string) => (await admin.get<Row>(`${path}/detail`, { id })).data
const edit = async (path: string, id: string, values: object) => {
  const answer = await admin.post<Row>(`${path}/submit`, { id, ...values })
  expect(answer.msg).toBe('操作成功')
}

/** Everything that refers to a pupil, by entity. */
const pointing = entities.flatMap((entity) =>
  Object.entries(entity.fields).flatMap(([name, field]) => (field.to === 'student' ? [{ entity, name, field }] : [])),
)
/** All rows of these tables as they stand, but for when and how often they were written; sealed texts differ each time. */
async function everything(): Promise<unknown> {
  const tables = [
    ...new Set(['student', ...pointing.map(({ entity }) => entity.name), 'schoolteachclass_student_ids', 'search_key']),
  ]
  const found: Record<string, unknown> = {}
  for (const table of tables) {
    const exists = await world.owner.query('select to_regclass($1) is not null as yes', [table])
    if (!exists.rows[0].yes) continue
    const { rows } = await world.owner.query(
      `select to_jsonb(t) - '{version,update_time,update_user}'::text[] as row from ${table} t where tenant_id = $1`,
      [admin.tenantId],
    )
    found[table] = rows
      .map(({ row }) => JSON.stringify(row, (_, value) => (String(value).startsWith('\\x') ? null : value)))
      .sort()
  }
  return found
}

/** How many rows of each entity refer to a pupil. */
async function referring(id: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { entity, name, field } of pointing) {
    const answer = await admin.get<{ total: number }>(`${entity.path}/list`, { [name]: id, size: 1 })
    const total = field.kind === 'references' || answer.code !== 200 ? 0 : answer.data.total
    if (total > 0) counts[entity.name] = (counts[entity.name] ?? 0) + total
  }
  return counts
}

/** What a row that belongs to a pupil is made with: all in that pupil’s school. */
const known = (id: string) =>
  new Map([
    ['student', id],
    ['school', schoolId],
    ['schoolclass', classes[1]!.id],
  ])

/** Makes another pupil the twin of one, with at least one row of everything that can refer to a pupil. */
async function makeTwin(): Promise<{ stays: string; goes: string }> {
  const [stays, goes] = [pupil('学一甲'), pupil('学二甲')]
  const { birthDate } = await detail('blade-user/student', stays)
  await edit('blade-user/student', goes, { name: '学一甲', birthDate })
  const { records } = (
    await admin.get<{ records: Row[] }>('blade-user/studentparents/list', { studentId: goes, size: 9 })
  ).data
  for (const { id } of records) await edit('blade-user/studentparents', id, { relation: null })
  const have = await referring(goes)
  for (const { entity, name } of pointing) {
    if (have[entity.name]) continue
    const { draft } = await sample(admin, entity as Entity, known(goes))
    await add(entity.name, { ...draft, [name]: goes })
  }
  // As if it had been approved: nobody changes it any more.
  await world.owner.query('update leave set status = $3 where tenant_id = $1 and student_id = $2', [
    admin.tenantId,
    goes,
    leaveStates.approved,
  ])
  return { stays, goes }
}

describe('R-DEV-4 two records of one child', () => {
  it('become one: all that belongs to the one that goes belongs to the one that stays, and an undo brings back both', async () => {
    const { stays, goes } = await makeTwin()
    await edit('blade-user/student', stays, { email: null, auxCode: null })
    await edit('blade-user/student', goes, { email: 'two@example.cn', auxCode: 'SECOND' })
    // One guardian of both, by the number: told once; what is missing of it is filled in.
    const [first] = (
      await admin.get<{ records: Row[] }>('blade-user/studentparents/list', { studentId: stays, size: 9 })
    ).data.records
    const { mobile } = (await admin.get<Row>('blade-user/studentparents/personal', { id: first!.id })).data
    await edit('blade-user/studentparents', first!.id, { workUnit: null, position: '教师' })
    const { draft } = await sample(admin, entityOf('studentparents'), new Map([['student', goes]]))
    const second = {
      ...draft,
      studentId: goes,
      parentName: first!.parentName,
      mobile,
      contactPriority: 9,
      workUnit: '第二小学',
      position: '工人',
    }
    await add('studentparents', second)
    const before = await everything()
    const [had, has] = [await referring(stays), await referring(goes)]

    const seen = await merge(stays, goes, { preview: 1 })
    expect(seen.msg).toBe('操作成功')
    expect(await everything()).toEqual(before)
    const done = await merge(stays, goes)
    expect({ ...done.data, requestId: null }).toEqual(seen.data)
    expect(done.data.filled).toEqual(expect.arrayContaining(['email', 'auxCode']))
    expect(done.data.dropped).toContain('studentparents.position')
    expect(done.data.joined).toContainEqual({ entity: 'studentparents', count: 1 })
    expect((await admin.get('blade-user/student/detail', { id: goes })).code).toBe(404)
    expect(await detail('blade-user/student', stays)).toMatchObject({
      email: 'two@example.cn',
      auxCode: 'SECOND',
      className: '一班',
    })
    expect(await detail('blade-user/studentparents', first!.id)).toMatchObject({
      workUnit: '第二小学',
      position: '教师',
    })
    // No row is lost: each has come over, or was there already.
    expect(await referring(goes)).toEqual({})
    const now = await referring(stays)
    for (const [name, count] of Object.entries(has)) {
      const of = (rows: QualityMerge['moved']) => rows.find(({ entity }) => entity === name)?.count ?? 0
      expect([name, of(done.data.moved) + of(done.data.joined)]).toEqual([name, count])
      expect([name, now[name]]).toEqual([name, (had[name] ?? 0) + of(done.data.moved)])
    }

    expect((await undo(done.data.requestId)).msg).toBe('操作成功')
    expect(await everything()).toEqual(before)
  }, 120_000)

  it('takes from the other one what was chosen, its class and number as well', async () => {
    const { stays, goes } = await makeTwin()
    await edit('blade-user/student', stays, {
      email: 'one@example.cn',
      idType: '1',
      idNo: '110101201501011234'.slice(0, 0) || null,
    })
    await edit('blade-user/student', goes, { email: 'two@example.cn' })
    const kept = await detail('blade-user/student', goes)
    const done = await merge(stays, goes, { take: ['email', 'classId', 'studentNo'] })
    expect(done.msg).toBe('操作成功')
    expect(await detail('blade-user/student', stays)).toMatchObject({
      email: 'two@example.cn',
      className: '二班',
      studentNo: kept.studentNo,
    })
    expect((await undo(done.data.requestId)).msg).toBe('操作成功')
    expect(await detail('blade-user/student', stays)).toMatchObject({ email: 'one@example.cn', className: '一班' })
  }, 60_000)

  it('moves a guardian of another name and number to the next free place of the contact order', async () => {
    const { stays, goes } = await makeTwin()
    const done = await merge(stays, goes)
    expect(done.msg).toBe('操作成功')
    const { records } = (
      await admin.get<{ records: Row[] }>('blade-user/studentparents/list', { studentId: stays, size: 9 })
    ).data
    const places = records.map(({ contactPriority }) => Number(contactPriority))
    expect(new Set(places).size).toBe(records.length)
    expect((await undo(done.data.requestId)).msg).toBe('操作成功')
  }, 60_000)

  it('is refused in words where two different people share a number, and nothing is changed', async () => {
    const { stays, goes } = await makeTwin()
    const of = async (id: string) =>
      (await admin.get<{ records: Row[] }>('blade-user/studentparents/list', { studentId: id, size: 9 })).data.records
    const { mobile } = (await admin.get<Row>('blade-user/studentparents/personal', { id: (await of(stays))[0]!.id }))
      .data
    const other = (await of(goes)).find(({ parentName }) => parentName !== '家一甲')!
    const own = (await admin.get<Row>('blade-user/studentparents/personal', { id: other.id })).data
    const twin = (await of(goes)).find(({ id, parentName }) => id !== other.id && parentName === '家一甲')
    if (twin) await admin.post('blade-user/studentparents/remove', undefined, { query: { ids: twin.id } })
    await edit('blade-user/studentparents', other.id, { mobile })
    const before = await everything()
    const answer = await merge(stays, goes)
    expect(answer.msg).toBe(
      `家长“家一甲”与“${other.parentName}”不能都保留：该手机号已被该学生的其他家长使用。请先更正其中一条，再合并`,
    )
    expect(await everything()).toEqual(before)
    await edit('blade-user/studentparents', other.id, { mobile: own.mobile })
  }, 60_000)

  it('are merged once, however many try it at once', async () => {
    const { stays, goes } = await makeTwin()
    const answers = await Promise.all([merge(stays, goes), merge(goes, stays), merge(stays, goes), merge(goes, stays)])
    expect(answers.map(({ code }) => code).sort()).toEqual([200, 404, 404, 404])
    expect((await undo(answers.find(({ code }) => code === 200)!.data.requestId)).msg).toBe('操作成功')
  }, 60_000)

  it('are merged by nobody who may not remove, who does not reach both, of another tenant, or that are no twins', async () => {
    const { stays, goes } = await makeTwin()
    const before = await everything()
    const codes = (...verbs: string[]) => verbs.map((verb) => `student_${verb}`)
    const clerk = await world.colleague(admin, codes('view', 'edit'))
    expect((await merge(stays, goes, {}, clerk)).code).toBe(403)
    const adder = await world.colleague(admin, codes('view', 'delete'))
    expect((await merge(stays, goes, {}, adder)).code).toBe(403)
    const narrow = await narrowed(codes('view', 'edit', 'delete'), [inClasses(classes[0]!.id)])
    expect((await merge(stays, goes, {}, narrow)).code).toBe(404)
    expect((await merge(stays, goes, {}, await world.tenant())).code).toBe(404)
    expect((await merge(stays, pupil('学三甲'))).code).toBe(404)
    expect((await merge(stays, stays)).code).toBe(404)
    expect((await merge(stays, 'x')).code).toBe(404)
    expect((await merge(stays, goes, {}, admin, 'pupilPhoto')).code).toBe(404)
    expect((await merge(stays, goes, {}, admin, 'nothing')).code).toBe(400)
    expect(await everything()).toEqual(before)
  }, 60_000)

  it('are two entries of one guardian as well', async () => {
    const { records } = (
      await admin.get<{ records: Row[] }>('blade-user/studentparents/list', { studentId: pupil('学三甲'), size: 9 })
    ).data
    const { draft } = await sample(admin, entityOf('studentparents'), new Map([['student', pupil('学三甲')]]))
    const twice = await add('studentparents', {
      ...draft,
      studentId: pupil('学三甲'),
      parentName: '家 三甲',
      relation: null,
      contactPriority: 7,
    })
    const done = await merge(records[0]!.id, twice.id, { take: ['mobile'] }, admin, 'parentTwin')
    expect(done.msg).toBe('操作成功')
    const left = (
      await admin.get<{ records: Row[] }>('blade-user/studentparents/list', { studentId: pupil('学三甲'), size: 9 })
    ).data.records
    expect(left.map(({ id }) => id)).toEqual([records[0]!.id])
    expect((await undo(done.data.requestId)).msg).toBe('操作成功')
  }, 60_000)
})
