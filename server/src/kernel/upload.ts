import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from './problem.ts'
import { temporaryFolder } from './temporary.ts'
import { carriesBody } from './unread-body.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body carries a file. */
    upload?: boolean
  }
}

/** Largest file of an upload whose route names no other limit. */
export const uploadLimit = 50 * 1_048_576

/** A limit in bytes, or what it is for a file of this name. */
export type UploadLimit = number | ((name: string) => number)

/** A file that has arrived whole, in a folder of its own that is gone when the request ends. */
export interface ReceivedFile {
  /** Where the file lies. What else is put into its folder goes with it. */
  readonly path: string
  /** The client's name for it: shown, never used as a path. */
  readonly name: string
  readonly size: number
  readonly sha256: string
  readonly fields: Record<string, unknown>
  /** Hands the file over: it is no longer removed with the request. */
  keep(): void
  discard(): Promise<void>
}

/** Refuses what has more than so many bytes. */
export const tooLarge = (most: number): Problem =>
  new Problem('body_too_large', {
    limit: most < 1_048_576 ? `${Math.round(most / 1024)} kB` : `${Math.round(most / 1_048_576)} MB`,
  })

/** Receives one file of a multipart body onto disk. A second file, none, or too large a one is refused in words. */
export async function receiveFile(request: FastifyRequest, limit: UploadLimit): Promise<ReceivedFile> {
  if (!String(request.headers['content-type'] ?? '').startsWith('multipart/form-data'))
    throw new Problem('media_unsupported')
  const folder = await temporaryFolder()
  const path = join(folder.path, 'file')
  let kept = false
  const discard = async (): Promise<void> => {
    if (!kept) await folder.remove()
  }
  try {
    const fields: Record<string, unknown> = {}
    const hash = createHash('sha256')
    let name: string | undefined
    let size = 0
    // Gone while it was asked who it is: its end has been told already, and nobody would hear of it again.
    if (request.raw.destroyed) throw new Problem('bad_request')
    for await (const part of request.parts({ limits: { fileSize: Number.MAX_SAFE_INTEGER } })) {
      if (part.type === 'field') {
        fields[part.fieldname] = part.fieldname in fields ? [] : part.value
        continue
      }
      // A part may come without a name, whatever its type says.
      name = (part.filename ?? '').slice(-255)
      const most = typeof limit === 'number' ? limit : limit(name)
      // Counted here: a file that is too large is refused with its first byte too many, not with its last.
      await pipeline(
        part.file,
        async function* (chunks: AsyncIterable<Buffer>) {
          for await (const chunk of chunks) {
            size += chunk.length
            if (size > most) throw tooLarge(most)
            hash.update(chunk)
            yield chunk
          }
        },
        createWriteStream(path),
      )
    }
    if (name === undefined) throw new Problem('parameter_missing', { field: 'file' })
    return {
      path,
      name,
      size,
      sha256: hash.digest('hex'),
      fields,
      keep: () => {
        kept = true
      },
      discard,
    }
  } catch (error) {
    await discard()
    throw error
  }
}

/** Milliseconds that a body may take: one that carries a file may take its time as long as it does not stand still. */
const bodyTimes = { short: 15_000, file: 3_600_000, still: 30_000 }

/** Cuts off requests whose body does not come: so many connections that wait would keep everybody else out. */
export function timeBodies(http: FastifyInstance, times: typeof bodyTimes = bodyTimes): void {
  http.addHook('onRequest', (request, reply, done) => {
    const { raw } = request
    if (!carriesBody(raw)) return done()
    const upload = request.routeOptions.config.upload === true
    let read = raw.socket.bytesRead
    const end = (): void => {
      clearTimeout(whole)
      clearInterval(still)
    }
    const cut = (): void => {
      end()
      if (!reply.raw.headersSent) raw.socket.write('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n')
      raw.socket.destroy()
    }
    const whole = setTimeout(cut, upload ? times.file : times.short).unref()
    const still = setInterval(() => {
      if (raw.socket.bytesRead === read) cut()
      read = raw.socket.bytesRead
    }, times.still).unref()
    raw.once('end', end)
    reply.raw.once('close', end)
    done()
  })
}
