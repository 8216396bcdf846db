import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from './problem.ts'

/** Most bytes of a form that brings parameters. */
export const formLimit = 65_536

/** Answers what is no request that could be read: in both languages, because which one is asked for was not read either. */
export function refuseUnread(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const [status, title, problem] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? ([431, 'Request Header Fields Too Large', new Problem('body_too_large', { limit: '16 kB' })] as const)
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ([408, 'Request Timeout', new Problem('bad_request')] as const)
        : ([400, 'Bad Request', new Problem('bad_request')] as const)
  const msg = `${problem.words('zh')} / ${problem.words('en')}`
  const text = JSON.stringify({ code: status, success: false, data: null, msg })
  if (socket.writable)
    socket.write(
      `HTTP/1.1 ${status} ${title}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(text)}\r\nX-Content-Type-Options: nosniff\r\nCross-Origin-Resource-Policy: same-origin\r\nReferrer-Policy: no-referrer\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n${text}`,
    )
  socket.destroySoon()
}

/** The largest body that a request could have had. */
export const bodyLimitOf = (request: FastifyRequest): number =>
  Math.min(
    request.routeOptions.bodyLimit ?? 1_048_576,
    String(request.headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded')
      ? formLimit
      : Number.POSITIVE_INFINITY,
  )

/** Whether a request says that it has a body. */
export const carriesBody = ({ headers }: IncomingMessage): boolean =>
  (headers['content-length'] ?? '0') !== '0' || headers['transfer-encoding'] !== undefined

/** Whether the other side has gone before its body was there. */
export const isGone = ({ raw }: FastifyRequest): boolean => raw.destroyed && raw.complete === false

/** How long what still comes is read away, in milliseconds, so that the answer is not lost with the connection. */
const lingerMs = 2_000

/**
 * Ends the connection of a request that is refused before its body has been read: the next one on it would wait until
 * all of a body has come that nobody wants.
 */
export function closeUnread({ raw }: FastifyRequest, reply: FastifyReply): void {
  const { socket } = raw
  if (raw.complete !== false || !carriesBody(raw) || !socket || socket.destroyed) return
  reply.header('Connection', 'close')
  // Node would cut it off at once, and the system tells the other side of that before it has read the answer.
  socket.destroySoon = () => {
    socket.end()
    raw.resume()
    setTimeout(() => socket.destroy(), lingerMs).unref()
  }
}
