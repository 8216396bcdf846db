/** Shifts of RFC 1321, four to a round. */
const shifts = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21]
const sines = Array.from({ length: 64 }, (_, i) => Math.floor(Math.abs(Math.sin(i + 1)) * 2 ** 32) | 0)

/** The padded message as little-endian words. */
function wordsOf(text: string): Int32Array {
  const bytes = new TextEncoder().encode(text)
  const view = new DataView(new ArrayBuffer(((bytes.length + 72) >> 6) << 6))
  for (const [at, byte] of bytes.entries()) view.setUint8(at, byte)
  view.setUint8(bytes.length, 0x80)
  view.setUint32(view.byteLength - 8, bytes.length * 8, true)
  return Int32Array.from({ length: view.byteLength / 4 }, (_, at) => view.getInt32(at * 4, true))
}

/**
 * The md5 of a text as 32 hex digits: the form in which the wire carries a password. It protects nothing by itself;
 * the server stores Argon2id of it. Own code, because the log-in page has to stay within a few kilobytes.
 */
export function md5(text: string): string {
  const words = wordsOf(text)
  let [a, b, c, d] = [0x67452301, 0xefcdab89 | 0, 0x98badcfe | 0, 0x10325476]
  for (let block = 0; block < words.length; block += 16) {
    const before = [a, b, c, d] as const
    for (let i = 0; i < 64; i++) {
      const round = i >> 4
      const mixed = [(b & c) | (~b & d), (d & b) | (~d & c), b ^ c ^ d, c ^ (b | ~d)][round]!
      const at = [i, 5 * i + 1, 3 * i + 5, 7 * i][round]! & 15
      const sum = (a + mixed + sines[i]! + words[block + at]!) | 0
      const shift = shifts[round * 4 + (i & 3)]!
      ;[a, d, c, b] = [d, c, b, (b + ((sum << shift) | (sum >>> (32 - shift)))) | 0]
    }
    a = (a + before[0]) | 0
    b = (b + before[1]) | 0
    c = (c + before[2]) | 0
    d = (d + before[3]) | 0
  }
  const out = new DataView(new ArrayBuffer(16))
  for (const [at, word] of [a, b, c, d].entries()) out.setInt32(at * 4, word, true)
  return Array.from({ length: 16 }, (_, at) => out.getUint8(at).toString(16).padStart(2, '0')).join('')
}
