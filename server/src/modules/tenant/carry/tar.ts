import { damaged } from './envelope.ts'

/** One part of an archive. */
export interface Entry {
  readonly name: string
  readonly bytes: Buffer
}

const block = 512
/** Larger than any upload that is taken. */
const largest = 512 * 1_048_576

const checksum = (head: Buffer): number => {
  let sum = 0
  for (const [at, byte] of head.entries()) sum += at >= 148 && at < 156 ? 32 : byte
  return sum
}

function headOf({ name, bytes }: Entry): Buffer {
  if (Buffer.byteLength(name) > 100) throw new Error(`too long a name for an archive: ${name}`)
  const head = Buffer.alloc(block)
  const octal = (value: number, at: number, length: number): void => {
    head.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at, 'latin1')
  }
  head.write(name, 0)
  octal(0o600, 100, 8)
  octal(0, 108, 8)
  octal(0, 116, 8)
  octal(bytes.length, 124, 12)
  octal(0, 136, 12)
  head.write('0', 156)
  head.write('ustar\x0000', 257, 'latin1')
  head.write(`${checksum(head).toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return head
}

const padding = (size: number): number => (block - (size % block)) % block

/** Writes entries as a tar archive, one after the other. */
export async function* tar(entries: AsyncIterable<Entry>): AsyncGenerator<Buffer> {
  for await (const entry of entries) {
    yield headOf(entry)
    if (entry.bytes.length > 0) yield entry.bytes
    const pad = padding(entry.bytes.length)
    if (pad > 0) yield Buffer.alloc(pad)
  }
  yield Buffer.alloc(2 * block)
}

/** Reads the entries of a tar archive that `tar` wrote, one after the other. */
export async function* untar(source: AsyncIterable<Buffer>): AsyncGenerator<Entry> {
  let parts: Buffer[] = []
  let held = 0
  const take = (size: number): Buffer => {
    const all = parts.length === 1 ? parts[0]! : Buffer.concat(parts)
    parts = all.length > size ? [all.subarray(size)] : []
    held -= size
    return all.subarray(0, size)
  }
  let head: { name: string; size: number } | undefined
  for await (const bytes of source) {
    parts.push(bytes)
    held += bytes.length
    for (;;) {
      if (!head) {
        if (held < block) break
        const raw = take(block)
        // The blocks of zeros at the end.
        if (raw.every((byte) => byte === 0)) continue
        const size = Number.parseInt(raw.toString('latin1', 124, 135), 8)
        if (Number.parseInt(raw.toString('latin1', 148, 154), 8) !== checksum(raw) || !(size >= 0 && size <= largest))
          throw damaged()
        head = { name: raw.toString('utf8', 0, 100).replace(/\0.*$/s, ''), size }
      }
      const whole = head.size + padding(head.size)
      if (held < whole) break
      const body = whole > 0 ? take(whole) : Buffer.alloc(0)
      yield { name: head.name, bytes: body.subarray(0, head.size) }
      head = undefined
    }
  }
  if (head || held > 0) throw damaged()
}
