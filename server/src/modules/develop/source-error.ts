import type { Words } from '@data-brain/contract'
import { OutboundError } from '../../kernel/outbound.ts'
import { Problem } from '../../kernel/problem.ts'

/** A data source that could not be read, in words that tell nothing inner: no text of the other server's own. */
export class SourceError extends Error {
  readonly words: Words
  /** Whether the words may be told to whoever reads a table of the source, and not only to those who look after it. */
  readonly isOpen: boolean
  constructor(words: Words, isOpen = false) {
    super(words.en)
    this.name = 'SourceError'
    this.words = words
    this.isOpen = isOpen
  }
  /** The same as an answer of a call. */
  problem(): Problem {
    return new Problem('rule_broken', { reason: this.words })
  }
}

const fail = (zh: string, en: string): SourceError => new SourceError({ zh, en })

const open = (zh: string, en: string): SourceError => new SourceError({ zh, en }, true)

export const wrongPassword = (): SourceError =>
  open('用户名或密码错误，或不允许从本服务器登录', 'Wrong user name or password, or no log-in from this server')
export const noDatabase = (): SourceError =>
  fail('没有这个数据库，或没有访问权限', 'No such database, or no access to it')
export const tableGone = (table: string): SourceError =>
  fail(`表“${table}”已不存在或不可读取，请刷新列表`, `The table “${table}” is gone or cannot be read: reload the list`)
export const tooSlow = (): SourceError => open('数据源没有按时回答', 'The data source did not answer in time')
export const tooMany = (most: number): SourceError =>
  open(`数据源返回超过${most}行，已停止读取`, `The data source answered more than ${most} rows: reading was stopped`)
export const busy = (): SourceError =>
  open('该数据源的连接都在使用中，请稍后再试', 'All connections to this data source are in use: try again shortly')

/** What went wrong on the way to a server, whichever client told of it. `code` is all that is kept of an unknown failure. */
export function reachFailure(error: unknown, host: string): SourceError {
  if (error instanceof SourceError) return error
  if (error instanceof OutboundError) return new SourceError(error.words)
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return fail(`找不到主机 ${host}，请检查地址`, `The host ${host} was not found: check the address`)
  if (code === 'ECONNREFUSED')
    return fail(
      `${host} 拒绝连接，请检查端口和数据库是否启动`,
      `${host} refused the connection: check the port, and that the database is running`,
    )
  if (code === 'ETIMEDOUT' || code === 'ABORT_ERR') return tooSlow()
  if (/CERT|TLS|SSL|ERR_TLS/.test(String(code)))
    return fail(
      '加密连接失败，请检查证书或 sslmode 参数',
      'The encrypted connection failed: check the certificate or the parameter sslmode',
    )
  const why = /^[A-Z0-9_]{1,40}$/.test(String(code)) ? ` (${code})` : ''
  return fail(`无法读取数据源${why}`, `The data source cannot be read${why}`)
}
