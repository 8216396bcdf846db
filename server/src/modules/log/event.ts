import type { LogEvent } from '@data-brain/contract/entities/log/logs'
import type { Trace } from '../../kernel/trace.ts'

/** What a call is in the usual log, by its method and path; the first that fits holds. */
const events: readonly (readonly [RegExp, LogEvent])[] = [
  [/^GET \/blade-auth\/oauth\/logout$/, 'logout'],
  [/^POST \/blade-user\/unlock$/, 'unlock'],
  [/^POST \/blade-user\/(reset-password|update-password)$/, 'password'],
  [/^POST \/blade-system\/session\/end$/, 'session'],
  [/^POST .*\/grant$/, 'grant'],
  [/^POST \/blade-system\/(userclientrelevance|tenantclientrelevance)\//, 'grant'],
  [/^(GET|POST) .*(\/export|\/import-user\/passwords)$/, 'export'],
  [/^POST \/blade-(system|develop|resource\/(oss|sms))\//, 'admin'],
  [/^POST \/blade-user\/(submit|remove|update|update-platform|restore)$/, 'admin'],
  [/^POST \/blade-desk\/notice\//, 'admin'],
]

const reading = /\/(grant-preview|explain)\b/

/** The event that an answered call was, with its gravity; undefined where it is none. */
export function eventOf(trace: Trace, status: number): { event: LogEvent; level: 'info' | 'warn' } | undefined {
  const { route } = trace
  if (!route) return undefined
  const key = `${route.method} ${route.path}`
  if (key === 'POST /blade-auth/oauth/token') {
    if (trace.given?.grant_type !== 'password') return undefined
    if (status < 400) return { event: 'login', level: 'info' }
    return { event: trace.locks ? 'lock' : 'login_failed', level: 'warn' }
  }
  if (status >= 400 || reading.test(key)) return undefined
  const event = events.find(([pattern]) => pattern.test(key))?.[1]
  return event && { event, level: 'info' }
}
