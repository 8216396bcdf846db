import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { add, admin, all, classes, makeSchool, type Row, type Rows, schoolId, world } from './scope-school.ts'
import type { Person } from './world.ts'

/** Issue 12, D15: a child and the guardians are made in one form and stored in one transaction. */

beforeAll(makeSchool)
afterAll(() => world.close())

const path = 'blade-user/student'
let count = 0
const draft = (guardian?: object | readonly object[], more: object = {}) => {
  count += 1
  const place = {
    schoolId,
    classId: classes[0]!.id,
    studentNo: `F${count}`,
    name: `新生${'甲乙丙丁戊己庚辛壬癸子丑寅卯辰巳午未申酉戌亥天地人春夏秋冬'[count]}`,
  }
  return { ...place, sex: '1', birthDate: '2017-05-12', ...(guardian ? { guardians: [guardian].flat() } : {}), ...more }
}
const save = (body: object, person: Person = admin) => person.post<Row>(`${path}/submit`, body)
const pupilsNamed = async (name: string) => (await admin.get<Rows>(`${path}/list`, { name_equal: name })).data.total
const guardiansOf = async (studentId: string) =>
  (await admin.get<Rows>('blade-user/studentparents/list', { studentId })).data.records
const mother = { parentName: '孙丽', relation: '52', mobile: '13805714130' }

describe('R-STUDENT-4 a child with guardians', () => {
  it('is stored whole: the guardian is rung first in an emergency; one undo takes both back', async () => {
    const { data: child, msg } = await save(draft(mother))
    expect(msg).toBe('操作成功')
    const [guardian, ...others] = await guardiansOf(child.id)
    expect(others).toEqual([])
    expect(guardian).toMatchObject({ parentName: '孙丽', relation: '52', contactPriority: 1, isEmergency: 1 })
    expect(guardian).toMatchObject({ isGuardian: 1, mobile: '*********30', schoolId })
    const history = async (entity: string, id: string) =>
      (await admin.get<{ action: string; requestId: string }[]>(`blade-user/${entity}/history`, { id })).data[0]!
    const [own, hers] = [await history('student', child.id), await history('studentparents', guardian!.id)]
    expect([own.action, hers.action, hers.requestId]).toEqual(['add', 'add', own.requestId])
    const undone = await admin.post('blade-log/history/undo', undefined, { query: { requestId: own.requestId } })
    expect(undone.msg).toBe('操作成功')
    expect(await pupilsNamed(String(child.name))).toBe(0)
    expect(await guardiansOf(child.id)).toEqual([])
  })

  it('is not half-saved: what is wrong with the guardian is said of its field, and no child is there', async () => {
    for (const [first, field] of [
      [{ ...mother, mobile: '1380571' }, 'guardians.0.mobile'],
      [{ relation: '52' }, 'guardians.0.parentName'],
      [{ ...mother, relation: 'X9' }, 'guardians.0.relation'],
    ] as const) {
      const body = draft(first)
      const refused = await save(body)
      expect([refused.status, (refused.data as Row).field]).toEqual([400, field])
      expect(await pupilsNamed(body.name)).toBe(0)
    }
    // Nothing but what the form asks for, and only of a new child; each refusal says what is wrong, and in which line.
    const { data: child } = await save(draft())
    const five = [1, 2, 3, 4, 5].map((each) => ({ parentName: `家长${each}` }))
    for (const [body, field, msg] of [
      [draft([mother, { ...mother, userId: '1' }]), 'guardians.1.userId', '第二位家长：没有名为 userId 的字段'],
      [draft([mother, '孙丽'] as never), 'guardians.1', '第二位家长：须为一组字段'],
      [{ id: child.id, guardians: [mother] }, 'guardians', '家长：只能随新增一起保存'],
      [{ ...draft(), guardians: mother }, 'guardians', '家长：须为列表'],
      [draft(five), 'guardians', '家长：最多 4 项'],
    ] as const) {
      const refused = await save(body)
      expect([refused.status, (refused.data as Row).field, refused.msg]).toEqual([400, field, msg])
    }
    expect(await guardiansOf(child.id)).toEqual([])
  })

  it('is stored with several guardians in their order; a line in which nothing is said is none', async () => {
    const father = { parentName: '沈建', relation: '51', mobile: '13905710009' }
    const aunt = { parentName: '孙敏', relation: '97', relationNote: '姨妈', mobile: '13905710008' }
    const { data: child } = await save(draft([mother, { parentName: '' }, aunt, father]))
    const stored = (await guardiansOf(child.id)).toSorted(
      (a, b) => Number(a.contactPriority) - Number(b.contactPriority),
    )
    expect(stored.map((row) => [row.parentName, row.contactPriority, row.isEmergency, row.isGuardian])).toEqual([
      ['孙丽', 1, 1, 1],
      ['孙敏', 2, 0, 1],
      ['沈建', 3, 0, 1],
    ])
    const { data: second } = await admin.get<Row>('blade-user/studentparents/detail', { id: stored[1]!.id })
    expect(second.relationNote).toBe('姨妈')
    // Who is first in the list is rung first, also below an empty line.
    const { data: other } = await save(draft([{}, father]))
    expect(await guardiansOf(other.id)).toMatchObject([{ parentName: '沈建', contactPriority: 1, isEmergency: 1 }])
  })

  it('is not half-saved when a later guardian is wrong: the field of that line is named, and nobody is there', async () => {
    for (const [second, field] of [
      [{ parentName: '孙敏', relation: '97' }, 'guardians.1.relationNote'],
      [{ parentName: '孙敏', mobile: '139' }, 'guardians.1.mobile'],
      [{ parentName: '孙敏', mobile: mother.mobile }, 'guardians.1.mobile'],
    ] as const) {
      const body = draft([mother, second])
      const refused = await save(body)
      expect([refused.status >= 400, (refused.data as Row).field]).toEqual([true, field])
      expect(await pupilsNamed(body.name)).toBe(0)
    }
    const { data } = await admin.get<Rows>('blade-user/studentparents/list', { parentName_equal: '孙敏' })
    expect(data.total).toBe(1)
  })

  it('asks for the right to add guardians', async () => {
    const clerk = await world.colleague(admin, all)
    const body = draft(mother)
    expect((await save(body, clerk)).status).toBe(403)
    expect(await pupilsNamed(body.name)).toBe(0)
    expect((await save(draft(), clerk)).status).toBe(200)
  })

  it('joins a guardian who is known by name and number to the account, where both are the same', async () => {
    const { userId } = await world.colleague(admin, [])
    const known = { parentName: '周建国', relation: '51', mobile: '13905710001' }
    const { data: elder } = await save(draft())
    await add('studentparents', { ...known, studentId: elder.id, contactPriority: 1, userId })
    const accountOf = async (first: object, person = admin) => {
      const { data: child } = await save(draft(first), person)
      const [row] = await guardiansOf(child.id)
      return (await admin.get<Row>('blade-user/studentparents/detail', { id: row!.id })).data.userId
    }
    expect(await accountOf(known)).toBe(userId)
    expect(await accountOf({ ...known, parentName: '周建军' })).toBeNull()
    expect(await accountOf({ ...known, mobile: '13905710002' })).toBeNull()
    // Who may not look at guardians finds nobody to join.
    const blind = await world.colleague(admin, [...all, 'studentparents_add'])
    expect(await accountOf(known, blind)).toBeNull()
  })
})
