import { maskOf } from '@data-brain/contract'
import type { Model, ModelField } from './model.ts'
import type { Context, WireRow } from './repository.ts'

type Held = Pick<Context, 'actor' | 'cipher'>

/** Masked personal values by their ciphertext, which is never the same twice: a list need not decrypt again. */
const masks = new Map<string, string>()
const masksKept = 50_000

/** Forgets all masks: memory only. */
export function clearMasks(): void {
  masks.clear()
}

const openOne = (model: Model, { actor, cipher }: Held, row: WireRow, field: ModelField, sealed: Buffer): string =>
  cipher.open(sealed, { table: model.table, column: field.column, tenantId: actor.tenantId, id: row.id })

/** A row with its personal values in full. */
export function openPersonal<T extends WireRow>(model: Model, held: Held, row: T): T {
  for (const field of model.personal) {
    const sealed = row[field.name]
    if (Buffer.isBuffer(sealed)) Object.assign(row, { [field.name]: openOne(model, held, row, field, sealed) })
  }
  return row
}

/** A row as it leaves the server: personal values masked, and said so. */
export function maskPersonal(model: Model, held: Held, row: WireRow): WireRow {
  for (const field of model.personal) {
    const sealed = row[field.name]
    if (!Buffer.isBuffer(sealed)) continue
    const key = sealed.toString('base64')
    let mask = masks.get(key)
    if (mask === undefined) {
      mask = maskOf(openOne(model, held, row, field, sealed))
      if (masks.size >= masksKept) masks.clear()
      masks.set(key, mask)
    }
    row[field.name] = mask
  }
  return row
}
