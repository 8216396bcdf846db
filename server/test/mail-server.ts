import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'

/** A letter that the server took. */
export interface Taken {
  readonly to: string
  readonly from: string
  readonly raw: string
  readonly user: string | undefined
  readonly secure: boolean
}

export interface MailHost {
  readonly port: number
  readonly taken: Taken[]
  /** Answers to the next messages, after their last byte: a code, or `cut` for a connection that ends there. */
  readonly manners: (number | 'cut' | 'silent')[]
  /** Recipients that are not known here. */
  readonly unknown: Set<string>
  /** Waited for when the last byte of a message is there, and before it is answered. */
  during: (() => Promise<void>) | undefined
  close(): Promise<void>
}

export const account = 'school'
export const password = 'Letter-4711'

/** A certificate of this moment's own for `localhost`. */
export function makeCertificate(): { key: string; cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'data-brain-mail-'))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  try {
    execFileSync(
      'openssl',
      `req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost -keyout ${key} -out ${cert}`.split(
        ' ',
      ),
      { stdio: 'ignore' },
    )
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** A mail server of the test's own. */
export async function makeMailHost(
  wish: { tls?: 'tls' | 'starttls' | 'plain'; certificate?: { key: string; cert: string }; auth?: boolean } = {},
): Promise<MailHost> {
  const { tls = 'plain', certificate, auth = true } = wish
  const taken: Taken[] = []
  const manners: (number | 'cut' | 'silent')[] = []
  const unknown = new Set<string>()
  const sockets = new Set<Socket>()
  const server = new SMTPServer({
    secure: tls === 'tls',
    disabledCommands: tls === 'starttls' ? [] : ['STARTTLS'],
    ...(certificate ?? {}),
    authOptional: !auth,
    allowInsecureAuth: true,
    logger: false,
    onAuth: (given, _, done) =>
      given.username === account && given.password === password
        ? done(null, { user: account })
        : done(Object.assign(new Error('Invalid login'), { responseCode: 535 })),
    onRcptTo: (address, _, done) =>
      unknown.has(address.address) ? done(Object.assign(new Error('No such mailbox'), { responseCode: 550 })) : done(),
    onData: (stream, session, done) => {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', async () => {
        await host.during?.()
        const manner = manners.shift()
        const take = (): unknown =>
          taken.push({
            to: session.envelope.rcptTo.map(({ address }) => address).join(','),
            from: session.envelope.mailFrom ? session.envelope.mailFrom.address : '',
            raw: Buffer.concat(parts).toString('utf8'),
            user: session.user as string | undefined,
            secure: Boolean(session.secure),
          })
        if (manner === 'silent') return take()
        if (manner === 'cut') {
          take()
          for (const socket of sockets) socket.destroy()
          return undefined
        }
        if (manner) return done(Object.assign(new Error('Not now'), { responseCode: manner }))
        take()
        return done()
      })
    },
  })
  server.on('error', () => {})
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', () => done()))
  const { port } = server.server.address() as { port: number }
  const host: MailHost = {
    port,
    during: undefined,
    taken,
    manners,
    unknown,
    close: () =>
      new Promise<void>((done) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => done())
      }),
  }
  return host
}

/** A server that takes connections and says nothing, or only what is given. */
export async function makeMute(first = ''): Promise<{ port: number; open: () => number; close(): void }> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', () => {})
    if (first) socket.write(first)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', () => done()))
  return {
    port: (server.address() as { port: number }).port,
    open: () => sockets.size,
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
