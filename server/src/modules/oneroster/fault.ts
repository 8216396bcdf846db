import type { Words } from '@data-brain/contract'

/** Something wrong in an archive: where, and what, in both languages. */
export interface Fault {
  readonly file: string
  /** 0 where the file as a whole is meant. */
  readonly line: number
  readonly column: string
  readonly reason: Words
}

/** How many faults are shown; all are counted. */
export const faultsShown = 200

/** Collects faults: the first ones as they are, the rest as a number. */
export class Faults {
  readonly shown: Fault[] = []
  count = 0

  add(file: string, line: number, column: string, zh: string, en: string): void {
    this.count += 1
    if (this.shown.length < faultsShown) this.shown.push({ file, line, column, reason: { zh, en } })
  }
}

/** Lets other requests have their turn in the middle of long work. */
export const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
export const breathEvery = 2_000
