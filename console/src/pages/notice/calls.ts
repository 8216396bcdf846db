import type { Page } from '@data-brain/contract'
import { get, post } from '../../http/client.ts'

export const publish = (ids: readonly string[]): Promise<readonly { id: string; status: number }[]> =>
  post('blade-desk/notice/publish', { query: { ids } })

export const withdraw = (ids: readonly string[]): Promise<null> =>
  post('blade-desk/notice/withdraw', { query: { ids } })

export interface Receipt {
  readonly userId: string
  readonly realName: string
  readonly deptName: string | null
  readonly readAt: string | null
}

export interface Receipts extends Page<Receipt> {
  readonly read: number
  readonly unread: number
}

export const readReceipts = (
  asked: { id: string; read?: 0 | 1 | undefined; current: number; size: number },
  signal: AbortSignal,
): Promise<Receipts> => get('blade-desk/notice/receipts', { ...asked }, { signal, silent: true })

export interface Client {
  readonly id: string
  readonly clientId: string
  readonly remark: string | null
}

export const readClients = (tenantId: string, signal: AbortSignal): Promise<readonly Client[]> =>
  get('blade-system/client/selectClientByTenantId', { tenantId }, { signal, silent: true })

/** Addresses under which these files can be shown for some minutes, by id. */
export const readLinks = (ids: readonly string[], signal?: AbortSignal): Promise<Readonly<Record<string, string>>> =>
  get('blade-resource/attach/link', { ids }, { silent: true, ...(signal ? { signal } : {}) })

const picture = /(\/api\/blade-resource\/attach\/file\?id=([1-9]\d{0,18}))[^"'\s>]*/g

/** A stored text whose pictures can be shown: <img> sends no header, so their addresses carry leave of their own. */
export async function withPictures(html: string, signal?: AbortSignal): Promise<string> {
  const ids = [...new Set([...html.matchAll(picture)].map(([, , id]) => id!))]
  if (ids.length === 0) return html
  const links = await readLinks(ids, signal)
  return html.replace(picture, (whole, plain: string, id: string) =>
    (links[id] ?? plain ?? whole).replaceAll('&', '&amp;'),
  )
}

/** A text as it is kept: pictures by their plain addresses. */
export const withoutLeave = (html: string): string => html.replace(picture, (_, plain: string) => plain)
