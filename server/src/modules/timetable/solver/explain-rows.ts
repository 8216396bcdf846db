import type { Highs } from 'highs'

/** Rows and columns of a linear program with whole numbers, as they are added. */
export class Rows {
  readonly #cost: number[] = []
  readonly #lower: number[] = []
  readonly #upper: number[] = []
  readonly #whole: number[] = []
  readonly #rowLower: number[] = []
  readonly #rowUpper: number[] = []
  readonly #starts: number[] = [0]
  readonly #indices: number[] = []
  readonly #values: number[] = []

  get columns(): number {
    return this.#cost.length
  }

  get entries(): number {
    return this.#indices.length
  }

  /** A whole number from 0 to `most` that costs so much each; answers its column. */
  column(cost: number, most: number): number {
    this.#cost.push(cost)
    this.#lower.push(0)
    this.#upper.push(most)
    this.#whole.push(1)
    return this.#cost.length - 1
  }

  /** `least` ≤ the sum of columns by their factors ≤ `most`. */
  row(terms: Iterable<readonly [column: number, factor: number]>, least: number, most: number): void {
    const sums = new Map<number, number>()
    for (const [column, factor] of terms) sums.set(column, (sums.get(column) ?? 0) + factor)
    for (const [column, factor] of sums) {
      this.#indices.push(column)
      this.#values.push(factor)
    }
    this.#starts.push(this.#indices.length)
    this.#rowLower.push(least)
    this.#rowUpper.push(most)
  }

  /** Sets the most that a column may be. */
  bound(column: number, most: number): void {
    this.#upper[column] = most
  }

  /** What the least is, and the columns of one solution; undefined where it is not known within so many seconds. */
  least(highs: Highs, seconds: number): { readonly cost: number; readonly values: Float64Array } | undefined {
    const numCols = this.#cost.length
    const numRows = this.#rowLower.length
    const { modelStatus, objectiveSense } = highs.constants
    const finite = (value: number): number =>
      value === Infinity ? highs.infinity : value === -Infinity ? -highs.infinity : value
    return highs.withModel(
      {
        ...{ numCols, numRows, sense: objectiveSense.minimize },
        ...{ colCost: this.#cost, colLower: this.#lower, colUpper: this.#upper.map(finite) },
        ...{ rowLower: this.#rowLower.map(finite), rowUpper: this.#rowUpper.map(finite) },
        integrality: Int32Array.from(this.#whole),
        matrix: {
          ...{ format: 'csr', numRows, numCols },
          ...{ starts: this.#starts, indices: this.#indices, values: this.#values },
        },
      },
      (model) => {
        model.options.set({ output_flag: false, time_limit: Math.max(0.05, seconds), mip_rel_gap: 0, mip_abs_gap: 0.5 })
        model.run()
        if (model.getModelStatus() !== modelStatus.optimal) return undefined
        const values = Float64Array.from(model.getSolution().colValue, Math.round)
        return { cost: values.reduce((sum, value, at) => sum + value * this.#cost[at]!, 0), values }
      },
    )
  }
}
