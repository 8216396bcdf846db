import { SaxesParser } from 'strict-saxes'

/** An element of a document with its attributes, as a strict parser reads it. */
export interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly within: Element[]
  text: string
}

/** Reads a document; throws where it is no XML. */
export function parseXml(text: string): Element {
  const root: Element = { name: '', attributes: {}, within: [], text: '' }
  const path = [root]
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => {
    const made: Element = { name, attributes: attributes as Record<string, string>, within: [], text: '' }
    path.at(-1)!.within.push(made)
    path.push(made)
  })
  parser.on('text', (part) => {
    path.at(-1)!.text += part
  })
  parser.on('closetag', () => path.pop())
  parser.write(text).close()
  return root.within[0]!
}

/** The elements below one along a path of names; those of the last name. */
export const below = (of: Element, ...path: readonly string[]): Element[] =>
  path.reduce((found, name) => found.flatMap(({ within }) => within.filter((each) => each.name === name)), [of])
/** What those refer to. */
export const refs = (of: Element, ...path: readonly string[]): string[] =>
  below(of, ...path).flatMap(({ attributes }) => attributes.Reference ?? [])
/** The text of the one of a name, or undefined. */
export const textOf = (of: Element, name: string): string | undefined => below(of, name)[0]?.text.trim()
/** The number in the one of a name, or what is taken where it is not there. */
export const numberOf = (of: Element, name: string, otherwise: number): number => Number(textOf(of, name) ?? otherwise)
/** The one instance and the one solution of an archive. */
export function instanceOf(archive: Element): { instance: Element; solution: Element } {
  const [instance, ...more] = below(archive, 'Instances', 'Instance')
  const [solution, ...others] = below(archive, 'SolutionGroups', 'SolutionGroup', 'Solution')
  if (!instance || !solution || more.length + others.length > 0)
    throw new Error('an archive of one instance and one solution')
  return { instance, solution }
}

/** An event: `teacher class course`, how many times it takes, its groups, and the rooms role that it has to fill. */
export interface EventDraft {
  readonly id: string
  readonly course?: string
  readonly resources: readonly string[]
  readonly duration?: number
  readonly groups?: readonly string[]
  readonly needsRoom?: boolean
  /** Weeks in which it is held: no part of XHSTT, which knows one week. */
  readonly weeks?: readonly number[]
}

export interface ArchiveDraft {
  readonly days?: readonly string[]
  readonly perDay?: number
  /** Times of a day from this one on are afternoon; times before it are morning. */
  readonly afternoon?: number
  /** Weeks of the term: no part of XHSTT. */
  readonly weeks?: number
  readonly teachers: readonly string[]
  readonly classes: readonly string[]
  readonly rooms?: readonly string[]
  readonly events: readonly EventDraft[]
  readonly constraints: readonly string[]
  /** `event time [room] [duration]`, a time of `-` where it has none. */
  readonly solution: readonly string[]
}

const list = (name: string, item: string, ids: readonly string[]): string =>
  `<${name}>${ids.map((id) => `<${item} Reference="${id}"/>`).join('')}</${name}>`

/** Times that follow each other in a half of a day, so many of them: groups of their own, for rows. */
function rows(day: string, perDay: number, afternoon: number, length: number): { id: string; times: string[] }[] {
  return Array.from({ length: perDay }, (_, at) => at + 1)
    .filter((from) => from + length - 1 <= perDay && (from >= afternoon || from + length - 1 < afternoon))
    .map((from) => ({
      id: `${day}row${length}from${from}`,
      times: Array.from({ length }, (_, more) => `${day}${from + more}`),
    }))
}

/** The time groups that together hold every row of so many times. */
export const rowGroups = ({ days = ['Mo', 'Tu'], perDay = 4, afternoon = perDay + 1 }: ArchiveDraft, length: number) =>
  days.flatMap((day) => rows(day, perDay, afternoon, length).map(({ id }) => id))

/** Writes an archive in XHSTT form: times are `Mo1`, `Mo2` …, days `Mo`, halves `am` and `pm`. */
export function archive(draft: ArchiveDraft): string {
  const { days = ['Mo', 'Tu'], perDay = 4, afternoon = perDay + 1, teachers, classes, rooms = [], events } = draft
  const groups = days.flatMap((day) => [2, 3].flatMap((length) => rows(day, perDay, afternoon, length)))
  const times = days.flatMap((day) =>
    Array.from({ length: perDay }, (_, at) => ({ day, no: at + 1, id: `${day}${at + 1}` })),
  )
  const types = { Teacher: teachers, Class: classes, Room: rooms }
  const groupOf = (type: string): string => (type === 'Class' ? 'Classes' : `${type}s`)
  const typeOf = (id: string): string => (teachers.includes(id) ? 'Teacher' : 'Class')
  // A role is once in an event, whoever else is of its type.
  const roleOf = (id: string, at: number): string => `${typeOf(id)}${at}`
  const named = (element: string, id: string): string => `<${element} Id="${id}"><Name>${id}</Name></${element}>`
  const courses = [...new Set(events.map(({ course = 'lesson' }) => course))]
  const eventGroups = [...new Set(events.flatMap(({ groups: of = [] }) => of))]
  return `<HighSchoolTimetableArchive><Instances><Instance Id="one"><Times>
    ${draft.weeks ? `<WeekCount>${draft.weeks}</WeekCount>` : ''}
    <TimeGroups>${days.map((id) => named('Day', id)).join('')}
    ${['all', 'am', 'pm', ...groups.map(({ id }) => id)].map((id) => named('TimeGroup', id)).join('')}</TimeGroups>
    ${times
      .map(({ id, day, no }) => {
        const own = [
          'all',
          no < afternoon ? 'am' : 'pm',
          ...groups.filter((g) => g.times.includes(id)).map((g) => g.id),
        ]
        return `<Time Id="${id}"><Name>${id}</Name><Day Reference="${day}"/>${list('TimeGroups', 'TimeGroup', own)}</Time>`
      })
      .join('\n')}</Times>
  <Resources><ResourceTypes>${Object.keys(types)
    .map((id) => named('ResourceType', id))
    .join('')}</ResourceTypes>
    <ResourceGroups>${Object.keys(types)
      .map(
        (id) =>
          `<ResourceGroup Id="${groupOf(id)}"><Name>${groupOf(id)}</Name><ResourceType Reference="${id}"/></ResourceGroup>`,
      )
      .join('')}</ResourceGroups>
    ${Object.entries(types)
      .flatMap(([type, ids]) =>
        ids.map(
          (id) =>
            `<Resource Id="${id}"><Name>${id}</Name><ResourceType Reference="${type}"/>${list('ResourceGroups', 'ResourceGroup', [groupOf(type)])}</Resource>`,
        ),
      )
      .join('\n')}</Resources>
  <Events><EventGroups>${courses.map((id) => named('Course', id)).join('')}
    ${['AllEvents', ...eventGroups].map((id) => named('EventGroup', id)).join('')}</EventGroups>
    ${events
      .map(
        ({ id, course = 'lesson', resources, duration = 1, groups: own = [], needsRoom, weeks }) =>
          `<Event Id="${id}"><Name>${id}</Name>${weeks ? `<Weeks>${weeks.join(' ')}</Weeks>` : ''}
          <Duration>${duration}</Duration><Course Reference="${course}"/><Resources>${resources
            .map(
              (of, at) =>
                `<Resource Reference="${of}"><Role>${roleOf(of, at)}</Role><ResourceType Reference="${typeOf(of)}"/></Resource>`,
            )
            .join(
              '',
            )}${needsRoom ? '<Resource><Role>Room</Role><ResourceType Reference="Room"/></Resource>' : ''}</Resources>
          ${list('EventGroups', 'EventGroup', ['AllEvents', ...own])}</Event>`,
      )
      .join('\n')}</Events>
  <Constraints>${draft.constraints.join('\n')}</Constraints></Instance></Instances>
  <SolutionGroups><SolutionGroup Id="own"><Solution Reference="one"><Events>${draft.solution
    .map((line) => {
      const [event, time, room = '-', duration] = line.split(' ')
      return `<Event Reference="${event}">${duration ? `<Duration>${duration}</Duration>` : ''}${time === '-' ? '' : `<Time Reference="${time}"/>`}${
        room === '-' ? '' : `<Resources><Resource Reference="${room}"><Role>Room</Role></Resource></Resources>`
      }</Event>`
    })
    .join('')}</Events></Solution></SolutionGroup></SolutionGroups></HighSchoolTimetableArchive>`
}

let count = 0
/**
 * A constraint: its kind without the ending, its weight and `hard` or `soft`, with a cost function that is Linear where
 * nothing is said, and what is in it.
 */
export function constraint(kind: string, says: string, within: string): string {
  const [weight, required, costFunction = 'Linear'] = says.split(' ')
  count += 1
  return `<${kind}Constraint Id="${kind}${count}"><Name>${kind}</Name><Required>${required === 'hard'}</Required>
    <Weight>${weight}</Weight><CostFunction>${costFunction}</CostFunction>${within}</${kind}Constraint>`
}

/** What a constraint applies to, by lists of ids: resources, groups of them, events, groups of them. */
export const appliesTo = (
  of: Partial<Record<'Resource' | 'ResourceGroup' | 'Event' | 'EventGroup', readonly string[]>>,
) =>
  `<AppliesTo>${Object.entries(of)
    .map(([item, ids]) => list(`${item}s`, item, ids))
    .join('')}</AppliesTo>`
export const timeGroups = (ids: readonly string[], within = ''): string =>
  `<TimeGroups>${ids.map((id) => `<TimeGroup Reference="${id}">${within}</TimeGroup>`).join('')}</TimeGroups>`
export const timeList = (ids: readonly string[]): string => list('Times', 'Time', ids)
export const limits = (minimum: number, maximum: number): string =>
  `<Minimum>${minimum}</Minimum><Maximum>${maximum}</Maximum>`

/** What our evaluator always asks: a time for every event, and no clash of anybody. */
export const always = (rooms = false): string[] => [
  constraint('AssignTime', '1 hard', appliesTo({ EventGroup: ['AllEvents'] })),
  constraint(
    'AvoidClashes',
    '1 hard',
    appliesTo({ ResourceGroup: ['Teachers', 'Classes', ...(rooms ? ['Rooms'] : [])] }),
  ),
]
