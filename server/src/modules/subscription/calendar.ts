import { addDays } from '@data-brain/contract/rules/school-year'
import type { Schedule } from '@data-brain/contract/subscription'
import type { Tx } from '../../database/transaction.ts'
import { type DayFacts, dayFacts } from '../timetable/index.ts'
import { followsCalendar, lookedAt, nextMoment } from './schedule.ts'

/** A subscription as far as its next moment hangs on it. */
export interface Planned extends Schedule {
  readonly calendarId: string | null
  readonly lastRun: string | null
}

/** Works out next moments; each calendar is read once. */
export class Planner {
  readonly #tx: Tx
  readonly #tenantId: string
  readonly #known = new Map<string, Promise<ReadonlyMap<string, DayFacts>>>()

  constructor(tx: Tx, tenantId: string) {
    this.#tx = tx
    this.#tenantId = tenantId
  }

  /** The first moment of a subscription after one, as the wire has both; null where no calendar says of it yet. */
  async next(planned: Planned, after: string): Promise<string | null> {
    const { calendarId, lastRun } = planned
    if (!followsCalendar(planned)) return nextMoment(planned, after)
    if (calendarId === null) return null
    return nextMoment(planned, after, await this.#days(calendarId, after.slice(0, 10)), lastRun)
  }

  #days(schoolId: string, around: string): Promise<ReadonlyMap<string, DayFacts>> {
    const key = `${schoolId} ${around}`
    const known = this.#known.get(key)
    if (known) return known
    const place = { tenantId: this.#tenantId, schoolId }
    const read = dayFacts(this.#tx, place, addDays(around, -lookedAt.back), addDays(around, lookedAt.ahead))
    this.#known.set(key, read)
    return read
  }
}
