import { isMasked, maskOf } from '@data-brain/contract'
import { sql } from '../database/statement.ts'
import { Problem } from '../kernel/problem.ts'
import { type ModelField, modelOf } from './model.ts'
import type { Repository, WireRow } from './repository.ts'
import { nameRef, titleRef } from './select.ts'

export interface HistoryEntry {
  id: string
  action: string
  userName: string | null
  time: string
  requestId: string | null
  version: number
  changes: { field: string; before: unknown; after: unknown; beforeName?: string; afterName?: string }[]
}

interface Kept {
  id: string
  action: string
  user_name: string | null
  at: string
  request_id: string | null
  version: number
  before: Record<string, unknown> | null
}

const most = 100

/**
 * Who changed a row, when and what, newest first. An entry keeps the row as it stood before; what it became is what
 * the next entry kept, or the row itself. Also answers for a row that is gone.
 */
export async function historyOf(rows: Repository, id: string): Promise<HistoryEntry[]> {
  const { model, context } = rows
  const { tenantId } = context.actor
  const entries = await context.tx.run<Kept>(
    sql`select id, action, user_name, at, request_id, version, before from history
        where tenant_id = ${tenantId} and entity = ${model.entity.name} and row_id = ${id} order by id desc limit ${most}`,
  )
  if (entries.length === 0) throw new Problem('not_found')
  const now = await context.tx.one<{ row: Record<string, unknown> }>(
    sql`select to_jsonb(t) as row from ${nameRef(model.table)} t where t.tenant_id = ${tenantId} and t.id = ${id}`,
  )
  const reveal = rows.maySeePersonal()
  const told: HistoryEntry[] = []
  let after: Record<string, unknown> | null = now?.row ?? null
  for (const entry of entries) {
    const changes =
      entry.action === 'delete' || entry.before === null
        ? []
        : model.fields.flatMap((field) => change(field, entry.before!, after))
    if (entry.before && after && entry.action !== 'delete' && entry.before.status !== after.status)
      changes.push({ field: 'status', before: entry.before.status, after: after.status })
    told.push({
      id: entry.id,
      action: entry.action,
      userName: entry.user_name,
      time: entry.at,
      requestId: entry.request_id,
      version: entry.version,
      changes,
    })
    after = entry.before
  }
  await nameReferences(rows, told)
  return told

  function change(
    field: ModelField,
    before: Record<string, unknown>,
    later: Record<string, unknown> | null,
  ): HistoryEntry['changes'] {
    if (field.kind === 'references' || !later) return []
    const judged = field.kind === 'personal' ? `${field.column}_hash` : field.column
    if (JSON.stringify(before[judged] ?? null) === JSON.stringify(later[judged] ?? null)) return []
    return [
      {
        field: field.name,
        before: shownValue(field, before[field.column]),
        after: shownValue(field, later[field.column]),
      },
    ]
  }

  function shownValue(field: ModelField, value: unknown): unknown {
    if (value === null || value === undefined) return null
    if (field.kind === 'reference') return String(value)
    if (field.kind === 'time') return String(value).slice(0, 5)
    if (field.kind === 'instant') return String(value).replace('T', ' ').slice(0, 19)
    if (field.kind !== 'personal') return value
    // jsonb shows bytes as \x…; the place is the one they were sealed for.
    const plain = context.cipher.open(Buffer.from(String(value).slice(2), 'hex'), {
      table: model.table,
      column: field.column,
      tenantId,
      id,
    })
    return reveal ? plain : maskOf(field.rule ?? 'personal', plain)
  }
}

/** Puts the names of referenced rows beside their ids, with one statement per entity that is pointed at. */
async function nameReferences(rows: Repository, entries: HistoryEntry[]): Promise<void> {
  const { model, context } = rows
  const wanted = new Map<string, Set<string>>()
  const each = entries
    .flatMap((entry) => entry.changes)
    .filter((change) => model.byName.get(change.field)?.kind === 'reference')
  for (const { field, before, after } of each) {
    const to = model.byName.get(field)!.to!
    const ids = wanted.get(to) ?? new Set()
    for (const id of [before, after]) if (typeof id === 'string' && !isMasked(id)) ids.add(id)
    wanted.set(to, ids)
  }
  const names = new Map<string, string>()
  for (const [to, ids] of wanted) {
    const target = modelOf([...model.fields].find((field) => field.to === to)!.target!)
    const found = await context.tx.run<Pick<WireRow, 'id'> & { name: string }>(
      sql`select t.id, ${titleRef(target)} as name from ${nameRef(target.table)} t where t.tenant_id = ${context.actor.tenantId} and t.id = any(${[...ids]}::bigint[])`,
    )
    for (const row of found) names.set(`${to}|${row.id}`, row.name)
  }
  for (const change of each) {
    const to = model.byName.get(change.field)!.to!
    const before = names.get(`${to}|${change.before}`)
    const after = names.get(`${to}|${change.after}`)
    if (before !== undefined) change.beforeName = before
    if (after !== undefined) change.afterName = after
  }
}
