// A server of `node:http` and `pg` and nothing else: it checks the token, sends the very statements that the product
// sends (as they were written down: statements.ts), and answers the same JSON. What it does not have is what the
// product is measured for: definitions, filters, permissions, rules, validation, two languages.
import { randomBytes, randomInt } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { makePool } from '../server/src/database/connect.ts'
import { newId } from '../server/src/database/id.ts'
import { Cipher } from '../server/src/kernel/cipher.ts'
import { checkPassword } from '../server/src/kernel/password.ts'
import { loadSecrets } from '../server/src/secrets.ts'
import { type Call, type CallName, calls, type Inputs, type Row } from './calls.ts'
import type { Part, Step } from './statements.ts'

export interface BareSettings {
  readonly databaseUrl: string
  readonly dataDir: string
  readonly poolSize: number
  readonly patterns: Readonly<Record<CallName, readonly Step[]>>
  /** Whether totals are kept while the stamp stands, as the product does, or counted with every list. */
  readonly keepTotals: boolean
}

interface Done {
  readonly rows: Row[][]
  readonly total: number | undefined
}

const tokenForm = /^bearer (bsa_([0-9]{6})_[A-Za-z0-9_-]{43}[0-9a-f]{4})$/

/** The value for a part of a statement. `ids` are those that this request has made so far. */
function fill(part: Part, inputs: Inputs, ids: string[]): unknown {
  if ('constant' in part) return part.constant
  if ('input' in part) return inputs[part.input]
  if ('bytes' in part) return randomBytes(part.bytes)
  if ('list' in part) return part.list.map((each) => fill(each, inputs, ids))
  if (part.fresh === 'slot') return randomInt(16)
  ids[part.nth] ??= newId()
  return ids[part.nth]
}

async function main(settings: BareSettings): Promise<void> {
  const secrets = await loadSecrets(settings.dataDir)
  const cipher = new Cipher(secrets)
  const pool = makePool(settings.databaseUrl, { size: settings.poolSize })
  const kept = new Map<string, { stamp: unknown; total: number }>()

  /** One transaction: its opening, its statements, its commit. Answers nothing where the opening finds no session. */
  async function transaction(
    steps: readonly Step[],
    inputs: Inputs,
    token: string | undefined,
    wait: boolean,
  ): Promise<Done | undefined> {
    const client = await pool.connect()
    let broken: Error | undefined
    try {
      const [opening, ...rest] = steps
      const hash = token ? cipher.token(token).toString('hex') : ''
      const results = (await client.query(opening!.text.replaceAll('{{hash}}', hash))) as unknown as { rows: Row[] }[]
      const session = token ? results.at(-1)?.rows[0] : {}
      if (!session) {
        await client.query('rollback')
        client.release()
        return undefined
      }
      const rows: Row[][] = []
      const ids: string[] = []
      let total: number | undefined
      for (const step of rest.slice(0, -1)) {
        const values = step.values.map((part) => fill(part, inputs, ids))
        const key = step.kept && settings.keepTotals ? JSON.stringify([step.name, values]) : ''
        const known = key ? kept.get(key) : undefined
        if (known && known.stamp === session.stamps) {
          total = known.total
          continue
        }
        const { rows: got } = await client.query<Row>({
          text: step.text,
          values,
          ...(step.name ? { name: step.name } : {}),
        })
        rows.push(got)
        if (key) kept.set(key, { stamp: session.stamps, total: Number(got[0]?.total) })
      }
      const ended = client.query('commit').then(
        () => client.release(),
        (error: Error) => client.release(error),
      )
      // Only what is durable is acknowledged; a reading request need not wait for its end.
      if (wait) await ended
      return { rows, total }
    } catch (error) {
      await client.query('rollback').catch((lost: Error) => {
        broken = lost
      })
      client.release(broken)
      throw error
    }
  }

  async function answer(name: CallName, url: URL, body: Row, header: string | undefined): Promise<unknown> {
    const call: Call = calls[name]
    const token = tokenForm.exec(header ?? '')?.[1]
    if (!token) return undefined
    const inputs = call.inputs(url.searchParams, body)
    const done = await transaction(settings.patterns[name], inputs, token, call.method === 'POST')
    return done && call.answer(done.rows, inputs, done.total, cipher)
  }

  /** A log-in is two transactions with the hashing of the password between them. */
  async function login(form: URLSearchParams): Promise<unknown> {
    const steps = settings.patterns.login
    const middle = steps.findIndex(({ text }) => text === 'commit') + 1
    const found = await transaction(steps.slice(0, middle), {}, undefined, true)
    const stored = found?.rows[0]?.[0]?.hash
    if (!(await checkPassword(form.get('password') ?? '', String(stored), secrets.pepper))) return undefined
    const granted = await transaction(steps.slice(middle), {}, undefined, true)
    return granted && calls.login.answer(granted.rows)
  }

  // A list with a keyword is the search by name.
  function pick(method: string | undefined, url: URL): CallName | undefined {
    for (const [name, call] of Object.entries(calls) as [CallName, Call][])
      if (call.method === method && call.path === url.pathname && (name !== 'list' || !url.searchParams.has('keyword')))
        return name
    return undefined
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://bare')
    const name = pick(request.method, url)
    const chunks: Buffer[] = []
    if (request.method === 'POST') for await (const chunk of request) chunks.push(chunk as Buffer)
    const sent = Buffer.concat(chunks).toString()
    const header = request.headers['blade-auth'] as string | undefined
    const data =
      name === 'login'
        ? await login(new URLSearchParams(sent))
        : name && (await answer(name, url, sent ? (JSON.parse(sent) as Row) : {}, header))
    const text = JSON.stringify(
      data === undefined
        ? { code: 401, success: false, data: null, msg: '' }
        : { code: 200, success: true, data, msg: '操作成功' },
    )
    response.writeHead(data === undefined ? 401 : 200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(text),
      'cache-control': 'no-store',
    })
    response.end(text)
  }

  const server = createServer((request, response) => {
    serve(request, response).catch((error: Error) => {
      response.writeHead(500).end(JSON.stringify({ code: 500, msg: error.message }))
    })
  })
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as { port: number }).port }))
  process.on('SIGTERM', () => {
    server.closeAllConnections()
    server.close(() => pool.end().then(() => process.exit(0)))
  })
}

process.once('message', (settings: BareSettings) => {
  main(settings).catch((error: Error) => {
    console.error(error)
    process.exit(1)
  })
})
