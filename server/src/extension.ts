import type { Entity, ValuesOf } from '@data-brain/contract'
import { modelOf } from './entity/model.ts'
import { contextOf } from './entity/routes.ts'
import type { StoredRow } from './entity/rules.ts'
import { writeOver } from './entity/write.ts'
import type { Call } from './kernel/route.ts'
import type { RecurringWork, Work } from './modules/jobs/index.ts'
import type { Module } from './modules/module.ts'

/*
 * All of the server that an extension may touch. What is not here is the core's own, and may change in any version.
 */

export { eachTenant } from './database/each-tenant.ts'
export { sql } from './database/statement.ts'
export { inPlatform, inTenant, type Tx } from './database/transaction.ts'
export { type Context, Repository } from './entity/repository.ts'
export { contextOf, rowsOf } from './entity/routes.ts'
export {
  addRules,
  changesField,
  type Removing,
  type Rules,
  refuseField,
  type Saving,
  type StoredRow,
} from './entity/rules.ts'
export { on, onDetached, onPublic } from './entity/serve-call.ts'
export { type Actor, type Circumstance, holdsCode, isAdmin, system } from './kernel/actor.ts'
export { fieldProblem, type Language, Problem } from './kernel/problem.ts'
export { type Call, type DetachedCall, type PublicCall, RawRefusal, RawResponse } from './kernel/route.ts'
export type { Services } from './kernel/services.ts'
export { type Message, sendMessage } from './modules/desk/index.ts'
export { type Progress, type RecurringWork, startJob, type Work, type WorkContext } from './modules/jobs/index.ts'

/** What an extension does in the server: its calls and rules, as a module of the core has them, and its jobs. */
export interface ExtensionServer extends Pick<Module, 'routes' | 'addRules' | 'serves'> {
  /** What is done for jobs that somebody asks for (`startJob`). */
  readonly work?: readonly Work[]
  /** What comes round by the clock. */
  readonly recurring?: readonly RecurringWork[]
}

/**
 * Writes fields that no save writes, because the entity computes them, over a row that `before` has answered under a lock.
 * History, search keys and stamps are kept as by a save; rules are not asked.
 */
export const writeComputed = <E extends Entity>(
  entity: E,
  call: Pick<Call, 'tx' | 'actor' | 'circumstance' | 'services'>,
  id: string,
  before: StoredRow<E>,
  values: Partial<ValuesOf<E>>,
): Promise<void> => writeOver(modelOf(entity), contextOf(call), id, before, values, {})

/** Declares the server part of an extension. */
export const defineServer = (server: ExtensionServer): ExtensionServer => server
