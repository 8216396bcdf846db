import type { Kind } from '@data-brain/contract'

export type Op = 'equal' | 'notequal' | 'ge' | 'le' | 'gt' | 'lt' | 'null' | 'notnull' | 'like' | 'in'

/** One comparison of a field. */
export interface Condition {
  readonly field: string
  readonly op: Op
  readonly value?: unknown
}
export type Mode = 'all' | 'any'
/** Members of which all, or any, must hold. */
export type Group = { readonly all: readonly Member[] } | { readonly any: readonly Member[] }
export type Member = Condition | Group

/** Groups stand in one another this deep at most; the server judges the same. */
export const deepest = 3

export const isGroup = (value: unknown): value is Group =>
  typeof value === 'object' &&
  value !== null &&
  (Array.isArray((value as { all?: unknown }).all) || Array.isArray((value as { any?: unknown }).any))
export const modeOf = (group: Group): Mode => ('all' in group ? 'all' : 'any')
export const membersOf = (group: Group): readonly Member[] => ('all' in group ? group.all : group.any)
export const groupOf = (mode: Mode, members: readonly Member[]): Group =>
  mode === 'all' ? { all: members } : { any: members }

/** The rule in a form's text or a row's value; one without conditions where there is none, or none that can be read. */
export function readRule(value: unknown): Group {
  if (typeof value !== 'string') return isGroup(value) ? value : { all: [] }
  try {
    const parsed: unknown = JSON.parse(value)
    return isGroup(parsed) ? parsed : { all: [] }
  } catch {
    // Half of a text, or nothing: there are no conditions in it.
    return { all: [] }
  }
}

/** The rule as the form keeps it; no conditions are no rule. */
export const writeRule = (group: Group): string | null =>
  membersOf(group).length === 0 ? null : JSON.stringify(group, null, 2)

/** What a condition may say instead of an id: the words for one's own, by the entity that a field refers to. */
export const ownWords: Readonly<Record<string, readonly string[]>> = {
  user: ['$me'],
  dept: ['$myDepts', '$myDeptsBelow'],
  school: ['$mySchools'],
  schoolclass: ['$myClasses'],
}
export const isWord = (value: unknown): value is string => typeof value === 'string' && value.startsWith('$')

/** Comparisons that need no value. */
export const isBare = (op: Op): boolean => op === 'null' || op === 'notnull'

const one: Partial<Record<Kind, Kind>> = { choices: 'choice', references: 'reference', area: 'text' }
const many: Partial<Record<Kind, Kind>> = {
  choice: 'choices',
  choices: 'choices',
  reference: 'references',
  references: 'references',
}

/** The kind of input for a value; undefined for several values of a kind that has no input for several. */
export function inputKind(kind: Kind, op: Op): Kind | undefined {
  if (op === 'like') return 'text'
  return op === 'in' ? many[kind] : (one[kind] ?? kind)
}

/** Whether a condition lacks what it compares with. */
export const lacksValue = ({ op, value }: Condition): boolean =>
  !isBare(op) && (value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0))
