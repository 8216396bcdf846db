import { natureOf, student } from '@data-brain/contract'
import { isBare, opsOf } from '@data-brain/contract/rules/condition'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../src/database/id.ts'
import { sample } from './sample.ts'
import {
  add,
  admin,
  all,
  classes,
  deptId,
  everybody,
  inClasses,
  makeSchool,
  names,
  narrowed,
  pupils,
  type Row,
  type Rows,
  schoolId,
  third,
  world,
} from './scope-school.ts'
import type { Person } from './world.ts'

/* R-PERM-3: people whose roles are narrowed in every way there is. */

beforeAll(makeSchool)
afterAll(() => world.close())

describe('R-PERM-3 a role that works with the pupils of one class', () => {
  let teacher: Person & { roleId: string }
  beforeAll(async () => {
    teacher = await narrowed(
      [
        ...all,
        'student_personal',
        'studentparents_view',
        'studentparents_edit',
        'studentparents_personal',
        'schoolclass_view',
      ],
      [inClasses(classes[2]!.id)],
    )
  })
  const other = () => pupils.get('学一甲')!

  it('lists, counts, filters and sorts exactly those rows, page by page', async () => {
    expect(await names(admin)).toEqual(everybody)
    expect(await names(teacher)).toEqual(third)
    expect(await names(teacher, { name: '甲' })).toEqual(['学三甲'])
    expect(await names(teacher, { classId: classes[0]!.id })).toEqual([])
    expect(await names(teacher, { keyword: '学一' })).toEqual([])
    const page = await teacher.get<Rows>('blade-user/student/list', { size: 1, current: 2, descs: 'name' })
    expect([page.data.total, page.data.records.length]).toEqual([2, 1])
  })

  it('is told no name by what nobody chooses: rows of children, files, notices', async () => {
    const nobody = await world.colleague(admin, [])
    const closed = [
      'blade-user/studentclass',
      'blade-user/studentgrouprelevance',
      'blade-user/studentmessage',
      'blade-user/teacherclass',
      'blade-resource/attach',
      'blade-desk/notice',
    ]
    for (const path of closed) expect((await nobody.get(`${path}/select`)).status, path).toBe(403)
    // Nor by working with what a file hangs on.
    expect((await teacher.get('blade-resource/attach/select')).status).toBe(403)
    for (const path of ['blade-user/schoolclass', 'blade-user/schoolclassroom', 'blade-system/role'])
      expect((await nobody.get(`${path}/select`)).status, path).toBe(200)
  })

  it('finds nobody else by choosing, by searching, or by id', async () => {
    const chosen = await teacher.get<{ name: string }[]>('blade-user/student/select')
    expect(chosen.data.map((row) => row.name).sort()).toEqual(third)
    expect((await teacher.get<unknown[]>('blade-user/student/select', { ids: other().id })).data).toEqual([])
    const found = await teacher.get<{ groups: { entity: string; items: { name: string }[] }[] }>('blade-desk/search', {
      keyword: '学',
    })
    expect(
      found.data.groups
        .find((group) => group.entity === 'student')
        ?.items.map((item) => item.name)
        .sort(),
    ).toEqual(third)
    for (const call of ['detail', 'history', 'personal']) {
      const mine = await teacher.get(`blade-user/student/${call}`, { id: pupils.get('学三甲')!.id })
      const foreign = await teacher.get(`blade-user/student/${call}`, { id: other().id })
      const never = await teacher.get(`blade-user/student/${call}`, { id: newId() })
      expect([call, mine.status, foreign.status, foreign.msg]).toEqual([call, 200, 404, never.msg])
    }
  })

  it('cannot change or remove a row outside, nor move one out or make one there', async () => {
    const before = await admin.get<Row>('blade-user/student/detail', { id: other().id })
    expect((await teacher.post('blade-user/student/submit', { id: other().id, remark: 'x' })).status).toBe(404)
    expect((await teacher.remove('blade-user/student', other().id)).status).toBe(404)
    const both = await teacher.remove('blade-user/student', `${pupils.get('学三乙')!.id},${other().id}`)
    expect(both.status).toBe(404)
    expect((await admin.get<Row>('blade-user/student/detail', { id: other().id })).data).toEqual(before.data)
    const moved = await teacher.post('blade-user/student/submit', {
      id: pupils.get('学三甲')!.id,
      classId: classes[0]!.id,
    })
    expect([moved.status, moved.msg]).toEqual([403, '超出您的数据权限范围'])
    const { draft } = await sample(admin, student)
    const made = await teacher.post('blade-user/student/submit', { ...draft, schoolId, classId: classes[1]!.id })
    expect(made.status).toBe(403)
    expect(await names(admin)).toEqual(everybody)
  })

  it('changes and makes rows inside', async () => {
    const changed = await teacher.post<Row>('blade-user/student/submit', { id: pupils.get('学三甲')!.id, remark: '好' })
    expect([changed.status, changed.data?.remark]).toEqual([200, '好'])
    const { draft } = await sample(admin, student)
    const made = await teacher.post<Row>('blade-user/student/submit', {
      ...draft,
      name: '学三丙',
      schoolId,
      classId: classes[2]!.id,
      gradeId: classes[2]!.gradeId,
    })
    expect(made.msg).toBe('操作成功')
    expect(await names(teacher)).toEqual([...third, '学三丙'].sort())
    expect((await teacher.remove('blade-user/student', made.data.id)).status).toBe(200)
  })

  it('reaches the guardians of those pupils, and of no others', async () => {
    const list = await teacher.get<Rows>('blade-user/studentparents/list', { size: 50 })
    expect(list.data.records.map((row) => row.parentName).sort()).toEqual(['家三甲', '家三乙'].sort())
    const others = await admin.get<Rows>('blade-user/studentparents/list', { studentId: other().id })
    const foreign = others.data.records[0]!.id
    for (const call of ['detail', 'history', 'personal'])
      expect((await teacher.get(`blade-user/studentparents/${call}`, { id: foreign })).status, call).toBe(404)
    expect((await teacher.post('blade-user/studentparents/submit', { id: foreign, remark: 'x' })).status).toBe(404)
  })

  it('is told how many rows stand in the way of a removal, without the names of those outside', async () => {
    const clerk = await narrowed(
      ['schoolclass_view', 'schoolclass_delete', 'student_view'],
      [inClasses(classes[2]!.id)],
    )
    const answer = await clerk.post<{ blockers: { entity: string; count: number; sample: string[] }[] }>(
      'blade-user/schoolclass/remove',
      undefined,
      { query: { ids: classes[0]!.id } },
    )
    const pupilsThere = answer.data.blockers.find((blocker) => blocker.entity === 'student')
    expect([answer.status, pupilsThere?.count, pupilsThere?.sample]).toEqual([400, 2, []])
  })

  it('R-PERM-5 widens and narrows on the next request as scopes are changed, granted and withdrawn', async () => {
    const person = await narrowed(['student_view'], [inClasses(classes[0]!.id)])
    expect(await names(person)).toEqual(['学一甲', '学一乙'].sort())
    await admin.post('blade-system/data-scope/submit', { id: person.scopeIds[0], ...inClasses(classes[1]!.id) })
    expect(await names(person)).toEqual(['学二甲', '学二乙'].sort())
    const keys = await admin.get<{ menu: string[] }>('blade-system/menu/role-tree-keys', { roleIds: person.roleId })
    await admin.post('blade-system/role/grant', { roleIds: [person.roleId], menuIds: keys.data.menu, dataScopeIds: [] })
    expect(await names(person)).toEqual(everybody)
    await admin.post('blade-system/role/grant', { roleIds: [person.roleId], menuIds: [], dataScopeIds: [] })
    const refused = await person.get('blade-user/student/list')
    expect([refused.status, (await person.get('blade-user/info')).status]).toEqual([403, 200])
  })
})

describe('R-PERM-3 every kind of rule', () => {
  const list = async (draft: Record<string, unknown>, more: { deptId?: string } = {}) => {
    const person = await narrowed(
      ['student_view', 'student_add', 'student_edit'],
      [{ scopeClass: 'student', ...draft }],
      more,
    )
    return { person, seen: await names(person) }
  }

  it('1: everything', async () => {
    expect((await list({ scopeType: '1' })).seen).toEqual(everybody)
  })

  it('2: rows of one’s own, as soon as one has made some', async () => {
    const { person, seen } = await list({ scopeType: '2' })
    expect(seen).toEqual([])
    const { draft } = await sample(admin, student)
    const made = await add('student', { ...draft, name: '自己的' }, person)
    expect(await names(person)).toEqual(['自己的'])
    await admin.remove('blade-user/student', made.id)
  })

  it('3 and 4: rows made by people of one’s department, and of those below it', async () => {
    const above = await add('dept', { deptName: '教导处', deptCategory: '3' })
    const under = await add('dept', { deptName: '教务组', deptCategory: '3', parentId: above.id })
    const clerk = await world.colleague(admin, ['student_add', 'student_view'])
    await admin.post('blade-user/submit', { id: clerk.userId, deptId: under.id })
    const { draft } = await sample(admin, student)
    const made = await add('student', { ...draft, name: '教务组的' }, clerk)
    expect((await list({ scopeType: '3' }, { deptId: above.id })).seen).toEqual([])
    expect((await list({ scopeType: '4' }, { deptId: above.id })).seen).toEqual(['教务组的'])
    expect((await list({ scopeType: '3' }, { deptId: under.id })).seen).toEqual(['教务组的'])
    await admin.remove('blade-user/student', made.id)
  })

  it('6: one’s own school, through the department', async () => {
    const group = await add('dept', { deptName: '一年级组', deptCategory: '4', parentId: deptId })
    expect((await list({ scopeType: '6' }, { deptId: group.id })).seen).toEqual(everybody)
    expect((await list({ scopeType: '6' })).seen).toEqual([])
  })

  it('7 and 8: the grade that one heads, and the classes that one heads or teaches', async () => {
    const { person, seen } = await list({ scopeType: '8' })
    expect(seen).toEqual([])
    await admin.post('blade-user/schoolclass/submit', { id: classes[1]!.id, headTeacherId: person.userId })
    expect(await names(person)).toEqual(['学二甲', '学二乙'].sort())
    const head = await narrowed(['student_view'], [{ scopeClass: 'student', scopeType: '7' }])
    expect(await names(head)).toEqual([])
    // To teach in a grade is not to head it.
    await admin.post('blade-user/schoolclass/submit', { id: classes[1]!.id, headTeacherId: head.userId })
    expect(await names(head)).toEqual([])
    const { schoolId, yearId, gradeId } = classes[1]!
    await admin.post('blade-user/schoolyear/submit', { id: yearId, isCurrent: 1 })
    const grade = { schoolId, yearId, gradeId, cohortYear: 2026, headTeacherId: head.userId }
    expect((await admin.post('blade-user/schoolgrade/submit', grade)).msg).toBe('操作成功')
    expect(await names(head)).toEqual(everybody)
    expect(await names(person)).toEqual([])
  })

  it('5: conditions in groups, with words for what is one’s own', async () => {
    const custom = (scopeValue: unknown) => list({ scopeType: '5', scopeValue })
    expect(
      (
        await custom({
          any: [
            { field: 'name', op: 'like', value: '一' },
            { field: 'name', op: 'equal', value: '学三甲' },
          ],
        })
      ).seen,
    ).toEqual(['学一甲', '学一乙', '学三甲'].sort())
    expect(
      (
        await custom({
          all: [
            { field: 'classId', op: 'in', value: [classes[0]!.id, classes[1]!.id] },
            { any: [{ field: 'name', op: 'like', value: '甲' }] },
          ],
        })
      ).seen,
    ).toEqual(['学一甲', '学二甲'].sort())
    const { person } = await custom({ all: [{ field: 'classId', op: 'equal', value: '$myClasses' }] })
    await admin.post('blade-user/schoolclass/submit', { id: classes[0]!.id, headTeacherId: person.userId })
    expect(await names(person)).toEqual(['学一甲', '学一乙'].sort())
  })

  it('5: takes in by each comparison of each field just the rows that a plain reading of it does', async () => {
    const fields = Object.entries(student.fields).filter(([, { kind }]) => opsOf(kind).length > 0)
    const columns = fields.map(([name]) => name).join()
    const { records } = (await admin.get<Rows>('blade-user/student/list', { size: 50, columns })).data
    const { person } = await list({ scopeType: '5', scopeValue: { all: [{ field: 'id', op: 'null' }] } })
    const [scopeId] = person.scopeIds
    const plain = (op: string, has: unknown, value: unknown): boolean => {
      const held = Array.isArray(has)
        ? has.map(String)
        : [null, undefined, ''].includes(has as null)
          ? []
          : [String(has)]
      const asked = Array.isArray(value) ? value : [value]
      const [one, other] = [held[0]!, String(value)]
      const order = Number.isNaN(Number(other)) ? (one < other ? -1 : one > other ? 1 : 0) : Number(one) - Number(other)
      if (op === 'null') return held.length === 0
      if (op === 'notnull') return held.length > 0
      if (op === 'equal' || op === 'in') return held.some((each) => asked.includes(each))
      if (op === 'notequal') return !held.includes(other)
      if (op === 'like') return held.length > 0 && one.includes(other)
      return held.length > 0 && { ge: order >= 0, le: order <= 0, gt: order > 0, lt: order < 0 }[op]!
    }
    let judged = 0
    for (const [name, { kind }] of fields) {
      const stored = records.flatMap((row) => row[name] as string).filter((value) => (value ?? '') !== '')
      const value = String(stored[0] ?? (kind === 'date' ? '2016-05-04' : '1'))
      // A part of what a row holds is not the whole of it.
      const part = kind === 'text' && value.length > 1 ? value.slice(0, 1) : value
      for (const op of opsOf(kind)) {
        // How texts are ordered is the database's affair.
        if (/^[gl][et]$/.test(op) && natureOf(kind) === 'text') continue
        // A row that is not there cannot be asked about.
        if (!isBare(op) && kind.startsWith('reference') && stored.length === 0) continue
        const asked = op === 'in' ? [part] : op === 'like' ? part : value
        const scopeValue = { all: [{ field: name, op, ...(isBare(op) ? {} : { value: asked }) }] }
        const saved = await admin.post('blade-system/data-scope/submit', { id: scopeId, scopeValue })
        expect(saved.msg, JSON.stringify(scopeValue)).toBe('操作成功')
        const expected = records.filter((row) => plain(op, row[name], asked)).map((row) => String(row.name))
        expect(await names(person), JSON.stringify(scopeValue)).toEqual(expected.sort())
        judged += 1
      }
    }
    expect(judged).toBeGreaterThan(200)
  })

  it('adds up the roles of a person; one role without a scope has all rows of what it gives', async () => {
    const first = await narrowed(['student_view'], [inClasses(classes[0]!.id)])
    const second = await narrowed(['student_view'], [inClasses(classes[1]!.id)])
    await admin.post('blade-user/grant', undefined, {
      query: { userIds: first.userId, roleIds: `${first.roleId},${second.roleId}` },
    })
    expect(await names(first)).toEqual(['学一甲', '学一乙', '学二甲', '学二乙'].sort())
    const editor = await narrowed(['student_edit'], [])
    await admin.post('blade-user/grant', undefined, {
      query: { userIds: first.userId, roleIds: `${first.roleId},${editor.roleId}` },
    })
    // Another role's right to edit everything does not show more rows in the list.
    expect(await names(first)).toEqual(['学一甲', '学一乙'].sort())
  })
})
