import { expect } from 'vitest'
import { mustBeStated, mustConform } from './conform.ts'
import type { Person, World } from './world.ts'

/*
 * A reader written by the text of the binding and RFC 6749 alone: it knows addresses, form fields, headers and answers,
 * and nothing of the server.
 */

const service = '/api/ims/oneroster/rostering/v1p2'
const scopeBase = 'https://purl.imsglobal.org/spec/or/v1p2/scope/'
export const allScopes = ['roster-core.readonly', 'roster.readonly', 'roster-demographics.readonly']
export const scopeOf = (name: string): string => `${scopeBase}${name}`

export interface Credentials {
  clientId: string
  clientSecret: string
}

export interface Read {
  status: number
  headers: Record<string, unknown>
  // biome-ignore lint/suspicious/noExplicitAny: answers of a foreign binding are looked at as they are.
  body: any
}

export class Reader {
  readonly #world: World
  readonly credentials: Credentials
  token = ''

  constructor(world: World, credentials: Credentials) {
    this.#world = world
    this.credentials = credentials
  }

  /** RFC 6749 §4.4.2: an access token request, the client authenticated by HTTP Basic (§2.3.1). */
  async authorize(
    form: Record<string, string> = {},
    basic: Credentials | null = this.credentials,
    fails = false,
  ): Promise<Read> {
    const answer = await this.#world.http.inject({
      method: 'POST',
      url: '/api/ims/oneroster/token',
      fails,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        ...(basic
          ? {
              authorization: `Basic ${Buffer.from(`${encodeURIComponent(basic.clientId)}:${encodeURIComponent(basic.clientSecret)}`).toString('base64')}`,
            }
          : {}),
      },
      payload: new URLSearchParams({ grant_type: 'client_credentials', ...form }).toString(),
    })
    const body = JSON.parse(answer.payload)
    mustBeStated('POST', 'ims/oneroster/token', answer.statusCode)
    mustConform('POST', 'ims/oneroster/token', body, answer.statusCode !== 200)
    if (answer.statusCode === 200) this.token = body.access_token
    return { status: answer.statusCode, headers: answer.headers, body }
  }

  async get(
    path: string,
    query: Record<string, string> = {},
    token: string | null = this.token,
    fails = false,
  ): Promise<Read> {
    const given = new URLSearchParams(query).toString()
    const answer = await this.#world.http.inject({
      method: 'GET',
      url: `${service}/${path}${given ? `?${given}` : ''}`,
      headers: token === null ? {} : { authorization: `Bearer ${token}` },
      fails,
    })
    const body = JSON.parse(answer.payload)
    const called = `${service}/${path}`.slice('/api/'.length)
    mustBeStated('GET', called, answer.statusCode)
    mustConform('GET', called, body, answer.statusCode !== 200)
    return { status: answer.statusCode, headers: answer.headers, body }
  }
}

/** A client as an administrator makes it, with its secret. */
export async function makeClient(
  admin: Person,
  more: Record<string, unknown> = {},
): Promise<Credentials & { id: string }> {
  const made = await admin.post<{ id: string }>('blade-user/rosterclient/submit', {
    name: `reader ${Math.random()}`,
    purpose: '课程平台同步名册',
    scopes: ['core', 'roster', 'demographics'],
    allSchools: 1,
    ...more,
  })
  expect(made.status, made.msg).toBe(200)
  const secret = await admin.post<Credentials>('blade-user/rosterclient/secret', undefined, {
    query: { id: made.data.id },
  })
  expect(secret.status, secret.msg).toBe(200)
  return { ...secret.data, id: made.data.id }
}

/** A reader with a token. */
export async function reader(world: World, admin: Person, more: Record<string, unknown> = {}) {
  const made = await makeClient(admin, more)
  const found = Object.assign(new Reader(world, made), { id: made.id })
  const answer = await found.authorize()
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return found
}
