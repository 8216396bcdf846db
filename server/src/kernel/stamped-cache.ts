/**
 * A cache in memory. Each value is valid for one stamp. Read the stamp before computing the value: the value may then be newer
 * than its stamp, never older. When the cache is full, the oldest entry is dropped.
 */
export class StampedCache<T> {
  readonly #most: number
  readonly #values = new Map<string, { readonly stamp: string; readonly value: T }>()

  constructor(most: number) {
    this.#most = most
  }

  /** The cached value of a key, if its stamp is still this one. */
  known(key: string, stamp: string): T | undefined {
    const known = this.#values.get(key)
    return known?.stamp === stamp ? known.value : undefined
  }

  keep(key: string, stamp: string, value: T): void {
    if (!this.#values.has(key) && this.#values.size >= this.#most)
      this.#values.delete(this.#values.keys().next().value as string)
    this.#values.set(key, { stamp, value })
  }

  /** Empties the cache. */
  clear(): void {
    this.#values.clear()
  }
}
