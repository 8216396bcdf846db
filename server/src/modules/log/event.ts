import type { LogEvent } from '@data-brain/contract/entities/log/logs'
import type { RequestTrace } from '../../kernel/trace.ts'

/** What a call is in the usual log, by its method and path; the first that fits holds. */
const events: readonly (readonly [RegExp, LogEvent])[] = [
  [/^GET \/blade-auth\/oauth\/logout$/, 'logout'],
  [/^POST \/blade-user\/unlock$/, 'unlock'],
  [/^POST \/blade-user\/(reset-password|update-password|reset-second-factor)$/, 'password'],
  [/^POST \/blade-user\/second-factor\/(confirm|recovery|remove)$/, 'password'],
  [/^POST \/blade-system\/session\/end$/, 'session'],
  [/^POST .*\/grant$/, 'grant'],
  [/^POST \/blade-system\/(userclientrelevance|tenantclientrelevance)\//, 'grant'],
  [/^(GET|POST) .*(\/export|\/export-job|\/job\/file|\/import-user\/passwords)$/, 'export'],
  [/^POST \/blade-(system|develop|resource\/(oss|sms|mail))\//, 'admin'],
  [/^POST \/blade-user\/(submit|remove|update|update-platform|restore|bulk)$/, 'admin'],
  [/^POST \/blade-desk\/notice\//, 'admin'],
]

const reading = /\/(grant-preview|explain)\b/

/** The event that an answered call was, with its gravity; undefined where it is none. */
export function eventOf(trace: RequestTrace, status: number): { event: LogEvent; level: 'info' | 'warn' } | undefined {
  const { route } = trace
  if (!route) return undefined
  const key = `${route.method} ${route.path}`
  if (key === 'POST /blade-auth/oauth/token') {
    // A first step that went well has neither let anybody in nor kept anybody out.
    if (trace.given?.grant_type === 'refresh_token' || trace.problem === 'second_factor_needed') return undefined
    if (status < 400) return { event: 'login', level: 'info' }
    return { event: trace.locks ? 'lock' : 'login_failed', level: 'warn' }
  }
  // A preview changes nothing.
  if (status >= 400 || reading.test(key) || trace.given?.preview === '1') return undefined
  const event = events.find(([pattern]) => pattern.test(key))?.[1]
  return event && { event, level: 'info' }
}
