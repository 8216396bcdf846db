import { setTimeout as sleep } from 'node:timers/promises'
import type { PublicCall } from '../../kernel/route.ts'
import type { Services } from '../../kernel/services.ts'

/*
 * A school is one address: at eight o'clock all of it logs in. So an address is never locked out, only slowed, and
 * nothing that it does right clears the count.
 */

export interface LoginPace {
  /** Tries that an address may make in a minute before it is slowed; they may come at once. */
  readonly perMinute: number
  /** Longest wait in milliseconds. */
  readonly longest: number
}

const addressesMost = 10_000

/** An IPv6 customer has a whole /64: its addresses count as one. */
const network = (address: string): string =>
  address.includes(':') && !address.includes('.') ? address.split(':').slice(0, 4).join(':') : address

/** Token buckets by address, in memory. */
export class TokenBuckets {
  readonly #pace: LoginPace
  readonly #buckets = new Map<string, { left: number; at: number }>()

  constructor(pace: LoginPace) {
    this.#pace = pace
  }

  /** How long, in milliseconds, a try of this address has to wait; counts the try. */
  wait(address: string, now: number = performance.now()): number {
    const { perMinute, longest } = this.#pace
    const key = network(address)
    const kept = this.#buckets.get(key)
    const regained = kept ? Math.min(perMinute, kept.left + ((now - kept.at) * perMinute) / 60_000) : perMinute
    // However far an address goes, its debt stays what two seconds are: it is free again soon after it stops.
    const left = Math.max(regained - 1, -Math.ceil((longest * perMinute) / 60_000))
    this.#buckets.delete(key)
    if (this.#buckets.size >= addressesMost) this.#buckets.delete(this.#buckets.keys().next().value as string)
    this.#buckets.set(key, { left, at: now })
    return left >= 0 ? 0 : Math.min(longest, (-left * 60_000) / perMinute)
  }

  /** Waits as long as a try of this address has to. */
  async pass(address: string): Promise<void> {
    const wait = this.wait(address)
    if (wait > 0) await sleep(wait)
  }
}

/**
 * The pace of one kind of call before log-in, counted for each server of this process: waits as long as the caller's
 * address has to.
 */
export function loginPacing(): (call: Pick<PublicCall, 'services' | 'circumstance'>) => Promise<void> {
  const paces = new WeakMap<Services, TokenBuckets>()
  return ({ services, circumstance }) => {
    const pace =
      paces.get(services) ?? new TokenBuckets({ perMinute: services.environment.loginsPerMinute, longest: 2_000 })
    paces.set(services, pace)
    return pace.pass(circumstance.address)
  }
}
