import type { Readable } from 'node:stream'
import type { Words } from '@data-brain/contract'

/** The bytes from the first to the last of them, both counted. */
export interface Range {
  readonly from: number
  readonly to: number
}

/** What is put into a store: a file on disk whose content is known. */
export interface Parcel {
  readonly path: string
  readonly size: number
  /** In hexadecimal. */
  readonly sha256: string
  readonly mime: string
}

/**
 * A place that keeps bytes under names. Whole or not at all: what `put` did not answer for is either there whole or not
 * there. Every failure but a missing name is a StoreError.
 */
export interface Store {
  put(name: string, parcel: Parcel): Promise<void>
  /** The bytes, or a range of them, as they come; undefined where there is nothing of that name. */
  get(name: string, range?: Range): Promise<Readable | undefined>
  /** The size of what lies under a name; undefined where there is nothing. */
  head(name: string): Promise<number | undefined>
  /** Removes a name; one that is gone already is no failure. */
  remove(name: string): Promise<void>
}

/** A store that did not do what it was asked, in words for whoever looks after it. */
export class StoreError extends Error {
  readonly words: Words
  constructor(words: Words, cause?: unknown) {
    super(words.en, { cause })
    this.name = 'StoreError'
    this.words = words
  }
}
