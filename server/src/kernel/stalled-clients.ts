import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Least bytes that whoever is sent an answer must take within some time; fewer are no reading, but holding. */
const paces = { least: 65_536, within: 30_000, look: 2_500 }

/**
 * Bytes that the system has taken on a connection, and whether more wait for it. What the stream has handed on and the
 * system would not take yet is known to the handle alone, and a file in one piece is all there.
 */
function sentOn(socket: Socket): { sent: number; waits: boolean } {
  const { _handle: handle } = socket as { _handle?: { bytesWritten: number; writeQueueSize: number } | null }
  if (!handle) return { sent: 0, waits: false }
  return { sent: handle.bytesWritten - handle.writeQueueSize, waits: socket.writableLength > 0 }
}

interface Watched {
  sent: number
  since: number
}

/**
 * Ends connections whose other side does not take its answer: what an answer is made of (a file, a connection to a
 * store, memory) would be held for as long as somebody likes. One that has nothing more to send just now is not meant.
 */
export function endStalled(http: FastifyInstance, { least, within, look }: typeof paces = paces): void {
  const open = new Map<ServerResponse, Watched>()
  http.addHook('onSend', async (_request, reply) => {
    const { raw } = reply
    if (!raw.socket || open.has(raw)) return
    open.set(raw, { sent: sentOn(raw.socket).sent, since: performance.now() })
    raw.once('close', () => open.delete(raw))
  })
  const watch = setInterval(() => {
    const now = performance.now()
    for (const [raw, watched] of open) {
      const { socket } = raw
      if (!socket) {
        open.delete(raw)
        continue
      }
      const { sent, waits } = sentOn(socket)
      if (!waits || sent - watched.sent >= least) Object.assign(watched, { sent, since: now })
      else if (now - watched.since >= within) socket.destroy()
    }
  }, look).unref()
  http.addHook('onClose', async () => clearInterval(watch))
}
