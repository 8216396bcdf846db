import { makeDice } from '../src/modules/timetable/solver/search.ts'
import {
  type ArchiveDraft,
  always,
  appliesTo,
  archive,
  constraint,
  type EventDraft,
  limits,
  rowGroups,
  timeGroups,
  timeList,
} from './timetable-xhstt-xml.ts'

type Dice = (below: number) => number

const teachers = ['T1', 'T2', 'T3']
const classes = ['C1', 'C2']
const rooms = ['R1', 'R2']

/** So many archives of one random instance: what is asked is the same, and the timetables are others. */
export function randomArchives(seed: number, count: number): string[] {
  const dice = makeDice(seed)
  const one = <T>(of: readonly T[]): T => of[dice(of.length)]!
  const some = <T>(of: readonly T[]): T[] =>
    [one(of), ...of].filter((each, at, all) => all.indexOf(each) === at && (at === 0 || dice(3) === 0))
  const days = ['Mo', 'Tu', 'We'].slice(0, 2 + dice(2))
  const perDay = 4 + dice(3)
  const afternoon = 3 + dice(2)
  const weeks = dice(2) === 0 ? 4 : undefined
  const held = (): Partial<EventDraft> =>
    weeks && dice(2) === 0 ? { weeks: one([[1, 3], [2, 4], [1], [1, 2, 4]]) } : {}
  // Every lesson of the group `full` has a time: a least number of lessons a day is asked of it.
  const events: EventDraft[] = [
    ...Array.from({ length: days.length + 1 }, (_, at) => ({
      ...{ id: `full${at}`, course: 'maths', resources: ['C1', one(teachers)], groups: ['full'] },
    })),
    ...Array.from({ length: 2 + dice(3) }, (_, at) => ({
      ...{ id: `few${at}`, course: 'music', resources: ['C2', one(teachers)], groups: ['few'], ...held() },
    })),
    ...['linked0', 'linked1'].map((id, at) => ({
      ...{ id, course: id, resources: [classes[at]!, teachers[at]!], groups: ['linked'] },
      ...(weeks ? { weeks: [2, 3] } : {}),
    })),
    ...Array.from({ length: 2 + dice(3) }, (_, at) => ({
      ...{
        id: `single${at}`,
        course: `single${at}`,
        resources: some([...classes, ...teachers]),
        duration: 1 + dice(3),
      },
      ...{ needsRoom: true, ...held() },
    })),
  ]
  const says = (): string =>
    `${1 + dice(4)} ${one(['hard', 'soft', 'soft'])}${weeks ? '' : one(['', '', ' Quadratic', ' Step'])}`
  const linear = (): string => `${1 + dice(4)} ${one(['hard', 'soft'])}`
  const times = days.flatMap((day) => Array.from({ length: perDay }, (_, at) => `${day}${at + 1}`))
  const singles = events.flatMap(({ id }) => (id.startsWith('single') ? id : []))
  const on = (): string => appliesTo({ Resource: some([...classes, ...teachers]) })
  const group = (id: string): string => appliesTo({ EventGroup: [id] })
  const eachDay = (minimum: number, maximum: number): string => timeGroups(days, limits(minimum, maximum))
  const draft = { days, perDay, afternoon, teachers, classes, rooms, events, ...(weeks ? { weeks } : {}) }
  const rowsOf = (max: number): string =>
    timeGroups(rowGroups({ ...draft, constraints: [], solution: [] }, max + 1)) + limits(0, max)
  const [rowMax, idle, idleSays, idleOn] = [1 + dice(2), 1 + dice(2), linear(), on()] as const
  const constraints = [
    ...always(true),
    constraint('AssignResource', `${1 + dice(3)} hard`, `${appliesTo({ Event: singles })}<Role>Room</Role>`),
    constraint(
      'PreferResources',
      `${1 + dice(3)} hard`,
      `${appliesTo({ Event: singles.slice(1) })}<Resources><Resource Reference="${one(rooms)}"/></Resources><Role>Room</Role>`,
    ),
    constraint('AvoidUnavailableTimes', says(), on() + timeList(some(times))),
    constraint('AvoidUnavailableTimes', linear(), on() + timeGroups([one(days)]) + timeList(some(times))),
    constraint('AvoidUnavailableTimes', '1 hard', appliesTo({ Resource: ['R1'] }) + timeGroups([one(days)])),
    constraint('PreferTimes', says(), appliesTo({ Event: singles }) + timeGroups([one(['am', 'pm'])])),
    constraint('PreferTimes', says(), group('few') + timeList(some(times))),
    constraint('LimitIdleTimes', says(), on() + timeGroups(days) + limits(0, 0)),
    ...days.map((day) => constraint('LimitIdleTimes', idleSays, idleOn + timeGroups([day]) + limits(0, idle))),
    constraint('ClusterBusyTimes', says(), on() + timeGroups(days) + limits(0, 1)),
    constraint('LimitBusyTimes', says(), on() + timeGroups(days) + limits(0, 1 + dice(2))),
    constraint('LimitBusyTimes', says(), on() + rowsOf(rowMax)),
    constraint('SpreadEvents', says(), group('full') + eachDay(1, 99)),
    constraint('SpreadEvents', says(), group('full') + eachDay(0, 1 + dice(2))),
    constraint('SpreadEvents', says(), group('few') + eachDay(0, 1)),
    constraint('LinkEvents', says(), group('linked')),
  ]
  return Array.from({ length: count }, () => archive({ ...draft, constraints, solution: placed(draft, dice) }))
}

/** Puts events anywhere, as long as they stay within a half; some nowhere, and some in no room. */
function placed(
  { days = [], perDay = 0, afternoon = 0, events }: Omit<ArchiveDraft, 'constraints' | 'solution'>,
  dice: Dice,
): string[] {
  return events.flatMap(({ id, duration = 1, needsRoom, groups = [] }) => {
    if (groups[0] !== 'full' && groups[0] !== 'linked' && dice(12) === 0) return []
    // An event of three times stands as a part of two and a part of one, or of two alone.
    const parts = duration === 3 ? [2, 1].slice(0, 1 + dice(2)) : [duration]
    return parts.map((span) => {
      const starts = Array.from({ length: perDay }, (_, at) => at + 1).filter(
        (from) => from + span - 1 <= perDay && (from >= afternoon || from + span - 1 < afternoon),
      )
      const room = needsRoom && dice(6) > 0 ? ['R1', 'R2'][dice(2)] : '-'
      return `${id} ${days[dice(days.length)]}${starts[dice(starts.length)]} ${room} ${span}`
    })
  })
}
