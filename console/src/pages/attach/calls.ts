import type { Blocker } from '@data-brain/contract'
import { get } from '../../http/client.ts'
import { type UploadOptions, upload } from '../../http/upload.ts'

export interface Usage {
  readonly usedBytes: number
  readonly files: number
  /** -1 for no limit. */
  readonly quotaMb: number
  readonly place: string | null
}

export const readUsage = (signal?: AbortSignal): Promise<Usage> =>
  get('blade-resource/attach/usage', undefined, { signal })

export const readUses = (id: string, signal?: AbortSignal): Promise<readonly Blocker[]> =>
  get('blade-resource/attach/uses', { id }, { signal })

/** Addresses under which files can be shown for some minutes, by their ids. */
export const readLinks = (ids: readonly string[], signal?: AbortSignal): Promise<Readonly<Record<string, string>>> =>
  get('blade-resource/attach/link', { ids }, { signal })

/** Addresses of the small copies that a list shows: nobody is recorded as having read the files. */
export const readSmallLinks = (
  ids: readonly string[],
  signal?: AbortSignal,
): Promise<Readonly<Record<string, string>>> => get('blade-resource/attach/link', { ids, width: 320 }, { signal })

/** Uploads a file that stays. */
export const putAttach = (file: File, options: UploadOptions): Promise<{ readonly attachId: string }> =>
  upload('blade-resource/oss/endpoint/put-file-attach', file, options)

/** Signed addresses hold ten minutes at least. */
export const LINKS_STALE = 300_000

const pictures: ReadonlySet<unknown> = new Set(['jpg', 'png', 'gif', 'webp'])
export const isPicture = (extension: unknown): boolean => pictures.has(extension)

/** A number of bytes as people say it. */
export function sizeText(bytes: number): string {
  const [value, unit] =
    bytes >= 1024 ** 3
      ? [bytes / 1024 ** 3, 'GB']
      : bytes >= 1024 ** 2
        ? [bytes / 1024 ** 2, 'MB']
        : bytes >= 1024
          ? [bytes / 1024, 'kB']
          : [bytes, 'B']
  return `${value.toFixed(value >= 100 || unit === 'B' ? 0 : 1).replace(/\.0$/, '')} ${unit}`
}
