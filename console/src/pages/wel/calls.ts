import type { Page } from '@data-brain/contract'
import { get, post } from '../../http/client.ts'

/** What home, the reader's page and the popover have asked for begins with this. */
export const noticesKey = ['notices'] as const

/** Those of them that ask for a receipt. */
export const receiptsKey = [...noticesKey, 'list', 'receipts'] as const

/** A notice as it stands in a reader's list. */
export interface Head {
  readonly id: string
  readonly title: string
  readonly categoryName: string | null
  readonly releaseTime: string
  readonly isTop: number | null
  readonly needRead: number | null
  readonly summary: string | null
  readonly createUserName: string | null
  readonly readAt: string | null
  /** Until when the receipt is asked for. */
  readonly confirmBy: string | null
  /** When the reader gave the receipt. */
  readonly confirmedAt: string | null
}

export interface NoticeFile {
  readonly id: string
  readonly name: string
  readonly size: number | null
  readonly link: string
}

export interface Notice extends Head {
  /** HTML that the server has cleaned; it is cleaned again before it is shown. */
  readonly content: string
  readonly attachments: readonly NoticeFile[]
}

/** What the product itself told the user. */
export interface Message {
  readonly id: string
  readonly kind: string
  readonly title: string
  readonly body: string | null
  readonly link: string | null
  readonly readAt: string | null
  readonly createTime: string
}

export interface Asked {
  readonly current: number
  readonly size: number
  readonly unread?: 1 | undefined
  readonly unconfirmed?: 1 | undefined
}

export const readHeads = (asked: Asked, signal: AbortSignal): Promise<Page<Head>> =>
  get('blade-desk/notice/noticeListByTenantIdAndClient', { ...asked }, { signal, silent: true })

/** One notice; that it was read is recorded. */
export const readNotice = (id: string, signal: AbortSignal): Promise<Notice> =>
  get('blade-desk/notice/read', { id }, { signal, silent: true })

/** Gives the receipt that a notice asks for. */
export const confirmNotice = (id: string): Promise<{ readonly confirmedAt: string }> =>
  post('blade-desk/notice/confirm', { query: { id } })

export const readAllNotices = (): Promise<null> => post('blade-desk/notice/read-all')

export const readMessages = (asked: Asked, signal: AbortSignal): Promise<Page<Message>> =>
  get('blade-desk/inbox/list', { ...asked }, { signal, silent: true })

/** Marks these messages as read, or all. */
export const markMessages = (ids?: readonly string[]): Promise<null> =>
  post('blade-desk/inbox/read', ids ? { query: { ids } } : {})
