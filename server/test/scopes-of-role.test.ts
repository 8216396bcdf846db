import { entities, entityOf, personalCode } from '@data-brain/contract'
import { describe, expect, it } from 'vitest'
import { mustReachAll, opensAll, scopeOf, scopesFor, scopesOfRole } from '../src/entity/scopes-of-role.ts'
import { type DataScope, holdsCode, isAdmin, system } from '../src/kernel/actor.ts'
import { Problem } from '../src/kernel/problem.ts'
import { coversRows } from '../src/modules/system/held-rights.ts'
import { actor, role } from './actor-parts.ts'

/* R-PERM-3: which scopes bind whom for what, judged without a database. */

const scope = (entity: string, type = '2', id = `${entity}-${type}`): DataScope => ({
  id,
  name: id,
  entity,
  type,
  column: null,
  value: null,
})
const student = entityOf('student')
const parents = entityOf('studentparents')
const view = ['student_view']

describe('R-PERM-3 who is bound', () => {
  it('administrators and machines are bound by nothing, and nobody else is one of them', () => {
    const machine = system('import', '000001')
    const admin = actor(role([], [scope('student')], true))
    const clerk = actor(role(view, [scope('student')]))
    expect([machine, admin, clerk].map(isAdmin)).toEqual([true, true, false])
    // One role of several is enough.
    expect(isAdmin(actor(role(view), role([], [], true)))).toBe(true)
    expect(isAdmin(actor())).toBe(false)
    expect([machine, admin, clerk].map((who) => scopesFor(who, student, view)?.length)).toEqual([
      undefined,
      undefined,
      1,
    ])
    // A machine holds every code, an administrator those that were loaded.
    expect([machine, admin, clerk].map((who) => holdsCode(who, 'student_view'))).toEqual([true, false, true])
    expect(holdsCode(clerk, 'student_edit')).toBe(false)
    expect(machine).toEqual({
      kind: 'machine',
      tenantId: '000001',
      userId: null,
      name: 'import',
      account: 'import',
      deptId: null,
      deptIds: [],
      sessionId: null,
      codes: new Set(),
      roles: [],
      refused: new Set(),
      platform: false,
      mustChange: false,
      mustSecond: false,
    })
  })

  it('who holds none of the codes reaches nothing', () => {
    expect(scopesFor(actor(), student, view)).toEqual([])
    expect(scopesFor(actor(role(['school_view'])), student, view)).toEqual([])
    expect(scopesFor(actor(role(view)), student, [])).toEqual([])
  })

  it('only roles that give one of the codes count, and one without a scope opens all', () => {
    const own = scope('student')
    const bound = role(view, [own])
    expect(scopesFor(actor(bound), student, ['student_edit', 'student_view'])).toEqual([own])
    // Wider, but for other codes.
    expect(scopesFor(actor(bound, role(['school_view'])), student, view)).toEqual([own])
    expect(scopesFor(actor(bound, role(view)), student, view)).toBeUndefined()
    expect(scopesFor(actor(role(view, [scope('school', '1')])), student, view)).toBeUndefined()
  })

  it('scopes of several roles add up, each once', () => {
    const [one, other] = [scope('student', '2'), scope('student', '3')]
    expect(scopesFor(actor(role(view, [one]), role(['student_view', 'x'], [one, other])), student, view)).toEqual([
      one,
      other,
    ])
    // The same scope by two ways is two: it takes in other rows by each.
    const found = scopesFor(
      actor(role(['studentparents_view'], [scope('student', '8', 'a'), scope('student', '8', 'b')])),
      parents,
      ['studentparents_view'],
    )
    expect(found?.map((each) => scopeOf(each).id)).toEqual(['a', 'b'])
  })
})

describe('R-PERM-3 what a role’s scopes say of an entity', () => {
  it('nothing without any, and what names it comes first', () => {
    expect(scopesOfRole([], student)).toBeUndefined()
    const own = scope('student')
    expect(scopesOfRole([own, scope('school', '6')], student)).toEqual([own])
    // All rows is said in so many words, whatever stands beside it.
    expect(scopesOfRole([scope('student', '1'), own], student)).toBeUndefined()
    expect(scopesOfRole([scope('student', '1'), scope('school', '6')], student)).toBeUndefined()
  })

  it('a row is reached with what it is a part of', () => {
    const child = scope('student', '8')
    expect(scopesOfRole([child], parents)).toEqual([{ within: 'studentId', scope: child }])
    expect(scopesOfRole([scope('student', '1')], parents)).toBeUndefined()
    // What is a part of a part of it, too; and what is said of the part itself goes before.
    const own = scope('studentparents')
    expect(scopesOfRole([child, own], parents)).toEqual([own])
  })

  it('rows of a school stand in the reach of the school, others do not', () => {
    const mine = scope('school', '6')
    expect(scopesOfRole([mine], student)).toEqual([{ within: 'schoolId', scope: mine }])
    expect(scopesOfRole([mine], entityOf('schoolcampus'))).toEqual([{ within: 'schoolId', scope: mine }])
    expect(scopesOfRole([scope('school', '1')], student)).toBeUndefined()
    expect(scopesOfRole([mine], entityOf('post'))).toBeUndefined()
    expect(scopesOfRole([scope('post')], student)).toBeUndefined()
  })

  it('files and jobs are one’s own for whoever works with a part of the pupils, schools or people', () => {
    for (const name of ['attach', 'job']) {
      const entity = entityOf(name)
      for (const [of, type] of [
        ['student', '8'],
        ['schoolclass', '8'],
        ['school', '6'],
        ['user', '4'],
      ] as const)
        expect(scopesOfRole([scope(of, type)], entity), of).toMatchObject([{ type: '2', column: 'create_user' }])
      expect(scopesOfRole([scope('student', '1')], entity)).toBeUndefined()
      expect(scopesOfRole([scope('post')], entity)).toBeUndefined()
      const own = scope(name, '1')
      expect(scopesOfRole([own, scope('school', '6')], entity)).toBeUndefined()
    }
    // What stands in a school is reached with it.
    expect(scopesOfRole([scope('school', '6')], entityOf('studentgroup'))).toMatchObject([{ within: 'schoolId' }])
    expect(scopesOfRole([scope('user', '4')], entityOf('studentgroup'))).toBeUndefined()
  })

  it('what is reached by several references is reached by each, all of the one that nothing is said of', () => {
    const lesson = entityOf('teacherclass')
    const [classes, taught] = [scope('schoolclass', '8'), scope('schoolteachclass', '2')]
    const all = { id: 'all-schoolclass', name: '行政班', entity: 'schoolclass', type: '1', column: null, value: null }
    expect(scopesOfRole([taught], lesson)).toEqual([
      { within: 'classId', scope: all },
      { within: 'teachClassId', scope: taught },
    ])
    const pupils = { ...all, id: 'all-student', name: '学生', entity: 'student' }
    // A class of several is reached by its classes, and by its pupils, who are in them.
    expect(scopesOfRole([classes], lesson)).toEqual([
      { within: 'classId', scope: classes },
      { within: 'teachClassId', scope: { within: 'classIds', scope: classes } },
      { within: 'teachClassId', scope: { within: 'studentIds', scope: { within: 'classId', scope: classes } } },
    ])
    expect(scopesOfRole([classes, scope('student', '1')], entityOf('schoolteachclass'))).toEqual([
      { within: 'classIds', scope: classes },
      { within: 'studentIds', scope: pupils },
    ])
    // One of them whole leaves the entity whole, where nothing narrows it by another; a school does not either.
    expect(scopesOfRole([scope('schoolclass', '1')], lesson)).toBeUndefined()
    expect(scopesOfRole([scope('schoolclass', '1'), scope('school', '6')], lesson)).toBeUndefined()
    expect(scopesOfRole([scope('post'), scope('school', '6')], lesson)).toHaveLength(1)
  })

  it('leave of colleagues is none of whoever is bound to some pupils only, and the other way round', () => {
    const leave = entityOf('leave')
    const [pupils, people] = [scope('student', '8'), scope('user', '4')]
    const within = (scopes: readonly DataScope[]) =>
      scopesOfRole(scopes, leave)?.map((each) => ('within' in each ? each.within : each.id))
    expect(within([pupils])).toEqual(['studentId'])
    expect(within([people])).toEqual(['userId'])
    expect(within([pupils, people])).toEqual(['studentId', 'userId'])
    expect(within([pupils, scope('user', '1')])).toEqual(['studentId', 'userId'])
  })

  it('what somebody keeps about pupils is the own of whoever is bound to some pupils', () => {
    const kept = entities.filter((each) => each.keptBy)
    expect(kept.length).toBeGreaterThan(0)
    for (const entity of kept) {
      const own = { id: `own-${entity.name}`, name: entity.label.zh, entity: entity.name, type: '2', value: null }
      expect(scopesOfRole([scope('student', '8')], entity), entity.name).toContainEqual({
        ...own,
        column: entity.keptBy,
      })
      expect(scopesOfRole([scope('student', '1')], entity), entity.name).toBeUndefined()
      expect(scopesOfRole([scope('post')], entity), entity.name).toBeUndefined()
    }
  })
})

describe('R-PERM-3 R-PERM-5 what follows from it', () => {
  it('what works on the tenant as a whole is refused to whoever works with a part', () => {
    const codes = ['student_view', 'school_view']
    const whole = actor(role(codes))
    const part = actor(role(codes, [scope('student')]))
    expect(() => mustReachAll(whole, [student, entityOf('school')], codes)).not.toThrow()
    expect(() => mustReachAll(part, [entityOf('school')], ['school_view'])).not.toThrow()
    const refused = (act: () => void): string | undefined => {
      try {
        act()
      } catch (error) {
        return error instanceof Problem ? error.problem : String(error)
      }
    }
    expect(refused(() => mustReachAll(part, [entityOf('school'), student], codes))).toBe('out_of_scope')
    expect(refused(() => mustReachAll(actor(), [student], codes))).toBe('out_of_scope')
  })

  it('personal values of all rows are open to whoever holds their code for all rows', () => {
    const code = personalCode(student)
    expect(opensAll(actor(role([code])), student)).toBe(true)
    expect(opensAll(actor(role(view)), student)).toBe(false)
    expect(opensAll(actor(role([code], [scope('student')])), student)).toBe(false)
    expect(opensAll(actor(role(view), role([code], [scope('student')])), student)).toBe(false)
    expect(opensAll(system('x', '000001'), student)).toBe(true)
  })

  it('nobody hands on more rows than the own', () => {
    const [one, other] = [scope('student', '2'), scope('student', '8')]
    const part = actor(role(view, [one]))
    const gives = (scopes: readonly DataScope[], codes = view) => ({ codes: new Set(codes), scopes })
    expect(coversRows(part, student, gives([one]))).toBe(true)
    expect(coversRows(part, student, gives([other]))).toBe(false)
    expect(coversRows(part, student, gives([one, other]))).toBe(false)
    expect(coversRows(part, student, gives([]))).toBe(false)
    // What gives no code of the entity gives no row of it.
    expect(coversRows(part, student, gives([other], ['school_view']))).toBe(true)
    expect(coversRows(actor(role(view)), student, gives([]))).toBe(true)
    // By one code the actor has all rows, by the other some.
    const both = actor(role(view), role(['student_edit'], [one]))
    expect(coversRows(both, student, gives([], view))).toBe(true)
    expect(coversRows(both, student, gives([], ['student_view', 'student_edit']))).toBe(false)
    expect(coversRows(part, student, gives([one], [personalCode(student)]))).toBe(false)
    // What is inherited is known by where it comes from.
    const guardians = ['studentparents_view']
    expect(coversRows(actor(role(guardians, [one])), parents, gives([one], guardians))).toBe(true)
    expect(coversRows(actor(role(guardians, [one])), parents, gives([other], guardians))).toBe(false)
  })
})
