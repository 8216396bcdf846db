import { type Actor, holdsCode } from './actor.ts'
import { Problem } from './problem.ts'
import type { SessionRoute } from './route.ts'
import { routeKey } from './route-path.ts'

/** Whether an actor may call a route; throws the problem that says what is missing for what was sent. */
export function authorize(declared: Asked, actor: Actor, body?: unknown): void {
  if (actor.mustChange && !declared.beforeChange) throw new Problem('password_must_change')
  if (actor.mustSecond && !declared.beforeChange) throw new Problem('second_factor_must')
  const missing = missingFor(declared, actor)
  if (missing === undefined) return
  // Who changes a row lacks the right to change, where one call adds as well.
  const changes = Boolean((body as { id?: unknown } | null | undefined)?.id)
  const codes = declared.access === 'session' || !changes ? [] : declared.access.codes
  const edit = missing === codes[0] ? codes.find((code) => code.endsWith('_edit')) : undefined
  throw new Problem('forbidden', { code: edit ?? missing })
}

type Asked = Pick<SessionRoute, 'access' | 'beforeChange' | 'platform' | 'method' | 'path'>

/** What an actor lacks for a call: a code, or the call itself where an API scope keeps it; undefined where nothing. */
export function missingFor(asked: Asked, actor: Actor): string | undefined {
  const { access, platform } = asked
  if (access !== 'session' && !access.codes.some((wanted) => holdsCode(actor, wanted))) return access.codes[0] ?? ''
  if (platform && !actor.platform) return 'platform'
  const key = routeKey(asked)
  return actor.refused.has(key) ? key : undefined
}
