import type { FastifyRequest } from 'fastify'
import type { Circumstance } from './actor.ts'
import { isBrokenText } from './parameter.ts'
import type { Language } from './problem.ts'

/** The caller's language: the first of Accept-Language that we speak, Chinese where none is. */
export function languageOf(header: string | undefined): Language {
  for (const part of (header ?? '').split(',')) {
    const tag = part.trim().slice(0, 2).toLowerCase()
    if (tag === 'zh' || tag === 'en') return tag
  }
  return 'zh'
}

export function circumstanceOf(request: FastifyRequest): Circumstance {
  return {
    requestId: request.id,
    language: languageOf(request.headers['accept-language']),
    address: request.ip,
    agent: String(request.headers['user-agent'] ?? '').slice(0, 255),
    reason: reasonOf(request.headers['read-reason']),
  }
}

/** Why somebody reads, percent-encoded as a header must be; what cannot be read, or kept, is none. */
function reasonOf(header: string | string[] | undefined): string | undefined {
  try {
    const reason = decodeURIComponent(String(header ?? '')).trim()
    return reason === '' || isBrokenText(reason) ? undefined : [...reason].slice(0, reasonMost).join('')
  } catch {
    return undefined
  }
}
const reasonMost = 200
