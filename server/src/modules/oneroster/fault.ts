import type { Words } from '@data-brain/contract'

/** Something wrong in an archive: where, and what, in both languages. */
export interface Fault {
  readonly file: string
  /** The first line; 0 where the file as a whole is meant. */
  readonly line: number
  readonly column: string
  readonly reason: Words
  /** How many lines have it, and the first of them. */
  count: number
  readonly lines: number[]
}

/** How many faults are shown; all are counted. */
export const faultsShown = 200
/** How many of its lines a fault names. */
const linesShown = 10
/** How many faults are told apart. */
const causesMost = 20_000

/** Collects faults. What is wrong for one cause is one fault, in however many lines it stands. */
export class Faults {
  readonly shown: Fault[] = []
  count = 0
  readonly #causes = new Map<string, Fault | undefined>()

  /** `cause` is said where the reason names a value of its line; otherwise the reason is the cause. */
  add(file: string, line: number, column: string, zh: string, en: string, cause = zh): void {
    const key = `${file}|${column}|${cause}`
    const known = this.#causes.get(key)
    if (known) {
      known.count += 1
      if (known.lines.length < linesShown) known.lines.push(line)
    }
    if (this.#causes.has(key)) return
    this.count += 1
    const fault: Fault = { file, line, column, reason: { zh, en }, count: 1, lines: [line] }
    const isShown = this.shown.length < faultsShown
    if (isShown) this.shown.push(fault)
    if (this.#causes.size < causesMost) this.#causes.set(key, isShown ? fault : undefined)
  }

  /** Takes over what was collected elsewhere, of other causes than these. */
  join({ shown, count }: { readonly shown: readonly Fault[]; readonly count: number }): void {
    this.count += count
    this.shown.push(...shown.slice(0, faultsShown - this.shown.length))
  }
}
