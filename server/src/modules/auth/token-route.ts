import type { ProblemCode } from '@data-brain/contract'
import type { InputOf } from '@data-brain/contract/call'
import { getToken } from '@data-brain/contract/calls/auth'
import { isTenantCode } from '../../database/transaction.ts'
import { onPublic } from '../../entity/serve-call.ts'
import type { Language } from '../../kernel/problem.ts'
import { Problem } from '../../kernel/problem.ts'
import { type PublicCall, RawRefusal, RawResponse, type Route } from '../../kernel/route.ts'
import { readCaptcha } from './captcha.ts'
import { readClient } from './client.ts'
import { loginPacing } from './login-rate.ts'
import { passwordGrant } from './password-grant.ts'
import type { TokenAnswer } from './person.ts'
import { phoneGrant } from './phone.ts'
import { md5Of } from './policy.ts'
import { refreshGrant } from './refresh-grant.ts'
import { secondFactorGrant } from './second-grant.ts'
import { readNarrow } from './switch-work.ts'

/** Waits as long as a try of the caller's address has to: all ways to log in count together. */
export const slowDown = loginPacing()

/** A call of the token, with what it was sent. */
export interface TokenCall extends Omit<PublicCall, 'parameters'> {
  readonly parameters: InputOf<typeof getToken>
}

/** The tenant that log-in means when none is named. */
const defaultTenant = '000000'

/** The tenant of the header or the parameter, which must be the same where both are given. */
function namedTenant({ headers, parameters }: TokenCall): string | undefined {
  const header = headers['tenant-id']
  if (header !== undefined && parameters.tenantId !== undefined && header !== parameters.tenantId)
    throw new Problem('tenant_differs')
  const tenantId = header ?? parameters.tenantId
  if (tenantId !== undefined && !isTenantCode(tenantId))
    throw new Problem('field_invalid', {
      label: { zh: '租户编号', en: 'Tenant code' },
      reason: { zh: '租户编号为6位数字', en: 'the tenant code has six digits' },
    })
  return tenantId
}

/** The tenant that a log-in is for. */
export const tenantOfLogin = (call: TokenCall): string => namedTenant(call) ?? defaultTenant

/** A parameter that a grant cannot do without. */
export function requiredParameter(parameters: TokenCall['parameters'], field: keyof TokenCall['parameters']): string {
  const value = parameters[field]
  if (value === undefined) throw new Problem('parameter_missing', { field })
  return value
}

/** A way to log in: finds out who somebody is, and answers what `openSession` does. */
export type TokenGrant = (call: TokenCall) => Promise<TokenAnswer>

const byPassword =
  (withCaptcha: boolean): TokenGrant =>
  async (call) => {
    const client = readClient(call.headers.authorization)
    const tenantId = tenantOfLogin(call)
    const account = requiredParameter(call.parameters, 'username')
    const md5 = md5Of(requiredParameter(call.parameters, 'password'))
    const narrow = readNarrow(call.headers)
    const captcha = withCaptcha ? { captcha: readCaptcha(call.headers) } : {}
    await slowDown(call)
    return passwordGrant(call, { client, tenantId, account, md5, narrow, ...captcha })
  }

const grants = new Map<string, TokenGrant>([
  ['password', byPassword(false)],
  ['captcha', byPassword(true)],
  [
    'sms_code',
    async (call) => {
      const client = readClient(call.headers.authorization)
      const tenantId = tenantOfLogin(call)
      const phone = requiredParameter(call.parameters, 'phone').trim()
      const code = requiredParameter(call.parameters, 'code').trim()
      const narrow = readNarrow(call.headers)
      await slowDown(call)
      return phoneGrant(call, { client, tenantId, phone, code, narrow })
    },
  ],
  [
    'second_factor',
    async (call) => {
      const client = readClient(call.headers.authorization)
      const ticket = requiredParameter(call.parameters, 'ticket')
      const code = requiredParameter(call.parameters, 'code')
      await slowDown(call)
      return secondFactorGrant(call, { client, ticket, code })
    },
  ],
  [
    'refresh_token',
    async (call) => {
      const client = readClient(call.headers.authorization)
      const narrow = readNarrow(call.headers)
      const token = requiredParameter(call.parameters, 'refresh_token')
      return refreshGrant(call, { client, tenantId: namedTenant(call), token, narrow })
    },
  ],
])

/** Adds a way to log in, under the name of its grant. */
export function addGrant(name: string, grant: TokenGrant): void {
  grants.set(name, grant)
}

/** The names that RFC 6749 gives to failures; what is not here is `invalid_grant`. */
const names: Partial<Record<ProblemCode, string>> = {
  client_failed: 'invalid_client',
  grant_unsupported: 'unsupported_grant_type',
  parameter_missing: 'invalid_request',
  field_invalid: 'invalid_request',
  tenant_differs: 'invalid_request',
  narrow_refused: 'invalid_scope',
  login_busy: 'temporarily_unavailable',
  captcha_needed: 'captcha_needed',
  second_factor_needed: 'second_factor_needed',
  second_factor_over: 'second_factor_over',
}

function failure(problem: Problem, language: Language): RawRefusal {
  const words = problem.words(language)
  const body = {
    error: names[problem.problem] ?? 'invalid_grant',
    error_description: words,
    code: problem.status,
    success: false,
    msg: words,
    ...(problem.data ? { data: problem.data } : {}),
  }
  return new RawRefusal(body, problem.status, { problem })
}

/** Log-in and refresh; answers a bare object, and failures with `error_description` beside the envelope's own fields. */
export const tokenRoute: Route = onPublic(getToken, async (parameters, call) => {
  try {
    const grant = grants.get(parameters.grant_type ?? '')
    if (!grant) throw new Problem('grant_unsupported')
    const answer = new RawResponse(await grant({ ...call, parameters }))
    const { account } = answer.body
    if (account) answer.account = account
    return answer
  } catch (error) {
    if (error instanceof Problem) return failure(error, call.circumstance.language)
    throw error
  }
})
