import type { Model } from '../../../entity/model.ts'
import type { Cipher } from '../../../kernel/cipher.ts'
import { textOf } from './exact.ts'
import { modelByName, modelByTable, sealedColumns, sharedColumns } from './plan.ts'

export type Row = Record<string, unknown>

/** What all tenants share, by `<table> <id>` on the way out and `<table> <name>` on the way in. */
export type SharedRows = ReadonlyMap<string, string>

const hex = (bytes: Buffer | null): string | null => (bytes === null ? null : `\\x${bytes.toString('hex')}`)

interface Place {
  readonly cipher: Cipher
  readonly tenantId: string
}

/** Opens what is sealed in a row of an entity, as its table or its history holds it; the keyed hashes are left out. */
function openRow(model: Model, row: Row, id: string, { cipher, tenantId }: Place): void {
  for (const field of model.fields) {
    if (field.kind !== 'personal' && field.kind !== 'secret') continue
    const sealed = row[field.column]
    if (typeof sealed === 'string')
      row[field.column] = cipher.open(Buffer.from(sealed.slice(2), 'hex'), {
        table: model.table,
        column: field.column,
        tenantId,
        id,
      })
    if (field.kind === 'personal') {
      delete row[`${field.column}_hash`]
      delete row[`${field.column}_tail`]
    }
  }
}

/** Seals a row of an entity for its new place, with the hashes that it is found by there. */
function sealRow(model: Model, row: Row, id: string, { cipher, tenantId }: Place): void {
  for (const field of model.fields) {
    if ((field.kind !== 'personal' && field.kind !== 'secret') || !(field.column in row)) continue
    const plain = row[field.column]
    const text = typeof plain === 'string' ? plain : null
    row[field.column] =
      text === null ? null : hex(cipher.seal(text, { table: model.table, column: field.column, tenantId, id }))
    if (field.kind === 'personal') {
      row[`${field.column}_hash`] = text === null ? null : hex(cipher.hash(text, tenantId))
      row[`${field.column}_tail`] = text === null ? null : hex(cipher.tail(text, tenantId))
    }
  }
}

/** The row that a history entry keeps, with the model that it is of; undefined where it keeps none that is known. */
function keptIn(row: Row): { model: Model; before: Row; id: string } | undefined {
  const model = modelByName().get(String(row.entity))
  return model && typeof row.before === 'object' && row.before !== null
    ? { model, before: row.before as Row, id: textOf(row.row_id) }
    : undefined
}

/** A row as it travels: without its tenant, nothing sealed. */
export function portableRow(table: string, row: Row, place: Place): Row {
  delete row.tenant_id
  const model = modelByTable().get(table)
  if (model) openRow(model, row, textOf(row.id), place)
  const sealed = sealedColumns[table]
  if (sealed) {
    const at = { table, column: sealed.column, tenantId: place.tenantId, id: sealed.id(row) }
    row[sealed.column] = place.cipher.open(Buffer.from(String(row[sealed.column]).slice(2), 'hex'), at)
  }
  // A number of this installation's transactions.
  if (table === 'history') delete row.xid
  const kept = table === 'history' ? keptIn(row) : undefined
  if (kept) {
    delete kept.before.tenant_id
    openRow(kept.model, kept.before, kept.id, place)
  }
  return row
}

/** Names of files in the data folder begin with the tenant's code; a store of the tenant's own keeps those it has. */
function rename(model: Model, row: Row, from: string, to: string): void {
  if (
    model.entity.name === 'attach' &&
    (row.oss_id ?? null) === null &&
    typeof row.name === 'string' &&
    row.name.startsWith(`${from}/`)
  )
    row.name = `${to}${row.name.slice(from.length)}`
}

/** A row that has travelled, as it is stored by its new tenant. */
export function storedRow(table: string, row: Row, from: string, place: Place): Row {
  const model = modelByTable().get(table)
  if (model) {
    sealRow(model, row, textOf(row.id), place)
    rename(model, row, from, place.tenantId)
  }
  const sealed = sealedColumns[table]
  if (sealed) {
    const at = { table, column: sealed.column, tenantId: place.tenantId, id: sealed.id(row) }
    row[sealed.column] = hex(place.cipher.seal(String(row[sealed.column]), at))
  }
  const kept = table === 'history' ? keptIn(row) : undefined
  if (kept) {
    kept.before.tenant_id = place.tenantId
    sealRow(kept.model, kept.before, kept.id, place)
    rename(kept.model, kept.before, from, place.tenantId)
  }
  return { tenant_id: place.tenantId, ...row }
}

/**
 * Puts the name of what all tenants share in place of its id, or the id of this installation in place of the name.
 * Answers the name of what is not known here and makes the row pointless; else undefined.
 */
export function translate(table: string, row: Row, shared: SharedRows): string | undefined {
  const kept = table === 'history' ? keptIn(row) : undefined
  if (kept) {
    translate(kept.model.table, kept.before, shared)
    return undefined
  }
  const rule = sharedColumns[table]
  const value = rule && row[rule.column]
  if (!rule || value === null || value === undefined) return undefined
  const found = shared.get(`${rule.table} ${textOf(value)}`)
  row[rule.column] = found ?? null
  return found === undefined && rule.drop ? `${rule.table} ${textOf(value)}` : undefined
}
