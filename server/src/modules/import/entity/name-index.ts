import { foldWord } from '../batch/lookups.ts'

/** A row that a cell may mean. */
export interface Entry {
  readonly id: string
  readonly title: string
  /** What tells it apart from others of its title. */
  readonly beside: string
}

/** Rows by the ways to write them. */
export class NameIndex {
  readonly entries: readonly Entry[]
  readonly #byId: ReadonlyMap<string, Entry>
  readonly #ways = new Map<string, Set<string>>()

  constructor(rows: readonly (Entry & { readonly ways: readonly (string | null | undefined)[] })[]) {
    this.entries = rows
    this.#byId = new Map(rows.map((row) => [row.id, row]))
    for (const { id, ways } of rows)
      for (const way of ways) {
        const folded = foldWord(way ?? '')
        if (folded) this.#ways.set(folded, (this.#ways.get(folded) ?? new Set()).add(id))
      }
  }
  /** The rows that are written so. */
  find(text: string): Entry[] {
    return [...(this.#ways.get(foldWord(text)) ?? [])].flatMap((id) => this.#byId.get(id) ?? [])
  }
  get(id: string): Entry | undefined {
    return this.#byId.get(id)
  }
}
