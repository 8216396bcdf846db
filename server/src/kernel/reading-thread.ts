import { parentPort, Worker } from 'node:worker_threads'
import type { Words } from '@data-brain/contract'

/*
 * Files that somebody brings are taken apart in a thread of their own: whatever a file does to it, its memory and time
 * are bounded by whoever started it, and the server goes on. What it finds is handed over in portions, each of which is
 * acknowledged before the next: the server holds no more of a file at a time than it means to keep.
 */

type Told<P, E> =
  | { readonly kind: 'portion'; readonly portion: P }
  | { readonly kind: 'end'; readonly end: E }
  | { readonly kind: 'fault'; readonly words: Words }

export interface Reading<P> {
  /** The thread's own file, and what it is told. */
  readonly thread: URL
  readonly data: unknown
  /** Megabytes of its old space. */
  readonly memory: number
  /** Seconds that the thread itself may work; what is done with a portion does not count. */
  readonly seconds: number
  readonly take: (portion: P) => Promise<void>
  /** What is thrown for a fault that the thread tells. */
  readonly refusal: (words: Words) => Error
  /** What is thrown when the thread takes more than it may. */
  readonly tooMuch: () => Error
}

/** Lets a thread read, portion by portion; it is ended when it takes too much memory or time. */
export function readInThread<P, E>(reading: Reading<P>): Promise<E> {
  const { thread, data, memory, seconds, take, refusal, tooMuch } = reading
  return new Promise<E>((resolve, reject) => {
    const worker = new Worker(thread, {
      workerData: data,
      resourceLimits: { maxOldGenerationSizeMb: memory, maxYoungGenerationSizeMb: 32 },
    })
    let left = seconds * 1_000
    let ended = false
    const settle = (done: () => void): void => {
      if (ended) return
      ended = true
      clearTimeout(timer)
      worker.terminate().then(done, reject)
    }
    const fail = (error: unknown): void => settle(() => reject(error))
    let since = performance.now()
    let timer = setTimeout(() => fail(tooMuch()), left)
    const rest = (): void => {
      clearTimeout(timer)
      left -= performance.now() - since
    }
    const goOn = (): void => {
      if (ended) return
      since = performance.now()
      timer = setTimeout(() => fail(tooMuch()), Math.max(0, left))
      worker.postMessage('go on')
    }
    worker.on('message', (told: Told<P, E>) => {
      if (told.kind === 'fault') return fail(refusal(told.words))
      if (told.kind === 'end') return settle(() => resolve(told.end))
      rest()
      take(told.portion).then(goOn, fail)
    })
    worker.on('error', (error: Error & { code?: string }) =>
      fail(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooMuch() : error),
    )
    worker.on('exit', () => fail(tooMuch()))
  })
}

/** The thread's side: what `read` hands over goes out one portion at a time, then what it answers, or what was wrong. */
export function handOver<P, E>(
  read: (give: (portion: P) => Promise<void>) => Promise<E>,
  wordsOf: (error: unknown) => Words,
): void {
  const port = parentPort!
  const tell = (told: Told<P, E>): void => port.postMessage(told)
  const give = (portion: P): Promise<void> =>
    new Promise((resolve) => {
      port.once('message', () => resolve())
      tell({ kind: 'portion', portion })
    })
  read(give)
    .then(
      (end) => tell({ kind: 'end', end }),
      (error: unknown) => tell({ kind: 'fault', words: wordsOf(error) }),
    )
    .finally(() => port.close())
}
