/**
 * Time-ordered 64-bit ids: 41 bits of milliseconds since 2024, 10 bits of node, 12 bits of sequence.
 * A node number is drawn from the database at start, so that two processes never make the same id.
 */
const epoch = Date.UTC(2024, 0, 1)

let node = 0n
let lastTime = 0
let sequence = 0

/** Sets the node number of this process: 0 to 1023. */
export function setNode(value: number): void {
  node = BigInt(value & 1023)
}

/** A new id, as text. Rises within a process even when the clock goes back. */
export function newId(): string {
  const now = Date.now()
  if (now > lastTime) {
    lastTime = now
    sequence = 0
  } else {
    sequence += 1
    if (sequence > 4095) {
      lastTime += 1
      sequence = 0
    }
  }
  return (((BigInt(lastTime - epoch) << 22n) | (node << 12n) | BigInt(sequence)) & 0x7fffffffffffffffn).toString()
}

/** The least id that is made at a moment, given in milliseconds: rows in the order of their ids are found by time. */
export const idAt = (time: number): string => (BigInt(Math.max(1, time - epoch)) << 22n).toString()

/** Whether a text can be an id: a whole number of at most 19 digits that fits into 63 bits. */
export function isId(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    /^[1-9][0-9]{0,18}$/.test(value) &&
    (value.length < 19 || BigInt(value) <= 0x7fffffffffffffffn)
  )
}

/** The millisecond in which an id was made. */
export const timeOfId = (id: string): Date => new Date(epoch + Number(BigInt(id) >> 22n))
