import { connect } from 'node:net'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { timeBodies } from '../src/kernel/upload.ts'

const http = Fastify()
let port = 0
beforeAll(async () => {
  timeBodies(http, { short: 300, file: 3_000, still: 300 })
  http.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  const answer = async (request: { body: unknown }) => ({ size: (request.body as Buffer).length })
  http.post('/draft', answer)
  http.post('/file', { config: { upload: true } }, answer)
  await http.listen({ port: 0, host: '127.0.0.1' })
  port = (http.server.address() as { port: number }).port
})
afterAll(() => http.close())

/** Sends a body of ten bytes, so many milliseconds between them; the last ones may never come. */
const send = (path: string, every: number, bytes: number): Promise<string> =>
  new Promise((done) => {
    let told = ''
    const socket = connect(port, '127.0.0.1', async () => {
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: x/y\r\nContent-Length: 10\r\nConnection: close\r\n\r\n`,
      )
      for (let sent = 0; sent < bytes && !socket.destroyed; sent += 1) {
        await new Promise((next) => setTimeout(next, every))
        if (!socket.destroyed) socket.write('x')
      }
    })
    socket.on('data', (part) => {
      told += String(part)
    })
    socket.on('error', () => {})
    socket.on('close', () => done(told.split('\r\n')[0] ?? ''))
  })

describe('bodies that do not come', () => {
  it('are waited for as long as their kind may take, and not when they stand still', async () => {
    const told = await Promise.all([
      send('/draft', 5, 10),
      send('/draft', 100, 10),
      send('/draft', 0, 3),
      send('/file', 100, 10),
      send('/file', 0, 3),
    ])
    const late = 'HTTP/1.1 408 Request Timeout'
    expect(told).toEqual(['HTTP/1.1 200 OK', late, late, 'HTTP/1.1 200 OK', late])
  })
})
