import { entityOf } from '@data-brain/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../src/database/id.ts'
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
  type Rows,
  world,
} from './scope-school.ts'
import type { Person } from './world.ts'

/* What scopes may say, who may hand them on, and how a right is explained. */

beforeAll(makeSchool)
afterAll(() => world.close())

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
      [{ scopeType: '__proto__' }, 'scopeType'],
      [{ scopeType: 'constructor' }, 'scopeType'],
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
      '/api/blade-auth/oauth/**',
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

describe('R-FLOW-4 whom a task can be given to, by a scope of people', () => {
  const people = 'blade-flow/people/select'
  const found = async (who: Person, query: Record<string, string>) =>
    (await who.get<{ id: string; name: string }[]>(people, query)).data.map(({ name }) => name)

  it('those of the own scope by a part of their name, others by the whole name, and whom one has chosen by the id', async () => {
    const ids: Record<string, string> = {}
    for (const realName of ['甄近', '甄远方']) {
      const { draft } = await sample(admin, entityOf('user'))
      ids[realName] = (await add('user', { ...draft, avatar: null, realName })).id
    }
    const head = await narrowed(
      ['user_view'],
      [
        {
          scopeClass: 'user',
          scopeType: '5',
          scopeValue: { all: [{ field: 'realName', op: 'equal', value: '甄近' }] },
        },
      ],
    )
    expect(await found(head, { keyword: '甄' })).toEqual(['甄近'])
    expect(await found(head, { keyword: '甄远' })).toEqual([])
    expect(await found(head, {})).toEqual(['甄近'])
    expect(await found(head, { keyword: ' 甄远方 ' })).toEqual(['甄远方'])
    expect(await found(head, { ids: ids.甄远方! })).toEqual(['甄远方'])
    const stranger = await world.tenant()
    expect(await found(stranger, { keyword: '甄远方' })).toEqual([])
    expect(await found(stranger, { ids: ids.甄远方! })).toEqual([])
  })
})
