import { type Column, columns, type FileName } from '../files.ts'
import { type Json, nameOf } from './record.ts'
import { RosterProblem } from './status-info.ts'

/** Properties of a collection that can be named: the columns', what stands inside them, and any metadata. */
function isKnown(file: FileName, path: string): boolean {
  const [head, ...rest] = path.split('.')
  if (head === 'metadata') return rest.length > 0
  if (file === 'users' && head === 'roles')
    return rest.length === 0 || ['role', 'roleType', 'beginDate', 'endDate', 'org'].includes(rest[0]!)
  const column = columns[file].find((each) => nameOf(each) === head)
  if (!column || head === 'password') return false
  return rest.length === 0 || isWithin(column, rest)
}
const isWithin = ({ kind, name }: Column, rest: readonly string[]): boolean =>
  rest.length === 1 &&
  (kind === 'guid' || kind === 'guids'
    ? ['sourcedId', 'type'].includes(rest[0]!)
    : name === 'userIds' && ['type', 'identifier'].includes(rest[0]!))

/** All texts that stand at a path of a record. */
function textsAt(value: unknown, path: readonly string[]): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => textsAt(each, path))
  if (value === null || value === undefined) return []
  if (path.length === 0)
    return typeof value === 'object' ? textsAt((value as Json).sourcedId, []) : [String(value).toLowerCase()]
  return typeof value === 'object' ? textsAt((value as Json)[path[0]!], path.slice(1)) : []
}

/** Keys of metadata may hold dots themselves: what follows `metadata.` is one name. */
const pathOf = (name: string): string[] =>
  name.startsWith('metadata.') ? ['metadata', name.slice('metadata.'.length)] : name.split('.')

const operators = ['!=', '>=', '<=', '=', '>', '<', '~'] as const
type Operator = (typeof operators)[number]

const instant = /^\d{4}-\d{2}-\d{2}T/i
/** Moments are compared as such, whatever their fractions and zones; all else by its signs, in either case of letters. */
function compare(a: string, b: string): number {
  if (instant.test(a) && /^\d{4}-\d{2}-\d{2}/.test(b)) {
    const difference = Date.parse(a) - Date.parse(b)
    if (!Number.isNaN(difference)) return difference
  }
  return a < b ? -1 : a > b ? 1 : 0
}

const judges: Record<Operator, (texts: readonly string[], wanted: string) => boolean> = {
  '=': (texts, wanted) =>
    texts.some((text) => compare(text, wanted) === 0) || (texts.length > 1 && texts.join() === wanted),
  '!=': (texts, wanted) => !judges['='](texts, wanted),
  '>': (texts, wanted) => texts.some((text) => compare(text, wanted) > 0),
  '>=': (texts, wanted) => texts.some((text) => compare(text, wanted) >= 0),
  '<': (texts, wanted) => texts.some((text) => compare(text, wanted) < 0),
  '<=': (texts, wanted) => texts.some((text) => compare(text, wanted) <= 0),
  '~': (texts, wanted) => texts.some((text) => text.includes(wanted)),
}

export type Test = (record: Json) => boolean

const term = /^([A-Za-z][A-Za-z0-9_.-]*)\s*(!=|>=|<=|=|>|<|~)\s*'([^']*)'/
const joint = /^ +(AND|OR) +/

/** What a filter asks: one comparison, or two joined by one logical operator. It is judged here and never becomes SQL. */
export function readFilter(file: FileName, given: string | undefined): Test {
  if (given === undefined) return () => true
  const refuse = (why: string): RosterProblem => new RosterProblem('invalid_filter_field', why)
  let rest = given.trim()
  const tests: Test[] = []
  let join = ''
  for (;;) {
    const found = term.exec(rest)
    if (!found) throw refuse("A filter is a field, one of = != > >= < <= ~ and a value in '…'.")
    const [whole, name = '', operator = '=', value = ''] = found
    if (!isKnown(file, name)) throw refuse(`There is no field ${name}.`)
    const path = pathOf(name)
    const wanted = value.toLowerCase()
    tests.push((record) => judges[operator as Operator](textsAt(record, path), wanted))
    rest = rest.slice(whole.length)
    if (rest === '') break
    const [between, word] = joint.exec(rest) ?? []
    if (!between || join) throw refuse('A filter holds at most two comparisons, joined by one AND or OR.')
    join = word!
    rest = rest.slice(between.length)
  }
  return join === 'OR'
    ? (record) => tests.some((test) => test(record))
    : (record) => tests.every((test) => test(record))
}

/** In which order records are wanted; those that are alike stand by their sourcedId. */
export function readSort(
  file: FileName,
  sort: string | undefined,
  orderBy: string | undefined,
): ((a: Json, b: Json) => number) | undefined {
  if (orderBy !== undefined && orderBy !== 'asc' && orderBy !== 'desc')
    throw new RosterProblem('invaliddata', 'orderBy is asc or desc.')
  if (sort === undefined) return undefined
  if (!isKnown(file, sort)) throw new RosterProblem('invalid_sort_field', `There is no field ${sort}.`)
  const path = pathOf(sort)
  const way = orderBy === 'desc' ? -1 : 1
  const keys = new WeakMap<Json, string>()
  const keyOf = (record: Json): string => {
    const known = keys.get(record)
    if (known !== undefined) return known
    const made = textsAt(record, path).join()
    keys.set(record, made)
    return made
  }
  return (a, b) => way * compare(keyOf(a), keyOf(b)) || compare(String(a.sourcedId), String(b.sourcedId))
}

/** Leaves of a record what was asked for. */
export function readFields(file: FileName, given: string | undefined): (record: Json) => Json {
  if (given === undefined) return (record) => record
  const names = given.split(',').map((name) => name.trim())
  for (const name of names)
    if (!isKnown(file, name) && name !== 'metadata')
      throw new RosterProblem('invalid_selection_field', `There is no field ${name || '(blank)'}.`)
  const heads = new Set(names.map((name) => name.split('.')[0]!))
  return (record) => Object.fromEntries(Object.entries(record).filter(([name]) => heads.has(name)))
}

function whole(name: string, given: string | undefined, usual: number, least: number, most: number): number {
  if (given === undefined) return usual
  const value = Number(given)
  if (!/^\d{1,9}$/.test(given) || value < least || value > most)
    throw new RosterProblem('invaliddata', `${name} is a whole number from ${least} to ${most}.`)
  return value
}

/** Which part of a collection is wanted. */
export const readPage = (limit: string | undefined, offset: string | undefined): { limit: number; offset: number } => ({
  limit: whole('limit', limit, 100, 1, 10_000),
  offset: whole('offset', offset, 0, 0, 999_999_999),
})
