import { entityOf, schoolclass, student, studentparents } from '@data-brain/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../src/database/id.ts'
import { sample } from './sample.ts'
import { makeWorld, type Person, type World } from './world.ts'

/*
 * R-PERM-3: a school of three classes with two pupils each, and people whose roles are narrowed in every way there is.
 */

interface Row extends Record<string, unknown> {
  id: string
  version: number
}
type Rows = { total: number; records: Row[] }

let world: World
let admin: Person
let classes: Row[]
/** Pupils by name: 一甲, 一乙, 二甲 … */
const pupils = new Map<string, Row>()
let schoolId: string
let deptId: string

const path = (entity: string): string => entityOf(entity).path
async function add(entity: string, draft: Record<string, unknown>, person = admin): Promise<Row> {
  const answer = await person.post<Row>(`${path(entity)}/submit`, draft)
  if (answer.code !== 200) throw new Error(`${entity}: ${answer.msg}`)
  return answer.data
}

beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  const { draft, made } = await sample(admin, schoolclass)
  classes = []
  for (const [index, name] of ['一', '二', '三'].entries())
    classes.push(await add('schoolclass', { ...draft, classNo: index + 1, className: `${name}班`, maxSize: 50 }))
  schoolId = String(draft.schoolId)
  const school = await admin.get<Row>('blade-user/school/detail', { id: schoolId })
  deptId = String(school.data.deptId)
  for (const [index, room] of classes.entries())
    for (const which of ['甲', '乙']) {
      const name = `学${'一二三'[index]}${which}`
      const { draft: pupil } = await sample(admin, student, new Map([...made, ['schoolclass', room.id]]))
      const row = await add('student', { ...pupil, name, schoolId, classId: room.id, gradeId: draft.gradeId })
      pupils.set(name, row)
      const { draft: parent } = await sample(admin, studentparents, new Map([['student', row.id]]))
      await add('studentparents', { ...parent, studentId: row.id, parentName: `家${'一二三'[index]}${which}` })
    }
})
afterAll(() => world.close())

const all = ['view', 'add', 'edit', 'delete'].map((verb) => `student_${verb}`)

let scopes = 0
/** Somebody whose role holds these codes, narrowed by these scopes. */
async function narrowed(
  codes: readonly string[],
  drafts: readonly Record<string, unknown>[],
  more: { deptId?: string } = {},
): Promise<Person & { roleId: string; scopeIds: string[] }> {
  const person = await world.colleague(admin, [...codes])
  const { rows } = await world.owner.query<{ id: string }>(
    'select target_id::text as id from app_user_role where tenant_id = $1 and owner_id = $2',
    [admin.tenantId, person.userId],
  )
  const roleId = rows[0]!.id
  const scopeIds: string[] = []
  for (const draft of drafts) {
    scopes += 1
    scopeIds.push(
      (await add('datascope', { scopeName: `范围${scopes}`, resourceCode: `scope_${scopes}`, ...draft })).id,
    )
  }
  const held = await admin.get<{ menu: string[] }>('blade-system/menu/role-tree-keys', { roleIds: roleId })
  const granted = await admin.post('blade-system/role/grant', {
    roleIds: [roleId],
    menuIds: held.data.menu,
    dataScopeIds: scopeIds,
  })
  expect(granted.msg).toBe('操作成功')
  if (more.deptId)
    expect((await admin.post('blade-user/submit', { id: person.userId, deptId: more.deptId })).code).toBe(200)
  return { ...person, roleId, scopeIds }
}

const names = async (person: Person, query: Record<string, string> = {}): Promise<string[]> => {
  const answer = await person.get<Rows>('blade-user/student/list', { size: 50, ...query })
  expect(answer.data.total).toBe(answer.data.records.length)
  return answer.data.records.map((row) => String(row.name)).sort()
}

const inClasses = (...ids: string[]) => ({
  scopeClass: 'student',
  scopeType: '5',
  scopeValue: { all: [{ field: 'classId', op: 'in', value: ids }] },
})
const everybody = ['学一甲', '学一乙', '学三甲', '学三乙', '学二甲', '学二乙'].sort()
const third = ['学三甲', '学三乙'].sort()

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

  it('7 and 8: the grade and the classes that one heads', async () => {
    const { person, seen } = await list({ scopeType: '8' })
    expect(seen).toEqual([])
    await admin.post('blade-user/schoolclass/submit', { id: classes[1]!.id, headTeacherId: person.userId })
    expect(await names(person)).toEqual(['学二甲', '学二乙'].sort())
    const head = await narrowed(['student_view'], [{ scopeClass: 'student', scopeType: '7' }])
    expect(await names(head)).toEqual([])
    await admin.post('blade-user/schoolclass/submit', { id: classes[1]!.id, headTeacherId: head.userId })
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

describe('R-PERM-3 what a data scope may say', () => {
  const attempt = (draft: Record<string, unknown>) =>
    admin.post<{ field: string }>('blade-system/data-scope/submit', {
      scopeName: '试',
      resourceCode: 'try',
      scopeClass: 'student',
      scopeType: '5',
      ...draft,
    })

  it('refuses SQL, unknown fields, encrypted fields, wrong values and endless nesting, by field', async () => {
    const wrong: unknown[] = [
      '1=1 --',
      { all: [] },
      { all: [{ field: '1=1) or (1', op: 'equal', value: '1' }] },
      { all: [{ field: 'name', op: '= 1 or 1', value: '1' }] },
      { all: [{ field: 'idNo', op: 'like', value: '11' }] },
      { all: [{ field: 'classId', op: 'equal', value: "1' or '1'='1" }] },
      { all: [{ field: 'birthDate', op: 'ge', value: 'yesterday' }] },
      { all: [{ field: 'schoolId', op: 'equal', value: '$myClasses' }] },
      { all: [{ field: 'name', op: 'equal' }] },
      { all: [{ field: 'name', op: 'equal', value: 'x', sql: '1=1' }] },
      { all: [{ all: [{ all: [{ all: [{ field: 'name', op: 'equal', value: 'x' }] }] }] }] },
      { all: Array.from({ length: 21 }, () => ({ field: 'name', op: 'equal', value: 'x' })) },
      { all: [{ field: 'name', op: 'equal', value: 'x' }], any: [] },
    ]
    for (const scopeValue of wrong) {
      const answer = await attempt({ scopeValue })
      expect([answer.status, answer.data?.field], JSON.stringify(scopeValue)).toEqual([400, 'scopeValue'])
    }
    expect((await admin.get<Rows>('blade-system/data-scope/list', { resourceCode: 'try' })).data.total).toBe(0)
  })

  it('refuses an entity that is none, a rule that does not fit, and a field that the rule cannot look at', async () => {
    for (const [draft, field] of [
      [{ scopeClass: 'menu', scopeType: '1' }, 'scopeClass'],
      [{ scopeClass: 'pg_user', scopeType: '1' }, 'scopeClass'],
      [{ scopeClass: 'post', scopeType: '8' }, 'scopeType'],
      [{ scopeType: '2', scopeColumn: 'classId' }, 'scopeColumn'],
      [{ scopeType: '3', scopeColumn: 'create_user; drop table student' }, 'scopeColumn'],
      [{ scopeType: '9' }, 'scopeType'],
    ] as const) {
      const answer = await attempt(draft)
      expect([answer.status, answer.data?.field], JSON.stringify(draft)).toEqual([400, field])
    }
  })

  it('is written by administrators only, whatever codes somebody holds', async () => {
    const clerk = await world.colleague(admin, [
      'datascope_view',
      'datascope_add',
      'datascope_edit',
      'datascope_delete',
    ])
    const scope = await add('datascope', { scopeName: '甲', resourceCode: 'by_admin', ...inClasses(classes[0]!.id) })
    const answers = [
      await clerk.post('blade-system/data-scope/submit', {
        scopeName: '乙',
        resourceCode: 'by_clerk',
        scopeClass: 'student',
        scopeType: '1',
      }),
      await clerk.post('blade-system/data-scope/submit', { id: scope.id, scopeType: '1', scopeValue: null }),
      await clerk.remove('blade-system/data-scope', scope.id),
    ]
    expect(answers.map((answer) => answer.status)).toEqual([400, 400, 400])
    expect((await admin.get<Row>('blade-system/data-scope/detail', { id: scope.id })).data.version).toBe(1)
  })

  it('tells the form what fits an entity', async () => {
    const options = await admin.get<{
      types: string[]
      columns: Record<string, { name: string }[]>
      fields: { name: string; ops: string[] }[]
    }>('blade-system/data-scope/options', { entity: 'student' })
    expect(options.data.types).toEqual(['1', '2', '3', '4', '5', '6', '7', '8'])
    expect(options.data.columns['2']?.map((column) => column.name)).toEqual(['create_user', 'userId'])
    expect(options.data.fields.find((field) => field.name === 'classId')?.ops).toContain('in')
    expect(options.data.fields.some((field) => field.name === 'idNo')).toBe(false)
    const posts = await admin.get<{ types: string[] }>('blade-system/data-scope/options', { entity: 'post' })
    expect(posts.data.types).toEqual(['1', '2', '3', '4', '5'])
    expect((await admin.get('blade-system/data-scope/options', { entity: 'tenant' })).status).toBe(404)
  })
})

describe('R-PERM-5 nobody hands on more rows than their own', () => {
  it('lets a narrowed head grant what the head holds, and nothing wider', async () => {
    const head = await narrowed(
      ['student_view', 'student_edit', 'role_view', 'role_edit', 'role_grant', 'user_view', 'user_role', 'user_edit'],
      [inClasses(classes[2]!.id)],
    )
    const role = await add('role', { roleName: '助手', roleAlias: 'helper' })
    const tree = await head.get<{ menu: unknown; dataScope: { children?: { id: string }[] }[] }>(
      'blade-system/menu/grant-tree',
    )
    const menus = await admin.get<{ id: string; code: string; children?: { id: string; code: string }[] }[]>(
      'blade-system/menu/list',
      { code: 'student_view' },
    )
    const menuId = menus.data[0]!.id
    expect(JSON.stringify(tree.data.dataScope)).toContain(head.scopeIds[0])
    const wide = await head.post('blade-system/role/grant', { roleIds: [role.id], menuIds: [menuId], dataScopeIds: [] })
    expect([wide.status, wide.msg]).toEqual([400, expect.stringContaining('数据范围')])
    expect(
      (await admin.get<{ menu: string[] }>('blade-system/menu/role-tree-keys', { roleIds: role.id })).data.menu,
    ).toEqual([])
    const fine = await head.post('blade-system/role/grant', {
      roleIds: [role.id],
      menuIds: [menuId],
      dataScopeIds: head.scopeIds,
    })
    expect(fine.status).toBe(200)
    const wider = await head.post('blade-system/role/grant', {
      roleIds: [role.id],
      menuIds: [menuId],
      dataScopeIds: [],
    })
    expect(wider.status).toBe(400)
    const foreign = await add('datascope', { scopeName: '别的', resourceCode: 'foreign', ...inClasses(classes[0]!.id) })
    const beyond = await head.post('blade-system/role/grant', {
      roleIds: [role.id],
      menuIds: [menuId],
      dataScopeIds: [foreign.id],
    })
    expect(beyond.status).toBe(400)
  })

  it('does not let a narrowed head give somebody a role that sees all', async () => {
    const head = await narrowed(['student_view', 'user_view', 'user_edit', 'user_role'], [inClasses(classes[2]!.id)])
    const free = await narrowed(['student_view'], [])
    const own = await narrowed(['student_view'], [])
    const answer = await head.post('blade-user/grant', undefined, {
      query: { userIds: own.userId, roleIds: free.roleId },
    })
    expect(answer.status).toBe(400)
    expect(
      (await head.post('blade-user/reset-password', undefined, { query: { userIds: free.userId } })).status,
    ).not.toBe(200)
  })

  it('tells before a grant what it would change and for how many users, and changes nothing', async () => {
    const person = await narrowed(['student_view', 'school_view'], [inClasses(classes[0]!.id)])
    const keys = await admin.get<{ menu: string[]; dataScope: string[] }>('blade-system/menu/role-tree-keys', {
      roleIds: person.roleId,
    })
    const menus = await admin.get<{ id: string }[]>('blade-system/menu/list', { code: 'student_view' })
    const preview = await admin.post<{
      added: { kind: string }[]
      removed: { kind: string; title: string }[]
      users: number
    }>('blade-system/role/grant-preview', { roleIds: [person.roleId], menuIds: [menus.data[0]!.id], dataScopeIds: [] })
    expect([preview.data.added, preview.data.users]).toEqual([[], 1])
    expect(preview.data.removed.some((change) => change.kind === 'dataScope')).toBe(true)
    expect((await admin.get('blade-system/menu/role-tree-keys', { roleIds: person.roleId })).data).toEqual(keys.data)
  })
})

describe('R-PERM-4 API scopes', () => {
  it('keep a call from every role that was not granted them, matched against the route and not the address', async () => {
    const teacher = await narrowed(['student_view', 'student_edit'], [])
    const scope = await add('apiscope', {
      scopeName: '看学生',
      resourceCode: 'api_1',
      scopePath: '/api/blade-user/student/list',
    })
    for (const url of [
      'blade-user/student/list',
      'blade-user/student/list?x=1',
      'blade-user/student/list?',
      'blade-user/%73tudent/list',
    ]) {
      const answer = await world.call('GET', url, teacher.token)
      expect([url, answer.status]).toEqual([url, 403])
    }
    for (const url of [
      'blade-user/student/list/',
      'blade-user//student/list',
      'blade-user/student/LIST',
      'blade-user/./student/list;a=1',
    ])
      expect([403, 404], url).toContain((await world.call('GET', url, teacher.token)).status)
    expect((await teacher.get('blade-user/student/detail', { id: pupils.get('学一甲')!.id })).status).toBe(200)
    expect((await admin.get('blade-user/student/list')).status).toBe(200)
    const keys = await admin.get<{ menu: string[] }>('blade-system/menu/role-tree-keys', { roleIds: teacher.roleId })
    await admin.post('blade-system/role/grant', {
      roleIds: [teacher.roleId],
      menuIds: keys.data.menu,
      apiScopeIds: [scope.id],
    })
    expect((await teacher.get('blade-user/student/list')).status).toBe(200)
    const below = await add('apiscope', {
      scopeName: '学生全部',
      resourceCode: 'api_2',
      scopePath: 'GET /api/blade-user/student/**',
    })
    expect((await teacher.get('blade-user/student/list')).status).toBe(200)
    expect((await teacher.get('blade-user/student/detail', { id: pupils.get('学一甲')!.id })).status).toBe(403)
    expect(
      (await teacher.post('blade-user/student/submit', { id: pupils.get('学一甲')!.id, remark: 'y' })).status,
    ).toBe(200)
    await admin.remove('blade-system/api-scope', `${scope.id},${below.id}`)
    expect((await teacher.get('blade-user/student/detail', { id: pupils.get('学一甲')!.id })).status).toBe(200)
  })

  it('cannot name what is no call, nor a call without which nobody could work or leave', async () => {
    for (const scopePath of [
      '/api/nothing',
      '/**',
      '.*',
      '/api/blade-auth/oauth/token',
      '/api/blade-auth/**',
      '/api/blade-system/menu/routes',
      "' or 1=1",
    ]) {
      const answer = await admin.post<{ field: string }>('blade-system/api-scope/submit', {
        scopeName: 'x',
        resourceCode: `x${newId()}`,
        scopePath,
      })
      expect([scopePath, answer.status, answer.data?.field]).toEqual([scopePath, 400, 'scopePath'])
    }
  })
})

describe('R-PERM-3 R-PERM-4 explain', () => {
  it('says by which grant somebody may, or what is missing', async () => {
    const teacher = await narrowed(['student_view'], [inClasses(classes[2]!.id)])
    const ask = async (query: Record<string, string>) =>
      (
        await admin.get<{
          allowed: boolean
          reasons: { kind: string; scope?: { name: string } | null; code?: string }[]
          missing: { kind: string; code?: string }[]
        }>(`blade-system/explain/${query.entity ? 'row' : 'call'}`, { userId: teacher.userId, ...query })
      ).data
    const inside = await ask({ entity: 'student', id: pupils.get('学三甲')!.id })
    expect([inside.allowed, inside.reasons[0]?.code, inside.reasons[0]?.scope?.name]).toEqual([
      true,
      'student_view',
      expect.stringContaining('范围'),
    ])
    const outside = await ask({ entity: 'student', id: pupils.get('学一甲')!.id })
    expect([outside.allowed, outside.missing[0]?.kind]).toEqual([false, 'scope'])
    const edit = await ask({ entity: 'student', id: pupils.get('学三甲')!.id, verb: 'edit' })
    expect([edit.allowed, edit.missing]).toEqual([
      false,
      [expect.objectContaining({ kind: 'code', code: 'student_edit' })],
    ])
    const call = await ask({ method: 'GET', path: '/api/blade-user/student/list' })
    expect([call.allowed, call.reasons[0]?.kind]).toEqual([true, 'role'])
    const scope = await add('apiscope', {
      scopeName: '看学生',
      resourceCode: 'api_9',
      scopePath: '/api/blade-user/student/list',
    })
    const kept = await ask({ method: 'GET', path: '/api/blade-user/student/list' })
    expect([kept.allowed, kept.missing.map((each) => each.kind)]).toEqual([false, ['apiScope']])
    await admin.remove('blade-system/api-scope', scope.id)
    const platform = await ask({ method: 'POST', path: '/api/blade-system/tenant/submit' })
    expect([platform.allowed, platform.missing.map((each) => each.kind)]).toEqual([false, ['code', 'platform']])
    expect(
      (await admin.get('blade-system/explain/call', { userId: teacher.userId, method: 'GET', path: '/api/none' }))
        .status,
    ).toBe(404)
    const stranger = await world.tenant()
    expect(
      (
        await stranger.get('blade-system/explain/call', {
          userId: teacher.userId,
          method: 'GET',
          path: '/api/blade-user/info',
        })
      ).status,
    ).toBe(404)
  })
})
