import type { Words } from '@data-brain/contract'

/** A file that cannot be read, in words for whoever brought it. */
export class FileFault extends Error {
  readonly words: Words
  constructor(zh: string, en: string) {
    super(en)
    this.words = { zh, en }
  }
}
