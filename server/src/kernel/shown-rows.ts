import type { Tx } from '../database/transaction.ts'
import type { Actor, Circumstance } from './actor.ts'
import { Problem } from './problem.ts'

/*
 * Whose records an answer shows. Whatever reads a child's row says so on the object that it makes of it; where an answer
 * leaves, what still stands in it is recorded, and without a record it does not leave. So no call has to remember it: an
 * answer of a save, a conflict and a detail are alike, and what was read and not answered is not recorded.
 */

export type ReadKind = 'list' | 'detail' | 'personal' | 'export' | 'file'

/** A row that an answer shows. */
export interface ShownRow {
  readonly entity: string
  readonly id: string
  readonly kind: ReadKind
  /** The child to whose record it belongs, where that is known without asking. */
  readonly childId?: string | undefined
}

const mark = Symbol('shown')
type Marked = { [mark]?: readonly ShownRow[] }
/** Transactions in which anything was marked: the answers of all others need not be looked through. */
const marking = new WeakSet<Tx>()

/** Says whose records an object shows. A copy by spreading shows the same; a part of it that is taken out does not. */
export function markShown<T extends object>(tx: Tx, value: T, ...shown: readonly ShownRow[]): T {
  marking.add(tx)
  return Object.assign(value, { [mark]: shown })
}

function collect(value: unknown, found: Map<string, ShownRow>): void {
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return
  for (const each of (value as Marked)[mark] ?? []) found.set(`${each.entity}|${each.id}|${each.kind}`, each)
  for (const part of Array.isArray(value) ? value : Object.values(value)) collect(part, found)
}

/** Whether anything was marked in a transaction. */
export const isMarking = (tx: Tx): boolean => marking.has(tx)

/** Whose records an answer shows, or what is told of a failure. */
export function shownIn(data: unknown): ShownRow[] {
  const found = new Map<string, ShownRow>()
  collect(data instanceof Problem ? data.data : data, found)
  return [...found.values()]
}

/** In which transaction, by whom and in which request something is read. */
export interface Reading {
  readonly tx: Tx
  readonly actor: Actor
  readonly circumstance: Pick<Circumstance, 'requestId' | 'address' | 'reason'>
}

type Recorder = (reading: Reading, shown: readonly ShownRow[]) => Promise<void>
let recorder: Recorder | undefined
/** Tells how reads are recorded: the entities know. */
export function setRecorder(made: Recorder): void {
  recorder = made
}

/** Records whose records are shown; throws where that cannot be done, or a reason is wanted and none given. */
export async function recordShown(reading: Reading, shown: readonly ShownRow[]): Promise<void> {
  if (shown.length === 0) return
  if (!recorder) throw new Error('nothing records who reads')
  await recorder(reading, shown)
}
