import type { Sharp, SharpInput, SharpOptions } from 'sharp'
import { late } from './late.ts'

const load = late<typeof import('sharp').default>('sharp')
let isSet = false

/** A picture to be worked on. */
export function sharp(input?: SharpInput | SharpOptions, options?: SharpOptions): Sharp {
  const made = load()
  if (!isSet) {
    // Two cores shared with the requests: pictures wait for each other rather than for memory.
    made.concurrency(1)
    made.cache(false)
    isSet = true
  }
  return made(input as SharpInput, options)
}
