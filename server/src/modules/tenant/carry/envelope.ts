import { createCipheriv, createDecipheriv, createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { StartError } from '../../../start-error.ts'

/*
 * The closed envelope of an exported tenant. A head of 55 bytes: the mark, the cost of the key (log2 N, r, p), the salt,
 * and a value by which a wrong passphrase is told from a damaged file. Then frames, each of a length (4 bytes, the
 * highest bit set on the last), a tag (16) and the sealed bytes. A frame is bound to the head, to its place and to being
 * the last or not, so that none can be left out, moved, or cut off.
 */

const mark = Buffer.from('DATA-BRAIN-TENANT 1\n')
const cost = { logN: 16, r: 8, p: 1 }
const headSize = mark.length + 3 + 16 + 16
const frameSize = 65_536
const lastBit = 0x80000000

/** Fewest signs of a passphrase: the file can be tried at leisure by whoever has it. */
export const passphraseLeast = 12

const keyOf = (passphrase: string, salt: Buffer, { logN, r, p }: typeof cost): Promise<Buffer> =>
  new Promise((resolve, reject) =>
    scrypt(
      passphrase.normalize('NFKC'),
      salt,
      32,
      { N: 2 ** logN, r, p, maxmem: 256 * 2 ** logN * r + 1_048_576 },
      (error, key) => (error ? reject(error) : resolve(key)),
    ),
  )

const proofOf = (key: Buffer): Buffer => createHmac('sha256', key).update('passphrase').digest().subarray(0, 16)

/** Every file has a key of its own, so the number of the frame is nonce enough. */
const nonceOf = (frame: number): Buffer => {
  const nonce = Buffer.alloc(12)
  nonce.writeBigUInt64BE(BigInt(frame), 4)
  return nonce
}

/** Seals bytes as they come. */
export async function* seal(source: AsyncIterable<Buffer>, passphrase: string): AsyncGenerator<Buffer> {
  const salt = randomBytes(16)
  const key = await keyOf(passphrase, salt, cost)
  const head = Buffer.concat([mark, Buffer.from([cost.logN, cost.r, cost.p]), salt, proofOf(key)])
  yield head
  let frame = 0
  const sealed = (body: Buffer, last: boolean): Buffer => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(last ? body.length + lastBit : body.length)
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(frame))
    cipher.setAAD(Buffer.concat([head, length]))
    frame += 1
    const closed = Buffer.concat([cipher.update(body), cipher.final()])
    return Buffer.concat([length, cipher.getAuthTag(), closed])
  }
  let waiting: Buffer = Buffer.alloc(0)
  for await (const bytes of source) {
    waiting = waiting.length === 0 ? bytes : Buffer.concat([waiting, bytes])
    while (waiting.length > frameSize) {
      yield sealed(waiting.subarray(0, frameSize), false)
      waiting = waiting.subarray(frameSize)
    }
  }
  yield sealed(waiting, true)
}

const notOurs = (): StartError => new StartError('这不是导出的租户文件。', 'This is no file of an exported tenant.')
const wrongPassphrase = (): StartError =>
  new StartError('口令不正确，没有导入任何内容。', 'Wrong passphrase. Nothing was imported.')
/** The words for a file that ends early. */
export const cutOff = (): StartError =>
  new StartError('文件不完整（被截断），没有导入任何内容。', 'The file is cut off. Nothing was imported.')
/** The words for a file that is not what was written. */
export const damagedFile = (): StartError =>
  new StartError('文件已损坏或被改动，没有导入任何内容。', 'The file is damaged or was altered. Nothing was imported.')

/** Opens sealed bytes as they come: what it gives out is what was sealed, in order; it ends only where that ended. */
export async function* unseal(source: AsyncIterable<Buffer>, passphrase: string): AsyncGenerator<Buffer> {
  let waiting: Buffer = Buffer.alloc(0)
  let head: Buffer | undefined
  let key: Buffer = Buffer.alloc(0)
  let frame = 0
  let ended = false
  for await (const bytes of source) {
    waiting = waiting.length === 0 ? bytes : Buffer.concat([waiting, bytes])
    if (!head) {
      if (!mark.subarray(0, waiting.length).equals(waiting.subarray(0, mark.length))) throw notOurs()
      if (waiting.length < headSize) continue
      head = waiting.subarray(0, headSize)
      waiting = waiting.subarray(headSize)
      const [logN = 0, r = 0, p = 0] = head.subarray(mark.length)
      // What the file asks for is bounded: nobody's file makes this machine work for hours.
      if (logN < 10 || logN > 20 || r < 1 || r > 16 || p < 1 || p > 4) throw damagedFile()
      key = await keyOf(passphrase, head.subarray(mark.length + 3, mark.length + 19), { logN, r, p })
      if (!timingSafeEqual(proofOf(key), head.subarray(mark.length + 19))) throw wrongPassphrase()
    }
    while (waiting.length >= 20) {
      if (ended) throw damagedFile()
      const length = waiting.subarray(0, 4)
      const size = length.readUInt32BE() & ~lastBit
      if (size > frameSize) throw damagedFile()
      if (waiting.length < 20 + size) break
      const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(frame))
      decipher.setAAD(Buffer.concat([head, length]))
      decipher.setAuthTag(waiting.subarray(4, 20))
      const body = decipher.update(waiting.subarray(20, 20 + size))
      try {
        decipher.final()
      } catch {
        throw damagedFile()
      }
      ended = length.readUInt32BE() >= lastBit
      frame += 1
      waiting = waiting.subarray(20 + size)
      yield body
    }
  }
  if (!head && waiting.length < mark.length) throw notOurs()
  if (!ended) throw cutOff()
  if (waiting.length > 0) throw damagedFile()
}
