import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { FastifyRequest } from 'fastify'
import { Problem } from './problem.ts'

/** Largest file of an upload whose route names no other limit. */
export const uploadLimit = 50 * 1_048_576

/** A file that has arrived whole, in a folder of its own that is gone when the request ends. */
export interface Received {
  /** Where the file lies. */
  readonly path: string
  /** The client's name for it: shown, never used as a path. */
  readonly name: string
  readonly size: number
  readonly fields: Record<string, unknown>
  /** Hands the file over: it is no longer removed with the request. */
  keep(): void
  discard(): Promise<void>
}

/** Receives one file of a multipart body onto disk. A second file, none, or too large a one is refused in words. */
export async function receive(request: FastifyRequest, limit: number): Promise<Received> {
  if (!String(request.headers['content-type'] ?? '').startsWith('multipart/form-data'))
    throw new Problem('media_unsupported')
  const folder = await mkdtemp(join(tmpdir(), 'data-brain-upload-'))
  const path = join(folder, 'file')
  let kept = false
  const discard = async (): Promise<void> => {
    if (!kept) await rm(folder, { recursive: true, force: true })
  }
  try {
    const fields: Record<string, unknown> = {}
    let name: string | undefined
    let size = 0
    for await (const part of request.parts({ limits: { fileSize: limit } })) {
      if (part.type === 'field') {
        fields[part.fieldname] = part.fieldname in fields ? [] : part.value
        continue
      }
      name = part.filename.slice(-255)
      part.file.on('data', (chunk: Buffer) => {
        size += chunk.length
      })
      await pipeline(part.file, createWriteStream(path))
      if (part.file.truncated) throw new Problem('body_too_large', { limit: `${Math.round(limit / 1024)} kB` })
    }
    if (name === undefined) throw new Problem('parameter_missing', { field: 'file' })
    return {
      path,
      name,
      size,
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
