import type { ScopeKindName, StandingName } from '@data-brain/contract/scope-kinds'
import type { Tx } from '../database/transaction.ts'
import type { Actor } from '../kernel/actor.ts'

/*
 * What is a person's own, as data scopes look at it (contract/src/scope-kinds.ts). Modules say where it is written.
 */

/** A person, as far as what is theirs depends on it. */
export interface Person {
  readonly tx: Tx
  readonly actor: Pick<Actor, 'tenantId' | 'userId' | 'deptIds'>
}

type FindIds = (person: Person) => Promise<readonly string[]>

const finders = new Map<ScopeKindName, FindIds>()

/** Says how a person's own of one kind are found. They are read when they are needed: today's, never those of the log-in. */
export function addStanding(kind: ScopeKindName, find: FindIds): void {
  finders.set(kind, find)
}

/** The ids of a person's own of one kind. */
export function idsOf(kind: ScopeKindName, person: Person): Promise<readonly string[]> {
  const find = finders.get(kind)
  if (!find) throw new Error(`No module says what is a person's own of the kind ${kind}`)
  return find(person)
}

/** What a person stands in, of one kind. */
export const personalScopeIds = (kind: StandingName, tx: Tx, actor: Person['actor']): Promise<readonly string[]> =>
  idsOf(kind, { tx, actor })
