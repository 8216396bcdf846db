import type { ownWords } from './rules/condition.ts'

/** What a data scope goes by: rows of one's own, in one sense of the word. */
export interface ScopeKind {
  /** The key of the dictionary data_scope_type that chooses it. */
  readonly type: string
  /** The word by which conditions name the same rows instead of ids. */
  readonly word?: keyof typeof ownWords
  /** The entity whose rows are one's own. */
  readonly entity: string
  /** The fields that are looked at where a scope names none: the first that the entity has. */
  readonly usual: readonly string[]
  /** Ids come in pairs, written `a:b`, and are compared with these two fields. */
  readonly pair?: readonly [string, string]
  /** Nobody else can have the same rows: it need not be compared between people. */
  readonly personal?: boolean
}

export const scopeKinds = {
  me: { type: '2', word: '$me', entity: 'user', usual: ['create_user'], personal: true },
  depts: { type: '3', word: '$myDepts', entity: 'dept', usual: ['deptId', 'create_dept'] },
  below: { type: '4', word: '$myDeptsBelow', entity: 'dept', usual: ['deptId', 'create_dept'] },
  schools: { type: '6', word: '$mySchools', entity: 'school', usual: ['schoolId'] },
  grade: { type: '7', entity: 'sysgrade', usual: ['gradeId'], pair: ['schoolId', 'gradeId'] },
  classes: { type: '8', word: '$myClasses', entity: 'schoolclass', usual: ['classId'] },
} as const satisfies Readonly<Record<string, ScopeKind>>

export type ScopeKindName = keyof typeof scopeKinds
/** The kinds that take in other rows for one person than for another, by where the person works. */
export type StandingName = {
  [N in ScopeKindName]: (typeof scopeKinds)[N] extends { readonly personal: true } ? never : N
}[ScopeKindName]

export const scopeKind = (name: ScopeKindName): ScopeKind => scopeKinds[name]
const names = Object.keys(scopeKinds) as ScopeKindName[]
/** The kind that a type of scope, or a word in a condition, means. */
export const kindOfType = (type: string): ScopeKindName | undefined =>
  names.find((name) => scopeKinds[name].type === type)
export const kindOfWord = (word: string): ScopeKindName | undefined =>
  names.find((name) => scopeKind(name).word === word)
