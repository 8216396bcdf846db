import { type Draft, type Entity, entityOf } from '@data-brain/contract'
import type { UsualRole } from '@data-brain/contract/extension'
import type { SchoolYear } from '@data-brain/contract/rules/school-year'
import { newId } from '../../database/id.ts'
import type { BulkRow } from '../../entity/bulk.ts'
import type { SeededRandom } from './dice.ts'

/** What the tenant had before the demo was built: rows by the code that people know them by. */
export interface KnownRows {
  readonly grades: ReadonlyMap<string, { id: string; name: string; minAge: number; no: number }>
  readonly subjects: ReadonlyMap<string, { id: string; name: string; short: string; category: string; color: string }>
  readonly posts: ReadonlyMap<string, string>
  readonly rootDept: string
  readonly roles: Readonly<Record<UsualRole, string>>
}

/** A reference that points forward, set when both rows stand. */
export interface Patch {
  readonly entity: string
  readonly id: string
  readonly field: string
  readonly value: string
}

/** The rows of the demo, before they are written. */
export class DemoRows {
  readonly rows = new Map<string, BulkRow[]>()
  readonly patches: Patch[] = []
  readonly dice: SeededRandom
  readonly known: KnownRows
  readonly year: SchoolYear
  readonly today: string
  readonly phone: () => string

  constructor(parts: { dice: SeededRandom; known: KnownRows; year: SchoolYear; today: string; phone: () => string }) {
    this.dice = parts.dice
    this.known = parts.known
    this.year = parts.year
    this.today = parts.today
    this.phone = parts.phone
  }

  /** Adds a row with what a save without these fields would store, and answers its id. */
  add<E extends Entity>(entity: E, values: Draft<E> & Record<string, unknown>, status?: number): string {
    const id = newId()
    const defaults = Object.fromEntries(
      Object.entries(entity.fields)
        .filter(([, field]) => field.default !== undefined)
        .map(([name, field]) => [name, field.default]),
    )
    const rows = this.rows.get(entity.name) ?? []
    rows.push({ id, values: { ...defaults, ...values }, ...(status === undefined ? {} : { status }) })
    this.rows.set(entity.name, rows)
    return id
  }

  /** Sets a reference of a row once everything has been written. */
  later(entity: Entity, id: string, field: string, value: string): void {
    this.patches.push({ entity: entityOf(entity.name).name, id, field, value })
  }

  /** Counts rows by entity. */
  count(entity: Entity): number {
    return this.rows.get(entity.name)?.length ?? 0
  }

  /** A day between two days, both included. */
  day(from: string, to: string): string {
    const first = Date.parse(`${from}T00:00:00Z`) / 86_400_000
    const last = Date.parse(`${to}T00:00:00Z`) / 86_400_000
    return new Date(this.dice.int(first, last) * 86_400_000).toISOString().slice(0, 10)
  }
}
