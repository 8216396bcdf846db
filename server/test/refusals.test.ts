import { entityOf } from '@data-brain/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compile, type Query } from '../src/database/statement.ts'
import { isTenantCode, type Tx } from '../src/database/transaction.ts'
import { bindingCodes, codesThatChoose } from '../src/entity/choice-access.ts'
import type { Actor, DataScope } from '../src/kernel/actor.ts'
import { authorize, missingFor } from '../src/kernel/authorize.ts'
import { Problem } from '../src/kernel/problem.ts'
import type { Route } from '../src/kernel/route.ts'
import { knownRoutes, knownSummary, knowRoutes, routesOf } from '../src/kernel/route-path.ts'
import {
  heldCalls,
  holdAdmins,
  isCovered,
  mustCoverRole,
  mustCoverRoles,
  mustCoverUsers,
  mustKeepAdmin,
  mustStandWithin,
  rightsOf,
  standingsOfActor,
} from '../src/modules/system/held-rights.ts'
import { addSystemStandings } from '../src/modules/system/standings.ts'
import { actor, role } from './actor-parts.ts'

/* R-PERM-2, R-PERM-5: what refuses, judged without a database: what it reads is given. */

const scope = (id: string, type = '2', entity = 'student', value: unknown = null): DataScope => ({
  id,
  name: id,
  entity,
  type,
  column: null,
  value,
})

/** What a refusal says, whole: its kind, its words in both languages and what comes with it. */
async function refusal(act: () => unknown): Promise<unknown> {
  try {
    await act()
    return undefined
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return [error.problem, error.words('zh'), error.words('en'), error.data]
  }
}

const route = (more: object): Route =>
  ({
    method: 'GET',
    path: '/a/list',
    access: { codes: ['a_view'] },
    summary: { zh: '甲', en: 'A' },
    ...more,
  }) as unknown as Route

describe('R-PERM-2 who may make a call', () => {
  const holder = actor(role(['a_view']))
  it('is asked for one of its codes, for the platform, and for leave of an API scope', () => {
    const asked = route({}) as never
    expect(missingFor(asked, holder)).toBeUndefined()
    expect(missingFor(asked, actor(role(['b_view'])))).toBe('a_view')
    expect(missingFor(route({ access: { codes: ['b', 'a_view'] } }) as never, holder)).toBeUndefined()
    expect(missingFor(route({ access: { codes: [] } }) as never, holder)).toBe('')
    expect(missingFor(route({ access: 'session' }) as never, actor())).toBeUndefined()
    expect(missingFor(route({ platform: true }) as never, holder)).toBe('platform')
    expect(missingFor(route({ platform: true }) as never, { ...holder, platform: true })).toBeUndefined()
    const kept = { ...holder, refused: new Set(['GET /a/list']) }
    expect(missingFor(asked, kept)).toBe('GET /a/list')
    expect(missingFor(route({ method: 'POST' }) as never, kept)).toBeUndefined()
  })

  it('is refused with what is missing: to change where a row is changed', async () => {
    const both = route({ access: { codes: ['a_add', 'a_edit'] } }) as never
    const nobody = actor()
    const codeOf = async (act: () => void): Promise<unknown> => ((await refusal(act)) as unknown[] | undefined)?.[1]
    expect(await codeOf(() => authorize(both, nobody))).toContain('a_add')
    expect(await codeOf(() => authorize(both, nobody, { id: '' }))).toContain('a_add')
    expect(await codeOf(() => authorize(both, nobody, null))).toContain('a_add')
    expect(await codeOf(() => authorize(both, nobody, { id: '7' }))).toContain('a_edit')
    expect(await codeOf(() => authorize(route({}) as never, nobody, { id: '7' }))).toContain('a_view')
    // What is missing is not the code: it is said as it is.
    const kept = { ...holder, refused: new Set(['GET /a/list']) }
    const said = route({ access: { codes: ['a_view', 'a_edit'] } }) as never
    expect(await codeOf(() => authorize(said, kept, { id: '7' }))).toContain('GET /a/list')
    expect(
      await codeOf(() => authorize(route({ access: 'session' }) as never, { ...kept, codes: new Set() }, { id: '7' })),
    ).toContain('GET /a/list')
    expect(() => authorize(route({}) as never, holder)).not.toThrow()
  })

  it('is first made to change a first password, or to set up what the tenant asks for', async () => {
    const kindOf = async (act: () => void): Promise<unknown> => ((await refusal(act)) as unknown[] | undefined)?.[0]
    const fresh = { ...holder, mustChange: true }
    const plain = { ...holder, mustSecond: true }
    expect(await kindOf(() => authorize(route({}) as never, fresh))).toBe('password_must_change')
    expect(await kindOf(() => authorize(route({}) as never, plain))).toBe('second_factor_must')
    expect(() => authorize(route({ beforeChange: true }) as never, fresh)).not.toThrow()
    expect(() => authorize(route({ beforeChange: true }) as never, plain)).not.toThrow()
    expect(await kindOf(() => authorize(route({ beforeChange: true }) as never, { ...fresh, codes: new Set() }))).toBe(
      'forbidden',
    )
  })
})

describe('R-PERM-4 the calls that an API scope means', () => {
  beforeAll(() =>
    knowRoutes([
      route({}),
      route({ method: 'POST', path: '/a/submit' }),
      route({ method: 'POST', path: '/a/list' }),
      route({ path: '/ab/list' }),
      route({ path: '/a/always', always: true }),
      route({ path: '/a/open', access: 'public' }),
    ]),
  )
  afterAll(() => knowRoutes([]))

  it('are those that stand there: one, or all below, of one method or of both', () => {
    expect(routesOf('/api/a/list')).toEqual(['GET /a/list', 'POST /a/list'])
    expect(routesOf(' GET /a/list ')).toEqual(['GET /a/list'])
    expect(routesOf('POST /api/a/**')).toEqual(['POST /a/submit', 'POST /a/list'])
    expect(routesOf('/a/**')).toEqual(['GET /a/list', 'POST /a/submit', 'POST /a/list'])
    for (const none of [
      '/a',
      '/a/',
      '/a/always',
      '/a/open',
      'PUT /a/list',
      'a/list',
      '/a/list?x',
      '/a/list x',
      'x /a/list',
      '/a/*',
      '',
    ])
      expect(routesOf(none), none).toEqual([])
  })

  it('are known by their names, and those without a session are not among them', () => {
    expect(knownRoutes().map(({ path }) => path)).toEqual(['/a/list', '/a/submit', '/a/list', '/ab/list', '/a/always'])
    expect(knownSummary('GET', '/api/a/list')).toEqual({ zh: '甲', en: 'A' })
    expect(knownSummary('GET', '/a/open')).toEqual({ zh: '甲', en: 'A' })
    expect(knownSummary('GET', '/x/api/a/list')).toBeUndefined()
    knowRoutes([route({ path: '/new' })])
    expect([knownSummary('GET', '/api/new'), knownSummary('GET', '/api/a/list')]).toEqual([
      { zh: '甲', en: 'A' },
      undefined,
    ])
  })
})

describe('R-PERM-2 who is offered rows to choose from', () => {
  it('are viewers, and those who fill in a form that points there; of a file, viewers alone', () => {
    expect(codesThatChoose(entityOf('attach'))).toEqual(['attach_view'])
    const codes = codesThatChoose(entityOf('schoolclass'))
    expect(codes[0]).toBe('schoolclass_view')
    for (const verb of ['view', 'add', 'edit']) expect(codes).toContain(`student_${verb}`)
    expect(codes).not.toContain('student_delete')
    expect(new Set(codes).size).toBe(codes.length)
    // What nobody fills in is looked at alone.
    expect(codesThatChoose(entityOf('sms')).filter((code) => code.startsWith('smslog'))).toEqual(['smslog_view'])
  })

  it('are bound by these codes when they hold one of them', () => {
    const place = entityOf('schoolclass')
    expect(bindingCodes(place, actor(role(['student_add'])))).toEqual(codesThatChoose(place))
    expect(bindingCodes(place, actor(role(['role_view'])))).toBeUndefined()
  })
})

describe('R-PROD-2 a tenant', () => {
  it('is named by six digits and nothing else', () => {
    for (const odd of ['12345', '1234567', '12345a', "000000'", ' 000000', '000000\n', 0, null, ['000000']])
      expect(isTenantCode(odd), String(odd)).toBe(false)
    expect(isTenantCode('000000')).toBe(true)
  })
})

/** Roles as the database has them, scopes that they have, API scopes that the actor's roles were granted. */
interface Stored {
  readonly roles?: readonly { id: string; role_name: string; is_admin: number; codes: string[]; calls: string[] }[]
  readonly scopes?: readonly (DataScope & { role: string })[]
  readonly calls?: readonly string[]
  readonly people?: readonly { id: string; name: string; depts: string[]; roles: string[] }[]
  /** Departments below, by those asked about. */
  readonly below?: Readonly<Record<string, readonly string[]>>
  readonly administrators?: number
}

/** A transaction that knows these statements, with these values, and no other. */
function given(stored: Stored): { tx: Tx; asked: string[] } {
  const asked: string[] = []
  const run = async (query: unknown): Promise<unknown[]> => {
    const { text, values } = compile(query as Query)
    asked.push(text)
    const lists = values.filter((value) => Array.isArray(value)) as string[][]
    const ids = lists[0] ?? []
    if (!values.includes('000001')) throw new Error(`no tenant: ${text}`)
    if (text.includes('from app_user u join app_user_role l')) return stored.administrators ? [{}] : []
    if (text.includes('for update')) return []
    if (text.includes('select r.id, r.role_name')) return (stored.roles ?? []).filter(({ id }) => ids.includes(id))
    if (text.includes('from role_data_scope g join data_scope s'))
      return (stored.scopes ?? []).filter(({ role: id }) => ids.includes(id))
    if (text.includes('select distinct scope_id as id from role_api_scope') && ids.every((id) => id.startsWith('r')))
      return (stored.calls ?? []).map((id) => ({ id }))
    if (text.includes('select u.id, u.real_name as name'))
      return (stored.people ?? []).filter(({ id }) => ids.includes(id))
    if (text.includes('select distinct l.target_id as role'))
      return (stored.people ?? [])
        .filter(({ id }) => ids.includes(id))
        .flatMap(({ roles }) => roles.map((each) => ({ role: each })))
    if (text.includes('select d.id from dept d')) return (stored.below?.[ids.join()] ?? []).map((id) => ({ id }))
    throw new Error(`unknown: ${text}`)
  }
  return {
    asked,
    tx: {
      run,
      one: async (query: unknown) => (await run(query))[0],
      count: async () => 0,
      allow: async () => {},
    } as Tx,
  }
}

const stored = (id: string, codes: string[], more: object = {}) => ({
  id,
  role_name: `角色${id}`,
  is_admin: 0,
  codes,
  calls: [] as string[],
  ...more,
})

describe('R-PERM-5 nobody hands on what they do not hold', () => {
  beforeAll(addSystemStandings)

  const own = actor(role(['student_view', 'post_view']))
  const admin = actor(role([], [], true))
  const beyond = (name: string) => [
    'rule_broken',
    expect.stringContaining(`不能授予自己没有的权限：${name}`),
    expect.stringContaining(`You cannot grant what you do not hold: ${name}`),
    { field: 'roleId', fields: [] },
  ]

  it('is told what each role gives', async () => {
    const rights = await rightsOf(
      given({
        roles: [stored('1', ['a'], { calls: ['5'] }), stored('2', [], { is_admin: 1 })],
        scopes: [{ ...scope('9'), role: '1' }],
      }).tx,
      '000001',
      ['1', '2'],
    )
    expect(rights).toEqual([
      {
        id: '1',
        roleName: '角色1',
        admin: false,
        codes: new Set(['a']),
        scopes: [{ ...scope('9'), role: '1' }],
        calls: new Set(['5']),
      },
      { id: '2', roleName: '角色2', admin: true, codes: new Set(), scopes: [], calls: new Set() },
    ])
    expect(await heldCalls(given({ calls: ['5'] }).tx, own)).toEqual(new Set(['5']))
    expect(await heldCalls(given({ calls: ['5'] }).tx, admin)).toBeUndefined()
  })

  it('neither a code, nor the administrators’ role, nor rows, nor a call', async () => {
    const roles = [
      stored('1', ['student_view']),
      stored('2', ['student_view', 'role_edit']),
      stored('3', [], { is_admin: 1 }),
      stored('4', ['post_view'], { calls: ['5'] }),
      // A code that no row is reached by.
      stored('6', ['student_view', 'explain_view']),
    ]
    const cover = (ids: string[], who = own, more: Stored = {}) =>
      refusal(() => mustCoverRoles(given({ roles, ...more }).tx, who, ids))
    expect(await cover(['1', '1'])).toBeUndefined()
    expect(await cover([])).toBeUndefined()
    expect(given({}).asked).toEqual([])
    expect(await cover(['1', '2'])).toEqual(beyond('角色2'))
    expect(await cover(['3'])).toEqual(beyond('角色3'))
    expect(await cover(['6'])).toEqual(beyond('角色6'))
    expect(await cover(['2', '3', '4'], admin)).toBeUndefined()
    expect(await cover(['4'])).toEqual(beyond('角色4'))
    expect(await cover(['4'], own, { calls: ['5'] })).toBeUndefined()
    const part = actor(role(['student_view'], [scope('9')]))
    expect(await cover(['1'], part)).toEqual(beyond('角色1'))
    expect(await cover(['1'], part, { scopes: [{ ...scope('9'), role: '1' }] })).toBeUndefined()
    expect(await cover(['1', '99'])).toEqual([
      'reference_unknown',
      expect.stringContaining('角色'),
      expect.stringContaining('Role'),
      { field: 'roleId', fields: [] },
    ])
  })

  it('nor touches a role, or a user, that may do more', async () => {
    const roles = [stored('1', ['student_view']), stored('2', ['role_edit'])]
    const people = [
      { id: '11', name: '甲', depts: [], roles: ['1'] },
      { id: '12', name: '乙', depts: [], roles: ['1', '2'] },
    ]
    const { tx } = given({ roles, people })
    expect(await refusal(() => mustCoverRole(tx, own, '1'))).toBeUndefined()
    expect(await refusal(() => mustCoverRole(tx, own, '99'))).toBeUndefined()
    expect(await refusal(() => mustCoverRole(tx, own, '2'))).toEqual([
      'rule_broken',
      expect.stringContaining('该角色的权限超出您的权限范围'),
      expect.stringContaining('This role may do more than you may'),
      null,
    ])
    expect(await refusal(() => mustCoverUsers(tx, own, ['11']))).toBeUndefined()
    expect(await refusal(() => mustCoverUsers(tx, own, ['11', '12']))).toEqual([
      'rule_broken',
      expect.stringContaining('该用户的权限超出您的权限范围'),
      expect.stringContaining('This user may do more than you may'),
      null,
    ])
    expect([await isCovered(tx, own, '11'), await isCovered(tx, own, '12')]).toEqual([true, false])
    await expect(isCovered({ ...tx, run: () => Promise.reject(new Error('gone')) } as Tx, own, '11')).rejects.toThrow(
      'gone',
    )
  })

  it('nor brings a user by departments to rows that the actor does not reach', async () => {
    const below = scope('9', '4')
    const head = actor(role(['student_view'], [below]))
    const roles = [stored('1', ['student_view'])]
    const scopes = [{ ...below, role: '1' }]
    const person = (depts: string[], held = ['1']) => [{ id: '11', name: '甲', depts, roles: held }]
    const lies = { 70: ['70', '71'], 71: ['71'], 80: ['80'], '71,80': ['71', '80'] }
    const stand = (depts: string[], who: Actor = head, more: Stored = {}, ids = ['11']) =>
      refusal(() => mustStandWithin(given({ roles, scopes, people: person(depts), below: lies, ...more }).tx, who, ids))
    expect(await stand(['71'])).toBeUndefined()
    expect(await stand(['80'])).toEqual([
      'rule_broken',
      expect.stringContaining('“甲”所在的部门或班级使其数据范围超出您的数据范围'),
      expect.stringContaining('The departments or classes of “甲” reach rows that you do not work with'),
      { field: 'deptId', fields: [] },
    ])
    // One that lies outside is enough, and so is one role that is bound.
    expect(await stand(['71', '80'])).toMatchObject({ 0: 'rule_broken' })
    expect(await stand(['80'], actor(role(['student_view'], [below]), role(['post_view'])))).toMatchObject({
      0: 'rule_broken',
    })
    expect(await stand(['80'], head, {}, [])).toBeUndefined()
    expect(await stand(['80'], head, { people: person(['80'], []) })).toBeUndefined()
    expect(await stand(['80'], actor(role([], [below], true)))).toBeUndefined()
    expect(await stand(['80'], actor(role(['student_view'])))).toBeUndefined()
    // A scope of something else, and a role that is bound by nothing of the actor's.
    expect(
      await stand(['80'], actor(role(['student_view']), role(['post_view'], [scope('8', '4', 'post')]))),
    ).toBeUndefined()
    expect(
      await refusal(() =>
        mustCoverUsers(given({ roles, scopes, people: person(['80']), below: lies }).tx, head, ['11']),
      ),
    ).toMatchObject({ 3: { field: 'deptId' } })
    expect(standingsOfActor(head)).toEqual(new Set(['below']))
    expect(standingsOfActor(actor(role(['post_view'], [below])))).toEqual(new Set())
    expect(standingsOfActor(actor(role(['student_view'])))).toEqual(new Set())
  })

  it('and one administrator who can log in remains', async () => {
    expect(await refusal(() => mustKeepAdmin(given({ administrators: 1 }).tx, '000001'))).toBeUndefined()
    expect(await refusal(() => mustKeepAdmin(given({}).tx, '000001'))).toEqual([
      'rule_broken',
      expect.stringContaining('必须保留至少一名可登录的管理员'),
      expect.stringContaining('At least one administrator who can log in must remain'),
      null,
    ])
    const { tx, asked } = given({})
    await holdAdmins(tx, '000001')
    expect(asked).toEqual([expect.stringContaining('is_admin = 1 order by id for update')])
  })
})
