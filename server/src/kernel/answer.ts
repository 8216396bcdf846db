import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { envelopeWords } from '@data-brain/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { languageOf } from './circumstance.ts'
import { RawResponse } from './route.ts'
import { traceOf } from './trace.ts'
import { type TurnHolder, TurnQueue } from './turn-queue.ts'

/** Files that are fetched. Pages ask for many pictures at once: these wait for each other. */
const streams = new TurnQueue({
  ...{ atOnce: 256, perTenant: 64, perUser: 8 },
  ...{ waitingOfUser: 200, waitingOfTenant: 1_000, longest: 30_000 },
})

/** For whom a request is answered: whoever a link gives leave to is nobody, of the link's tenant. */
export function holderOf(request: FastifyRequest): TurnHolder {
  const { actor, given } = traceOf(request)
  return actor ?? { tenantId: given?.tenant ?? request.ip, userId: null }
}

/** Waits for a turn at sending bytes as they come, which lasts until they have been taken. */
async function takeStream(request: FastifyRequest, { body, headers }: RawResponse): Promise<void> {
  // Channels of news last for an hour, and are counted where they are opened.
  if (!(body instanceof Readable) || headers['Content-Type']?.startsWith('text/event-stream')) return
  // A file that breaks off while it waits is told by what sends it.
  body.on('error', () => {})
  const end = await streams.take(holderOf(request)).catch((error: unknown) => {
    body.destroy()
    throw error
  })
  if (body.destroyed) end()
  else body.once('close', end)
}

/** Shorter answers travel as they are: packing them costs more than it saves. */
const packedFrom = 8_192
const pack = promisify(brotliCompress)

/** What Fastify sends for a handler. The reply itself would be waited for until all of it has been taken. */
export type Payload = string | Buffer | Readable | null

/** The body of an answer: an envelope, or what a handler answers bare; a long one is packed where the client takes it. */
export async function answer(request: FastifyRequest, reply: FastifyReply, data: unknown): Promise<Payload> {
  reply.header('Cache-Control', 'no-store')
  if (data instanceof RawResponse) {
    if (data.problem)
      Object.assign(traceOf(request), { problem: data.problem.problem, locks: 'locks' in data.problem.detail })
    if (data.account) traceOf(request).account = data.account
    for (const [name, value] of Object.entries(data.headers)) reply.header(name, value)
    if (request.method === 'HEAD') {
      // Only what stands above it is told: bytes that nobody is sent are not made.
      if (data.body instanceof Readable) data.body.destroy()
      if (data.body instanceof Readable || data.body === null) {
        reply.status(data.status)
        return null
      }
    }
    await takeStream(request, data)
    reply.status(data.status)
    if (
      typeof data.body === 'string' ||
      Buffer.isBuffer(data.body) ||
      data.body === null ||
      data.body instanceof Readable
    )
      return data.body
    reply.type('application/json; charset=utf-8')
    return JSON.stringify(data.body)
  }
  const msg = envelopeWords.done[languageOf(request.headers['accept-language'])]
  const text = JSON.stringify({ code: 200, success: true, data: data ?? null, msg })
  reply.type('application/json; charset=utf-8')
  if (text.length < packedFrom || !/\bbr\b/.test(String(request.headers['accept-encoding'] ?? ''))) return text
  const packed = await pack(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })
  reply.header('Content-Encoding', 'br').header('Vary', 'Accept-Encoding')
  return packed
}
