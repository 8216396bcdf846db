import { packTar, type TarEntry, TarFault, unpackTar } from '../../../kernel/tar.ts'
import { damagedFile } from './envelope.ts'

/** One part of an exported tenant, whole. */
export interface Entry {
  readonly name: string
  readonly bytes: Buffer
}

/** Larger than any upload that is taken. */
const largest = 512 * 1_048_576

async function* parts(entries: AsyncIterable<Entry>): AsyncGenerator<TarEntry> {
  for await (const { name, bytes } of entries)
    yield {
      name,
      size: bytes.length,
      body: (async function* () {
        yield bytes
      })(),
    }
}

/** Writes entries as a tar archive, one after the other. */
export const tar = (entries: AsyncIterable<Entry>): AsyncGenerator<Buffer> => packTar(parts(entries))

/** Reads the entries of a tar archive that `tar` wrote, one after the other. */
export async function* untar(source: AsyncIterable<Buffer>): AsyncGenerator<Entry> {
  try {
    for await (const { name, size, body } of unpackTar(source)) {
      if (size > largest) throw damagedFile()
      const bytes: Buffer[] = []
      for await (const part of body) bytes.push(part)
      yield { name, bytes: Buffer.concat(bytes) }
    }
  } catch (error) {
    throw error instanceof TarFault ? damagedFile() : error
  }
}
