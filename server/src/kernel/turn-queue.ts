import { Problem } from './problem.ts'

/** Whose turn it is. Where nobody is logged in there is no person, and the address may stand for the tenant. */
export interface TurnHolder {
  readonly tenantId: string
  readonly userId: string | null
}

/** How much of something costly one process does at once. */
export interface Room {
  readonly atOnce: number
  readonly perTenant: number
  readonly perUser: number
  /** Most that wait, of one person and of one tenant. */
  readonly waitingOfUser: number
  readonly waitingOfTenant: number
  /** Longest wait in milliseconds. */
  readonly longest: number
}

interface Waiting {
  readonly holder: TurnHolder
  readonly go: () => void
}

/**
 * Turns at something that costs memory, threads or connections. They are given in the order in which they were asked
 * for, past those whose tenant or person has as many as they may, so that nobody's many requests keep others out.
 */
export class TurnQueue {
  readonly #room: Room
  readonly #held: TurnHolder[] = []
  readonly #waiting: Waiting[] = []

  constructor(room: Room) {
    this.#room = room
  }

  /** Waits for a turn; answers what ends it. Refuses whoever waits too long or has too many waiting already. */
  async take(holder: TurnHolder): Promise<() => void> {
    if (!this.#fits(holder)) await this.#wait(holder)
    else this.#held.push(holder)
    let ended = false
    return () => {
      if (ended) return
      ended = true
      this.#held.splice(this.#held.indexOf(holder), 1)
      this.#next()
    }
  }

  /** Does something in a turn of its own. */
  async during<T>(holder: TurnHolder, work: () => Promise<T>): Promise<T> {
    const end = await this.take(holder)
    try {
      return await work()
    } finally {
      end()
    }
  }

  #fits(holder: TurnHolder): boolean {
    const { atOnce, perTenant, perUser } = this.#room
    const [ofTenant, ofUser] = count(this.#held, holder)
    return this.#held.length < atOnce && ofTenant < perTenant && ofUser < perUser
  }

  #wait(holder: TurnHolder): Promise<void> {
    const { waitingOfUser, waitingOfTenant, longest } = this.#room
    const waiters = this.#waiting.map((each) => each.holder)
    const [ofTenant, ofUser] = count(waiters, holder)
    if (ofUser >= waitingOfUser || ofTenant >= waitingOfTenant) throw new Problem('too_many')
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        holder,
        go: () => {
          clearTimeout(limit)
          resolve()
        },
      }
      const limit = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
        reject(new Problem('too_many'))
      }, longest)
      this.#waiting.push(waiting)
    })
  }

  #next(): void {
    const at = this.#waiting.findIndex(({ holder }) => this.#fits(holder))
    if (at < 0) return
    const [next] = this.#waiting.splice(at, 1)
    this.#held.push(next!.holder)
    next!.go()
    this.#next()
  }
}

/** How many are of the same tenant, and of the same person. Who is nobody is counted with the tenant alone. */
function count(holders: readonly TurnHolder[], { tenantId, userId }: TurnHolder): [ofTenant: number, ofUser: number] {
  const ofTenant = holders.filter((each) => each.tenantId === tenantId)
  return [ofTenant.length, userId === null ? 0 : ofTenant.filter((each) => each.userId === userId).length]
}
