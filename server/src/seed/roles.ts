import { isDeepStrictEqual } from 'node:util'
import {
  codeOf,
  entities,
  fixedform,
  hasPersonal,
  notice,
  personalCode,
  report,
  reportsubscription,
  verbs,
} from '@data-brain/contract'
import type { UsualRole } from '@data-brain/contract/extension'
import { extensions } from '@data-brain/contract/extensions.generated'
import { fillCode } from '@data-brain/contract/fixed-form'
import { isImported } from '@data-brain/contract/import/all'
import { importCode } from '@data-brain/contract/import/place'
import { takeCode } from '@data-brain/contract/report'
import { scopeKinds } from '@data-brain/contract/scope-kinds'
import { newId } from '../database/id.ts'
import { sql } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import { insertMany, insertTogether } from '../entity/bulk.ts'
import { raiseStamp } from '../entity/stamp.ts'
import { changedKeys } from './changed-keys.ts'

const view = (...names: string[]): string[] => names.map((name) => `${name}_view`)

/** Pages that show what several lists hold. */
const tables = ['schooltree', 'coverdesk', 'assignmentmatrix', 'quality']

/** Leave, and who approves it: of a school as well, under addresses of their own. */
const leaves = ['leave', 'leaveapprovalrule']

/** Everybody starts processes, and decides what is asked of them. */
const ownWork = ['workstart', 'workclaim', 'worktodo', 'worksend', 'workdone', 'workcopy']

/** Of those who make reports; whoever is shown one runs it over what is theirs. */
const reporting = [report, fixedform, reportsubscription].flatMap((entity) => verbs.map((verb) => codeOf(entity, verb)))

/** Every code of the school and student modules, import and personal values among them. */
const registrarCodes = [
  ...entities
    .filter((entity) => entity.path.startsWith('blade-user/') || leaves.includes(entity.name))
    .flatMap((entity) => [
      ...verbs.map((verb) => codeOf(entity, verb)),
      ...(hasPersonal(entity) ? [personalCode(entity)] : []),
      ...(isImported(entity.name) ? [importCode(entity.name)] : []),
    ]),
  'timetableplan_publish',
  'substitution_decide',
  'leave_pass',
  'oneroster_export',
  'oneroster_import',
  'user_view',
  'dept_view',
  'post_view',
  'attach_view',
  'attach_add',
  ...reporting,
]

/** Of those whom reports are shared with: they take out what these answer them, and have it come by the clock. */
const receiving = [
  ...view('report', 'fixedform'),
  codeOf(report, 'export'),
  takeCode,
  ...(['view', 'add', 'edit', 'delete'] as const).map((verb) => codeOf(reportsubscription, verb)),
]

const classTeacherCodes = [
  'quality',
  ...view(
    'student',
    'studentparents',
    'studentdetail',
    'studentgroup',
    'studentmessage',
    'schoolclass',
    'classschedule',
    'teacherclass',
    'leave',
  ),
  // Proof that comes with a leave is uploaded.
  'attach_add',
  // The number of a pupil's parent is shown when asked for, and that it was is written down.
  'studentparents_personal',
  ...receiving,
  // Record cards and certificates of the pupils whom they may see.
  fillCode,
]
/** All of the school and student modules to look at, and the number of a pupil's parent, which is written down as read. */
const overseerCodes = [
  ...view(
    ...entities.filter(({ path }) => path.startsWith('blade-user/')).map(({ name }) => name),
    ...leaves,
    'user',
    'dept',
    'post',
  ),
  ...tables,
  'studentparents_personal',
  ...receiving,
  fillCode,
]
const bureauCodes = [
  ...overseerCodes,
  ...reporting,
  ...verbs.map((verb) => codeOf(notice, verb)),
  'notice_publish',
  'attach_add',
  // Forms of an authority are filled with schools.
  'school_export',
]

const teacherCodes = [...view('schoolclass', 'classschedule', 'teacherclass'), 'attach_add']

/** A rule on one field: it names the person, or what is the person's own. */
const is = (field: string, value: string) => ({ field, op: 'in', value })

interface RoleScope {
  readonly entity: string
  readonly name: string
  readonly code: string
  /** A key of data_scope_type; rule 8 where nothing is said: classes that somebody heads, or teaches in a term that has not ended. */
  readonly type?: string
  /** The condition of a rule of one's own, which is of type 5. */
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
  { entity: 'leave', name: '任教班级学生的请假', code: 'taught-leaves' },
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

/** A principal looks at the own school and all that stands in it, and at the people of its departments. */
const principalScopes: readonly RoleScope[] = [
  { entity: 'school', name: '本人所在学校', code: 'school', type: scopeKinds.schools.type },
  { entity: 'user', name: '本人所在部门及以下的用户', code: 'staff', type: scopeKinds.below.type },
  { entity: 'dept', name: '本人所在部门及以下', code: 'depts', type: scopeKinds.below.type },
]

/** What extensions give to a usual role. */
const codesOfExtensions = (role: UsualRole): readonly string[] =>
  extensions.flatMap((extension) => extension.roles?.[role] ?? [])

interface UsualRoleSeed {
  readonly key: UsualRole
  readonly name: string
  readonly alias: string
  readonly codes: readonly string[]
  readonly scopes: readonly RoleScope[]
  /** Before the codes of its scopes, which are distinct in a tenant. */
  readonly prefix: string
}

const roles: readonly UsualRoleSeed[] = [
  {
    key: 'registrar',
    name: '教务',
    alias: 'registrar',
    codes: [...ownWork, ...registrarCodes, ...tables, 'import', ...codesOfExtensions('registrar')],
    scopes: [],
    prefix: '',
  },
  {
    key: 'classTeacher',
    name: '班主任',
    alias: 'class-teacher',
    codes: [...ownWork, ...classTeacherCodes, ...codesOfExtensions('classTeacher')],
    scopes: classTeacherScopes,
    prefix: 'head',
  },
  {
    key: 'teacher',
    name: '任课教师',
    alias: 'teacher',
    codes: [...ownWork, ...teacherCodes, ...codesOfExtensions('teacher')],
    scopes: teacherScopes,
    prefix: 'teacher',
  },
  {
    key: 'principal',
    name: '校长',
    alias: 'principal',
    codes: [...ownWork, ...overseerCodes, ...codesOfExtensions('principal')],
    scopes: principalScopes,
    prefix: 'own',
  },
  {
    key: 'bureau',
    name: '教育局',
    alias: 'bureau',
    codes: [...ownWork, ...bureauCodes, ...codesOfExtensions('bureau')],
    scopes: [],
    prefix: '',
  },
]

/** The scopes of roles, as rows for their tables. */
async function scopesOf(
  tx: Tx,
  tenantId: string,
  ids: ReadonlyMap<UsualRole, string>,
  wanted: readonly UsualRoleSeed[],
): Promise<{ scopes: Record<string, unknown>[]; links: Record<string, unknown>[] }> {
  const scopes = wanted.flatMap(({ key, prefix, scopes: own }) =>
    own.map((scope) => ({ ...scope, roleId: ids.get(key), id: newId(), resource: `${prefix}-${scope.code}` })),
  )
  // A tenant that stands may have a scope of its own by this code.
  const { menus, taken } = (await tx.one<{ menus: Record<string, string>; taken: string[] }>(
    sql`select coalesce((select jsonb_object_agg(code, id::text) from menu where code = any(${scopes.map(({ entity }) => entity)}::text[])), '{}') as menus,
          array(select resource_code from data_scope where tenant_id = ${tenantId} and resource_code = any(${scopes.map(({ resource }) => resource)}::text[])) as taken`,
  ))!
  return {
    scopes: scopes.map(({ id, entity, name, resource, type, value }) => ({
      tenant_id: tenantId,
      id,
      menu_id: menus[entity] ?? null,
      scope_name: name,
      resource_code: taken.includes(resource) ? `${resource}-${id}` : resource,
      scope_class: entity,
      scope_type: value ? '5' : (type ?? scopeKinds.classes.type),
      scope_field: '*',
      scope_value: value ?? null,
      status: 1,
      version: 1,
      create_time: 'now',
      update_time: 'now',
    })),
    links: scopes.map(({ id, roleId }) => ({ tenant_id: tenantId, role_id: roleId, scope_id: id })),
  }
}

/**
 * Lays what the usual roles are granted, which all tenants share under the ids of these roles (entity/shared.ts). Where it
 * is not what was laid last, it is laid under new ids, for the tenants that are made from then on: nobody's rights change.
 */
export async function layRoles(tx: Tx): Promise<void> {
  for (const { alias, codes } of roles) {
    // A button is granted with the pages and groups above it, so that the menus lead there.
    const { wanted, laid } = (await tx.one<{ wanted: string[]; laid: string[] }>(
      sql`with recursive granted as (
            select id, parent_id from menu where code = any(${[...codes]}::text[])
            union select m.id, m.parent_id from menu m join granted g on m.id = g.parent_id)
          select array(select id from granted order by id)::text[] as wanted,
            array(select s.menu_id from role_shared r join role_menu_shared s on s.role_id = r.role_id where r.alias = ${alias} order by s.menu_id)::text[] as laid`,
    ))!
    if (isDeepStrictEqual(wanted, laid)) continue
    const id = newId()
    await insertMany(
      tx,
      'role_menu_shared',
      wanted.map((menu) => ({ role_id: id, menu_id: menu })),
    )
    await tx.run(
      sql`insert into role_shared (alias, role_id) values (${alias}, ${id}) on conflict (alias) do update set role_id = excluded.role_id`,
    )
  }
}

async function lay(tx: Tx, tenantId: string, wanted: readonly UsualRoleSeed[]): Promise<Map<UsualRole, string>> {
  const shared = await tx.run<{ alias: string; id: string }>(sql`select alias, role_id as id from role_shared`)
  const ids = new Map(wanted.map(({ key, alias }) => [key, shared.find((each) => each.alias === alias)!.id]))
  const { scopes, links } = await scopesOf(tx, tenantId, ids, wanted)
  await insertTogether(tx, [
    [
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
    ],
    ['data_scope', scopes],
    ['role_data_scope', links],
  ])
  return ids
}

/**
 * Makes the usual roles: a registrar who does the school's paperwork, class teachers who look at their classes, teachers, a
 * principal who looks at the own school, and the bureau's people, who look at all schools and publish notices.
 */
export async function addRoles(tx: Tx, tenantId: string): Promise<Record<UsualRole, string>> {
  return Object.fromEntries(await lay(tx, tenantId, roles)) as Record<UsualRole, string>
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
