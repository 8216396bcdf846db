import type { Query, Statement } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'

/**
 * A transaction that several writers share: statements are sent one after the other, in the order in which they were
 * asked for. While the database works on one, the next are made.
 */
export class InTurn implements Tx {
  readonly #tx: Tx
  #last: Promise<unknown> | undefined

  constructor(tx: Tx) {
    this.#tx = tx
  }
  run<T = Record<string, unknown>>(query: Query | Statement): Promise<T[]> {
    return this.#queue(() => this.#tx.run<T>(query))
  }
  one<T = Record<string, unknown>>(query: Query | Statement): Promise<T | undefined> {
    return this.#queue(() => this.#tx.one<T>(query))
  }
  count(query: Query | Statement): Promise<number> {
    return this.#queue(() => this.#tx.count(query))
  }

  #queue<T>(send: () => Promise<T>): Promise<T> {
    // The first is sent at once: the caller may go on computing for a while. A failure stops those behind it.
    const sent = this.#last ? this.#last.then(send) : send()
    const settled = sent.finally(() => {
      if (this.#last === settled) this.#last = undefined
    })
    settled.catch(() => {})
    this.#last = settled
    return sent
  }
}
