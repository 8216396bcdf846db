import type { Violation } from '../src/modules/timetable/solver/evaluate.ts'
import type {
  Activity,
  Demand,
  Placement,
  Problem,
  Rule,
  Slot,
  Timetable,
} from '../src/modules/timetable/solver/problem.ts'
import { type Charge, unitsOf } from './timetable-xhstt-costs.ts'
import { Times } from './timetable-xhstt-times.ts'
import { below, type Element, instanceOf, numberOf, refs, textOf } from './timetable-xhstt-xml.ts'

export interface Turned {
  readonly problem: Problem
  readonly timetable: Timetable
  readonly charges: readonly Charge[]
  /** What of the archive has no counterpart in our rules, in words. */
  readonly untold: readonly string[]
}

/** Why a constraint cannot be turned; undefined where it can. */
type Why = string | undefined

interface EventGroup {
  readonly id: string
  readonly events: readonly string[]
}

/** Turns an archive of one instance and one solution into a problem and a timetable. */
export function turn(archive: Element): Turned {
  const reader = new Reader(archive)
  for (const constraint of below(reader.instance, 'Constraints').flatMap(({ within }) => within)) reader.ask(constraint)
  return reader.end()
}

class Reader {
  readonly instance: Element
  readonly #untold: string[] = []
  readonly #charges: Charge[] = []
  readonly #rules: Rule[] = []
  readonly #times: Times
  readonly #typeOf: ReadonlyMap<string, string>
  readonly #placements: Placement[] = []
  readonly #activities: readonly Activity[]
  readonly #eventOf = new Map<string, string>()
  readonly #roomsOf = new Map<string, string[]>()
  readonly #closed = new Map<string, Slot[]>()
  readonly #alone = new Map<string, { days: string[]; constraint: Element }>()
  readonly #always = new Set<string>()

  constructor(archive: Element) {
    const { instance, solution } = instanceOf(archive)
    this.instance = instance
    this.#times = new Times(instance)
    this.#typeOf = new Map(
      below(instance, 'Resources', 'Resource').map((each) => [each.attributes.Id!, refs(each, 'ResourceType')[0]!]),
    )
    this.#activities = below(instance, 'Events', 'Event').flatMap((event) => this.#activitiesOf(event, solution))
  }

  #activitiesOf(event: Element, solution: Element): Activity[] {
    const id = event.attributes.Id!
    const whole = numberOf(event, 'Duration', 1)
    const given = below(solution, 'Events', 'Event').filter(({ attributes }) => attributes.Reference === id)
    const spans = given.map((each) => numberOf(each, 'Duration', whole))
    const rest = whole - spans.reduce((sum, each) => sum + each, 0)
    if (below(event, 'Time').length > 0) this.#untold.push(`${id} has its time already`)
    const of = (type: string): string[] =>
      refs(event, 'Resources', 'Resource').filter((resource) => this.#typeOf.get(resource) === type)
    if (of('Room').length > 0) this.#untold.push(`${id} has its room already`)
    const weeks = textOf(event, 'Weeks')?.split(' ').map(Number)
    const needsRoom = below(event, 'Resources', 'Resource').some(({ attributes }) => !attributes.Reference)
    if (needsRoom) this.#roomsOf.set(id, this.#of('Room'))
    return [...spans, ...(rest > 0 ? [rest] : [])].map((span, at) => {
      const part = `${id}.${at}`
      this.#eventOf.set(part, id)
      const [time] = given[at] ? refs(given[at], 'Time') : []
      const [room] = given[at] ? refs(given[at], 'Resources', 'Resource') : []
      if (time !== undefined && !this.#times.row(time, span))
        this.#untold.push(`${id} runs over the end of a half of the day`)
      if (time !== undefined)
        this.#placements.push({
          activity: part,
          ...this.#times.slots.get(time)!,
          ...(room === undefined ? {} : { room }),
        })
      else if (room !== undefined) this.#untold.push(`${id} has a room and no time`)
      return {
        ...{ id: part, subject: refs(event, 'Course')[0] ?? id, classes: of('Class'), teachers: of('Teacher'), span },
        ...(weeks ? { weeks: weeks.reduce((sum, week) => sum + 2 ** (week - 1), 0) } : {}),
      }
    })
  }

  #of(type: string): string[] {
    return [...this.#typeOf].flatMap(([id, each]) => (each === type ? id : []))
  }

  /** The share of the weeks in which a lesson is held. */
  #share(activity: string): number {
    const { weeks } = this.#activities.find(({ id }) => id === activity)!
    return weeks === undefined ? 1 : this.#times.held(weeks).length / this.#times.weeks
  }

  #partsOf(events: readonly string[]): Activity[] {
    return this.#activities.filter(({ id }) => events.includes(this.#eventOf.get(id)!))
  }

  #members(list: 'Resources' | 'Events', item: 'Resource' | 'Event', group: string): string[] {
    return below(this.instance, list, item).flatMap((each) =>
      refs(each, `${item}Groups`, `${item}Group`).includes(group) || refs(each, 'Course').includes(group)
        ? each.attributes.Id!
        : [],
    )
  }

  #charge(constraint: Element, takes: Charge['takes'], deviation: Charge['deviation']): undefined {
    const costFunction = textOf(constraint, 'CostFunction') ?? 'Linear'
    if (this.#times.weeks > 1 && costFunction !== 'Linear')
      this.#untold.push(`${constraint.attributes.Id} is not Linear, and there are several weeks`)
    const isRequired = textOf(constraint, 'Required') === 'true'
    const charge = { isRequired, weight: numberOf(constraint, 'Weight', 1), costFunction, takes, deviation }
    this.#charges.push(charge)
    return undefined
  }

  /** A rule for one point; it counts `times` fewer units than XHSTT. */
  #rule(constraint: Element, point: string, demand: Demand, times = 1, deviation?: Charge['deviation']): undefined {
    const id = `${constraint.attributes.Id}|${point}`
    const isHard = textOf(constraint, 'Required') === 'true'
    const weight = numberOf(constraint, 'Weight', 1) * times
    this.#rules.push({ id, ...demand, ...(isHard ? { hard: true } : { weight }) })
    return this.#charge(constraint, ({ rule }) => rule === id, deviation ?? ((found) => times * unitsOf(found)))
  }

  ask(constraint: Element): void {
    const { attributes } = constraint
    const [asked] = below(constraint, 'AppliesTo')
    const resources = [
      ...refs(asked!, 'Resources', 'Resource'),
      ...refs(asked!, 'ResourceGroups', 'ResourceGroup').flatMap((id) => this.#members('Resources', 'Resource', id)),
    ]
    const groups = refs(asked!, 'EventGroups', 'EventGroup').map((id) => ({
      id,
      events: this.#members('Events', 'Event', id),
    }))
    const events = [...refs(asked!, 'Events', 'Event'), ...groups.flatMap((each) => each.events)]
    const reasons = this.#reasons(constraint, { resources, groups, events })
    for (const why of new Set(reasons)) if (why !== undefined) this.#untold.push(`${attributes.Id} ${why}`)
  }

  /** Asks for it at every point, and says why it cannot where it cannot. */
  #reasons(
    constraint: Element,
    of: { resources: readonly string[]; groups: readonly EventGroup[]; events: readonly string[] },
  ): Why[] {
    const { name } = constraint
    if (/^(AssignTime|AvoidClashes|AssignResource|PreferResources)/.test(name)) {
      if (textOf(constraint, 'Required') !== 'true') return ['is a wish: it always holds here']
      return name === 'AvoidClashesConstraint'
        ? of.resources.map((id) => this.#clashes(constraint, id))
        : of.events.map((id) => this.#assigned(constraint, id))
    }
    switch (name) {
      case 'SplitEventsConstraint':
        // Lessons have the length that the solution gives them: what it does not keep, no rule of ours can say.
        return of.events.map((id) =>
          this.#isSplitWell(constraint, id) ? undefined : `is not kept by the parts of ${id}`,
        )
      case 'PreferTimesConstraint':
        return of.events.map((id) => this.#preferTimes(constraint, id))
      case 'SpreadEventsConstraint':
        return of.groups.map((each) => this.#spread(constraint, each))
      case 'LinkEventsConstraint':
        return of.groups.map((each) => this.#link(constraint, each))
      case 'AvoidUnavailableTimesConstraint':
        return of.resources.map((id) => this.#unavailable(constraint, id))
      case 'LimitIdleTimesConstraint':
      case 'ClusterBusyTimesConstraint':
      case 'LimitBusyTimesConstraint':
        if (numberOf(constraint, 'Minimum', 0) > 0) return ['has a minimum']
        return of.resources.map((id) => this.#daysOf(constraint, id))
      default:
        return ['is of a kind that no rule is like']
    }
  }

  #clashes(constraint: Element, who: string): Why {
    this.#always.add(`clash ${who}`)
    const kinds = ['classTwice', 'teacherTwice', 'roomFull']
    return this.#charge(
      constraint,
      (each) => kinds.includes(each.kind) && each.who === who,
      (found) => {
        const cells = Map.groupBy(found, ({ slots }) => JSON.stringify(slots))
        let sum = 0
        for (const ofCell of cells.values()) {
          const lessons = [...new Set(ofCell.flatMap(({ activities }) => activities))]
          for (const week of this.#times.held()) {
            const inWeek = this.#activities.filter(
              ({ id, weeks }) => lessons.includes(id) && this.#times.held(weeks).includes(week),
            )
            sum += Math.max(0, inWeek.length - 1) / this.#times.weeks
          }
        }
        return sum
      },
    )
  }

  /** Constraints on whether an event has a time, a room, and one of the right rooms. */
  #assigned(constraint: Element, event: string): Why {
    const periods = (found: readonly Violation[]): number =>
      found.reduce((sum, { activities: [id] }) => {
        return sum + this.#activities.find((each) => each.id === id)!.span * this.#share(id!)
      }, 0)
    const isOwn = ({ activities: [id] }: Violation): boolean => this.#eventOf.get(id!) === event
    const has = ({ who }: Violation): boolean => who !== undefined
    this.#always.add(`${constraint.name} ${event}`)
    if (constraint.name === 'AssignTimeConstraint')
      return this.#charge(constraint, (each) => each.kind === 'unplaced' && isOwn(each), periods)
    if (!this.#roomsOf.has(event)) return `asks for a room for ${event}, which needs none`
    if (constraint.name === 'AssignResourceConstraint')
      return this.#charge(
        constraint,
        (each) => isOwn(each) && (each.kind === 'unplaced' || (each.kind === 'wrongRoom' && !has(each))),
        periods,
      )
    const liked = [
      ...refs(constraint, 'Resources', 'Resource'),
      ...refs(constraint, 'ResourceGroups', 'ResourceGroup').flatMap((id) =>
        this.#members('Resources', 'Resource', id),
      ),
    ]
    this.#roomsOf.set(event, liked)
    return this.#charge(constraint, (each) => each.kind === 'wrongRoom' && has(each) && isOwn(each), periods)
  }

  #isSplitWell(constraint: Element, event: string): boolean {
    const spans = this.#partsOf([event]).map(({ span }) => span)
    const [least, most] = [numberOf(constraint, 'MinimumDuration', 1), numberOf(constraint, 'MaximumDuration', 99)]
    const [fewest, all] = [numberOf(constraint, 'MinimumAmount', 0), numberOf(constraint, 'MaximumAmount', 99)]
    return spans.every((span) => span >= least && span <= most) && spans.length >= fewest && spans.length <= all
  }

  #preferTimes(constraint: Element, event: string): Why {
    const liked = this.#times.of(constraint)
    const bad = this.#times.ids.filter((time) => !liked.includes(time))
    const only = textOf(constraint, 'Duration')
    const parts = this.#partsOf([event]).filter(({ span }) => only === undefined || span === Number(only))
    // XHSTT looks at where an event begins and counts all of it, we at each of its periods.
    const isAlike = parts.every(({ span }) =>
      this.#times.ids.every((time) => {
        const taken = this.#times.row(time, span)
        return !taken || taken.filter((each) => bad.includes(each)).length === (bad.includes(time) ? span : 0)
      }),
    )
    if (!isAlike) return `looks at the beginning of ${event} only`
    const of = { activities: parts.map(({ id }) => id) }
    const half = this.#times.halfOf(liked)
    return this.#rule(
      constraint,
      event,
      half
        ? { kind: 'half', of, half }
        : { kind: 'unavailable', of, slots: bad.map((time) => this.#times.slots.get(time)!) },
    )
  }

  #spread(constraint: Element, { id, events }: EventGroup): Why {
    const parts = this.#partsOf(events)
    const [first, ...more] = below(constraint, 'TimeGroups', 'TimeGroup').map((each) => ({
      day: each.attributes.Reference!,
      minimum: numberOf(each, 'Minimum', 0),
      maximum: numberOf(each, 'Maximum', 1e9),
    }))
    const days = [first!, ...more]
    const isDaily =
      days.length === this.#times.days.length &&
      days.every(
        ({ day, minimum, maximum }) =>
          this.#times.days.includes(day) && minimum === first!.minimum && maximum === first!.maximum,
      )
    if (!isDaily) return 'is not the same on every day'
    const series = new Set(parts.flatMap(({ subject, classes }) => classes.map((one) => `${one} ${subject}`)))
    if (series.size !== 1 || parts.some(({ classes }) => classes.length !== 1))
      return `has not one class and course in ${id}`
    const { minimum, maximum } = first!
    const inWeek = this.#times
      .held()
      .map((week) => parts.filter(({ weeks }) => this.#times.held(weeks).includes(week)).length)
    const of = { activities: parts.map((part) => part.id) }
    const isPlaced = parts.every((part) => this.#placements.some(({ activity }) => activity === part.id))
    const tooFew = maximum === 1 && minimum === 0 && inWeek.every((count) => count <= this.#times.days.length)
    const enough =
      minimum === 1 && isPlaced && inWeek.every((count) => count >= this.#times.days.length && count <= maximum)
    if (tooFew || enough) this.#rule(constraint, id, { kind: 'spread', of })
    else if (minimum === 0 && parts.every(({ span }) => span === 1))
      this.#rule(constraint, id, { kind: 'subjectPerDay', of, max: maximum })
    else return `counts lessons of ${id}, not periods`
    return undefined
  }

  #link(constraint: Element, { id, events }: EventGroup): Why {
    const parts = this.#partsOf(events)
    const [one, other] = parts
    const isPlaced = parts.every((part) => this.#placements.some(({ activity }) => activity === part.id))
    if (parts.length !== 2 || events.length !== 2) return `links more than two lessons of ${id}`
    if (one!.weeks !== other!.weeks) return `links lessons of several weeks in ${id}`
    if (!isPlaced) return `links what has no time in ${id}`
    const demand: Demand = { kind: 'sameTime', activities: parts.map((part) => part.id) }
    if (textOf(constraint, 'CostFunction') === 'Step' && one!.span === other!.span)
      return this.#rule(constraint, id, demand)
    if (one!.span !== 1 || other!.span !== 1) return `links long lessons in ${id}`
    return this.#rule(constraint, id, demand, 2 * this.#share(one!.id))
  }

  #unavailable(constraint: Element, who: string): Why {
    const slots = this.#times.of(constraint).map((time) => this.#times.slots.get(time)!)
    // Two lessons at once are one busy time.
    const busy = (found: readonly Violation[]): number =>
      this.#times.held().reduce((sum, week) => {
        const cells = found.flatMap(({ activities, slots: within }) => {
          const isHeld = activities.some((id) =>
            this.#times.held(this.#activities.find((each) => each.id === id)!.weeks).includes(week),
          )
          return isHeld ? within.map(({ day, period }) => `${day} ${period}`) : []
        })
        return sum + new Set(cells).size / this.#times.weeks
      }, 0)
    const type = this.#typeOf.get(who)
    if (type !== 'Room') {
      const of = type === 'Teacher' ? { teachers: [who] } : { classes: [who] }
      return this.#rule(constraint, who, { kind: 'unavailable', of, slots }, 1, busy)
    }
    if (textOf(constraint, 'Required') !== 'true') return `would rather have ${who} free`
    this.#closed.set(who, [...(this.#closed.get(who) ?? []), ...slots])
    const isOwn = (slot: Slot): boolean => slots.some(({ day, period }) => day === slot.day && period === slot.period)
    return this.#charge(
      constraint,
      (each) => each.kind === 'roomClosed' && each.who === who && each.slots.every(isOwn),
      busy,
    )
  }

  /** Constraints that look at the days of somebody. */
  #daysOf(constraint: Element, who: string): Why {
    const type = this.#typeOf.get(who)
    if (type === 'Room') return `looks at the days of room ${who}`
    const of = type === 'Teacher' ? { teachers: [who] } : { classes: [who] }
    const asked = refs(constraint, 'TimeGroups', 'TimeGroup')
    const max = numberOf(constraint, 'Maximum', 1e9)
    const isDaily = this.#times.areDays(asked)
    if (constraint.name === 'ClusterBusyTimesConstraint')
      return isDaily ? this.#rule(constraint, who, { kind: 'daysPerWeek', of, max }) : 'does not look at all days'
    if (constraint.name === 'LimitBusyTimesConstraint') {
      if (isDaily) return this.#rule(constraint, who, { kind: 'perDay', of, max })
      return this.#times.areRows(asked, max + 1)
        ? this.#rule(constraint, who, { kind: 'inRow', of, max })
        : 'does not look at all days or rows'
    }
    // Idle times of all its days are limited together in XHSTT, and day by day here: both are the same where none is allowed.
    if (isDaily && (max === 0 || asked.length === 1)) return this.#rule(constraint, who, { kind: 'windows', of, max })
    const [day] = asked
    if (asked.length !== 1 || !this.#times.days.includes(day!) || textOf(constraint, 'CostFunction') !== 'Linear')
      return 'limits the idle times of several days together'
    const key = [who, max, textOf(constraint, 'Required'), textOf(constraint, 'Weight')].join(' ')
    const alone = this.#alone.get(key) ?? { days: [], constraint }
    alone.days.push(day!)
    this.#alone.set(key, alone)
    // One for each day, all alike: together they are one rule.
    if (alone.days.length === this.#times.days.length && new Set(alone.days).size === alone.days.length) {
      this.#alone.delete(key)
      this.#rule(constraint, who, { kind: 'windows', of, max })
    }
    return undefined
  }

  /** What always holds here has to be asked for there, of everybody. */
  #missing(): string[] {
    const events = [...new Set(this.#eventOf.values())]
    return [
      ...[...this.#typeOf].flatMap(([id, type]) => (type === 'Room' && this.#roomsOf.size === 0 ? [] : `clash ${id}`)),
      ...events.map((id) => `AssignTimeConstraint ${id}`),
      ...events.flatMap((id) => (this.#roomsOf.has(id) ? `AssignResourceConstraint ${id}` : [])),
    ].filter((key) => !this.#always.has(key))
  }

  end(): Turned {
    for (const key of this.#missing()) this.#untold.push(`nothing asks for ${key}`)
    for (const { constraint } of this.#alone.values())
      this.#untold.push(`${constraint.attributes.Id} looks at some days only`)
    return {
      problem: {
        days: this.#times.days.map((_, at) => at + 1),
        periods: this.#times.periods(),
        weeks: this.#times.weeks,
        classes: this.#of('Class').map((id) => ({ id })),
        teachers: this.#of('Teacher').map((id) => ({ id })),
        rooms: this.#of('Room').map((id) => ({
          id,
          ...(this.#closed.has(id) ? { closed: this.#closed.get(id)! } : {}),
        })),
        activities: this.#activities.map((activity) => {
          const rooms = this.#roomsOf.get(this.#eventOf.get(activity.id)!)
          return rooms ? { ...activity, room: { rooms } } : activity
        }),
        rules: this.#rules,
      },
      timetable: { placements: this.#placements },
      charges: this.#charges,
      untold: this.#untold,
    }
  }
}
