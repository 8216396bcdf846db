import type * as definitions from '@data-brain/contract'
import { type Entity, entityOf, type ValuesOf } from '@data-brain/contract'
import { sql } from '../../database/statement.ts'
import type { Values } from '../../entity/check.ts'
import type { Model } from '../../entity/model.ts'
import type { Context } from '../../entity/repository.ts'
import { opensAll } from '../../entity/scopes-of-role.ts'
import { nameRef } from '../../entity/select.ts'
import { yieldTurn } from '../../kernel/cooperative.ts'
import { carriers } from './carried-entities.ts'

/** A row as it stands, with plain values by field name. */
export interface StateRow<E extends Entity = Entity> {
  readonly id: string
  readonly version: number
  readonly status: number
  readonly extId: string | null
  /** When it was last changed, in UTC. */
  readonly modified: string
  readonly values: ValuesOf<E>
}

/** The entities whose rows are read by their fields. */
export type ReadName =
  | 'dept'
  | 'school'
  | 'schoolcampus'
  | 'schoolyear'
  | 'schoolsemester'
  | 'schoolsubject'
  | 'schoolclass'
  | 'schoolteachclass'
  | 'student'
  | 'studentclass'
  | 'studentparents'
  | 'teacherclass'
  | 'user'

export type RowOf<N extends ReadName> = StateRow<(typeof definitions)[N]>

/** The rows of what is carried: of an entity that is read by its fields as its definition says, of others as they come. */
interface StateRows {
  get<N extends ReadName>(entity: N): ReadonlyMap<string, RowOf<N>>
  get(entity: string): ReadonlyMap<string, StateRow> | undefined
}

/** Everything of a tenant that is carried, and what the carried rows are known by. */
export interface State {
  readonly rows: StateRows
  /** The department that the whole tenant is under. */
  readonly rootDept: string | undefined
  /** School by department: whose school somebody's department belongs to. */
  readonly schoolOfDept: ReadonlyMap<string, string>
  readonly deptsOfUser: ReadonlyMap<string, readonly string[]>
  readonly administrators: ReadonlySet<string>
  readonly codes: Readonly<Record<string, ReadonlyMap<string, string>>>
  readonly grades: ReadonlyMap<string, { stage: string; no: number }>
  reveals(entity: string): boolean
}

/** Whether a row leaves. Administrators without a staff number are accounts, not people of a school. */
export function isExported(state: State, entity: string, row: StateRow): boolean {
  if (entity === 'dept') return row.id === state.rootDept
  return entity !== 'user' || Boolean(row.values.staffNo) || !state.administrators.has(row.id)
}

/** Reads all that is carried. Personal values are plain here; what leaves is decided where it leaves. */
export async function readState(context: Context): Promise<State> {
  const { tx, actor } = context
  const { tenantId } = actor
  await tx.allow({ statement: 120 })
  const rows = new Map<string, Map<string, StateRow>>()
  for (const { model } of carriers.values()) rows.set(model.entity.name, await readAll(model, context))
  const state = rows as StateRows
  const depts = await tx.run<{ id: string; parent_id: string | null; school_id: string | null }>(
    sql`select id, parent_id, school_id from dept where tenant_id = ${tenantId} order by parent_id nulls first, sort, id`,
  )
  const schoolOfDept = new Map<string, string>()
  for (const dept of depts) if (dept.school_id) schoolOfDept.set(dept.id, dept.school_id)
  for (const school of state.get('school').values()) schoolOfDept.set(school.values.deptId, school.id)
  const deptsOfUser = new Map<string, string[]>()
  for (const link of await tx.run<{ owner_id: string; target_id: string }>(
    sql`select owner_id, target_id from app_user_dept where tenant_id = ${tenantId} order by owner_id, ord`,
  ))
    deptsOfUser.set(link.owner_id, [...(deptsOfUser.get(link.owner_id) ?? []), link.target_id])
  const administrators = await tx.run<{ owner_id: string }>(
    sql`select l.owner_id from app_user_role l join role r on r.tenant_id = l.tenant_id and r.id = l.target_id where l.tenant_id = ${tenantId} and r.is_admin = 1`,
  )
  const grades = await tx.run<{ id: string; code: string; stage: string; no: number }>(
    sql`select id, grade_code as code, stage, grade_no as no from sysgrade_seen where tenant_id = ${tenantId}`,
  )
  const byCode = async (table: string, column: string): Promise<Map<string, string>> =>
    new Map(
      (
        await tx.run<{ id: string; code: string }>(
          sql`select id, ${nameRef(column)} as code from ${nameRef(table)} where tenant_id = ${tenantId}`,
        )
      ).map((row) => [row.id, row.code]),
    )
  return {
    rows: state,
    rootDept: depts.find((dept) => dept.parent_id === null)?.id,
    schoolOfDept,
    deptsOfUser,
    administrators: new Set(administrators.map((row) => row.owner_id)),
    codes: {
      sysgrade: new Map(grades.map((row) => [row.id, row.code])),
      syssubject: await byCode('syssubject_seen', 'subject_code'),
      post: await byCode('post', 'post_code'),
    },
    grades: new Map(grades.map((row) => [row.code, { stage: row.stage, no: row.no }])),
    reveals: (entity) => opensAll(actor, entityOf(entity)),
  }
}

/** All rows of an entity, ordered by id. */
async function readAll(model: Model, context: Context): Promise<Map<string, StateRow>> {
  const { tx, actor, cipher } = context
  const { tenantId } = actor
  const stored = model.fields.filter((field) => field.kind !== 'references')
  const columns = nameRef(stored.map((field) => `t.${field.column} as "${field.name}"`).join(', '))
  const found = await tx.run<Values & { id: string }>(
    sql`select t.id, t.version as "#version", t.status as "#status", t.ext_id as "#extId", to_char(t.update_time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "#modified", ${columns} from ${nameRef(model.seen)} t where t.tenant_id = ${tenantId} order by t.id`,
  )
  const rows = new Map<string, StateRow>()
  for (const row of found) {
    await yieldTurn()
    for (const field of model.personal) {
      const sealed = row[field.name]
      if (Buffer.isBuffer(sealed))
        row[field.name] = cipher.open(sealed, { table: model.table, column: field.column, tenantId, id: row.id })
    }
    const { id, '#version': version, '#status': status, '#extId': extId, '#modified': modified, ...values } = row
    rows.set(id, {
      id,
      version: Number(version),
      status: Number(status),
      extId: (extId as string | null) ?? null,
      modified: String(modified),
      values,
    })
  }
  for (const field of model.fields) {
    if (field.kind !== 'references') continue
    for (const row of rows.values()) row.values[field.name] = []
    for (const link of await tx.run<{ owner_id: string; target_id: string }>(
      sql`select owner_id, target_id from ${nameRef(field.linkSeen!)} where tenant_id = ${tenantId} order by owner_id, ord`,
    ))
      (rows.get(link.owner_id)?.values[field.name] as string[] | undefined)?.push(link.target_id)
  }
  return rows
}
