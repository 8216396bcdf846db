import type { Page } from '@data-brain/contract'
import { get, post } from '../../http/client.ts'

export const publish = (ids: readonly string[]): Promise<readonly { id: string; status: number }[]> =>
  post('blade-desk/notice/publish', { query: { ids } })

export const withdraw = (ids: readonly string[]): Promise<null> =>
  post('blade-desk/notice/withdraw', { query: { ids } })

/** How many people these notices reach. */
export const readReach = (ids: readonly string[]): Promise<{ readonly people: number }> =>
  get('blade-desk/notice/audience', { ids }, { silent: true })

/** How many people a notice with these targets would reach, and how many each of them alone. */
export const readAudience = (
  { targetType, targetIds }: { targetType: string; targetIds: readonly string[] },
  signal: AbortSignal,
): Promise<{ readonly people: number; readonly each: Readonly<Record<string, number>> }> =>
  get(
    'blade-desk/notice/audience',
    { targetType, targetIds: targetIds.length > 0 ? targetIds : undefined },
    { signal, silent: true },
  )

export interface Receipt {
  readonly userId: string
  readonly realName: string
  readonly deptName: string | null
  readonly className: string | null
  readonly readAt: string | null
  readonly confirmedAt: string | null
}

export interface Receipts extends Page<Receipt> {
  readonly read: number
  readonly unread: number
  readonly confirmed: number
  readonly unconfirmed: number
  /** The last reminder; `wait`: seconds until there may be another one. */
  readonly reminded: {
    readonly people: number
    readonly userName: string
    readonly time: string
    readonly wait: number
  } | null
}

/** Reminds those who have not given the receipt, or not read it. */
export const remind = (id: string): Promise<{ readonly people: number }> =>
  post('blade-desk/notice/remind', { query: { id } })

export const readReceipts = (
  asked: { id: string; read?: 0 | 1 | undefined; confirmed?: 0 | 1 | undefined; current: number; size: number },
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
