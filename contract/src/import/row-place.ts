/** From the row `no` of an import on, its rows follow one another on a sheet of the file, from that row on. */
export interface RowRun {
  readonly no: number
  /** The sheet by its index in the file. */
  readonly sheet: number
  readonly row: number
}

/** Where a row of an import stands in its file. */
export interface RowPlace {
  /** The sheet by its index in the file; null where the file has one table and nobody asks. */
  readonly sheet: number | null
  readonly row: number
}

/**
 * Where the row `no` of an import stands in the file. Without runs, which rise by `no`, the file has one table, and the number
 * of a row is that in the file.
 */
export function rowPlace(runs: readonly RowRun[], no: number): RowPlace {
  const run = runs.findLast((each) => each.no <= no)
  if (!run) return { sheet: null, row: no }
  const isOneSheet = runs.every(({ sheet }) => sheet === runs[0]!.sheet)
  return { sheet: isOneSheet ? null : run.sheet, row: run.row + no - run.no }
}
