// Asks for a list all the time, from a thread of its own, and says how long the answers took: who looks at a list while
// somebody else imports a file waits that long.
import { Agent, get } from 'node:http'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

/** Lists asked for at once, and the pause of each before the next, in milliseconds: as a few clerks who page on. */
const readers = 4
const pause = 25

interface Given {
  readonly port: number
  readonly path: string
  readonly token: string
}

/** Milliseconds of the answers since the last asking: their number, the middle one, the 99th of 100, the longest. */
export interface Waits {
  readonly count: number
  readonly p50: number
  readonly p99: number
  readonly most: number
}

/** A thread that reads a list until it is stopped; `told` answers the waits since it was last called. */
export function startReading(given: Given): { told(): Promise<Waits>; stop(): Promise<void> } {
  const worker = new Worker(new URL(import.meta.url), { workerData: given })
  return {
    told: () =>
      new Promise((done, fail) => {
        worker.once('error', fail)
        worker.once('message', (waits: Waits) => {
          worker.off('error', fail)
          done(waits)
        })
        worker.postMessage('tell')
      }),
    stop: async () => {
      await worker.terminate()
    },
  }
}

function read({ port, path, token }: Given): void {
  const agent = new Agent({ keepAlive: true, maxSockets: readers })
  let waits: number[] = []
  const once = (): void => {
    const asked = performance.now()
    const request = get(
      { host: '127.0.0.1', port, path, agent, headers: { 'Blade-Auth': `bearer ${token}` } },
      (answer) => {
        if (answer.statusCode !== 200) throw new Error(`the list was answered by ${answer.statusCode}`)
        answer.resume()
        answer.once('end', () => {
          waits.push(performance.now() - asked)
          setTimeout(once, pause)
        })
      },
    )
    request.once('error', (error) => {
      throw error
    })
  }
  for (let n = 0; n < readers; n += 1) once()
  parentPort!.on('message', () => {
    const sorted = waits.toSorted((a, b) => a - b)
    waits = []
    const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
    const told: Waits = { count: sorted.length, p50: at(0.5), p99: at(0.99), most: sorted.at(-1) ?? 0 }
    parentPort!.postMessage(told)
  })
}

if (!isMainThread) read(workerData as Given)
