import { fileLinks } from '@data-brain/contract/calls/attach'
import { call } from '../../http/call.ts'
import { fileAddress } from '../../ui/file-address.ts'

const picture = new RegExp(`(${fileAddress})[^"'\\s>]*`, 'g')

/** A stored text whose pictures can be shown: <img> sends no header, so their addresses carry leave of their own. */
export async function withPictures(html: string, signal?: AbortSignal): Promise<string> {
  const ids = [...new Set([...html.matchAll(picture)].map(([, , id]) => id!))]
  if (ids.length === 0) return html
  const links = await call(fileLinks, { ids }, { silent: true, ...(signal ? { signal } : {}) })
  return html.replace(picture, (whole, plain: string, id: string) =>
    (links[id] ?? plain ?? whole).replaceAll('&', '&amp;'),
  )
}

/** A text as it is kept: pictures by their plain addresses. */
export const withoutLeave = (html: string): string => html.replace(picture, (_, plain: string) => plain)
