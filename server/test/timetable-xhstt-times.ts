import type { Period, Slot } from '../src/modules/timetable/solver/problem.ts'
import { below, type Element, refs, textOf } from './timetable-xhstt-xml.ts'

/** The times of an XHSTT instance as periods of weekdays, in the order of the file. */
export class Times {
  readonly #instance: Element
  readonly #halves = new Map<string, 'am' | 'pm'>()
  readonly weeks: number
  /** Ids of the days: weekday 1 is the first. */
  readonly days: readonly string[]
  readonly slots = new Map<string, Slot>()

  constructor(instance: Element) {
    this.#instance = instance
    this.weeks = Number(textOf(below(instance, 'Times')[0]!, 'WeekCount') ?? 1)
    this.days = below(instance, 'Times', 'TimeGroups', 'Day').map(({ attributes }) => attributes.Id!)
    for (const time of below(instance, 'Times', 'Time')) {
      const day = 1 + this.days.indexOf(refs(time, 'Day')[0]!)
      const period = 1 + [...this.slots.values()].filter((slot) => slot.day === day).length
      this.slots.set(time.attributes.Id!, { day, period })
      this.#halves.set(time.attributes.Id!, refs(time, 'TimeGroups', 'TimeGroup').includes('pm') ? 'pm' : 'am')
    }
  }

  get ids(): string[] {
    return [...this.slots.keys()]
  }

  /** The periods of a day; every day has those of the longest. */
  periods(): Period[] {
    const count = Math.max(...[...this.slots.values()].map(({ period }) => period))
    return Array.from({ length: count }, (_, at) => ({
      no: at + 1,
      half: this.#halves.get([...this.slots].find(([, { period }]) => period === at + 1)![0])!,
    }))
  }

  /** Times that a constraint names, one by one or by groups. */
  of(constraint: Element): string[] {
    const groups = refs(constraint, 'TimeGroups', 'TimeGroup')
    const within = below(this.#instance, 'Times', 'Time').filter((time) =>
      [...refs(time, 'Day'), ...refs(time, 'TimeGroups', 'TimeGroup')].some((id) => groups.includes(id)),
    )
    return [...new Set([...refs(constraint, 'Times', 'Time'), ...within.map(({ attributes }) => attributes.Id!)])]
  }

  /** Whether time groups are the days, each once. */
  areDays(groups: readonly string[]): boolean {
    return groups.length === this.days.length && this.days.every((id) => groups.includes(id))
  }

  /** The half of which these are all times; undefined where they are not one. */
  halfOf(times: readonly string[]): 'am' | 'pm' | undefined {
    return (['am', 'pm'] as const).find((half) =>
      this.ids.every((time) => times.includes(time) === (this.#halves.get(time) === half)),
    )
  }

  /** The times from one on, as a lesson of so many takes them; undefined where it would run over the end of a half. */
  row(from: string, length: number): string[] | undefined {
    const at = this.ids.indexOf(from)
    const times = this.ids.slice(at, at + length)
    const halves = new Set(times.map((time) => `${this.slots.get(time)!.day} ${this.#halves.get(time)}`))
    return times.length === length && halves.size === 1 ? times : undefined
  }

  /** Whether these groups are every row of so many times. */
  areRows(groups: readonly string[], length: number): boolean {
    const wanted = this.ids.flatMap((time) => this.row(time, length)?.join() ?? [])
    const rows = groups.map((id) =>
      below(this.#instance, 'Times', 'Time')
        .filter((time) => refs(time, 'TimeGroups', 'TimeGroup').includes(id))
        .map(({ attributes }) => attributes.Id)
        .join(),
    )
    return wanted.toSorted().join('|') === rows.toSorted().join('|')
  }

  /** The weeks of a set, from 0; those of the term where nothing is said. */
  held(weeks?: number): number[] {
    return Array.from({ length: this.weeks }, (_, at) => at).filter((at) => weeks === undefined || (weeks >> at) & 1)
  }
}
