// A decision on a task, bare: a server of `node:http` and `pg` that checks the session, sends the very statements that the
// product sends for one, in their transaction, and answers alike. It runs in a process of its own.
import { type ChildProcess, fork } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { changeAddress, databaseOf } from '../server/src/database/address.ts'
import { makePool } from '../server/src/database/connect.ts'
import { newId, setNode } from '../server/src/database/id.ts'
import { rolesOf } from '../server/src/database/roles.ts'
import { loadSecrets } from '../server/src/secrets.ts'
import type { Captured } from './capture.ts'
import { capturedBy, end, startProduct } from './servers.ts'

/** The rows of the instance that a task belongs to, by which statements of another one can be sent for it. */
export interface TaskRows {
  readonly task: string
  readonly instance: string
  readonly token: string
}

/** A statement whose values are JSON with places for ids: of the task's rows, new ones, and a slot of the stamp. */
interface Step {
  readonly text: string
  readonly name?: string
  readonly values: string
}

interface Settings {
  readonly url: string
  readonly steps: readonly Step[]
}

const ids = /\b[1-9][0-9]{14,18}\b/g

/** The statements of a decision, from two that were written down. What differs between them is an id or the stamp's slot. */
function stepsOf(
  [one, other]: readonly [readonly Captured[], readonly Captured[]],
  [rows, others]: readonly [TaskRows, TaskRows],
): Step[] {
  if (one.length !== other.length || one.length === 0)
    throw new Error(`two decisions sent ${one.length} and ${other.length} statements`)
  const fresh: string[] = []
  const place = (id: string): string => {
    const known = (Object.keys(rows) as (keyof TaskRows)[]).find((name) => rows[name] === id)
    if (known) return `@${known}@`
    if (!fresh.includes(id)) fresh.push(id)
    return `@new${fresh.indexOf(id)}@`
  }
  return one.map(({ text, name, values }, at) => {
    if (other[at]!.text !== text) throw new Error(`statement ${at + 1} changes its text`)
    const theirs = JSON.stringify(other[at]!.values)
    const constant = new Set(theirs.match(ids))
    const filled = values.map((value, nth) =>
      typeof value === 'number' && value !== other[at]!.values[nth]
        ? '"@slot@"'
        : (JSON.stringify(value) ?? 'null').replace(ids, (id) => (constant.has(id) ? id : place(id))),
    )
    // Filled in for the other one it has to be what was sent for that.
    const read = `[${filled.join()}]`.replace(/@(task|instance|token)@/g, (_, part: keyof TaskRows) => others[part])
    const parts = read.split(/@new\d+@|"@slot@"/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    if (!new RegExp(`^${parts.join('\\d+')}$`).test(theirs)) throw new Error(`statement ${at + 1} cannot be filled in`)
    return { text, ...(name ? { name } : {}), values: `[${filled.join()}]` }
  })
}

export interface BareFlow {
  readonly port: number
  readonly pid: number
  /** Tells it of tasks that will be decided. */
  know(tasks: readonly TaskRows[]): Promise<void>
  end(): Promise<void>
}

/**
 * Starts one beside a server that runs on a data folder: a second server of the product decides two tasks, and what it sends
 * is written down.
 */
export async function startBareFlow(
  folder: string,
  url: string,
  { token, tasks }: { readonly token: string; readonly tasks: readonly [TaskRows, TaskRows, TaskRows] },
): Promise<BareFlow> {
  const capturing = await startProduct({ env: { DATA_DIR: folder, DATABASE_URL: url }, capture: true })
  const written: Captured[][] = []
  for (const { task } of tasks) {
    await capturedBy(capturing, 'clear')
    const answer = await fetch(`http://127.0.0.1:${capturing.port}/api/blade-flow/work/complete-task`, {
      method: 'POST',
      headers: { 'Blade-Auth': `bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ taskId: task, flag: 'ok' }),
    })
    if (answer.status !== 200) throw new Error(await answer.text())
    written.push(await capturedBy(capturing, 'read'))
  }
  await end(capturing.child)
  // The first one reads the model as well, which is kept from then on.
  const steps = stepsOf([written[1]!, written[2]!], [tasks[1], tasks[2]])
  const secrets = await loadSecrets(folder)
  const appUrl = changeAddress(url, { user: rolesOf(databaseOf(url)).app, password: secrets.appPassword })
  const child = fork(import.meta.filename, { serialization: 'advanced' })
  child.send({ url: appUrl, steps } satisfies Settings)
  const port = await told<number>(child)
  return {
    ...{ port, pid: child.pid! },
    know: async (rows) => {
      child.send(rows)
      await told(child)
    },
    end: () => end(child),
  }
}

const told = <T>(child: ChildProcess): Promise<T> =>
  new Promise((resolve, reject) => {
    child.once('message', (answer) => resolve(answer as T))
    child.once('exit', (code) => reject(new Error(`the bare server ended (${code})`)))
  })

/** Seconds of processor time of a process until now. */
export function secondsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number)
  return (user! + system!) / 100
}

async function read(request: IncomingMessage): Promise<{ readonly taskId: string }> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString()) as { taskId: string }
}

function serve({ url, steps }: Settings): void {
  // Ids of its own, beside those of the product.
  setNode(900)
  const pool = makePool(url, { size: 10 })
  const known = new Map<string, TaskRows>()
  process.on('message', (rows: readonly TaskRows[]) => {
    for (const each of rows) known.set(each.task, each)
    process.send?.('known')
  })
  const [opening, ...rest] = steps as [Step, ...Step[]]
  const middle = rest.slice(0, -1)
  const decide = async (rows: TaskRows): Promise<boolean> => {
    const client = await pool.connect()
    try {
      const results = (await client.query(opening.text)) as unknown as { rows: unknown[] }[]
      if (results.at(-1)?.rows.length !== 1) {
        await client.query('rollback')
        return false
      }
      const made: string[] = []
      for (const { text, name, values } of middle) {
        const filled = values.replace(
          /@(?:(task|instance|token)|new(\d+)|slot)@/g,
          (_, part?: keyof TaskRows, nth?: string) => {
            if (part) return rows[part]
            if (nth === undefined) return String(randomInt(64))
            made[Number(nth)] ??= newId()
            return made[Number(nth)]!
          },
        )
        await client.query({ text, values: JSON.parse(filled) as unknown[], ...(name ? { name } : {}) })
      }
      await client.query('commit')
      return true
    } finally {
      client.release()
    }
  }
  const server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      const { taskId } = await read(request)
      const done = await decide(known.get(taskId)!)
      const text = JSON.stringify({ code: done ? 200 : 401, success: done, data: null, msg: done ? '操作成功' : '' })
      response.writeHead(done ? 200 : 401, {
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(text),
        'cache-control': 'no-store',
      })
      response.end(text)
    }
    answer().catch((error: Error) => {
      response.writeHead(500).end(JSON.stringify({ code: 500, msg: error.message }))
    })
  })
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as { port: number }).port))
  process.on('SIGTERM', () => {
    server.closeAllConnections()
    server.close(() => pool.end().then(() => process.exit(0)))
  })
}

// Its own process, when it was started by the one that measures.
if (process.argv[1] === import.meta.filename) process.once('message', serve)
