import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * Ends connections on which nobody has asked anything yet when the server stops. Browsers and clients open them ahead of
 * time; to Node they are not idle, and a server that stops would wait for them for as long as they are there.
 */
export function endUnasked(http: FastifyInstance): void {
  const unasked = new Set<Socket>()
  http.server.on('connection', (socket: Socket) => {
    unasked.add(socket)
    socket.once('close', () => unasked.delete(socket))
  })
  http.server.on('request', ({ socket }: { socket: Socket }) => unasked.delete(socket))
  http.addHook('preClose', async () => {
    for (const socket of unasked) socket.destroy()
  })
}
