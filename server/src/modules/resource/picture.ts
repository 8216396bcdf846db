import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { Sharp } from 'sharp'
import { openPicture } from '../../kernel/picture-library.ts'
import { TurnQueue } from '../../kernel/turn-queue.ts'

/*
 * A photo from a telephone carries the place and time at which a child was photographed, and a picture made to do harm
 * carries what some other program stumbles over. So no picture is kept as it came: it is drawn anew, and what says
 * nothing about how it looks is not drawn.
 */

/** Most pixels of a picture, all frames of a moving one together: what a picture may unfold to in memory. */
export const pixelsMost = 25_000_000

/** Widths of the small copies. */
export const thumbnailWidths = [160, 320, 640] as const
export type Width = (typeof thumbnailWidths)[number]

/**
 * Pictures that one process draws at once, each of which may take 100 MB. A page of small copies asks for many: they
 * wait, and no tenant's keep another's out.
 */
const turns = new TurnQueue({
  ...{ atOnce: 2, perTenant: 1, perUser: 1 },
  ...{ waitingOfUser: 1_000, waitingOfTenant: 1_000, longest: 60_000 },
})
const inTurn = <T>(tenantId: string, work: () => Promise<T>): Promise<T> =>
  turns.during({ tenantId, userId: null }, work)

/** Longest that drawing one may take. */
const seconds = 20

/** What a picture of each kind is written as again. Everything is in sRGB, upright, and without metadata. */
const formats: Readonly<Record<string, (picture: Sharp) => Sharp>> = {
  jpg: (picture) => picture.jpeg({ quality: 88, mozjpeg: false }),
  png: (picture) => picture.png({ compressionLevel: 9 }),
  webp: (picture) => picture.webp({ quality: 86 }),
  gif: (picture) => picture.gif(),
}

/** Draws a picture anew. False of one that is broken, too large to unfold, or of another kind than it says. */
export async function redrawPicture(tenantId: string, extension: string, from: string, to: string): Promise<boolean> {
  const format = formats[extension]
  if (!format) throw new Error(`${extension} is no picture`)
  const options = { limitInputPixels: pixelsMost, failOn: 'error', autoOrient: true } as const
  const animated = extension === 'gif' || extension === 'webp'
  return inTurn(tenantId, async () => {
    try {
      await format(openPicture(from, { ...options, animated }))
        .timeout({ seconds })
        .toFile(to)
      return true
    } catch {
      return false
    }
  })
}

/** Draws the small copy of a picture (of its first frame), never larger than itself. */
export async function shrinkPicture(
  tenantId: string,
  bytes: AsyncIterable<Buffer>,
  width: Width,
  to: string,
): Promise<void> {
  await inTurn(tenantId, async () => {
    const small = openPicture({ limitInputPixels: pixelsMost, failOn: 'error' })
      .resize({ width, height: width * 2, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 78 })
      .timeout({ seconds })
    await Promise.all([pipeline(bytes, small), small.toFile(to)])
  })
}

/** The size and hash of a file, read as it streams by. */
export async function measureFile(path: string): Promise<{ size: number; sha256: string }> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return { size: (await stat(path)).size, sha256: hash.digest('hex') }
}
