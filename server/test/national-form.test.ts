import { type Entity, entityOf } from '@data-brain/contract'
import { studentForm } from '@data-brain/contract/import/student-form'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sample } from './sample.ts'
import { makeWorld, type Person, type Row, type World } from './world.ts'

let world: World
let admin: Person
beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
})
afterAll(() => world.close())

const made = new Map<string, string>()
const save = async (entity: string, draft: object): Promise<Row> => {
  const answer = await admin.post<Row>(`${entityOf(entity).path}/submit`, draft)
  expect(answer.msg).toBe('操作成功')
  return answer.data
}
const full = async (entity: string, more: object = {}): Promise<Row> =>
  save(entity, { ...(await sample(admin, entityOf(entity), made)).draft, ...more })
const incomplete = async (id: string): Promise<boolean> => {
  const found = async (suffix: string): Promise<{ total: number; ids: string[] }> => {
    const { data } = await admin.get<{ total: number; records: Row[] }>('blade-user/student/list', {
      [`national_${suffix}`]: '1',
      size: 200,
    })
    expect(data.total).toBe(data.records.length)
    return { total: data.total, ids: data.records.map((row) => row.id) }
  }
  const [missing, whole] = [await found('notnull'), await found('null')]
  // Each pupil is in one of the two.
  expect(missing.ids.includes(id)).not.toBe(whole.ids.includes(id))
  return missing.ids.includes(id)
}

describe('what is missing for the national form', () => {
  it('is found in the pupil, the details and the guardian, one field at a time, and never stops a save', async () => {
    const pupil = await full('student', { classId: null, seatNo: null })
    expect(await incomplete(pupil.id)).toBe(true)
    const detail = await full('studentdetail', { studentId: pupil.id })
    const guardian = await full('studentparents', { studentId: pupil.id })
    expect(await incomplete(pupil.id)).toBe(false)
    for (const [name, row] of Object.entries({ student: pupil, studentdetail: detail, studentparents: guardian }))
      for (const [field, { national }] of Object.entries((entityOf(name) as Entity).fields)) {
        if (!national) continue
        const told = async (call: string) =>
          (await admin.get<Record<string, unknown>>(`${entityOf(name).path}/${call}`, { id: row.id })).data
        const [personal, shown] = [await told('personal'), await told('detail')]
        // A number is one of some kind: who has no kind of document has no number of it.
        const emptied = field === 'idType' ? [field, 'idNo'] : [field]
        await save(name, { id: row.id, ...Object.fromEntries(emptied.map((each) => [each, null])) })
        expect(await incomplete(pupil.id), `${name}.${field}`).toBe(true)
        const old = emptied.map((each) => [each, personal[each] ?? shown[each]])
        await save(name, { id: row.id, ...Object.fromEntries(old) })
        expect(await incomplete(pupil.id), `${name}.${field}`).toBe(false)
      }
  })

  it('has no number without the kind of document that it is of', async () => {
    const { id } = await full('student', { classId: null, seatNo: null })
    const answer = await admin.post('blade-user/student/submit', { id, idType: null })
    expect(answer).toMatchObject({ status: 400, msg: '身份证件类型：填写了证件号，请选择证件类型' })
  })

  it('is unknown, neither yes nor no, where nobody said it', async () => {
    const pupil = await full('student', { classId: null, seatNo: null })
    const detail = await save('studentdetail', { studentId: pupil.id, homeAddress: '幸福路1号' })
    const stored = (await admin.get<Record<string, unknown>>('blade-user/studentdetail/detail', { id: detail.id })).data
    expect(stored).toMatchObject({ isOnlyChild: null, isOrphan: null, postcode: null, homeAddress: '幸福路1号' })
  })

  it('is asked of the fields that the form stars; a child is known by name, birth and sex', () => {
    const starred = studentForm
      .filter((column) => column.starred && ['student', 'detail', 'member1'].includes(column.part))
      // The telephone of the form is the guardian's; class and grade follow from the placement.
      .filter((column) => !['student.phone', 'student.gradeId', 'student.classId'].includes(column.key))
    const entities = { student: 'student', detail: 'studentdetail', member1: 'studentparents' } as const
    for (const { key, part, field } of starred) {
      const definition = (entityOf(entities[part as keyof typeof entities]) as Entity).fields[field]
      expect(definition?.national === true || definition?.required === true, key).toBe(true)
    }
    expect(starred.length).toBeGreaterThan(30)
  })

  it('leaves a guardian who has neither name nor number nobody', async () => {
    const pupil = await full('student', { classId: null, seatNo: null })
    const answer = await admin.post('blade-user/studentparents/submit', {
      studentId: pupil.id,
      relation: '51',
      contactPriority: 1,
    })
    expect(answer).toMatchObject({ status: 400, msg: '姓名：姓名和电话至少填一项' })
    for (const draft of [{ parentName: '王大力' }, { mobile: '0512-62810001' }])
      await save('studentparents', { studentId: pupil.id, contactPriority: draft.mobile ? 2 : 1, ...draft })
  })
})
