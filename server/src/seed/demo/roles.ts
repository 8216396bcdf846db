import { codeOf, entities, hasPersonal, personalCode, verbs } from '@data-brain/contract'
import { newId } from '../../database/id.ts'
import { sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { insertMany } from '../../entity/bulk.ts'

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
  'oneroster_export',
  'oneroster_import',
  'user_view',
  'dept_view',
  'post_view',
  'attach_view',
  'attach_add',
]

const classTeacherCodes = view(
  'student',
  'studentparents',
  'studentdetail',
  'studentgroup',
  'studentmessage',
  'schoolclass',
  'classschedule',
  'teacherclass',
)
const teacherCodes = view('schoolclass', 'classschedule', 'teacherclass')

const roles = [
  { key: 'registrar', name: '教务', alias: 'registrar', codes: [...registrarCodes, 'import'] },
  { key: 'classTeacher', name: '班主任', alias: 'class-teacher', codes: classTeacherCodes },
  { key: 'teacher', name: '任课教师', alias: 'teacher', codes: teacherCodes },
] as const

/** Makes the demo's roles: a registrar who does the school's paperwork, class teachers and teachers who look. */
export async function addRoles(tx: Tx, tenantId: string): Promise<Record<(typeof roles)[number]['key'], string>> {
  const ids = { registrar: newId(), classTeacher: newId(), teacher: newId() }
  await insertMany(
    tx,
    'role',
    roles.map((role, index) => ({
      tenant_id: tenantId,
      id: ids[role.key],
      role_name: role.name,
      role_alias: role.alias,
      sort: index + 2,
      is_admin: 0,
      status: 1,
      version: 1,
      create_time: 'now',
      update_time: 'now',
    })),
  )
  // A button is granted with the pages and groups above it, so that the menus lead there.
  for (const role of roles)
    await tx.run(
      sql`with recursive granted as (
            select id, parent_id from menu where code = any(${[...role.codes]}::text[])
            union select m.id, m.parent_id from menu m join granted g on m.id = g.parent_id)
          insert into role_menu (tenant_id, role_id, menu_id) select ${tenantId}, ${ids[role.key]}, id from granted`,
    )
  return ids
}
