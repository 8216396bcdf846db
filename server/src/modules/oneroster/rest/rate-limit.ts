/** How often something may be done in a minute, counted by each process for itself. */
export class RatePerMinute {
  readonly #most: number
  #minute = 0
  readonly #counts = new Map<string, number>()

  constructor(most: number) {
    this.#most = most
  }

  /** Counts one more; answers whether it is still allowed. */
  allows(who: string, now = Date.now()): boolean {
    const minute = Math.floor(now / 60_000)
    if (minute !== this.#minute) this.#counts.clear()
    this.#minute = minute
    const count = (this.#counts.get(who) ?? 0) + 1
    this.#counts.set(who, count)
    return count <= this.#most
  }
}
