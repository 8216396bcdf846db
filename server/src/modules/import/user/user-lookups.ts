import { dept, type Entity, post, role, user } from '@data-brain/contract'
import { userForm } from '@data-brain/contract/import/user-form'
import { sql } from '../../../database/statement.ts'
import type { Tx } from '../../../database/transaction.ts'
import { type Model, type ModelField, modelOf } from '../../../entity/model.ts'
import { type Actor, holdsCode } from '../../../kernel/actor.ts'
import { Problem } from '../../../kernel/problem.ts'
import { mustCoverRoles } from '../../system/index.ts'
import { type Choices, foldWord, readChoices } from '../batch/lookups.ts'

export const userModel: Model = modelOf(user)

/** What a cell names by words, several separated by commas. */
export const userReferenceFields = ['deptId', 'roleId', 'postId'] as const
export type UserReferenceField = (typeof userReferenceFields)[number]

interface Named {
  /** Id by the ways to write it; `''` where a way fits several. */
  readonly ids: ReadonlyMap<string, string>
  /** As it is written where it must be clear. */
  readonly titles: ReadonlyMap<string, string>
}

/** What the cells of users are looked up in: read once per job. */
export interface UserLookups extends Choices {
  readonly named: Readonly<Record<UserReferenceField, Named>>
}

/** Rows by the ways in which each is written: what stands first in a list of ways wins over what stands later. */
function namedBy(rows: readonly { id: string; title: string; ways: readonly string[] }[]): Named {
  const ids = new Map<string, string>()
  const most = Math.max(0, ...rows.map(({ ways }) => ways.length))
  for (let rank = 0; rank < most; rank += 1) {
    const here = new Map<string, string>()
    for (const { id, ways } of rows) {
      const way = foldWord(ways[rank] ?? '')
      if (way) here.set(way, here.has(way) && here.get(way) !== id ? '' : id)
    }
    for (const [way, id] of here) if (!ids.has(way)) ids.set(way, id)
  }
  return { ids, titles: new Map(rows.map(({ id, title }) => [id, title])) }
}

async function readDepts(tx: Tx, tenantId: string): Promise<Named> {
  const rows = await tx.run<{ id: string; dept_name: string; ancestors: string | null; full_name: string | null }>(
    sql`select id, dept_name, ancestors, full_name from dept where tenant_id = ${tenantId} order by sort, id`,
  )
  const names = new Map(rows.map((row) => [row.id, row.dept_name]))
  return namedBy(
    rows.map((row) => {
      const above = (row.ancestors ?? '').split(',').flatMap((id) => names.get(id) ?? [])
      const path = [...above, row.dept_name].join('/')
      return { id: row.id, title: path, ways: [path, row.dept_name, row.full_name ?? ''] }
    }),
  )
}

const dicts = userForm.flatMap((column) => userModel.byName.get(column.field)?.dict ?? [])

export async function readUserLookups(tx: Tx, tenantId: string): Promise<UserLookups> {
  const roles = await tx.run<{ id: string; role_name: string; role_alias: string }>(
    sql`select id, role_name, role_alias from role where tenant_id = ${tenantId} order by sort, id`,
  )
  const posts = await tx.run<{ id: string; post_name: string; post_code: string }>(
    sql`select id, post_name, post_code from post where tenant_id = ${tenantId} order by sort, id`,
  )
  return {
    ...(await readChoices(tx, tenantId, dicts)),
    named: {
      deptId: await readDepts(tx, tenantId),
      roleId: namedBy(
        roles.map((row) => ({ id: row.id, title: row.role_name, ways: [row.role_name, row.role_alias] })),
      ),
      postId: namedBy(posts.map((row) => ({ id: row.id, title: row.post_name, ways: [row.post_name, row.post_code] }))),
    },
  }
}

/** What a linked column's rows are called. */
export const linkedTo: Readonly<Record<UserReferenceField, Entity>> = { deptId: dept, roleId: role, postId: post }

export const isLinked = (field: ModelField): field is ModelField & { name: UserReferenceField } =>
  (userReferenceFields as readonly string[]).includes(field.name)

/** Says of roles, once each, whether the actor may give or take them. */
export class Coverage {
  readonly #known = new Map<string, Promise<boolean>>()
  readonly #tx: Tx
  readonly #actor: Actor
  readonly mayGrant: boolean

  constructor(tx: Tx, actor: Actor) {
    this.#tx = tx
    this.#actor = actor
    this.mayGrant = holdsCode(actor, 'user_role')
  }

  covers(roleId: string): Promise<boolean> {
    const known = this.#known.get(roleId) ?? this.#ask(roleId)
    this.#known.set(roleId, known)
    return known
  }

  async #ask(roleId: string): Promise<boolean> {
    try {
      await mustCoverRoles(this.#tx, this.#actor, [roleId])
      return true
    } catch (problem) {
      if (problem instanceof Problem) return false
      throw problem
    }
  }
}
