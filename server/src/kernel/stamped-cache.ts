/**
 * Values kept in memory, each valid for one stamp, which was read before the value was worked out: it can be too new but never
 * too old. The oldest leaves when there are too many.
 */
export class StampedCache<T> {
  readonly #most: number
  readonly #values = new Map<string, { readonly stamp: string; readonly value: T }>()

  constructor(most: number) {
    this.#most = most
  }

  /** The value that is kept for a stamp, if there is one. */
  known(key: string, stamp: string): T | undefined {
    const known = this.#values.get(key)
    return known?.stamp === stamp ? known.value : undefined
  }

  keep(key: string, stamp: string, value: T): void {
    if (!this.#values.has(key) && this.#values.size >= this.#most)
      this.#values.delete(this.#values.keys().next().value as string)
    this.#values.set(key, { stamp, value })
  }

  /** Forgets all: memory only. */
  clear(): void {
    this.#values.clear()
  }
}
