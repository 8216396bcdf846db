import {
  type ColumnTaste,
  type Entity,
  entities,
  knownContent,
  knownTaste,
  type PageViews,
  type SavedView,
  type ViewContent,
  viewsMost,
} from '@data-brain/contract'
import type { InputOf } from '@data-brain/contract/call'
import { keepTaste, removeViews, saveView, viewsOfPage } from '@data-brain/contract/calls/savedview'
import { isId, newId } from '../../database/id.ts'
import { sql } from '../../database/statement.ts'
import { conditionsOf } from '../../entity/filter.ts'
import { modelFor } from '../../entity/model.ts'
import { on } from '../../entity/serve-call.ts'
import { type Actor, holdsCode } from '../../kernel/actor.ts'
import { Problem, valueTaken } from '../../kernel/problem.ts'
import type { Call, Route } from '../../kernel/route.ts'
import type { Module } from '../module.ts'
import { readContent, readTaste } from './content.ts'

/*
 * How people see their lists. A view is its owner's, and of those who hold the role it is shared with; to everybody else
 * it does not exist. It holds names and values of the list's own parameters and never a row: what a reader of a shared
 * view sees is bound by the reader's own rights, as any list is.
 */

/** The code without which views stay private. */
const shareCode = 'savedview_share'

interface Stored {
  readonly id: string
  readonly name: string
  readonly version: number
  readonly userId: string
  readonly ownerName: string
  readonly roleId: string | null
  readonly roleName: string | null
  readonly content: ViewContent
}

/** The entity whose list a page is, with the fields of the caller's tenant. */
function entityFor(page: string, actor: Actor): Entity {
  const entity = entities.find((each) => each.name === page)
  if (!entity) throw new Problem('not_found')
  return modelFor(entity, actor).entity
}

/** Views belong to people: a machine has none. */
function personOf(actor: Actor): { tenantId: string; userId: string; roles: string[] } {
  if (actor.userId === null) throw new Problem('not_found')
  return { tenantId: actor.tenantId, userId: actor.userId, roles: actor.roles.map((role) => role.id) }
}

function shown(entity: Entity, row: Stored, userId: string): SavedView {
  const { userId: owner, content, ...rest } = row
  return { ...rest, mine: owner === userId, ...knownContent(entity, content) }
}

/** The views of a page that the caller sees: own ones first, by name. */
async function stored(call: Pick<Call, 'tx' | 'actor'>, page: string, id?: string): Promise<Stored[]> {
  const { tenantId, userId, roles } = personOf(call.actor)
  return call.tx.run<Stored>(
    sql`select v.id, v.name, v.version, v.user_id as "userId", u.real_name as "ownerName", v.content,
          v.role_id as "roleId", r.role_name as "roleName"
        from saved_view v join app_user u on u.tenant_id = v.tenant_id and u.id = v.user_id
        left join role r on r.tenant_id = v.tenant_id and r.id = v.role_id
        where v.tenant_id = ${tenantId} and v.page = ${page} and (v.user_id = ${userId} or v.role_id = any(${roles}::bigint[]))
          ${id === undefined ? sql`` : sql`and v.id = ${id}`}
        order by v.user_id <> ${userId}, v.name, v.id limit 300`,
  )
}

async function list(call: Call, page: string): Promise<PageViews> {
  const entity = entityFor(page, call.actor)
  const { tenantId, userId } = personOf(call.actor)
  const own = await call.tx.one<{ first: string | null; taste: ColumnTaste | null }>(
    sql`select first, taste from list_taste where tenant_id = ${tenantId} and user_id = ${userId} and page = ${page}`,
  )
  const rows = await stored(call, page)
  return {
    taste: own?.taste ? knownTaste(entity, own.taste) : null,
    first: own?.first ?? null,
    views: rows.map((row) => shown(entity, row, userId)),
    roles: holdsCode(call.actor, shareCode) ? call.actor.roles.map(({ id, name }) => ({ id, name })) : [],
  }
}

/** The role that a view is to be shared with: one that the caller holds, by somebody who may share. */
function sharedWith(actor: Actor, roleId: string | null): string | null {
  if (roleId === null) return null
  if (!holdsCode(actor, shareCode)) throw new Problem('forbidden', { code: shareCode })
  const role = actor.roles.find((each) => each.id === roleId)
  if (!role)
    throw new Problem(
      'rule_broken',
      { reason: { zh: '只能共享给自己拥有的角色', en: 'A view is shared with a role that you hold yourself' } },
      { field: 'roleId', fields: [] },
    )
  return role.id
}

/** Adds a view, or changes one of the caller's own. */
async function submit(draft: InputOf<typeof saveView>, call: Call): Promise<SavedView> {
  const { version = null, roleId: shared = null } = draft
  const entity = entityFor(draft.page, call.actor)
  const page = entity.name
  const { tenantId, userId } = personOf(call.actor)
  const name = draft.name.trim()
  const { label } = saveView.input.name
  if (name === '' || [...name].length > 50)
    throw new Problem(
      'field_invalid',
      { label, reason: { zh: '须为1到50个字', en: 'must have 1 to 50 characters' } },
      { field: 'name', fields: [] },
    )
  const roleId = sharedWith(call.actor, shared)
  const read = readContent(entity, draft.content)
  // A value that the list refuses would open the page with a fault, for everybody it is shared with.
  conditionsOf(modelFor(entity, call.actor), read.filters, call.services.cipher, tenantId)
  const content = JSON.stringify(read)
  const isNew = !draft.id
  const id = draft.id || newId()
  if (!isId(id)) throw new Problem('not_found')
  const { tx } = call
  // One after the other for one person and page: the name and the number of views are judged below.
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`saved_view|${tenantId}|${userId}|${page}`}, 0))`)
  const others = await tx.run<{ id: string; name: string }>(
    sql`select id, name from saved_view where tenant_id = ${tenantId} and user_id = ${userId} and page = ${page} and id <> ${id}`,
  )
  if (others.some((each) => each.name === name)) throw valueTaken(label, name, 'name')
  if (isNew) {
    if (others.length >= viewsMost)
      throw new Problem('rule_broken', {
        reason: {
          zh: `每个页面最多保存${viewsMost}个视图`,
          en: `At most ${viewsMost} views are kept of one page`,
        },
      })
    await tx.run(
      sql`insert into saved_view (tenant_id, id, page, name, user_id, role_id, content)
          values (${tenantId}, ${id}, ${page}, ${name}, ${userId}, ${roleId}, ${content}::jsonb)`,
    )
  } else {
    const before = await tx.one<{ version: number }>(
      sql`select version from saved_view where tenant_id = ${tenantId} and id = ${id} and user_id = ${userId} and page = ${page} for update`,
    )
    if (!before) throw new Problem('not_found')
    if (version !== null && version !== before.version) throw new Problem('stale')
    await tx.run(
      sql`update saved_view set name = ${name}, role_id = ${roleId}, content = ${content}::jsonb, version = version + 1, update_time = now()
          where tenant_id = ${tenantId} and id = ${id}`,
    )
  }
  const [row] = await stored(call, page, id)
  return shown(entity, row!, userId)
}

/** Removes views of the caller's own: all of these, or none. */
async function remove({ tx, actor }: Call, ids: readonly string[]): Promise<void> {
  const { tenantId, userId } = personOf(actor)
  const count = await tx.count(
    sql`delete from saved_view where tenant_id = ${tenantId} and user_id = ${userId} and id = any(${[...ids]}::bigint[])`,
  )
  if (count !== ids.length) throw new Problem('not_found')
}

/** Keeps the caller's columns of a page, and the view it opens with; what is not sent stays. */
async function keep({ page, taste: sent, first }: InputOf<typeof keepTaste>, call: Call): Promise<void> {
  const entity = entityFor(page, call.actor)
  const { tenantId, userId } = personOf(call.actor)
  const taste = readTaste(entity, sent)
  const opens = first || null
  if (opens !== null && !/^[a-z0-9-]{1,64}$/i.test(opens)) throw new Problem('bad_request')
  const columns = taste && JSON.stringify(taste)
  await call.tx.run(
    sql`insert into list_taste (tenant_id, user_id, page, first, taste)
        values (${tenantId}, ${userId}, ${entity.name}, ${opens}::text, ${columns}::jsonb)
        on conflict (tenant_id, user_id, page) do update set update_time = now(),
          first = case when ${first !== undefined} then excluded.first else list_taste.first end,
          taste = case when ${sent !== undefined} then excluded.taste else list_taste.taste end`,
  )
}

const routes: readonly Route[] = [
  on(viewsOfPage, ({ page }, call) => list(call, page)),
  on(saveView, submit),
  on(removeViews, ({ ids }, call) => remove(call, ids)),
  on(keepTaste, keep),
]

/** Views of lists. */
export const viewsModule: Module = { routes }
