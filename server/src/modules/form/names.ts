import { type Entity, relatedOf, type Words } from '@data-brain/contract'
import { fieldsWithin, isReported, type ReportField } from '@data-brain/contract/report'
import type { KnownFigure } from './figures.ts'
import type { Mark } from './marks.ts'

/*
 * What the names in marks stand for: a field of the row, of what it refers to, of the n-th row that refers to it (家长1.手机) or
 * of each of these (家长.手机), by its label in either language or by its machine name; or one of a few that belong to no row.
 */

/** Marks that stand for no field: the date, a running number, the person who fills in the form. */
export type SpecialMark = 'today' | 'number' | 'filler'

const besides: Readonly<Record<SpecialMark, readonly string[]>> = {
  today: ['今天', 'today'],
  number: ['序号', 'number'],
  filler: ['填表人', 'filled by'],
}

/** Rows that refer to the row of the form, in the order of their own list. */
export interface ReferringRows {
  readonly of: Entity
  /** Their field that refers to it. */
  readonly by: string
  /** The n-th of them, counted from 1; none for each of them, down the rows that the form has. */
  readonly no: number | undefined
}

export type MarkMeaning =
  | { readonly field: ReportField; readonly belonging?: ReferringRows }
  | { readonly beside: SpecialMark; readonly belonging?: ReferringRows }
  | { readonly figure: KnownFigure; readonly belonging?: never }

/** The list of which a mark is a cell, where each row that belongs to the row is one. */
export const listOfEach = ({ belonging }: MarkMeaning): string | undefined =>
  belonging && belonging.no === undefined ? `${belonging.of.name}.${belonging.by}` : undefined

const alike = (name: string): string => name.toLowerCase().replace(/\s*\.\s*/g, '.')

const known = new Map<Entity, ReadonlyMap<string, MarkMeaning>>()

/** Every name that a mark over an entity can hold. */
export function namesOf(entity: Entity): ReadonlyMap<string, MarkMeaning> {
  const there = known.get(entity)
  if (there) return there
  const names = new Map<string, MarkMeaning>()
  const add = (name: string, named: MarkMeaning): void => {
    if (!names.has(alike(name))) names.set(alike(name), named)
  }
  const fields = [...fieldsWithin(entity, 2)].sort((one, other) => steps(one) - steps(other))
  for (const field of fields) {
    const joined = (language: keyof Words): string => field.label[language].split(' · ').join('.')
    for (const name of [field.path, joined('zh'), joined('en')]) add(name, { field })
  }
  for (const [beside, some] of Object.entries(besides))
    for (const name of some) add(name, { beside: beside as SpecialMark })
  known.set(entity, names)
  return names
}
const steps = ({ path }: ReportField): number => path.split('.').length

/** A name of rows which belong to the row: whose they are, and what is asked of the n-th, or of each. */
function belongingBy(entity: Entity, name: string): { belonging: ReferringRows; rest: string } | undefined {
  const [, label = '', no = '', rest = ''] = /^([^.]*[^.\d])(\d{0,2})\.(.+)$/.exec(alike(name)) ?? []
  const found = relatedOf(entity).find(
    ({ of }) => isReported(of) && [of.name, of.label.zh, of.label.en].some((each) => alike(each) === label.trim()),
  )
  if (!found || (no !== '' && Number(no) === 0)) return undefined
  return { belonging: { ...found, no: no === '' ? undefined : Number(no) }, rest }
}

export function namedBy(entity: Entity, { name }: Mark): MarkMeaning | undefined {
  const own = namesOf(entity).get(alike(name))
  if (own) return own
  const found = belongingBy(entity, name)
  const named = found && namesOf(found.belonging.of).get(found.rest)
  if (!found || !named) return undefined
  const isCounted = 'beside' in named && named.beside === 'number'
  return 'field' in named || isCounted ? { ...named, belonging: found.belonging } : undefined
}

/** How many signs are put in, left out or changed between two names; no further than `most`. */
function distance(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (const [at, sign] of [...one].entries()) {
    const next = [at + 1]
    for (const [to, against] of [...other].entries())
      next.push(Math.min(row[to + 1]! + 1, next[to]! + 1, row[to]! + (sign === against ? 0 : 1)))
    row = next
  }
  return row.at(-1)!
}

/** The known name that is nearest to one that is not known; none where all are far. */
export function nearest(entity: Entity, { name }: Mark): string | undefined {
  const found = belongingBy(entity, name)
  if (!found) return nearestOf(namesOf(entity).keys(), alike(name))
  const near = nearestOf(namesOf(found.belonging.of).keys(), found.rest)
  return near && `${alike(name).slice(0, -found.rest.length)}${near}`
}

function nearestOf(names: Iterable<string>, wanted: string): string | undefined {
  const most = Math.max(1, Math.floor([...wanted].length / 2))
  let best: { name: string; far: number } | undefined
  for (const known of names) {
    const far = distance(wanted, known, most)
    if (far <= most && (!best || far < best.far)) best = { name: known, far }
  }
  return best?.name
}
