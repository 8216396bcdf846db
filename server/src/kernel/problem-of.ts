import type { Words } from '@data-brain/contract'
import { UnknownOutcome } from '../database/transaction.ts'
import type { Circumstance } from './actor.ts'
import { conflictProblem, Problem } from './problem.ts'

export interface DatabaseError extends Error {
  code: string
  constraint?: string
  detail?: string
}

/** What a constraint of the database means to a person, and the field at which it is told. */
export interface ConstraintMeaning {
  readonly label: Words
  readonly field: string
  /** What is wrong, where the kind of the constraint alone does not say it. */
  readonly reason?: Words
  /** What is said of a key that is there already. */
  readonly taken?: Words
}

/** Tells constraints by their names; entity/constraint.ts knows them all. */
export type ConstraintWords = (constraint: string) => ConstraintMeaning | undefined
let constraintWords: ConstraintWords = () => undefined
export function setConstraintWords(words: ConstraintWords): void {
  constraintWords = words
}

const bug = (circumstance: Circumstance): Problem =>
  new Problem('bug', { requestId: circumstance.requestId }, { requestId: circumstance.requestId })

/** How the reader of multipart bodies says that one is not well formed: it has no codes. */
const brokenMultipart = /^(Multipart: Boundary not found|Unexpected end of multipart data|The needle cannot )/

/** How the driver says that the database cannot be reached, or is lost: it has no codes. */
const lostConnection =
  /timeout exceeded when trying to connect|^Query read timeout|^Connection terminated|Client has encountered a connection error|^Client was closed/

/** How the system says that the database cannot be reached. */
const unreachable: ReadonlySet<string> = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ENOENT', 'ETIMEDOUT'],
  ...['EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'],
])

/** Whether an error says that the database is away, or could not answer in time. */
export function isOutage(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false
  const { code } = thrown as DatabaseError
  return typeof code === 'string'
    ? /^(08|57P|53)/.test(code) || ['57014', '55P03', '40P01', '40001'].includes(code) || unreachable.has(code)
    : lostConnection.test(thrown.message)
}

/** How the database says that somebody else holds what is asked for: a lock waited for too long, or one of two that wait for each other. */
const held: ReadonlySet<string> = new Set(['55P03', '40P01', '40001'])

/** How the system and the database say that a disk, or what may be used of it, is full. */
const full: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', '53100'])

/** Whatever was thrown, as a problem: expected ones as they are, the database's refusals in words, the rest a bug. */
export function problemOf(thrown: unknown, circumstance: Circumstance): Problem {
  if (thrown instanceof Problem) return thrown
  if (thrown instanceof UnknownOutcome) return new Problem('outcome_unknown')
  if (!(thrown instanceof Error)) return bug(circumstance)
  const { code } = thrown as DatabaseError
  if (full.has(code)) return new Problem('disk_full')
  if (typeof code === 'string' && held.has(code)) return new Problem('busy')
  if (isOutage(thrown)) return new Problem('outage')
  if (typeof code !== 'string')
    return brokenMultipart.test(thrown.message) ? new Problem('bad_request') : bug(circumstance)
  if (code.startsWith('FST_')) return fromFastify(thrown as DatabaseError & { statusCode?: number }, circumstance)
  return problemOfDatabase(thrown as DatabaseError) ?? bug(circumstance)
}

/** What the database refuses, as a problem of the field that its constraint names. */
export function problemOfDatabase(error: DatabaseError): Problem | undefined {
  const known = error.constraint ? constraintWords(error.constraint) : undefined
  const invalid = (reason: Words): Problem =>
    new Problem(
      'field_invalid',
      { label: known?.label ?? { zh: '内容', en: 'Content' }, reason },
      { field: known?.field ?? null, fields: [] },
    )
  if (known?.reason) return invalid(known.reason)
  switch (error.code) {
    case '23505':
      return conflictProblem(known?.taken ?? { zh: '数据已存在', en: 'The row already exists' }, known?.field ?? null)
    case '23503':
      return known
        ? new Problem('reference_unknown', { label: known.label }, { field: known.field, fields: [] })
        : new Problem('reference_unknown', { label: { zh: '引用', en: 'Reference' } })
    case '23514':
    case '23502':
      return invalid({ zh: '不符合要求', en: 'does not meet the rules' })
    case '23P01':
      return invalid({ zh: '与已有数据的时间重叠', en: 'overlaps with an existing row' })
    case '22021':
    case '22P05':
      return invalid({ zh: '含有无法保存的字符', en: 'contains a character that cannot be stored' })
    case '22003':
    case '22008':
      return invalid({ zh: '超出范围', en: 'is out of range' })
    default:
      return undefined
  }
}

function fromFastify(error: DatabaseError & { statusCode?: number }, circumstance: Circumstance): Problem {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
    case 'FST_REQ_FILE_TOO_LARGE':
      return new Problem('body_too_large', { limit: '1 MB' })
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Problem('media_unsupported')
    case 'FST_INVALID_MULTIPART_CONTENT_TYPE':
      return new Problem('media_unsupported')
    default:
      return error.statusCode && error.statusCode < 500 ? new Problem('bad_request') : bug(circumstance)
  }
}
