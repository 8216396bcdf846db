/** The right to fill forms with rows that one may look at, without that to take their list out. */
export const fillCode = 'fixedform_fill'

/** The names of the entities whose rows go into forms. */
export const formSubjects: readonly string[] = ['student', 'schoolclass', 'user', 'school']

/** As many rows as are filled in at once; more than a call names in its address go in the background. */
export const filledMost = 1_000

/** A cell of a sheet as it is shown on a screen. */
export interface ShownCell {
  readonly column: number
  readonly columns: number
  readonly rows: number
  readonly text: string
  readonly size: number
  readonly bold: boolean
  readonly color: string
  readonly fill: string | null
  readonly across: 'left' | 'center' | 'right'
  readonly down: 'top' | 'middle' | 'bottom'
  /** Sides that have a line: of `l`, `r`, `t` and `b`. */
  readonly lines: string
}

/** A sheet as it is shown on a screen: columns and rows in points, and the cells of each row that are not within another. */
export interface ShownSheet {
  readonly name: string
  readonly widths: readonly number[]
  readonly rows: readonly { readonly height: number; readonly cells: readonly ShownCell[] }[]
  /** Whether it holds pictures, shapes or charts, or formulas, which are not shown. */
  readonly hasMore: boolean
}
