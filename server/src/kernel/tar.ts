/** One part of an archive. A name that ends in `/` is a folder. */
export interface TarEntry {
  readonly name: string
  readonly size: number
  readonly body: AsyncIterable<Buffer>
}

/** An archive that is not what was written. */
export class TarFault extends Error {}

const block = 512
const nameMost = 100

const checksum = (head: Buffer): number => {
  let sum = 0
  for (const [at, byte] of head.entries()) sum += at >= 148 && at < 156 ? 32 : byte
  return sum
}

function headOf(name: string, size: number): Buffer {
  if (Buffer.byteLength(name) > nameMost) throw new Error(`too long a name for an archive: ${name}`)
  const folder = name.endsWith('/')
  const head = Buffer.alloc(block)
  const octal = (value: number, at: number, length: number): void => {
    head.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at, 'latin1')
  }
  head.write(name, 0)
  octal(folder ? 0o700 : 0o600, 100, 8)
  octal(0, 108, 8)
  octal(0, 116, 8)
  octal(size, 124, 12)
  octal(0, 136, 12)
  head.write(folder ? '5' : '0', 156)
  head.write('ustar\x0000', 257, 'latin1')
  head.write(`${checksum(head).toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return head
}

const padding = (size: number): number => (block - (size % block)) % block

/** Writes entries as a tar archive, one after the other, and nothing of them is held. */
export async function* packTar(entries: AsyncIterable<TarEntry>): AsyncGenerator<Buffer> {
  for await (const { name, size, body } of entries) {
    yield headOf(name, size)
    let written = 0
    for await (const bytes of body) {
      written += bytes.length
      if (bytes.length > 0) yield bytes
    }
    if (written !== size) throw new Error(`${name} has ${written} bytes and not ${size}`)
    const pad = padding(size)
    if (pad > 0) yield Buffer.alloc(pad)
  }
  yield Buffer.alloc(2 * block)
}

/**
 * Reads the entries of an archive that `packTar` wrote, one after the other. The body of an entry is read, or left,
 * before the next is asked for. Throws a TarFault where the archive is damaged or cut off.
 */
export async function* unpackTar(source: AsyncIterable<Buffer>): AsyncGenerator<TarEntry> {
  const chunks = source[Symbol.asyncIterator]()
  let held: Buffer = Buffer.alloc(0)
  const some = async (most: number): Promise<Buffer | undefined> => {
    while (held.length === 0) {
      const next = await chunks.next()
      if (next.done) return undefined
      held = next.value
    }
    const part = held.subarray(0, most)
    held = held.subarray(part.length)
    return part
  }
  async function* take(size: number): AsyncGenerator<Buffer> {
    for (let left = size; left > 0; ) {
      const part = await some(left)
      if (!part) throw new TarFault('the archive is cut off')
      left -= part.length
      yield part
    }
  }
  const whole = async (size: number): Promise<Buffer> => {
    const parts: Buffer[] = []
    for await (const part of take(size)) parts.push(part)
    return Buffer.concat(parts)
  }
  try {
    for (let first = await some(block); first; first = await some(block)) {
      const head = Buffer.concat([first, await whole(block - first.length)])
      // The blocks of zeros at the end.
      if (head.every((byte) => byte === 0)) continue
      const size = Number.parseInt(head.toString('latin1', 124, 135), 8)
      if (Number.parseInt(head.toString('latin1', 148, 154), 8) !== checksum(head) || !(size >= 0))
        throw new TarFault('the archive is damaged')
      const body = take(size)
      yield { name: head.toString('utf8', 0, nameMost).replace(/\0.*$/s, ''), size, body }
      for await (const _left of body) {
        // What nobody wanted.
      }
      await whole(padding(size))
    }
  } finally {
    await chunks.return?.()
  }
}
