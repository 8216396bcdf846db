import type { Range } from './storage/store.ts'

/** The mark of a file's content: equal for equal bytes. A small copy has another. */
export const etagOf = (content: string, width?: number): string => `"${content}${width ? `-${width}` : ''}"`

/** Whether what a client holds is still what it would get. */
export const isUnchanged = (header: string | undefined, etag: string): boolean =>
  (header ?? '').split(',').some((each) => ['*', etag].includes(each.trim().replace(/^W\//, '')))

/**
 * The range that a request asks for; undefined where it asks for none, or in a way that may be passed over (several
 * ranges, other units, a file that has changed); `outside` where it asks for bytes that are not there.
 */
export function rangeOf(
  header: string | undefined,
  ifRange: string | undefined,
  etag: string,
  size: number,
): Range | 'outside' | undefined {
  const asked = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '')
  if (!asked || (ifRange !== undefined && ifRange.trim() !== etag)) return undefined
  const [, begin = '', end = ''] = asked
  if (begin === '') {
    if (end === '') return undefined
    return Number(end) === 0 ? 'outside' : { from: Math.max(0, size - Number(end)), to: size - 1 }
  }
  const from = Number(begin)
  const to = end === '' ? size - 1 : Math.min(Number(end), size - 1)
  if (from >= size) return 'outside'
  return to < from ? undefined : { from, to }
}
