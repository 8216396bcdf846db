import type { Words } from '@data-brain/contract'
import type { FormKind } from '@data-brain/contract/import/place'
import type { RawBuilder } from 'kysely'
import { sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import { Problem } from '../../kernel/problem.ts'

/** What is brought in: rows of one form out of a spreadsheet, or a OneRoster archive. One's batch is unknown to the others. */
export type Kind = FormKind | 'oneroster'

export type State =
  | 'reading'
  | 'mapping'
  | 'checking'
  | 'checked'
  | 'committing'
  | 'done'
  | 'undoing'
  | 'undone'
  | 'failed'

/** Something that was brought in and is worked on step by step: a row of `import_batch`. */
export interface Batch<Settings = unknown, Counts = unknown> {
  readonly id: string
  readonly file_name: string
  readonly state: State
  readonly settings: Settings
  readonly columns: readonly {
    readonly heading: string
    readonly confidence?: number
    readonly from?: 'file' | 'section' | 'sheet' | 'title'
  }[]
  readonly mapping: Readonly<Record<string, string>>
  readonly progress: number
  readonly total: number
  readonly counts: Counts
  readonly failure: Words | null
  readonly user_id: string | null
  readonly user_name: string | null
  readonly create_time: string
  readonly update_time: string
}

export const batchColumns = sql`id, file_name, state, settings, columns, mapping, progress, total, counts, failure, user_id, user_name, create_time, update_time`

/**
 * The batch of the tenant; another tenant's, and one of another kind, is not found, in the same words as one that never
 * was. With `lock` it is held until the transaction ends.
 */
export async function batchOf<B extends Batch>(
  tx: Tx,
  tenantId: string,
  kind: Kind,
  id: string,
  lock = false,
): Promise<B> {
  const batch = await tx.one<B>(
    lock
      ? sql`select ${batchColumns} from import_batch where tenant_id = ${tenantId} and entity = ${kind} and id = ${id} for update`
      : sql`select ${batchColumns} from import_batch where tenant_id = ${tenantId} and entity = ${kind} and id = ${id}`,
  )
  if (!batch) throw new Problem('not_found')
  return batch
}

const wholly = new Map<Kind, (actor: Actor) => boolean>()

/** Says who works with all that files of a kind may be about; whoever does not is told of their own files alone. */
export function tellFilesTo(kind: Kind, all: (actor: Actor) => boolean): void {
  wholly.set(kind, all)
}

/** Which rows of `import_batch` of these kinds an actor is told of. */
export function toldBatches(kinds: readonly Kind[], actor: Actor): RawBuilder<unknown> {
  const of = (all: boolean): Kind[] => kinds.filter((kind) => (wholly.get(kind)?.(actor) === true) === all)
  return sql`tenant_id = ${actor.tenantId} and (entity = any(${of(true)}::text[])
    or (entity = any(${of(false)}::text[]) and user_id = ${actor.userId}::bigint))`
}

/** Puts a batch that the caller holds into a state, at the beginning of whatever comes next. */
export const setState = (tx: Tx, tenantId: string, id: string, state: State): Promise<unknown> =>
  tx.run(
    sql`update import_batch set state = ${state}, progress = 0, failure = null, update_time = now() where tenant_id = ${tenantId} and id = ${id}`,
  )

const stateWords: Record<State, Words> = {
  reading: { zh: '正在读取', en: 'is being read' },
  mapping: { zh: '尚未匹配列', en: 'has no matched columns yet' },
  checking: { zh: '正在检查', en: 'is being checked' },
  checked: { zh: '已检查、未导入', en: 'is checked and not imported' },
  committing: { zh: '正在导入', en: 'is being imported' },
  done: { zh: '已导入', en: 'has been imported' },
  undoing: { zh: '正在撤销', en: 'is being undone' },
  undone: { zh: '已撤销', en: 'has been undone' },
  failed: { zh: '读取失败', en: 'could not be read' },
}

/** Refuses a step that the state of the batch does not allow, and says what it is doing. */
export function needState(batch: Pick<Batch, 'state'>, ...states: readonly State[]): void {
  if (states.includes(batch.state)) return
  const words = stateWords[batch.state]
  throw new Problem(
    'rule_broken',
    { reason: { zh: `该批次${words.zh}，不能这样操作`, en: `The batch ${words.en}: this cannot be done now` } },
    { state: batch.state },
  )
}
