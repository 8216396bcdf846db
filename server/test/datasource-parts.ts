import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createConnection } from 'mysql2/promise'
import pg from 'pg'

export interface MariaDb {
  readonly port: number
  /** Runs statements as its administrator. */
  run(...statements: string[]): Promise<void>
  close(): Promise<void>
}

const programs = ['/usr/sbin/mariadbd', '/usr/bin/mariadbd', '/usr/local/bin/mariadbd']
const program = programs.find(existsSync)
/** Whether this machine has a MariaDB to test with. */
export const hasMariaDb = program !== undefined
if (!hasMariaDb)
  console.warn('No mariadbd on this machine: nothing is tested with MariaDB (apt-get install mariadb-server)')

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })

/** A MariaDB of the test's own, with a database `school` and a user who can only read. */
export async function startMariaDb(): Promise<MariaDb> {
  const folder = mkdtempSync(join(tmpdir(), 'data-brain-mariadb-'))
  const data = join(folder, 'data')
  const user = process.getuid?.() === 0 ? ['--user=root'] : []
  const made = spawnSync('mariadb-install-db', [
    '--no-defaults',
    `--datadir=${data}`,
    '--auth-root-authentication-method=normal',
    ...user,
  ])
  if (made.status !== 0) throw new Error(`mariadb-install-db: ${made.stderr}`)
  const port = await freePort()
  const socket = join(folder, 's')
  const child: ChildProcess = spawn(
    program!,
    [
      '--no-defaults',
      `--datadir=${data}`,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      '--skip-name-resolve',
      // Nothing of it outlives the test.
      '--innodb-flush-log-at-trx-commit=0',
      '--innodb-flush-method=nosync',
      '--innodb-buffer-pool-size=32M',
      `--socket=${socket}`,
      ...user,
    ],
    { stdio: 'ignore' },
  )
  const connect = () => createConnection({ socketPath: socket, user: 'root', connectTimeout: 5_000 })
  const run = async (...statements: string[]): Promise<void> => {
    const connection = await connect()
    try {
      for (const statement of statements) await connection.query(statement)
    } finally {
      await connection.end()
    }
  }
  for (let tries = 0; ; tries += 1)
    try {
      await run('select 1')
      break
    } catch (error) {
      if (tries > 300 || child.exitCode !== null) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  return {
    port,
    run,
    close: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A TCP port that leads to the PostgreSQL of an address, which may have a Unix socket alone. */
export async function overTcp(address: string): Promise<{ port: number; takeMost(): number; close(): Promise<void> }> {
  const { host, port } = new pg.Client({ connectionString: address })
  const open = new Set<Socket>()
  /** Those whose other side has not said goodbye. */
  const going = new Set<Socket>()
  let most = 0
  const server = createServer((from) => {
    open.add(from)
    going.add(from)
    for (const end of ['end', 'close']) from.once(end, () => going.delete(from))
    // The end of the one before it may be heard in the same turn.
    setImmediate(() =>
      setImmediate(() => {
        most = Math.max(most, going.size)
      }),
    )
    const to = host.startsWith('/') ? connect(join(host, `.s.PGSQL.${port}`)) : connect(port, host)
    from.pipe(to).pipe(from)
    from.on('error', () => to.destroy())
    to.on('error', () => from.destroy())
    // What the database has ended is over, whether or not its other side is read any more.
    to.once('end', () => going.delete(from))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    port: (server.address() as { port: number }).port,
    /** The most that were open at once since it was asked for last. */
    takeMost: () => {
      const told = most
      most = 0
      return told
    },
    close: () => {
      for (const socket of open) socket.destroy()
      return new Promise((done) => server.close(() => done()))
    },
  }
}
