import { expect } from 'vitest'
import { wireMd5 } from '../src/kernel/password.ts'
import { Visitor } from './social-provider.ts'
import type { Answer, Person, World } from './world.ts'

export const home = 'http://127.0.0.1:18765'
export const password = 'Long-Enough-Pass-7'
export const md5 = wireMd5(password)

export interface Provider {
  readonly id: string
  readonly version: number
}

export interface Tokens {
  readonly status: number
  readonly access_token: string
  readonly user_id: string
  readonly oauth_id: string
  readonly error?: string
  readonly error_description?: string
  readonly [field: string]: unknown
}

/** One browser at the product: what it was given to know itself by, and where it was sent and came back from. */
export function browserOf(world: World) {
  const { clientId, clientSecret } = world.services.secrets
  const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
  let cookie = ''
  const headers = (): Record<string, string> => (cookie ? { cookie } : {})
  return {
    headers,
    cookie: () => cookie,
    /** Goes to a provider; answers the address it is sent to. */
    leave: async (tenantId: string, source: string): Promise<URL> => {
      const answer = await world.call('GET', 'blade-auth/oauth/render', null, {
        query: { source, tenantId },
        headers: headers(),
      })
      expect(answer.status).toBe(302)
      const given = answer.headers['set-cookie']
      if (given) {
        expect(String(given)).toMatch(/^social=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=1800$/)
        cookie = String(given).split(';')[0] ?? ''
      }
      return new URL(String(answer.headers.location), home)
    },
    /** Comes back with what the address holds, or with something else in its place. */
    arrive: async (tenantId: string | undefined, back: URL, other: Record<string, string> = {}): Promise<Tokens> => {
      const given = Object.fromEntries(
        ['source', 'code', 'state', 'iss'].flatMap((name) => {
          const value = back.searchParams.get(name)
          return value === null ? [] : [[name, value]]
        }),
      )
      const answer = await world.call('POST', 'blade-auth/oauth/token', null, {
        form: { grant_type: 'social', scope: 'all', ...(tenantId ? { tenantId } : {}), ...given, ...other },
        headers: { ...headers(), authorization: basic },
      })
      return answer as unknown as Tokens
    },
    register: (form: Record<string, string>): Promise<Answer> =>
      world.call('POST', 'blade-user/register-guest', null, { form, headers: headers() }),
    link: (as: Person, query: Record<string, string>): Promise<Answer> =>
      as.post('blade-user/link-identity', undefined, { query, headers: headers() }),
  }
}

export type Browser = ReturnType<typeof browserOf>

/** Logs somebody in at a real provider and comes back to the product. */
export async function social(browser: Browser, tenantId: string, source: string, name: string): Promise<Tokens> {
  const away = await browser.leave(tenantId, source)
  return browser.arrive(tenantId, await new Visitor().logIn(away.href, name, home))
}

/** Adds a provider as an administrator does. */
export async function addProvider(admin: Person, draft: Record<string, unknown>): Promise<Provider> {
  const answer = await admin.post<Provider>('blade-auth/socialprovider/submit', {
    providerName: '学校账号',
    providerNameEn: 'School account',
    clientId: 'data-brain',
    clientSecret: 'the secret of the application',
    ...draft,
  })
  expect(answer.msg).toBe('操作成功')
  return answer.data
}
