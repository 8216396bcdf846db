import { guard } from '../../kernel/formula.ts'
import type { Cell } from './columns.ts'
import type { RowBatch } from './writing-thread.ts'

/** Excel reads a CSV as UTF-8 only when it begins with this mark. */
const mark = '\ufeff'

const field = (cell: Cell): string => {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  const text = guard(cell)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const line = (cells: readonly Cell[]): string => `${cells.map(field).join(',')}\r\n`

/** A list as CSV (RFC 4180), a piece for each bunch of rows. Nothing in it is computed by a spreadsheet. */
export async function* csvOf(
  head: readonly string[],
  bunches: AsyncIterable<RowBatch>,
  foot: string | undefined,
): AsyncGenerator<Buffer> {
  yield Buffer.from(mark + line(head))
  for await (const { rows } of bunches) yield Buffer.from(rows.map(line).join(''))
  if (foot) yield Buffer.from(line([foot]))
}
