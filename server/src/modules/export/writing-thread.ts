import { Worker } from 'node:worker_threads'
import { threadOf } from '../../kernel/thread.ts'
import type { Cell, Column } from './columns.ts'

/** What the writing thread is told. */
export type ToThread =
  | { readonly kind: 'rows'; readonly rows: readonly (readonly Cell[])[]; readonly sums?: readonly number[] }
  | { readonly kind: 'end' }
/** What it tells: pieces of the file, that it has taken the rows, and that the file is whole. */
export type FromThread =
  | { readonly kind: 'piece'; readonly bytes: Uint8Array }
  | { readonly kind: 'taken' }
  | { readonly kind: 'whole' }

/** In MB. */
const threadMemory = 128

export interface Sheet {
  readonly name: string
  readonly columns: readonly Pick<Column, 'heading' | 'width'>[]
  /** Who took the list out and when: in the foot of every printed page and on a sheet of its own. */
  readonly about: readonly (readonly [string, string])[]
  readonly aboutName: string
  readonly foot: string
}

/** A batch of rows, with the indexes of those that are totals. */
export interface RowBatch {
  readonly rows: readonly (readonly Cell[])[]
  readonly sums?: readonly number[]
}

/**
 * A file written in a thread of its own: rows go in by bunches, one at a time, and pieces of the file come out, so that neither
 * side holds the whole.
 */
export async function* writtenInThread(
  thread: 'worker-list' | 'worker-pdf',
  sheet: Sheet,
  bunches: AsyncIterable<RowBatch>,
): AsyncGenerator<Buffer> {
  const worker = new Worker(threadOf(thread, import.meta.url), {
    workerData: sheet,
    resourceLimits: { maxOldGenerationSizeMb: threadMemory },
  })
  const pieces: Buffer[] = []
  let wake = (): void => {}
  let taken = true
  let whole = false
  let failure: Error | undefined
  worker.on('message', (message: FromThread) => {
    if (message.kind === 'piece') pieces.push(Buffer.from(message.bytes))
    else if (message.kind === 'taken') taken = true
    else whole = true
    wake()
  })
  worker.on('error', (error: Error) => {
    failure = error
    wake()
  })
  const say = (message: ToThread): void => worker.postMessage(message)
  const until = async (ready: () => boolean): Promise<void> => {
    while (!ready() && !failure) await new Promise<void>((resolve) => (wake = resolve))
    if (failure) throw failure
  }
  try {
    for await (const bunch of bunches) {
      taken = false
      say({ kind: 'rows', ...bunch })
      await until(() => taken)
      yield* pieces.splice(0)
    }
    say({ kind: 'end' })
    await until(() => whole)
    yield* pieces.splice(0)
  } finally {
    await worker.terminate()
  }
}
