import type { Sharp, SharpInput, SharpOptions } from 'sharp'
import { lazyImport } from './lazy-import.ts'

const load = lazyImport<typeof import('sharp').default>('sharp')
let isSet = false

/** A picture to be worked on. */
export function openPicture(input?: SharpInput | SharpOptions, options?: SharpOptions): Sharp {
  const made = load()
  if (!isSet) {
    // Two cores shared with the requests: pictures wait for each other rather than for memory.
    made.concurrency(1)
    made.cache(false)
    isSet = true
  }
  return made(input as SharpInput, options)
}
