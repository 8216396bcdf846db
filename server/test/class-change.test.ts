import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { admin, classes, makeSchool, pupils, type Row, world } from './scope-school.ts'

/** Issue 12, C13: after a class change the number in class is asked for, not lost silently. */

interface Told {
  readonly changed: number
  readonly failed: number
  readonly rows: readonly {
    readonly name: string
    readonly result: string
    readonly after?: Row
    readonly msg?: string
  }[]
  readonly requestId: string
}

beforeAll(makeSchool)
afterAll(() => world.close())

const path = 'blade-user/student'
const idOf = (name: string): string => pupils.get(name)!.id
const save = (name: string, values: object) => admin.post<Row>(`${path}/submit`, { id: idOf(name), ...values })
const placeOf = async (name: string): Promise<unknown[]> => {
  const { data } = await admin.get<Row>(`${path}/detail`, { id: idOf(name) })
  return [data.classId, data.seatNo]
}
const undo = (requestId: string) => admin.post('blade-log/history/undo', undefined, { query: { requestId } })
/** Under what the newest change of a pupil stands in the history. */
const lastOf = async (name: string): Promise<string> => {
  const { data } = await admin.get<{ requestId: string }[]>(`${path}/history`, { id: idOf(name) })
  return data[0]!.requestId
}
const bulk = (names: string[], body: unknown, preview?: 1) =>
  admin.post<Told>(`${path}/bulk`, body, { query: { ids: names.map(idOf).join(','), preview } })
const numbers = ({ rows }: Told) => Object.fromEntries(rows.map(({ name, after }) => [name, after?.seatNo]))

describe('R-STUDENT-1 a number in class after a change of class', () => {
  it('is the next one there where none is given, the given one otherwise, and the old one again after undo', async () => {
    await save('学一甲', { seatNo: 7 })
    await save('学二甲', { seatNo: 30 })
    await save('学一甲', { classId: classes[1]!.id })
    expect(await placeOf('学一甲')).toEqual([classes[1]!.id, 31])
    expect((await undo(await lastOf('学一甲'))).msg).toBe('操作成功')
    expect(await placeOf('学一甲')).toEqual([classes[0]!.id, 7])
    // The same number in both classes is no change of it, and comes back all the same.
    await save('学一甲', { seatNo: 31 })
    await save('学一甲', { classId: classes[1]!.id })
    expect(await placeOf('学一甲')).toEqual([classes[1]!.id, 31])
    expect((await undo(await lastOf('学一甲'))).msg).toBe('操作成功')
    expect(await placeOf('学一甲')).toEqual([classes[0]!.id, 31])
    await save('学一甲', { classId: classes[1]!.id, seatNo: 12 })
    expect(await placeOf('学一甲')).toEqual([classes[1]!.id, 12])
    // In no class there is no number.
    await save('学一甲', { classId: null })
    expect(await placeOf('学一甲')).toEqual([null, null])
    await save('学一甲', { classId: classes[0]!.id, seatNo: 7 })
  })

  it('is told before many are moved, can be given for each, and comes back with the class', async () => {
    await save('学一乙', { seatNo: 8 })
    const names = ['学一甲', '学一乙']
    const values = { classId: classes[1]!.id }
    const told = await bulk(names, { values }, 1)
    expect(new Set(Object.values(numbers(told.data)))).toEqual(new Set([31, 32]))
    expect(await placeOf('学一甲')).toEqual([classes[0]!.id, 7])
    const each = { [idOf('学一甲')]: { seatNo: 40 }, [idOf('学一乙')]: { seatNo: 30 } }
    // One of them is taken: that row stays where it was, and is told.
    const some = await bulk(names, { values, each })
    expect([some.data.changed, some.data.failed]).toEqual([1, 1])
    expect(some.data.rows.find(({ result }) => result === 'failed')!.msg).toContain('班内学号')
    expect(await placeOf('学一甲')).toEqual([classes[1]!.id, 40])
    expect(await placeOf('学一乙')).toEqual([classes[0]!.id, 8])
    await undo(some.data.requestId)
    expect(await placeOf('学一甲')).toEqual([classes[0]!.id, 7])
    // Nothing but such numbers is given row by row.
    const other = await bulk(names, { values, each: { [idOf('学一甲')]: { name: '改名' } } })
    expect(other.status).toBe(400)
    expect((await bulk(names, { values: { remark: '一' }, each })).status).toBe(400)
  })

  it('is given once where two are moved at once', async () => {
    const values = { classId: classes[1]!.id }
    const both = await Promise.all([save('学一甲', values), save('学一乙', values)])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    const [one, two] = [await placeOf('学一甲'), await placeOf('学一乙')]
    expect(new Set([one[1], two[1]])).toEqual(new Set([31, 32]))
  })
})

describe('R-SCHOOL-3 a grade of a stage that the school does not have', () => {
  it('is neither offered for the school nor taken for a pupil without a class', async () => {
    const { data: school } = await admin.get<Row>('blade-user/school/detail', { id: String(classes[0]!.schoolId) })
    expect(school.stages).not.toContain('1')
    const grades = await admin.get<{ records: Row[] }>('blade-user/sysgrade/list', { stage: '1', current: 1, size: 10 })
    const stray = grades.data.records[0]!
    const offered = await admin.get<Row[]>('blade-user/sysgrade/select', { schoolId: String(school.id) })
    expect(offered.data.length).toBeGreaterThan(0)
    expect(offered.data.map(({ id }) => id)).not.toContain(stray.id)
    const refused = await save('学二乙', { classId: null, gradeId: stray.id })
    expect([refused.status, (refused.data as Row).field]).toEqual([400, 'gradeId'])
  })
})
