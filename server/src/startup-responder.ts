import { nodeHttp } from './kernel/lazy-import.ts'

/**
 * Answers on the port while the server starts, which takes long only when a new version changes a big database: alive,
 * but not ready. Answers how to leave the port to the server. A port that cannot be had ends the start before it began.
 */
export async function waitOnPort(port: number, host: string): Promise<() => Promise<void>> {
  const room = nodeHttp().createServer((request, response) => {
    const alive = request.url === '/healthz'
    response.writeHead(alive ? 200 : 503, {
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'no-store',
      Connection: 'close',
      ...(alive ? {} : { 'Retry-After': '2' }),
    })
    response.end(JSON.stringify({ status: alive ? 'alive' : 'starting' }))
  })
  // Any free port is known to nobody yet.
  if (port === 0) return async () => {}
  await new Promise<void>((done, fail) => {
    room.once('error', fail)
    room.listen(port, host, done)
  })
  return async () => {
    await new Promise((done) => {
      room.close(done)
      room.closeAllConnections()
    })
  }
}
