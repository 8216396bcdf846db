import type { FetLesson } from './fet-locked.ts'
import { type Element, element, type Names, value } from './fet-xml.ts'
import { type Problem, roomsFor, type Slot } from './solver/problem.ts'

/** The rooms of a FET file, and which lessons may be in which. */
export interface FetRooms {
  readonly list: Element
  readonly constraints: readonly Element[]
  /** The room that a name of the file means. */
  readonly roomOf: (name: string) => string | undefined
}

/** What stands between the name of a room and the number of the lesson that it takes beside others. */
const roomMark = ' #'

/** FET's largest capacity, for rooms that take as many as come. */
const anyNumber = 30_000

interface Naming {
  readonly names: Names
  readonly nameOf: (id: string) => string
  readonly day: (day: number) => string
  readonly hour: (no: number) => string
}

/**
 * Rooms, one beside the other where several lessons may be in one at once (操场 #1, 操场 #2): a room of FET takes one. A locked
 * lesson keeps its room as long as there is place in it; more than that have none in the file.
 */
export function fetRooms(problem: Problem, kept: readonly FetLesson[], { names, nameOf, day, hour }: Naming): FetRooms {
  const copies = new Map(
    problem.rooms.map(({ id, concurrency = 1 }) => [
      id,
      Array.from({ length: Math.max(1, concurrency) }, (_, at) =>
        names.of(`${id} ${at}`, concurrency > 1 ? `${nameOf(id)}${roomMark}${at + 1}` : nameOf(id)),
      ),
    ]),
  )
  const roomOf = new Map([...copies].flatMap(([id, own]) => own.map((name) => [name, id] as const)))
  const rooms = problem.rooms.flatMap(({ id, seats }) =>
    copies
      .get(id)!
      .map((name) =>
        element(
          'Room',
          value('Name', name),
          value('Building', ''),
          value('Capacity', Math.min(anyNumber, Math.max(0, seats ?? anyNumber))),
          value('Virtual', false),
          value('Comments', ''),
        ),
      ),
  )
  const closed = problem.rooms.flatMap(({ id, closed: slots = [] }) =>
    slots.length === 0
      ? []
      : copies.get(id)!.map((name) =>
          constraint(
            'RoomNotAvailableTimes',
            value('Room', name),
            value('Number_of_Not_Available_Times', slots.length),
            slots.map((slot) =>
              element('Not_Available_Time', value('Day', day(slot.day)), value('Hour', hour(slot.period))),
            ),
          ),
        ),
  )
  const taken = new Set<string>()
  /** The first of the rooms beside one another that is free whenever a locked lesson is in it. */
  const lockedIn = (id: string, { day: on, period }: Slot, span: number): string | undefined => {
    const keysOf = (name: string): string[] => Array.from({ length: span }, (_, n) => `${on}|${period + n}|${name}`)
    const free = copies.get(id)?.find((name) => keysOf(name).every((key) => !taken.has(key)))
    for (const key of free === undefined ? [] : keysOf(free)) taken.add(key)
    return free
  }
  const chosen = kept.flatMap(({ first, span }, at) => {
    const { locked } = first
    const all =
      locked?.room === undefined
        ? (roomsFor(problem, first) ?? []).flatMap((id) => copies.get(id) ?? [])
        : [lockedIn(locked.room, locked, span) ?? []].flat()
    const [only] = all
    if (only === undefined) return []
    return all.length === 1
      ? [
          constraint(
            'ActivityPreferredRoom',
            value('Activity_Id', at + 1),
            value('Room', only),
            value('Permanently_Locked', true),
          ),
        ]
      : [
          constraint(
            'ActivityPreferredRooms',
            value('Activity_Id', at + 1),
            value('Number_of_Preferred_Rooms', all.length),
            all.map((name) => value('Preferred_Room', name)),
          ),
        ]
  })
  return {
    list: element('Rooms_List', rooms),
    constraints: [constraint('BasicCompulsorySpace'), ...closed, ...chosen],
    roomOf: (name) => roomOf.get(name),
  }
}

const constraint = (name: string, ...within: readonly (Element | readonly Element[])[]): Element =>
  element(`Constraint${name}`, value('Weight_Percentage', 100), ...within, value('Active', true), value('Comments', ''))
