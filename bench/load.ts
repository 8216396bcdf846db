// The load, in a process of its own: a fixed number of keep-alive connections on loopback, each sending its next
// request when the last is answered. Its own reading of HTTP is as little as the two servers need, so that it takes
// little of the processor that they are measured on.
import { connect } from 'node:net'

export interface Job {
  readonly port: number
  readonly connections: number
  /** The series ends at whichever comes first. */
  readonly milliseconds: number
  readonly requests: number
  readonly head: string
  readonly targets: readonly Target[]
}

/** One thing to ask for. A body of JSON is a row to be changed, whose version rises with every answer. */
export interface Target {
  readonly path: string
  readonly body?: string
  readonly version?: number
}

export interface Load {
  readonly done: number
  readonly failed: number
  /** The first answer that was none. */
  readonly failure: string
  readonly seconds: number
  readonly p50: number
  readonly p95: number
  readonly p99: number
}

interface Own {
  readonly path: string
  readonly body?: string
  version: number
}

const textOf = (target: Own, head: string, count: string): string => {
  if (target.body === undefined) return `GET ${target.path} HTTP/1.1\r\n${head}\r\n`
  const body = target.body.replace('"{{version}}"', String(target.version)).replace('{{count}}', count)
  return `POST ${target.path} HTTP/1.1\r\n${head}Content-Type: ${body.startsWith('{') ? 'application/json' : 'application/x-www-form-urlencoded'}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}

const endOfHead = Buffer.from('\r\n\r\n')

/** Sends a job's requests and says how it went. */
export async function put(job: Job): Promise<Load> {
  const times: number[] = []
  let sent = 0
  let failed = 0
  let failure = ''
  // A row that is told what it says already is not changed.
  const series = Date.now().toString(36)
  const begin = performance.now()
  const deadline = begin + job.milliseconds
  const all = job.targets.map((target): Own => ({ ...target, version: target.version ?? 0 }))
  const one = (index: number): Promise<void> =>
    new Promise((resolve, reject) => {
      // Each connection has rows of its own, and begins elsewhere in what is only read.
      const changes = all[0]?.body?.startsWith('{') === true
      const own = changes ? all.filter((_, nth) => nth % job.connections === index) : all
      if (own.length === 0) return reject(new Error('there are fewer rows to change than connections'))
      let next = changes ? 0 : Math.floor((index * all.length) / job.connections)
      let target = own[0]!
      let started = 0
      let waiting = Buffer.alloc(0)
      const socket = connect(job.port, '127.0.0.1')
      socket.setNoDelay(true)
      const send = (): void => {
        if (performance.now() >= deadline || sent >= job.requests) {
          socket.end()
          resolve()
          return
        }
        sent += 1
        target = own[next % own.length]!
        next += 1
        started = performance.now()
        socket.write(textOf(target, job.head, `${series}-${sent}`))
      }
      socket.on('connect', send)
      socket.on('error', reject)
      socket.on('data', (chunk) => {
        waiting = waiting.length === 0 ? chunk : Buffer.concat([waiting, chunk])
        const end = waiting.indexOf(endOfHead)
        if (end < 0) return
        const head = waiting.toString('latin1', 0, end)
        const length = Number(/content-length: *(\d+)/i.exec(head)?.[1] ?? Number.NaN)
        if (Number.isNaN(length)) return reject(new Error(`an answer without a length: ${head}`))
        if (waiting.length < end + 4 + length) return
        times.push(performance.now() - started)
        if (/^HTTP\/1\.1 200 /.test(head)) target.version += 1
        else {
          failed += 1
          failure ||= waiting.toString('utf8', 0, 600)
        }
        waiting = Buffer.alloc(0)
        send()
      })
    })
  await Promise.all(Array.from({ length: job.connections }, (_, index) => one(index)))
  const seconds = (performance.now() - begin) / 1000
  times.sort((a, b) => a - b)
  const at = (part: number): number =>
    times[Math.min(times.length - 1, Math.ceil(times.length * part) - 1)] ?? Number.NaN
  return { done: times.length, failed, failure, seconds, p50: at(0.5), p95: at(0.95), p99: at(0.99) }
}

process.on('message', (job: Job) => {
  put(job).then(
    (load) => process.send?.(load),
    (error: Error) =>
      process.send?.({ done: 0, failed: 1, failure: error.message, seconds: 1, p50: 0, p95: 0, p99: 0 }),
  )
})
