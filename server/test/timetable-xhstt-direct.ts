import { below, type Element, instanceOf, numberOf, refs, textOf } from './timetable-xhstt-xml.ts'

export interface Costs {
  /** Cost of the constraints that are required, and of the others. */
  readonly infeasibility: number
  readonly objective: number
}

/** A solution event, as XHSTT speaks of it: a part of an event with a duration and, where it has them, a time and resources. */
interface Part {
  readonly event: string
  readonly duration: number
  /** Index of its first time among all times of the instance; undefined where it has none. */
  readonly start?: number
  /** Resources by role: those of the event, and those that the solution gives. */
  readonly roles: ReadonlyMap<string, string>
}

const beyond = (value: number, minimum: number, maximum: number): number =>
  Math.max(0, minimum - value) + Math.max(0, value - maximum)

/**
 * What an XHSTT archive of one instance and one solution costs, read from its elements alone: it knows nothing of the solver's
 * problem. Where events name their weeks, each week of the term is judged as XHSTT judges its one, and the mean is the cost.
 */
export function directCosts(archive: Element): Costs {
  const { instance, solution } = instanceOf(archive)
  const weeks = Number(textOf(below(instance, 'Times')[0]!, 'WeekCount') ?? 1)
  let infeasibility = 0
  let objective = 0
  for (let week = 1; week <= weeks; week += 1) {
    const judged = new Week(instance, solution, week)
    for (const each of below(instance, 'Constraints').flatMap(({ within }) => within)) {
      const weight = numberOf(each, 'Weight', 1)
      const cost = judged
        .deviations(each)
        .reduce((sum, by) => sum + weight * raise(textOf(each, 'CostFunction'), by), 0)
      if (textOf(each, 'Required') === 'true') infeasibility += cost / weeks
      else objective += cost / weeks
    }
  }
  return { infeasibility, objective }
}

function raise(costFunction: string | undefined, deviation: number): number {
  if (costFunction === 'Quadratic') return deviation ** 2
  if (costFunction === 'Step') return deviation > 0 ? 1 : 0
  if (costFunction === 'Linear') return deviation
  throw new Error(`a cost function ${costFunction}`)
}

class Week {
  readonly #instance: Element
  readonly #times: readonly string[]
  readonly #parts: readonly Part[]
  readonly #busy = new Map<string, number[]>()

  constructor(instance: Element, solution: Element, week: number) {
    this.#instance = instance
    this.#times = below(instance, 'Times', 'Time').map(({ attributes }) => attributes.Id!)
    this.#parts = below(instance, 'Events', 'Event')
      .filter((event) => (textOf(event, 'Weeks')?.split(' ') ?? [String(week)]).includes(String(week)))
      .flatMap((event) => this.#partsOf(event, solution))
    for (const { start, duration, roles } of this.#parts)
      for (const resource of new Set(roles.values())) {
        if (start === undefined) continue
        const times = this.#busy.get(resource) ?? this.#times.map(() => 0)
        for (let at = start; at < start + duration; at += 1) times[at]! += 1
        this.#busy.set(resource, times)
      }
  }

  #partsOf(event: Element, solution: Element): Part[] {
    const id = event.attributes.Id!
    const given = below(solution, 'Events', 'Event').filter(({ attributes }) => attributes.Reference === id)
    const whole = numberOf(event, 'Duration', 1)
    const rolesIn = (of: Element): [string, string][] =>
      below(of, 'Resources', 'Resource').flatMap((each) =>
        each.attributes.Reference ? [[textOf(each, 'Role')!, each.attributes.Reference]] : [],
      )
    const parts = given.map((each): Part => {
      const [time] = refs(each, 'Time')
      return {
        event: id,
        duration: numberOf(each, 'Duration', whole),
        ...(time === undefined ? {} : { start: this.#times.indexOf(time) }),
        roles: new Map([...rolesIn(event), ...rolesIn(each)]),
      }
    })
    // What the solution does not speak of has no time.
    const rest = whole - parts.reduce((sum, { duration }) => sum + duration, 0)
    return rest > 0 ? [...parts, { event: id, duration: rest, roles: new Map(rolesIn(event)) }] : parts
  }

  #timesIn(group: string): number[] {
    return below(this.#instance, 'Times', 'Time').flatMap((time, at) =>
      [...refs(time, 'Day'), ...refs(time, 'TimeGroups', 'TimeGroup')].includes(group) ? [at] : [],
    )
  }

  #timesOf(constraint: Element): Set<number> {
    return new Set([
      ...refs(constraint, 'Times', 'Time').map((id) => this.#times.indexOf(id)),
      ...refs(constraint, 'TimeGroups', 'TimeGroup').flatMap((id) => this.#timesIn(id)),
    ])
  }

  #memberIds(list: string, item: string, group: string): string[] {
    return below(this.#instance, list, item).flatMap((each) =>
      [...refs(each, `${item}Groups`, `${item}Group`), ...refs(each, 'Course')].includes(group)
        ? each.attributes.Id!
        : [],
    )
  }

  #isBusy(resource: string, at: number): boolean {
    return (this.#busy.get(resource)?.[at] ?? 0) > 0
  }

  /** The deviation at every point that the constraint applies to. */
  deviations(constraint: Element): number[] {
    const [asked] = below(constraint, 'AppliesTo')
    const resources = [
      ...refs(asked!, 'Resources', 'Resource'),
      ...refs(asked!, 'ResourceGroups', 'ResourceGroup').flatMap((id) => this.#memberIds('Resources', 'Resource', id)),
    ]
    const groups = refs(asked!, 'EventGroups', 'EventGroup').map((id) => this.#memberIds('Events', 'Event', id))
    const events = [...refs(asked!, 'Events', 'Event'), ...groups.flat()]
    const partsOf = (ids: readonly string[]): Part[] => this.#parts.filter(({ event }) => ids.includes(event))
    const perEvent = (by: (parts: readonly Part[]) => number): number[] => events.map((id) => by(partsOf([id])))
    const duration = (parts: readonly Part[], counts: (part: Part) => boolean): number =>
      parts.reduce((sum, part) => sum + (counts(part) ? part.duration : 0), 0)
    const role = textOf(constraint, 'Role') ?? ''
    const minimum = numberOf(constraint, 'Minimum', 0)
    const maximum = numberOf(constraint, 'Maximum', Number.POSITIVE_INFINITY)
    const timeGroups = refs(constraint, 'TimeGroups', 'TimeGroup').map((id) => this.#timesIn(id))
    const busyIn = (resource: string, times: readonly number[]): number =>
      times.filter((at) => this.#isBusy(resource, at)).length
    switch (constraint.name) {
      case 'AssignTimeConstraint':
        return perEvent((parts) => duration(parts, ({ start }) => start === undefined))
      case 'AssignResourceConstraint':
        return perEvent((parts) => duration(parts, ({ roles }) => !roles.has(role)))
      case 'PreferResourcesConstraint': {
        const liked = [
          ...refs(constraint, 'Resources', 'Resource'),
          ...refs(constraint, 'ResourceGroups', 'ResourceGroup').flatMap((id) =>
            this.#memberIds('Resources', 'Resource', id),
          ),
        ]
        return perEvent((parts) => duration(parts, ({ roles }) => roles.has(role) && !liked.includes(roles.get(role)!)))
      }
      case 'PreferTimesConstraint': {
        const liked = this.#timesOf(constraint)
        const only = textOf(constraint, 'Duration')
        return perEvent((parts) =>
          duration(
            parts,
            (part) =>
              part.start !== undefined &&
              !liked.has(part.start) &&
              (only === undefined || part.duration === Number(only)),
          ),
        )
      }
      case 'SplitEventsConstraint': {
        const least = numberOf(constraint, 'MinimumDuration', 1)
        const most = numberOf(constraint, 'MaximumDuration', Number.POSITIVE_INFINITY)
        const amounts = [numberOf(constraint, 'MinimumAmount', 0), numberOf(constraint, 'MaximumAmount', 1e9)] as const
        return perEvent(
          (parts) =>
            parts.filter((part) => part.duration < least || part.duration > most).length +
            beyond(parts.length, ...amounts),
        )
      }
      case 'SpreadEventsConstraint':
        return groups.map((ids) => {
          const starts = partsOf(ids).flatMap(({ start }) => start ?? [])
          return below(constraint, 'TimeGroups', 'TimeGroup').reduce((sum, group) => {
            const within = this.#timesIn(group.attributes.Reference!)
            const count = starts.filter((at) => within.includes(at)).length
            return sum + beyond(count, numberOf(group, 'Minimum', 0), numberOf(group, 'Maximum', 1e9))
          }, 0)
        })
      case 'LinkEventsConstraint':
        return groups.map((ids) => {
          const running = this.#times.map(
            (_, at) =>
              ids.filter((id) =>
                partsOf([id]).some(
                  (part) => part.start !== undefined && part.start <= at && at < part.start + part.duration,
                ),
              ).length,
          )
          return running.filter((count) => count > 0 && count < ids.length).length
        })
      case 'AvoidClashesConstraint':
        return resources.map((id) => (this.#busy.get(id) ?? []).reduce((sum, count) => sum + Math.max(0, count - 1), 0))
      case 'AvoidUnavailableTimesConstraint':
        return resources.map((id) => busyIn(id, [...this.#timesOf(constraint)]))
      case 'LimitIdleTimesConstraint':
        return resources.map((id) =>
          beyond(
            timeGroups.reduce((sum, times) => sum + this.#idle(id, times), 0),
            minimum,
            maximum,
          ),
        )
      case 'ClusterBusyTimesConstraint':
        return resources.map((id) =>
          beyond(timeGroups.filter((times) => busyIn(id, times) > 0).length, minimum, maximum),
        )
      case 'LimitBusyTimesConstraint':
        return resources.map((id) =>
          timeGroups.reduce((sum, times) => {
            const busy = busyIn(id, times)
            return busy === 0 ? sum : sum + beyond(busy, minimum, maximum)
          }, 0),
        )
      default:
        throw new Error(`no rules for ${constraint.name}`)
    }
  }

  /** Times of a group that are free, with a busy one before and one behind. */
  #idle(resource: string, times: readonly number[]): number {
    const busy = times.map((at) => this.#isBusy(resource, at))
    return busy.filter((is, at) => !is && at > busy.indexOf(true) && busy.includes(true) && at < busy.lastIndexOf(true))
      .length
  }
}
