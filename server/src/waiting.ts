import { nodeHttp } from './kernel/late.ts'

/**
 * Answers on the port while the server starts, which takes long only when a new version changes a big database: alive,
 * but not ready. Answers how to leave the port to the server. A port that cannot be had is the server's trouble.
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
  const listens = await new Promise<boolean>((done) => {
    room.once('error', () => done(false))
    // Any free port is known to nobody yet.
    if (port === 0) done(false)
    else room.listen(port, host, () => done(true))
  })
  return async () => {
    if (!listens) return
    await new Promise((done) => {
      room.close(done)
      room.closeAllConnections()
    })
  }
}
