import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { Problem } from './problem.ts'

/**
 * Whether a request can be read in two ways: with two hosts, of which a proxy may take the other one, be it in the line of
 * the request; or with a length by pieces in a version of HTTP that knows none, after which a proxy may see another request where this server sees a body.
 */
export function isAmbiguous({ rawHeaders, httpVersion, headers, url = '/' }: IncomingMessage): boolean {
  // An address with a host is said to a proxy; what is no address at all is `*`.
  if (!url.startsWith('/') && url !== '*') return true
  if (httpVersion !== '1.1' && headers['transfer-encoding'] !== undefined) return true
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]!.length === 4 && rawHeaders[at]!.toLowerCase() === 'host') hosts += 1
  return hosts > 1
}

/** Refuses such requests, and their connections with them. */
export function refuseAmbiguous(http: FastifyInstance): void {
  http.addHook('onRequest', (request, reply, done) => {
    if (!isAmbiguous(request.raw)) return done()
    reply.header('Connection', 'close')
    done(new Problem('bad_request'))
  })
}
