import { codeOf, entities, hasPersonal, personalCode, verbs } from '@data-brain/contract'
import { newId } from '../database/id.ts'
import { sql } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import { insertMany, raiseStamp } from '../entity/bulk.ts'
import { changedKeys } from './changed-keys.ts'

const view = (...names: string[]): string[] => names.map((name) => `${name}_view`)

/** Every code of the school and student modules, import and personal values among them. */
const registrarCodes = [
  ...entities
    .filter((entity) => entity.path.startsWith('blade-user/'))
    .flatMap((entity) => [
      ...verbs.map((verb) => codeOf(entity, verb)),
      ...(hasPersonal(entity) ? [personalCode(entity)] : []),
    ]),
  'student_import',
  'studentparents_import',
  'schoolclass_import',
  'schoolclassroom_import',
  'teacherclass_import',
  'oneroster_export',
  'oneroster_import',
  'user_view',
  'dept_view',
  'post_view',
  'attach_view',
  'attach_add',
]

const classTeacherCodes = [
  ...view(
    'student',
    'studentparents',
    'studentdetail',
    'studentgroup',
    'studentmessage',
    'schoolclass',
    'classschedule',
    'teacherclass',
  ),
  // The number of a pupil's parent is shown when asked for, and that it was is written down.
  'studentparents_personal',
]
const teacherCodes = view('schoolclass', 'classschedule', 'teacherclass')

/** A rule on one field: it names the person, or what is the person's own. */
const is = (field: string, value: string) => ({ field, op: 'in', value })

interface RoleScope {
  readonly entity: string
  readonly name: string
  readonly code: string
  /** Without one it is rule 8 of data_scope_type: classes that somebody heads, or teaches in a term that has not ended. */
  readonly value?: { readonly any: readonly unknown[] }
}

/** Teachers work with the classes that they head or teach, the lessons of these and their own. */
const teacherScopes: readonly RoleScope[] = [
  { entity: 'schoolclass', name: '任教班级', code: 'taught-classes' },
  {
    entity: 'teacherclass',
    name: '本人及任教班级的任课关系',
    code: 'taught-assignments',
    value: { any: [is('userId', '$me'), is('classId', '$myClasses')] },
  },
  {
    entity: 'classschedule',
    name: '本人及任教班级的课程表',
    code: 'taught-lessons',
    value: { any: [is('teacherId', '$me'), is('classId', '$myClasses')] },
  },
]

/** Class teachers besides with the pupils of these classes and all that is theirs, and with what they lead and send. */
const classTeacherScopes: readonly RoleScope[] = [
  ...teacherScopes,
  { entity: 'student', name: '任教班级的学生', code: 'taught-students' },
  { entity: 'studentgroup', name: '本人负责的分组', code: 'own-groups', value: { any: [is('ownerId', '$me')] } },
  {
    entity: 'studentmessage',
    name: '本人发送及本校全校的消息',
    code: 'own-messages',
    value: {
      any: [
        is('senderId', '$me'),
        { all: [is('schoolId', '$mySchools'), { field: 'targetType', op: 'equal', value: '5' }] },
      ],
    },
  },
]

const roles = [
  { key: 'registrar', name: '教务', alias: 'registrar', codes: [...registrarCodes, 'import'], scopes: [], prefix: '' },
  {
    key: 'classTeacher',
    name: '班主任',
    alias: 'class-teacher',
    codes: classTeacherCodes,
    scopes: classTeacherScopes,
    prefix: 'head',
  },
  {
    key: 'teacher',
    name: '任课教师',
    alias: 'teacher',
    codes: teacherCodes,
    scopes: teacherScopes,
    prefix: 'teacher',
  },
] as const

type RoleKey = (typeof roles)[number]['key']

async function addScopes(
  tx: Tx,
  tenantId: string,
  roleId: string,
  prefix: string,
  wanted: readonly RoleScope[],
): Promise<void> {
  const menus = await tx.run<{ id: string; code: string }>(
    sql`select id, code from menu where code = any(${wanted.map(({ entity }) => entity)}::text[])`,
  )
  const scopes = wanted.map((scope) => ({ ...scope, id: newId(), resource: `${prefix}-${scope.code}` }))
  // A tenant that stands may have a scope of its own by this code.
  const taken = await tx.run<{ code: string }>(
    sql`select resource_code as code from data_scope where tenant_id = ${tenantId} and resource_code = any(${scopes.map(({ resource }) => resource)}::text[])`,
  )
  await insertMany(
    tx,
    'data_scope',
    scopes.map(({ id, entity, name, resource, value }) => ({
      tenant_id: tenantId,
      id,
      menu_id: menus.find((menu) => menu.code === entity)?.id ?? null,
      scope_name: name,
      resource_code: taken.some(({ code }) => code === resource) ? `${resource}-${id}` : resource,
      scope_class: entity,
      scope_type: value ? '5' : '8',
      scope_field: '*',
      scope_value: value ?? null,
      status: 1,
      version: 1,
      create_time: 'now',
      update_time: 'now',
    })),
  )
  await insertMany(
    tx,
    'role_data_scope',
    scopes.map(({ id }) => ({ tenant_id: tenantId, role_id: roleId, scope_id: id })),
  )
}

async function lay(tx: Tx, tenantId: string, wanted: readonly (typeof roles)[number][]): Promise<Map<RoleKey, string>> {
  const ids = new Map(wanted.map(({ key }) => [key, newId()]))
  await insertMany(
    tx,
    'role',
    wanted.map((role) => ({
      tenant_id: tenantId,
      id: ids.get(role.key),
      role_name: role.name,
      role_alias: role.alias,
      sort: roles.indexOf(role) + 2,
      is_admin: 0,
      status: 1,
      version: 1,
      create_time: 'now',
      update_time: 'now',
    })),
  )
  for (const { key, codes, prefix, scopes } of wanted) {
    const id = ids.get(key)!
    // A button is granted with the pages and groups above it, so that the menus lead there.
    await tx.run(
      sql`with recursive granted as (
            select id, parent_id from menu where code = any(${[...codes]}::text[])
            union select m.id, m.parent_id from menu m join granted g on m.id = g.parent_id)
          insert into role_menu (tenant_id, role_id, menu_id) select ${tenantId}, ${id}, id from granted`,
    )
    await addScopes(tx, tenantId, id, prefix, scopes)
  }
  return ids
}

/** Makes the usual roles of a school: a registrar who does the school's paperwork, class teachers who look at their classes, and teachers. */
export async function addRoles(tx: Tx, tenantId: string): Promise<Record<RoleKey, string>> {
  return Object.fromEntries(await lay(tx, tenantId, roles)) as Record<RoleKey, string>
}

/**
 * Gives a tenant that stands the usual roles that it lacks; nobody has them yet, so nobody may do more than before. One
 * that the tenant has by name or alias, and one that it renamed or removed, is left alone.
 */
export async function addMissingRoles(tx: Tx, tenantId: string): Promise<void> {
  const held = await tx.run<{ name: string; alias: string }>(
    sql`select role_name as name, role_alias as alias from role where tenant_id = ${tenantId}`,
  )
  const names = new Set([...held.map(({ name }) => name), ...(await changedKeys(tx, tenantId, 'role', ['role_name']))])
  const aliases = new Set([
    ...held.map(({ alias }) => alias),
    ...(await changedKeys(tx, tenantId, 'role', ['role_alias'])),
  ])
  const missing = roles.filter(({ name, alias }) => !names.has(name) && !aliases.has(alias))
  if (missing.length === 0) return
  await lay(tx, tenantId, missing)
  for (const entity of ['role', 'datascope']) await raiseStamp(tx, tenantId, entity)
}
