import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { temporaryFolder } from './temporary.ts'

const pieceSize = 65_536

/**
 * Bytes as they are made, for a reader of any pace: they go through a file without a name, so that whatever makes them
 * is done as soon as it can be, and neither memory nor a thread waits for whoever reads. `made` is called once nothing
 * more is made, for whatever reason.
 */
export async function spoolBytes(bytes: AsyncIterable<Buffer>, made: () => void): Promise<Readable> {
  const folder = await temporaryFolder()
  let file: FileHandle
  try {
    file = await open(join(folder.path, 'file'), 'wx+', 0o600)
  } catch (error) {
    await folder.remove()
    made()
    throw error
  }
  let size = 0
  let read = 0
  let whole = false
  let failure: unknown
  let left = false
  let wake = (): void => {}
  const make = async (): Promise<void> => {
    // Only those who hold the file open reach it: a process that is killed leaves nothing behind. Windows keeps the name.
    if (process.platform !== 'win32') await folder.remove()
    for await (const chunk of bytes) {
      if (left) return
      await file.write(chunk, 0, chunk.length, size)
      size += chunk.length
      wake()
    }
  }
  const making = make()
    .catch((error: unknown) => {
      failure = error
    })
    .finally(() => {
      whole = true
      made()
      wake()
    })
  return new Readable({
    highWaterMark: pieceSize,
    async read() {
      try {
        while (read === size && !whole) await new Promise<void>((go) => (wake = go))
        if (left) return
        if (read < size) {
          const piece = Buffer.allocUnsafe(Math.min(pieceSize, size - read))
          const { bytesRead } = await file.read(piece, 0, piece.length, read)
          read += bytesRead
          this.push(piece.subarray(0, bytesRead))
        } else if (failure) this.destroy(failure as Error)
        else this.push(null)
      } catch (error) {
        this.destroy(error as Error)
      }
    },
    destroy(error, done) {
      left = true
      wake()
      making
        .then(() => file.close())
        .then(() => folder.remove())
        .then(
          () => done(error),
          (failed: Error) => done(error ?? failed),
        )
    },
  })
}
