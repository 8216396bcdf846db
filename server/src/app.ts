import { entities } from '@data-brain/contract'
import type { FastifyInstance } from 'fastify'
import { apiPageFiles, apiPageHeaders } from './api-page.ts'
import { serveConsole } from './console.ts'
import { bulkRoutes } from './entity/bulk-edit.ts'
import { learnConstraints } from './entity/constraint.ts'
import { recordAnswers } from './entity/read-log.ts'
import { entityRoutes } from './entity/routes.ts'
import { extensionServers } from './extensions.generated.ts'
import { allModules } from './extensions.ts'
import { healthRoutes, serveHealth } from './health.ts'
import { answer } from './kernel/answer.ts'
import { circumstanceOf } from './kernel/circumstance.ts'
import { fail } from './kernel/failure.ts'
import { registerRoutes } from './kernel/handlers.ts'
import { makeHttp } from './kernel/http-server.ts'
import { endUnasked } from './kernel/idle-connections.ts'
import { phaseOf } from './kernel/phase.ts'
import { Problem } from './kernel/problem.ts'
import type { Route } from './kernel/route.ts'
import { knowRoutes } from './kernel/route-path.ts'
import type { Services } from './kernel/services.ts'
import { endStalled } from './kernel/stalled-clients.ts'
import { closeUnread } from './kernel/unread-body.ts'
import { serveMetrics } from './metrics.ts'
import { stopLive } from './modules/desk/index.ts'
import { startLogs } from './modules/log/index.ts'
import { serveDescription } from './openapi.ts'

/** Every route of the product and its extensions: the generic calls of every entity, and what the modules add to them. */
export function allRoutes(): Route[] {
  const routes = [
    ...entities.flatMap((entity) =>
      entityRoutes(
        entity,
        allModules.flatMap((module) => module.serves?.[entity.name] ?? []),
      ),
    ),
    ...allModules.flatMap((module) => module.routes ?? []),
    ...healthRoutes,
  ]
  return [...routes, ...bulkRoutes(routes)]
}

/**
 * The routes that stand without extensions, or with some of those that are built in: theirs, and of the core's routes the
 * codes of theirs that open them, as a form of an extension does where it chooses among rows of the core.
 */
export function routesWith(names: readonly string[] = []): Route[] {
  const others = extensionServers.map(({ name }) => name).filter((name) => !names.includes(name))
  const isOther = (text: string, begin: string, end: string) =>
    others.some((name) => text.startsWith(begin + name + end))
  return allRoutes()
    .filter(({ path }) => !isOther(path, '/ext-', '/'))
    .map((route) =>
      typeof route.access === 'string'
        ? route
        : ({ ...route, access: { codes: route.access.codes.filter((code) => !isOther(code, '', '_')) } } as Route),
    )
}

let rulesAdded = false

/** Puts the server together; it listens to nothing yet. */
export function makeApp(services: Services): FastifyInstance {
  // Rules belong to the definitions, of which a process has one set: two servers in one process share them.
  if (!rulesAdded) for (const module of allModules) module.addRules?.()
  rulesAdded = true
  learnConstraints(services.absent)
  recordAnswers()
  const http = makeHttp(services)
  startLogs(http, services)
  serveHealth(http, services)
  serveMetrics(http, services)
  const routes = allRoutes()
  knowRoutes(routes)
  registerRoutes(http, services, routes)
  serveDescription(http, routes)
  for (const { path, type, text } of apiPageFiles)
    http.get(path, (_request, reply) => reply.headers(apiPageHeaders).type(type).send(text()))
  for (const { unknown } of allModules)
    if (unknown)
      http.all(`/api${unknown.under}/*`, (request, reply) => {
        closeUnread(request, reply)
        return answer(request, reply, unknown.told)
      })
  http.all('/api/*', (request, reply) => fail(services, new Problem('route_unknown'), request, reply))
  serveConsole(http, services)
  http.addHook('preClose', () => stopLive(services))
  endUnasked(http)
  endStalled(http)
  http.addHook('onSend', (request, reply, payload, done) => {
    reply.header('X-Content-Type-Options', 'nosniff')
    // What is refused for its address has none of the console's.
    if (!request.url.startsWith('/') || request.url.startsWith('/api/'))
      reply.header('Cross-Origin-Resource-Policy', 'same-origin').header('Referrer-Policy', 'no-referrer')
    // Who reports a fault names a call, never a file of the console.
    if (!request.url.startsWith('/assets/')) reply.header('X-Request-Id', circumstanceOf(request).requestId)
    // A connection that is kept would be waited for until its client lets go of it.
    if (phaseOf(services) === 'stopping') reply.header('Connection', 'close')
    done(null, payload)
  })
  return http
}
