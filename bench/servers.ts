import { type ChildProcess, fork, type StdioOptions, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { BareSettings } from './bare.ts'
import type { Captured } from './capture.ts'
import type { Lag } from './lag.ts'
import type { Job, Load } from './load.ts'

const root = path.join(import.meta.dirname, '..')
const children = new Set<ChildProcess>()

/** Ends every process that the benchmark started and that is still there. */
export async function endAll(): Promise<void> {
  await Promise.all([...children].map((child) => end(child)))
}

function keep(child: ChildProcess): ChildProcess {
  children.add(child)
  child.once('exit', (code, signal) => {
    children.delete(child)
    if (signal !== 'SIGTERM' && signal !== 'SIGKILL' && code !== 0)
      console.error(`process ${child.pid} ended by itself: ${code ?? signal}`)
  })
  return child
}

/** Asks a process to end, and ends it when it does not within five seconds. */
export function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), 5_000)
    child.once('exit', () => {
      clearTimeout(timer)
      resolve()
    })
    child.kill('SIGTERM')
  })
}

export interface Server {
  readonly child: ChildProcess
  readonly port: number
  /** From the spawn to the line that says it is ready. */
  readonly milliseconds: number
  /** Resident memory when it had started, in MB. */
  readonly atStart: number
}

const figure = (pid: number, name: string): number =>
  Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN) / 1024

/** Resident memory now, and the most it has been, in MB. */
export const memoryOf = (server: Server): { now: number; peak: number } => ({
  now: figure(server.child.pid!, 'VmRSS'),
  peak: figure(server.child.pid!, 'VmHWM'),
})

/** Processor seconds of a process and all its threads so far; ticks of 10 ms. */
export function cpuOf(server: Server): number {
  const fields = readFileSync(`/proc/${server.child.pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

interface ProductOptions {
  readonly env: Record<string, string>
  /** Writes down what it sends: never for a measured run. */
  readonly capture?: boolean
  /** Can be asked how long its event loop was held up. */
  readonly lag?: boolean
  /** Arguments for Node, for example `--cpu-prof`. */
  readonly node?: readonly string[]
}

const flags = ['NODE_OPTIONS', 'DATABASE_URL', 'DATABASE_APP_URL', 'PUBLIC_URL', 'TRUST_PROXY', 'ADMIN_PASSWORD']

/** The flags with which `npm start` runs Node, so that what is measured is what people run. */
export const startFlags = (): string[] => {
  const script = readFileSync(path.join(root, 'scripts/start.mjs'), 'utf8')
  return [...script.matchAll(/'(--[a-z-]+(?:=[^']+)?)'/g)].map(([, flag]) => flag!)
}

/** The built product on a port that the system chooses. */
export function startProduct({ env, capture = false, lag = false, node = [] }: ProductOptions): Promise<Server> {
  const begin = performance.now()
  const stdio: StdioOptions = ['ignore', 'pipe', 'inherit', 'ipc']
  const args = [
    ...startFlags(),
    ...node,
    ...(capture ? ['--import', path.join(import.meta.dirname, 'capture.ts')] : []),
    ...(lag ? ['--import', path.join(import.meta.dirname, 'lag.ts')] : []),
    'server/dist/main.js',
  ]
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !flags.includes(name)))
  const child = keep(
    spawn(process.execPath, args, {
      cwd: root,
      env: { ...inherited, PORT: '0', HOST: '127.0.0.1', DEMO: 'off', LOG_LEVEL: 'warn', ...env },
      stdio: capture || lag ? stdio : stdio.slice(0, 3),
      ...(capture ? { serialization: 'advanced' } : {}),
    } as Parameters<typeof spawn>[2]),
  )
  return new Promise((resolve, reject) => {
    let said = ''
    child.stdout!.on('data', (text: Buffer) => {
      said += text
      const port = /^ready http:\/\/[^\s:]+:(\d+)/m.exec(said)?.[1]
      if (port)
        resolve({
          child,
          port: Number(port),
          milliseconds: performance.now() - begin,
          atStart: figure(child.pid!, 'VmRSS'),
        })
    })
    child.once('exit', (code) => reject(new Error(`the product ended before it was ready (${code}): ${said}`)))
  })
}

/** What a capturing product has sent since it was last asked. */
export function capturedBy(server: Server, message: 'clear' | 'read'): Promise<Captured[]> {
  return new Promise((resolve) => {
    server.child.once('message', (answer) => resolve((answer as { captured: Captured[] }).captured))
    server.child.send(message)
  })
}

/** How long the event loop of a product that was started so has been held up since it was last asked. */
export function lagOf(server: Server): Promise<Lag> {
  return new Promise((resolve) => {
    server.child.once('message', (answer) => resolve((answer as { lag: Lag }).lag))
    server.child.send('lag')
  })
}

/** The bare server. */
export function startBare(settings: BareSettings): Promise<Server> {
  const begin = performance.now()
  const child = keep(fork(path.join(import.meta.dirname, 'bare.ts'), { serialization: 'advanced' }))
  return new Promise((resolve, reject) => {
    child.once('message', (answer) =>
      resolve({
        child,
        port: (answer as { port: number }).port,
        milliseconds: performance.now() - begin,
        atStart: figure(child.pid!, 'VmRSS'),
      }),
    )
    child.once('exit', (code) => reject(new Error(`the bare server ended (${code})`)))
    child.send(settings)
  })
}

/** The process that makes the load. */
export class Loader {
  readonly #child = keep(fork(path.join(import.meta.dirname, 'load.ts')))

  /** Runs a job; an answer that is none ends the benchmark, because its figures would mean nothing. */
  put(job: Job): Promise<Load> {
    return new Promise((resolve, reject) => {
      const gone = (): void => reject(new Error('the load process ended'))
      this.#child.once('exit', gone)
      this.#child.once('message', (answer) => {
        this.#child.off('exit', gone)
        const load = answer as Load
        if (load.failed > 0) reject(new Error(`${load.failed} of ${load.done} requests failed: ${load.failure}`))
        else if (load.done === 0) reject(new Error('no request was answered'))
        else resolve(load)
      })
      this.#child.send(job)
    })
  }

  end(): Promise<void> {
    return end(this.#child)
  }
}
