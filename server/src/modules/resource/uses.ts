import { attach, type Blocker, codeOf, type Entity, notice, tenant, user } from '@data-brain/contract'
import { flowinstance } from '@data-brain/contract/entities/flow/flowinstance'
import { sql } from '../../database/statement.ts'
import { blockersOf } from '../../entity/blockers.ts'
import { modelOf, platformTenant, pointersAt } from '../../entity/model.ts'
import type { Context } from '../../entity/repository.ts'
import { scopesFor } from '../../entity/scopes-of-role.ts'
import { countField } from '../../entity/select.ts'
import { linkOf } from './sign.ts'

/*
 * How often a file is used is counted whenever it is asked, over what points at it now. A number that is kept beside
 * would have to be right after bulk imports, undone batches, restored rows, carried tenants and cascading removals too;
 * a list shows at most two hundred files, and every pointer has an index.
 */

/** Something that points at a file otherwise than by a reference of its definition; `u` is it, `a` is the file's row. */
interface Other {
  readonly entity: Entity
  readonly title: string
  readonly from: string
  readonly where: (a: string) => string
}

/** Avatars, kept as addresses; pictures in the text of notices; files of processes; pictures of tenants, which are the platform's own files. */
const others: readonly Other[] = [
  {
    entity: user,
    title: 'real_name',
    from: 'app_user u',
    where: (a) => `u.tenant_id = ${a}.tenant_id and u.avatar = '${linkOf('')}' || ${a}.id`,
  },
  {
    entity: notice,
    title: 'title',
    from: 'notice u',
    where: (a) =>
      `u.tenant_id = ${a}.tenant_id and exists (select 1 from notice_image i where i.tenant_id = u.tenant_id and i.notice_id = u.id and i.attach_id = ${a}.id)`,
  },
  {
    entity: flowinstance,
    title: 'title',
    from: 'flow_file f join flowinstance u on u.tenant_id = f.tenant_id and u.id = f.instance_id',
    where: (a) => `f.tenant_id = ${a}.tenant_id and f.attach_id = ${a}.id`,
  },
  {
    entity: tenant,
    title: 'tenant_name',
    from: 'tenant u',
    where: (a) => `${a}.tenant_id = '${platformTenant}' and '${linkOf('')}' || ${a}.id in (u.logo, u.background_url)`,
  },
]

/** The number of rows that point at the file in a row `alias`, as an expression. */
function countExpression(alias: string): string {
  const counts = [
    ...pointersAt(attach.name).map(({ model, field }) =>
      field.kind === 'references'
        ? `(select count(*) from ${field.linkTable} p where p.tenant_id = ${alias}.tenant_id and p.target_id = ${alias}.id)`
        : `(select count(*) from ${model.table} p where p.tenant_id = ${alias}.tenant_id and p.${field.column} = ${alias}.id)`,
    ),
    ...others.map(({ from, where }) => `(select count(*) from ${from} where ${where(alias)})`),
  ]
  return `(${counts.join(' + ')})::int`
}

/** Lets every list, detail and export of attachments answer the true count. */
export const countUses = (): void => countField(attach, 'refCount', countExpression)

/** What points at a file: counted, with names for whoever may see all of those rows. */
export async function usesOf(context: Context, id: string): Promise<Blocker[]> {
  const { tx, actor, circumstance } = context
  const uses = await blockersOf(modelOf(attach), context, id)
  for (const { entity, title, from, where } of others) {
    const rows = await tx.run<{ name: string; total: number }>(
      sql`select ${sql.raw(`u.${title}`)} as name, count(*) over ()::int as total
          from (select ${actor.tenantId} as tenant_id, ${id}::bigint as id) a join ${sql.raw(from)} on ${sql.raw(where('a'))}
          order by u.id limit 5`,
    )
    if (rows.length === 0) continue
    const bound = scopesFor(actor, entity, [codeOf(entity, 'view')]) !== undefined
    uses.push({
      entity: entity.name,
      label: entity.label[circumstance.language],
      unit: entity.measure,
      count: rows[0]!.total,
      sample: bound ? [] : rows.map((row) => row.name),
    })
  }
  return uses
}
