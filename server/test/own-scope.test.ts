import { entityOf } from '@data-brain/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sample } from './sample.ts'
import { add, admin, classes, inClasses, makeSchool, names, narrowed, type Row, world } from './scope-school.ts'
import type { Answer, Person } from './world.ts'

/*
 * R-PERM-5: whose data scope goes by the classes taught does not take on another class by oneself, whatever call would
 * say so; and whoever may edit roles leaves alone those that give more than the own ones.
 */

beforeAll(makeSchool, 60_000)
afterAll(() => world.close())

const submit = (person: Person, entity: string, draft: object): Promise<Answer<Row>> =>
  person.post<Row>(`${entityOf(entity).path}/submit`, draft)
const own = '不能自己把自己排入其他班级'
const refused = (answer: Answer): void =>
  expect([answer.status, answer.msg]).toEqual([400, expect.stringContaining(own)])

const arranging = [
  'student_view',
  ...['view', 'add', 'edit'].flatMap((verb) => [`schoolclass_${verb}`, `teacherclass_${verb}`]),
]

/** Somebody who arranges classes, works with the pupils of the classes taught, and heads the first. */
async function head(type: '7' | '8'): Promise<Person> {
  const person = await narrowed(arranging, [
    { scopeClass: 'student', scopeType: type },
    { scopeClass: 'schoolclass', scopeType: '1' },
    { scopeClass: 'teacherclass', scopeType: '1' },
  ])
  expect((await submit(admin, 'schoolclass', { id: classes[0]!.id, headTeacherId: person.userId })).msg).toBe(
    '操作成功',
  )
  return person
}

describe('R-PERM-5 a scope by the classes taught', () => {
  const first = ['学一乙', '学一甲']

  it('is not widened by naming oneself class teacher, deputy or teacher of another class', async () => {
    const person = await head('8')
    expect(await names(person)).toEqual(first)
    const other = classes[1]!
    refused(await submit(person, 'schoolclass', { id: other.id, headTeacherId: person.userId }))
    refused(await submit(person, 'schoolclass', { id: other.id, deputyTeacherIds: [admin.userId, person.userId] }))
    const values = { headTeacherId: person.userId }
    const bulk = await person.post('blade-user/schoolclass/bulk', { values }, { query: { ids: other.id } })
    expect(JSON.stringify(bulk)).toContain(own)
    const { draft: room } = await sample(admin, entityOf('schoolclass'))
    const more = { ...room, schoolId: other.schoolId, campusId: other.campusId, yearId: other.yearId }
    refused(
      await submit(person, 'schoolclass', { ...more, classNo: 9, className: '九班', headTeacherId: person.userId }),
    )
    // A term that has not ended by the time anybody runs this.
    const made = new Map([
      ['school', String(other.schoolId)],
      ['schoolclass', other.id],
    ])
    const { draft: year } = await sample(admin, entityOf('schoolyear'), made)
    const days = { yearName: '2098-2099学年', startYear: 2098, beginDate: '2098-09-01', endDate: '2099-07-15' }
    made.set('schoolyear', (await add('schoolyear', { ...year, ...days })).id)
    const { draft } = await sample(admin, entityOf('teacherclass'), made)
    const now = { ...draft, classId: other.id }
    const taught = await submit(admin, 'teacherclass', { ...now, userId: admin.userId })
    expect(taught.msg).toBe('操作成功')
    refused(await submit(person, 'teacherclass', { id: taught.data.id, userId: person.userId }))
    expect(await names(person)).toEqual(first)
    // One that was taken back by somebody else is not restored by oneself either.
    await submit(admin, 'teacherclass', { id: taught.data.id, userId: person.userId })
    expect((await names(person)).length).toBe(4)
    await submit(admin, 'teacherclass', { id: taught.data.id, userId: admin.userId })
    const { data: entries } = await person.get<{ id: string }[]>('blade-user/teacherclass/history', {
      id: taught.data.id,
    })
    for (const entry of entries)
      await person.post('blade-user/teacherclass/restore', {}, { query: { id: taught.data.id, historyId: entry.id } })
    expect(await names(person)).toEqual(first)
    // What is one's own, and what concerns others, is arranged as before.
    const mine = { id: classes[0]!.id, deputyTeacherIds: [person.userId] }
    expect((await submit(person, 'schoolclass', mine)).msg).toBe('操作成功')
    expect((await submit(person, 'schoolclass', { id: other.id, headTeacherId: admin.userId })).msg).toBe('操作成功')
    expect((await submit(admin, 'schoolclass', { id: other.id, deputyTeacherIds: [person.userId] })).msg).toBe(
      '操作成功',
    )
    expect((await names(person)).length).toBe(4)
    await submit(admin, 'schoolclass', { id: other.id, deputyTeacherIds: [] })
  })

  it('nor by calling the own class one of another grade, where it goes by the grade', async () => {
    const person = await head('7')
    const { data: grades } = await admin.get<{ records: Row[] }>('blade-user/sysgrade/list', { gradeCode_equal: '12' })
    const before = await names(person)
    refused(await submit(person, 'schoolclass', { id: classes[0]!.id, gradeId: grades.records[0]!.id }))
    expect(await names(person)).toEqual(before)
  })

  it('binds nobody whose rows do not go by classes', async () => {
    const clerk = await narrowed(arranging, [
      inClasses(classes[0]!.id),
      { scopeClass: 'schoolclass', scopeType: '1' },
      { scopeClass: 'teacherclass', scopeType: '1' },
    ])
    const named = await submit(clerk, 'schoolclass', { id: classes[2]!.id, headTeacherId: clerk.userId })
    expect(named.msg).toBe('操作成功')
    expect(await names(clerk)).toEqual(first)
  })
})

describe('R-PERM-5 a role that gives more than the own', () => {
  it('is neither changed nor removed by whoever may edit roles', async () => {
    const editor = await world.colleague(admin, ['role_view', 'role_add', 'role_edit', 'role_delete', 'student_view'])
    const made = async (codes: readonly string[]): Promise<string> => {
      const role = await add('role', { roleName: `角色${codes.length}` })
      const menuIds = await world.menuIds(codes)
      expect((await admin.post('blade-system/role/grant', { roleIds: [role.id], menuIds })).msg).toBe('操作成功')
      return role.id
    }
    const strong = await made(['student_view', 'student_delete', 'user_edit'])
    const weak = await made(['student_view'])
    const { rows: admins } = await world.owner.query<{ id: string }>(
      'select id::text as id from role where tenant_id = $1 and is_admin = 1',
      [admin.tenantId],
    )
    const beyond = [400, '该角色的权限超出您的权限范围']
    const said = ({ status, msg }: Answer): unknown[] => [status, msg]
    for (const id of [strong, admins[0]!.id]) {
      expect(said(await submit(editor, 'role', { id, roleName: '改名' }))).toEqual(beyond)
      expect((await submit(editor, 'role', { id, status: 0 })).status).toBe(400)
      expect((await editor.remove('blade-system/role', id)).status).toBe(400)
      const bulk = await editor.post('blade-system/role/bulk', { values: { sort: 7 } }, { query: { ids: id } })
      expect([JSON.stringify(bulk).includes('"failed":1'), bulk.status]).toEqual([true, 200])
    }
    const { data: entries } = await admin.get<{ id: string }[]>('blade-system/role/history', { id: strong })
    const back = { query: { id: strong, historyId: entries.at(-1)!.id } }
    await submit(admin, 'role', { id: strong, roleName: '改过的' })
    expect(said(await editor.post('blade-system/role/restore', {}, back))).toEqual(beyond)
    const { data: kept } = await admin.get<Row>('blade-system/role/detail', { id: strong })
    expect(kept.roleName).toBe('改过的')
    expect((await submit(editor, 'role', { id: weak, roleName: '自己的' })).msg).toBe('操作成功')
    expect((await editor.remove('blade-system/role', weak)).msg).toBe('操作成功')
    expect((await submit(editor, 'role', { roleName: '新的' })).msg).toBe('操作成功')
  })
})
