import type { ProblemCode } from '@data-brain/contract'
import { isTenantCode } from '../../database/transaction.ts'
import type { Language } from '../../kernel/problem.ts'
import { Problem } from '../../kernel/problem.ts'
import { Bare, type PublicCall, publicRoute, type Route } from '../../kernel/route.ts'
import type { Services } from '../../kernel/services.ts'
import { readClient } from './client.ts'
import { readNarrow } from './narrow.ts'
import { passwordGrant } from './password-grant.ts'
import { md5Of } from './policy.ts'
import { refreshGrant } from './refresh-grant.ts'
import { Slow } from './slow.ts'

/** One pace per server of this process. */
const paces = new WeakMap<Services, Slow>()

function paceOf(services: Services): Slow {
  const kept = paces.get(services)
  if (kept) return kept
  const made = new Slow({ perMinute: services.environment.loginsPerMinute, longest: 2_000 })
  paces.set(services, made)
  return made
}

const text = { kind: 'text', max: 4_000 } as const
const parameters = {
  grant_type: text,
  tenantId: text,
  username: text,
  password: text,
  scope: text,
  type: text,
  refresh_token: text,
} as const

type TokenCall = PublicCall<typeof parameters>

/** The tenant of the header or the parameter, which must be the same where both are given. */
function tenantOf({ headers, parameters }: TokenCall): string | undefined {
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

function given(parameters: TokenCall['parameters'], field: 'username' | 'password' | 'refresh_token'): string {
  const value = parameters[field]
  if (value === undefined) throw new Problem('parameter_missing', { field })
  return value
}

/** The tenant that log-in means when none is named. */
const defaultTenant = '000000'

const grants: Record<string, (call: TokenCall) => Promise<object>> = {
  password: async (call) => {
    const client = readClient(call.headers.authorization)
    const tenantId = tenantOf(call) ?? defaultTenant
    const account = given(call.parameters, 'username')
    const md5 = md5Of(given(call.parameters, 'password'))
    const narrow = readNarrow(call.headers)
    await paceOf(call.services).pass(call.circumstance.address)
    return passwordGrant(call, { client, tenantId, account, md5, narrow })
  },
  refresh_token: async (call) => {
    const client = readClient(call.headers.authorization)
    const narrow = readNarrow(call.headers)
    const token = given(call.parameters, 'refresh_token')
    return refreshGrant(call, { client, tenantId: tenantOf(call), token, narrow })
  },
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
}

function failure(problem: Problem, language: Language): Bare {
  const words = problem.words(language)
  const body = {
    error: names[problem.problem] ?? 'invalid_grant',
    error_description: words,
    code: problem.status,
    success: false,
    msg: words,
  }
  const answer = new Bare(body, problem.status)
  answer.problem = problem
  return answer
}

/** Log-in and refresh; answers a bare object, and failures with `error_description` beside the envelope's own fields. */
export const tokenRoute: Route = publicRoute({
  method: 'POST',
  path: '/blade-auth/oauth/token',
  summary: { zh: '登录或刷新令牌', en: 'Log in, or refresh the tokens' },
  access: 'public',
  bare: true,
  parameters,
  handler: async (call) => {
    try {
      const grant = grants[call.parameters.grant_type ?? '']
      if (!grant || !Object.hasOwn(grants, call.parameters.grant_type ?? '')) throw new Problem('grant_unsupported')
      return new Bare(await grant(call))
    } catch (error) {
      if (error instanceof Problem) return failure(error, call.circumstance.language)
      throw error
    }
  },
})
