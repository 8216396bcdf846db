import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import pg from 'pg'

/**
 * A wire between the server and its database that can be cut, that can refuse whoever dials, and that can swallow what is
 * sent: the database itself, and the other tests on it, notice nothing.
 */
export class Wire {
  readonly #server: Server
  readonly #pairs = new Set<readonly [Socket, Socket]>()
  readonly #to: { path: string } | { host: string; port: number }
  #swallows = false
  #cutAt: readonly string[] = []
  #port = 0

  /** `address`: that of the database, by a port or by a socket. */
  constructor(address: string) {
    const { host, port } = new pg.Client({ connectionString: address })
    this.#to = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port }
    this.#server = createServer((near) => this.#join(near))
  }

  /** Takes calls, at the same port each time. */
  async mend(): Promise<void> {
    this.#swallows = false
    if (!this.#server.listening) await new Promise<void>((done) => this.#server.listen(this.#port, '127.0.0.1', done))
    this.#port = (this.#server.address() as AddressInfo).port
  }

  /** An address of the database, by way of this wire. */
  through(address: string): string {
    const { user, password, database } = new pg.Client({ connectionString: address })
    const url = new URL(`postgres://127.0.0.1:${this.#port}/${database}`)
    url.username = user ?? ''
    url.password = password ?? ''
    return url.toString()
  }

  /** Ends every call. */
  cut(): number {
    const calls = this.#pairs.size
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy()
    return calls
  }

  /** Ends every call and takes none, as a database that has ended. */
  async refuse(): Promise<void> {
    const closed = new Promise((done) => this.#server.close(done))
    this.cut()
    await closed
  }

  /** Lets nothing through any more and says so to nobody, as a network that has lost its way. */
  swallow(): void {
    this.#swallows = true
  }

  /** Cuts the next call that has sent these texts one after the other: the last is passed on, and not answered. */
  cutAt(...texts: string[]): void {
    this.#cutAt = texts
  }

  #join(near: Socket): void {
    const far = connect(this.#to)
    const pair = [near, far] as const
    this.#pairs.add(pair)
    let isDeaf = false
    let heard = 0
    const end = (): void => {
      this.#pairs.delete(pair)
      near.destroy()
      far.destroy()
    }
    near.on('data', (bytes) => {
      if (this.#swallows) return
      far.write(bytes)
      while (heard < this.#cutAt.length && bytes.includes(this.#cutAt[heard]!)) heard += 1
      if (heard > 0 && heard === this.#cutAt.length) {
        this.#cutAt = []
        isDeaf = true
        // The database has it, and answers nobody.
        far.once('data', end)
      }
    })
    far.on('data', (bytes) => {
      if (!this.#swallows && !isDeaf) near.write(bytes)
    })
    for (const socket of pair) {
      socket.on('error', end)
      socket.on('close', end)
    }
  }
}
