import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { extname, join, relative } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from './kernel/services.ts'
import { frameSources } from './modules/system/index.ts'

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
}

/** Where the built console lies: beside the server's sources or its bundle. */
function consoleFolder(): string | undefined {
  return [join(import.meta.dirname, '..', '..', 'console', 'dist'), join(import.meta.dirname, '..', 'console')].find(
    (folder) => existsSync(join(folder, 'index.html')),
  )
}

/** `frames`: the origins that menu entries lead to, beside which nothing is framed. */
const headers = (nonce: string, frames: string): Record<string, string> => ({
  'Content-Security-Policy': `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; style-src-attr 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; frame-src ${frames}; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; object-src 'none'`,
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
  'Cache-Control': 'no-cache',
})

/**
 * Serves the built console: hashed files for good, its two pages with the boot data and a nonce of their own.
 * Every address that is no file and no call is the console's, whose router knows what is there. Where it is built anew
 * meanwhile, the new one is served from then on, and open pages hear of it with the next call.
 */
export function serveConsole(http: FastifyInstance, services: Services, folder = consoleFolder()): void {
  let built = folder ? builtIn(folder, '') : noConsole
  const now = async (): Promise<Built> => {
    const stamp = folder && (await stampOf(folder))
    if (folder && stamp && stamp !== built.stamp) built = builtIn(folder, stamp)
    return built
  }
  const page = async (
    name: keyof Built['pages'],
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> => {
    const { pages, build, shell } = await now()
    const nonce = randomBytes(16).toString('base64')
    const boot = JSON.stringify({
      clientId: services.secrets.clientId,
      clientSecret: services.secrets.clientSecret,
      version: '0.1.0',
      build,
      tenantMode: true,
      captcha: false,
      switchMode: false,
      nonce,
      ...(name === 'login' ? { shell } : {}),
    }).replaceAll('<', '\\u003c')
    const html = pages[name].replace('<!--boot-->', () => `<script type="application/json" id="boot">${boot}</script>`)
    // The log-in page frames nothing, and is there without the database.
    const frames = name === 'index' ? await frameSources(services) : "'none'"
    reply.headers(headers(nonce, frames)).header('Vary', 'Accept-Encoding').type(types['.html']!)
    // Every page has a nonce of its own, so it is compressed as it goes: a few kilobytes, quickly.
    return String(request.headers['accept-encoding'] ?? '').includes('br')
      ? reply
          .header('Content-Encoding', 'br')
          .send(brotliCompressSync(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }))
      : reply.send(html)
  }
  http.addHook('onSend', async (request, reply) => {
    if (request.url.startsWith('/api/')) reply.header('X-Build', built.build)
  })
  http.get('/login', (request, reply) => page('login', request, reply))
  http.get('/*', async (request, reply) => {
    const path = decodeURIComponent(request.url.split('?')[0] ?? '/')
    if (extname(path) === '' || path === '/index.html') return page('index', request, reply)
    if (await file(built, path, request, reply)) return reply
    // Of a build that has come since, or of one that is gone.
    if (await file(await now(), path, request, reply)) return reply
    return reply.status(404).type('text/plain').send('Not found')
  })
}

/** The console as it was built last. */
interface Built {
  readonly stamp: string
  readonly pages: { readonly index: string; readonly login: string }
  readonly build: string
  /** The log-in page fetches them while somebody types. */
  readonly shell: readonly (string | undefined)[]
  readonly files: Files
}

/** What tells one build from the next; nothing while there is none. */
const stampOf = async (folder: string): Promise<string | undefined> => {
  try {
    const marks = [stat(join(folder, 'index.html')), stat(join(folder, 'login.html')), stat(join(folder, 'assets'))]
    return (await Promise.all(marks)).map(({ mtimeMs }) => mtimeMs).join()
  } catch {
    return undefined
  }
}

function builtIn(folder: string, stamp: string): Built {
  const textOf = (name: string): string => readFileSync(join(folder, name), 'utf8')
  const pages = { index: textOf('index.html'), login: textOf('login.html') }
  const shell = [...pages.index.matchAll(/(?:src|href)="(\/assets\/[^"]+\.(?:js|css))"/g)].map(([, url]) => url)
  return { stamp, pages, build: buildOf(pages.index), shell, files: filesOf(folder) }
}

/** Says what to do where nobody has built the console; `npm run dev` takes the boot data out of it. */
const unbuilt =
  '<!doctype html><meta charset="utf-8"><title>Data Brain</title><!--boot--><p>The console is not built. Run: npm run build</p>'

const noConsole: Built = {
  stamp: '',
  pages: { index: unbuilt, login: unbuilt },
  build: 'dev',
  shell: [],
  files: new Map(),
}

const buildOf = (html: string): string => /assets\/shell-([\w-]+)\.js/.exec(html)?.[1] ?? 'dev'

/** Files of the build, by their paths below its folder; read when they are first asked for, and kept. */
type Files = ReadonlyMap<string, () => Promise<Buffer | undefined>>

/** The files of a folder as they were built: nothing else is looked for, read or kept, whatever is asked for. */
const filesOf = (folder: string): Files =>
  new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => {
        const path = join(entry.parentPath, entry.name)
        let bytes: Promise<Buffer> | undefined
        const read = async (): Promise<Buffer | undefined> => {
          try {
            bytes ??= readFile(path)
            return await bytes
          } catch (error) {
            bytes = undefined
            // Gone with its build.
            if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
            throw error
          }
        }
        return [`/${relative(folder, path).replaceAll('\\', '/')}`, read]
      }),
  )

/** Answers with a file of a build, compressed beforehand where the browser takes it, if it has that. */
async function file({ files }: Built, path: string, request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
  const type = types[extname(path)]
  if (!type || path.endsWith('.html')) return false
  const accepted = String(request.headers['accept-encoding'] ?? '')
  for (const [encoding, ending] of [
    ['br', '.br'],
    ['gzip', '.gz'],
    ['', ''],
  ] as const) {
    if (encoding && !accepted.includes(encoding)) continue
    const bytes = await files.get(path + ending)?.()
    if (!bytes) continue
    if (encoding) reply.header('Content-Encoding', encoding)
    reply
      .header('Vary', 'Accept-Encoding')
      .header(
        'Cache-Control',
        path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
      )
      .header('Cross-Origin-Resource-Policy', 'same-origin')
      .type(type)
      .send(bytes)
    return true
  }
  return false
}
