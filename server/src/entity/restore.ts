import { codeOf, type Entity, type Row } from '@data-brain/contract'
import { sql } from '../database/statement.ts'
import { holdsCode } from '../kernel/actor.ts'
import { Problem } from '../kernel/problem.ts'
import type { Values } from './check.ts'
import { bornOf, isChanged, type KeptRow, plainValues, rowNow, statesOf } from './history-row.ts'
import type { ModelField } from './model.ts'
import { modelOf } from './model.ts'
import { Repository } from './repository.ts'
import { nameRef } from './select.ts'

interface Entry {
  id: string
  action: string
  version: number
  before: KeptRow | null
}

/**
 * Makes a row what it was after an entry of its history; after an entry that removed it, what it was before. A row that
 * is there is changed to that, one that is gone comes back under its own id, with its links where the history knows
 * them. It is a save like any other: rules, scopes, uniqueness and permissions hold, and the history gets an entry.
 */
export async function restore(rows: Repository, id: string, historyId: string): Promise<Row<Entity>> {
  const { model, context } = rows
  const { entity } = model
  const now = await rowNow(model, context, id, true)
  const needed = codeOf(entity, now ? 'edit' : 'add')
  if (!holdsCode(context.actor, needed)) throw new Problem('forbidden', { code: needed })
  const wanted = await stateAfter(rows, id, historyId, now)
  const again = new Repository(entity, { ...context, action: 'restore' })
  if (now) {
    const fields = model.fields.filter((field) => !field.computed && !field.fixed && isChanged(field, wanted, now))
    return again.edit(id, { ...plainValues(model, fields, wanted, context, id), ...broughtStates(rows, wanted) })
  }
  const last = await context.tx.one<{ version: number }>(
    sql`select version from history where tenant_id = ${context.actor.tenantId} and entity = ${entity.name} and row_id = ${id} order by id desc limit 1`,
  )
  const given = model.fields.filter((field) => !field.computed)
  const draft = withoutNull(plainValues(model, given, wanted, context, id))
  const computed = await stillThere(
    rows,
    withoutNull(
      plainValues(
        model,
        model.fields.filter((field) => field.computed),
        wanted,
        context,
        id,
      ),
    ),
  )
  return again.add({ ...draft, ...broughtStates(rows, wanted) }, id, {
    computed,
    born: bornOf(wanted, last?.version ?? 0),
  })
}

/** The states that come along: whether a notice is out, or a service enabled, is said by the calls for it alone. */
function broughtStates({ model }: Repository, wanted: KeptRow): Partial<ReturnType<typeof statesOf>> {
  const { status, extId } = statesOf(wanted)
  return model.entity.status?.switchedBy ? { extId } : { status, extId }
}

/** What a row was after an entry, or before it where the entry removed it. */
async function stateAfter(rows: Repository, id: string, historyId: string, now: KeptRow | undefined): Promise<KeptRow> {
  const { tx, actor } = rows.context
  // The entry itself and the one after it: what that one kept is what this one made.
  const [entry, next] = await tx.run<Entry>(
    sql`select id, action, version, before from history where tenant_id = ${actor.tenantId} and entity = ${rows.model.entity.name} and row_id = ${id} and id >= ${historyId} order by id limit 2`,
  )
  if (entry?.id !== historyId) throw new Problem('not_found')
  if (entry.action === 'grant') refuseGrantBack()
  const wanted = (next ? next.before : now) ?? entry.before
  if (!wanted) throw new Problem('not_found')
  return wanted
}

/** Whoever grants must hold what is granted, so a grant is changed where grants are made, and not by its history. */
export function refuseGrantBack(): never {
  throw new Problem('rule_broken', {
    reason: {
      zh: '授权变更不能撤销或恢复，请在授权处重新设置',
      en: 'A grant cannot be undone or restored from its history: set it again where it was made',
    },
  })
}

const withoutNull = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))

/** Leaves out the computed references whose rows are gone: whatever rule keeps them finds others. */
async function stillThere(rows: Repository, computed: Values): Promise<Values> {
  const { tx, actor } = rows.context
  const kept = { ...computed }
  for (const [name, value] of Object.entries(computed)) {
    const field = rows.model.byName.get(name) as ModelField
    if (field.kind !== 'reference' || !field.target) continue
    const target = modelOf(field.target)
    const found = await tx.one(
      sql`select 1 from ${nameRef(target.seen)} t where ${target.platform ? sql`true` : sql`t.tenant_id = ${actor.tenantId}`} and t.id = ${String(value)}`,
    )
    if (!found) delete kept[name]
  }
  return kept
}
