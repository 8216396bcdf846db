import type { Page } from '@data-brain/contract'
import { get, post } from '../../http/client.ts'

/** A log-in that still lives. */
export interface OnlineSession {
  readonly id: string
  readonly userId: string
  readonly account: string
  readonly realName: string | null
  readonly deptName: string | null
  readonly address: string | null
  readonly agent: string | null
  readonly createdAt: string
  readonly lastUsed: string
  readonly clientId: string | null
  /** 1: the session that asks. */
  readonly own: 0 | 1
}

export interface Asked {
  readonly current: number
  readonly size: number
  readonly account: string
  readonly realName: string
}

export const readSessions = (asked: Asked, signal: AbortSignal): Promise<Page<OnlineSession>> =>
  get('blade-system/session/list', { ...asked }, { signal, silent: true })

export const endSessions = (ids: readonly string[]): Promise<null> =>
  post('blade-system/session/end', { query: { ids } })
