import { HttpProblem } from '../../http/client.ts'

/** The header by which the server knows a save that it may have done already. */
export type OnceHeaders = Readonly<Record<'Idempotency-Key', string>>

const made = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** Whether it stays open what the server has made of a call: no answer, or one of a gateway. */
export const isOpen = (problem: unknown): boolean =>
  problem instanceof HttpProblem && (problem.status === 0 || problem.status >= 500)

/**
 * Sends a save under a key of its own. Tried again after it got no answer, it goes under the same key, so that the server
 * does it once; after an answer, good or bad, the next save has another.
 */
export class IdempotencyKey {
  #key: string | undefined
  #content: string | undefined

  /** Forgets a save whose end is not known: what comes next is another one. */
  renew(): void {
    this.#key = undefined
  }

  /** `content`: a save of other content is another one, and has a key of its own. */
  async send<T>(work: (headers: OnceHeaders) => Promise<T>, content?: string): Promise<T> {
    if (this.#content !== content) this.renew()
    this.#content = content
    this.#key ??= made()
    try {
      const done = await work({ 'Idempotency-Key': this.#key })
      this.renew()
      return done
    } catch (problem) {
      if (!isOpen(problem)) this.renew()
      throw problem
    }
  }
}
