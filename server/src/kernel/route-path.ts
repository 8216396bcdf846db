import type { Words } from '@data-brain/contract'
import type { Route } from './route.ts'

/*
 * The calls of this server as API scopes name them. A scope is matched against the routes that the server has
 * declared, when it is saved and when somebody's rights are read; what travels in a URL is never compared.
 */

let known: readonly Route[] = []
let closed: readonly Route[] = []
/** Those of `closed` that a scope can keep from somebody, by path: who has hundreds of scopes has them at every log-in. */
let keepable: ReadonlyMap<string, readonly Route[]> = new Map()

/** A call as it is named among those refused: `GET /blade-user/student/list`. */
export const routeKey = ({ method, path }: Pick<Route, 'method' | 'path'>): string => `${method} ${path}`

/** Tells which calls there are; called once, when the server is put together. */
export function knowRoutes(routes: readonly Route[]): void {
  known = routes
  closed = routes.filter((each) => each.access !== 'public')
  keepable = Map.groupBy(
    closed.filter((each) => !each.always),
    (each) => each.path,
  )
}

/** Every call that needs a session. */
export const knownRoutes = (): readonly Route[] => closed

let summaries: ReadonlyMap<string, Words> = new Map()

/** What a call is called, by the method and the path under which it came; undefined where there is no such call. */
export function knownSummary(method: string, url: string): Words | undefined {
  if (summaries.size !== known.length) summaries = new Map(known.map((each) => [routeKey(each), each.summary]))
  return summaries.get(`${method} ${url.replace(/^\/api/, '')}`)
}

const form = /^(?:(GET|POST) )?(?:\/api)?(\/[A-Za-z0-9._/-]*?)(\/\*\*)?$/

/**
 * The calls that a scope's path means: one path, or with `/**` at its end everything below it; `GET ` or `POST ` before
 * it narrows it to one method. Calls without which nobody could work or leave are never among them. Nothing where the
 * path is no such thing, or there is no such call.
 */
export function routesOf(scopePath: string): string[] {
  const [, method, path, below] = form.exec(scopePath.trim()) ?? []
  if (path === undefined) return []
  const meant = below
    ? closed.filter((each) => !each.always && each.path.startsWith(`${path}/`))
    : (keepable.get(path) ?? [])
  return meant.filter((each) => !method || each.method === method).map(routeKey)
}
