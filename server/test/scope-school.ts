import { entityOf, schoolclass, student, studentparents } from '@data-brain/contract'
import { expect } from 'vitest'
import { sample } from './sample.ts'
import { makeWorld, type Person, type World } from './world.ts'

/*
 * A school of three classes with two pupils each, and people whose roles are narrowed: what the tests of scopes work on.
 */

export interface Row extends Record<string, unknown> {
  id: string
  version: number
}
export type Rows = { total: number; records: Row[] }

export let world: World
export let admin: Person
export let classes: Row[]
/** Pupils by name: 一甲, 一乙, 二甲 … */
export const pupils = new Map<string, Row>()
export let schoolId: string
export let deptId: string

const path = (entity: string): string => entityOf(entity).path
export async function add(entity: string, draft: Record<string, unknown>, person = admin): Promise<Row> {
  const answer = await person.post<Row>(`${path(entity)}/submit`, draft)
  if (answer.code !== 200) throw new Error(`${entity}: ${answer.msg}`)
  return answer.data
}

/** Makes the school; `world` is closed by whoever made it. */
export async function makeSchool(): Promise<void> {
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
}

/** Every code of a student but the export. */
export const all = ['view', 'add', 'edit', 'delete'].map((verb) => `student_${verb}`)

let scopes = 0
/** Somebody whose role holds these codes, narrowed by these scopes. */
export async function narrowed(
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

/** The names that a person's list of students shows. */
export const names = async (person: Person, query: Record<string, string> = {}): Promise<string[]> => {
  const answer = await person.get<Rows>('blade-user/student/list', { size: 50, ...query })
  expect(answer.data.total).toBe(answer.data.records.length)
  return answer.data.records.map((row) => String(row.name)).sort()
}

/** A custom scope: the pupils of these classes. */
export const inClasses = (...ids: string[]) => ({
  scopeClass: 'student',
  scopeType: '5',
  scopeValue: { all: [{ field: 'classId', op: 'in', value: ids }] },
})
export const everybody = ['学一甲', '学一乙', '学三甲', '学三乙', '学二甲', '学二乙'].sort()
export const third = ['学三甲', '学三乙'].sort()
