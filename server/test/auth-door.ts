import { randomInt } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { expect } from 'vitest'
import { sql } from '../src/database/statement.ts'
import { hashPassword, wireMd5 } from '../src/kernel/password.ts'
import type { Person, World } from './world.ts'

/** The administrator's password of every tenant that a world makes. */
export const password = 'Correct-Horse-9'

export interface TokenAnswer {
  status: number
  access_token: string
  refresh_token: string
  expires_in: number
  must_change?: boolean
  error?: string
  error_description?: string
  code?: number
  success?: boolean
  msg?: string
  [field: string]: unknown
}

export interface TokenCall {
  client?: string | null
  headers?: Record<string, string>
  address?: string
  language?: 'zh' | 'en'
  via?: 'query' | 'form' | 'multipart'
  http?: FastifyInstance
}

const elsewhere = (): string => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`

/** Calls the token route as clients do, each time from another address, and keeps every answer for `noSecrets`. */
export function makeDoor(world: World) {
  const { clientId, clientSecret } = world.services.secrets
  const seen: string[] = []
  const own = `${clientId}:${clientSecret}`

  const token = async (parameters: Record<string, string>, call: TokenCall = {}): Promise<TokenAnswer> => {
    const via = call.via ?? 'query'
    const client = call.client === undefined ? own : call.client
    const boundary = 'border-of-a-part'
    const part = ([name, value]: [string, string]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
    const types = {
      query: {},
      form: { 'content-type': 'application/x-www-form-urlencoded' },
      multipart: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    }
    const answer = await (call.http ?? world.http).inject({
      method: 'POST',
      url: '/api/blade-auth/oauth/token',
      ...(via === 'query' ? { query: parameters } : {}),
      ...(via === 'form' ? { payload: new URLSearchParams(parameters).toString() } : {}),
      ...(via === 'multipart'
        ? { payload: `${Object.entries(parameters).map(part).join('')}--${boundary}--\r\n` }
        : {}),
      headers: {
        'accept-language': call.language ?? 'zh',
        ...(client === null ? {} : { authorization: `Basic ${Buffer.from(client).toString('base64')}` }),
        ...types[via],
        ...call.headers,
      },
      remoteAddress: call.address ?? elsewhere(),
    })
    seen.push(answer.payload)
    return { status: answer.statusCode, ...(JSON.parse(answer.payload) as object) } as TokenAnswer
  }

  return {
    token,
    own,
    logIn: (tenantId: string, account: string, secret: string, call?: TokenCall) =>
      token(
        {
          grant_type: 'password',
          tenantId,
          username: account,
          password: wireMd5(secret),
          scope: 'all',
          type: 'account',
        },
        call,
      ),
    refresh: (refreshToken: string, call?: TokenCall, more: Record<string, string> = {}) =>
      token({ grant_type: 'refresh_token', refresh_token: refreshToken, scope: 'all', ...more }, call),
    /** A colleague who can log in; answers the account. */
    account: async (
      of: Person,
      given: { secret?: string; codes?: string[]; status?: number; mustChange?: boolean; expires?: string } = {},
    ) => {
      const colleague = await world.colleague(of, given.codes ?? [])
      const hash = await hashPassword(wireMd5(given.secret ?? password), world.services.secrets.pepper)
      await world.inTenant(of.tenantId, async (tx) => {
        await tx.run(
          sql`insert into credential (tenant_id, user_id, hash, must_change, expires_at)
              values (${of.tenantId}, ${colleague.userId}, ${hash}, ${given.mustChange ? 1 : 0}, now() + ${given.expires ?? null}::interval)`,
        )
        await tx.run(
          sql`update app_user set status = ${given.status ?? 1} where tenant_id = ${of.tenantId} and id = ${colleague.userId}`,
        )
      })
      return { account: `u${colleague.userId}`, userId: colleague.userId }
    },
    /** Fails when any answer so far held a stored hash or the md5 of a password. */
    noSecrets: () => {
      expect(seen.length).toBeGreaterThan(0)
      for (const answer of seen) {
        // By its name or its form: four letters alone are met by a random token.
        expect(answer).not.toMatch(/"\w*hash\w*":|\$argon2|\$v=19/i)
        expect(answer).not.toContain(wireMd5(password))
      }
    },
  }
}
