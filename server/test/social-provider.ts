import { createHash, createSign, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

/*
 * Providers for tests, on loopback: a real one of OpenID Connect, one that lies in the way a test wants, and one in the
 * documented shape of GitHub and Gitee.
 */

export interface Running {
  readonly url: string
  /** `127.0.0.1:port`, for OUTBOUND_ALLOW. */
  readonly host: string
  close(): Promise<void>
}

async function listen(make: (url: string) => RequestListener, port = 0): Promise<Running> {
  let answer: RequestListener = (_request, response) => response.writeHead(503).end()
  const server: Server = createServer((request, response) => answer(request, response))
  await new Promise<void>((ready) => server.listen(port, '127.0.0.1', ready))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  answer = make(`http://${host}`)
  return {
    url: `http://${host}`,
    host,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}

export interface Application {
  readonly id: string
  readonly secret: string
  readonly redirectUris: readonly string[]
}

/** A certified provider of OpenID Connect: whoever logs in at its page with a name is that subject, and is called so. */
export const startProvider = (application: Application): Promise<Running> =>
  listen((url) => {
    const provider = new Provider(url, {
      clients: [
        {
          client_id: application.id,
          client_secret: application.secret,
          redirect_uris: [...application.redirectUris],
          response_types: ['code'],
          grant_types: ['authorization_code'],
        },
      ],
      pkce: { required: () => true },
      claims: { openid: ['sub'], profile: ['name'] },
      cookies: { keys: ['kept by the test alone'] },
      features: { devInteractions: { enabled: true } },
      findAccount: (_context: unknown, id: string) => ({
        accountId: id,
        claims: () => ({ sub: id, name: `名叫${id}` }),
      }),
      ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, AuthorizationCode: 60, IdToken: 600 },
    })
    return provider.callback()
  })

/** A browser as far as a log-in needs one: it keeps cookies and follows to the address that the product gave. */
export class Visitor {
  readonly #cookies = new Map<string, string>()

  async #go(url: string, init: RequestInit = {}): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(url, { ...init, redirect: 'manual', headers: { ...init.headers, cookie } })
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const at = pair.indexOf('=')
      if (pair.slice(at + 1) === '') this.#cookies.delete(pair.slice(0, at))
      else this.#cookies.set(pair.slice(0, at), pair.slice(at + 1))
    }
    return answer
  }

  /** Logs in at the provider's own pages as `name`; answers the address to which it sends the browser back. */
  async logIn(authorize: string, name: string, home: string): Promise<URL> {
    let answer = await this.#go(authorize)
    for (let step = 0; step < 12; step += 1) {
      const to = answer.headers.get('location')
      if (to) {
        const address = new URL(to, answer.url || authorize)
        if (address.origin === home) return address
        answer = await this.#go(address.href)
        continue
      }
      const page = await answer.text()
      const action = /<form[^>]*action="([^"]+)"/.exec(page)?.[1]
      const prompt = /name="prompt" value="([^"]+)"/.exec(page)?.[1]
      if (!action || !prompt) throw new Error(`the provider shows no form: ${answer.status} ${page.slice(0, 300)}`)
      answer = await this.#go(action, {
        method: 'POST',
        body: new URLSearchParams({ prompt, ...(prompt === 'login' ? { login: name, password: 'x' } : {}) }),
      })
    }
    throw new Error('the provider never sent the browser back')
  }
}

const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

const readBody = async (request: IncomingMessage): Promise<URLSearchParams> => {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return new URLSearchParams(Buffer.concat(parts).toString('utf8'))
}

export interface Lies {
  /** What the ID token says; `right` is what it should. */
  claims: (right: Record<string, unknown>) => Record<string, unknown>
  /** The key that signs it: another than the one it publishes, say. */
  key?: KeyObject
  /** What its description says; `right` is what it should. */
  about?: (right: Record<string, unknown>) => Record<string, unknown>
}

/** A provider of OpenID Connect that answers any code with the ID token that a test wants. `asked` counts its token calls. */
export async function startLiar(): Promise<Running & { lies: Lies; nonce: string; clientId: string; asked: number }> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const state = { lies: { claims: (right) => right } as Lies, nonce: '', clientId: '', asked: 0 }
  const running = await listen((url) => async (request, response) => {
    const tell = (body: object): void => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    if (request.url === '/.well-known/openid-configuration') {
      const right = {
        issuer: url,
        authorization_endpoint: `${url}/authorize`,
        token_endpoint: `${url}/token`,
        jwks_uri: `${url}/keys`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
      }
      return tell(state.lies.about?.(right) ?? right)
    }
    if (request.url === '/keys')
      return tell({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: '1', alg: 'RS256', use: 'sig' }] })
    if (request.url !== '/token') return void response.writeHead(404).end()
    state.asked += 1
    await readBody(request)
    const now = Math.floor(Date.now() / 1000)
    const right = { iss: url, sub: 'mallory', aud: state.clientId, nonce: state.nonce, iat: now, exp: now + 300 }
    const signed = `${base64({ alg: 'RS256', kid: '1' })}.${base64(state.lies.claims(right))}`
    const signature = createSign('RSA-SHA256')
      .update(signed)
      .sign(state.lies.key ?? privateKey, 'base64url')
    tell({ access_token: 'x', token_type: 'Bearer', id_token: `${signed}.${signature}` })
  })
  return Object.assign(state, running)
}

/** In the documented shape of GitHub (an enterprise's) and Gitee: a code of theirs is `code-<number>`, of the person with that id. */
export const startForge = (
  kind: 'github' | 'gitee',
  secret: string,
): Promise<Running & { lastQuery: () => string }> => {
  let lastQuery = ''
  const challenges = new Map<string, string>()
  const paths =
    kind === 'github'
      ? { authorize: '/login/oauth/authorize', token: '/login/oauth/access_token', user: '/api/v3/user' }
      : { authorize: '/oauth/authorize', token: '/oauth/token', user: '/api/v5/user' }
  return listen((url) => async (request, response) => {
    const address = new URL(request.url ?? '/', url)
    const tell = (body: unknown, status = 200): void => {
      response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body))
    }
    if (address.pathname === paths.authorize) {
      lastQuery = address.search
      const code = `code-${address.searchParams.get('as')}`
      challenges.set(code, address.searchParams.get('code_challenge') ?? '')
      const back = URL.parse(address.searchParams.get('redirect_uri') ?? '')
      if (!back) return tell({ error: 'redirect_uri missing' }, 404)
      back.searchParams.set('code', code)
      back.searchParams.set('state', address.searchParams.get('state') ?? '')
      return void response.writeHead(302, { location: back.href }).end()
    }
    if (address.pathname === paths.token && request.method === 'POST') {
      const form = await readBody(request)
      const code = form.get('code') ?? ''
      const challenge = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url')
      // GitHub tells of a wrong code with status 200.
      if (form.get('client_secret') !== secret || challenges.get(code) !== challenge)
        return tell({ error: 'bad_verification_code' }, kind === 'github' ? 200 : 400)
      challenges.delete(code)
      return tell({ access_token: `token-${code.slice(5)}`, token_type: 'bearer', scope: '' })
    }
    if (address.pathname === paths.user) {
      const token =
        kind === 'github'
          ? /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
          : address.searchParams.get('access_token')
      const id = Number(/^token-(\d+)$/.exec(token ?? '')?.[1])
      if (!id || !request.headers['user-agent']) return tell({ message: 'Bad credentials' }, 401)
      return tell({ id, login: `dev${id}`, name: null, email: 'the-same@example.com' })
    }
    return tell({ message: 'Not Found' }, 404)
  }).then((running) => ({ ...running, lastQuery: () => lastQuery }))
}
