import { readFile } from 'node:fs/promises'
import { parse } from 'csv-parse'
import { unguard } from '../../kernel/formula.ts'
import { FileFault, limits, type Mark } from './limits.ts'
import type { SheetRow } from './read/table.ts'

/** The text of a file in whatever of UTF-8, UTF-16 and GB18030 it is written. */
export function decode(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  for (const encoding of ['utf-8', 'gb18030'])
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(bytes)
    } catch {
      // Not in this one: Excel for Chinese Windows writes GB18030 without saying so.
    }
  throw new FileFault(
    '无法识别文件编码,请另存为 UTF-8 的 CSV',
    'The encoding is not known: save the file as CSV in UTF-8',
  )
}

/** The sign between columns: the one that the first line has most of. */
export function delimiterOf(text: string): string {
  const line =
    text
      .slice(0, 10_000)
      .split(/\r?\n/)
      .find((each) => each.trim() !== '') ?? ''
  const signs = [',', '\t', ';']
  return signs.reduce((best, sign) => (line.split(sign).length > line.split(best).length ? sign : best), ',')
}

function readCell(text: string): { text: string; mark?: Mark } {
  // ="00123" is how a spreadsheet keeps zeros in front.
  const kept = /^="([^"]*)"$/.exec(text)?.[1]
  if (kept !== undefined) return { text: kept }
  if (/^=./.test(text)) return { text: '', mark: 'formula' }
  if (/^[1-9](\.[0-9]+)?E\+(1[5-9]|[2-9][0-9])$/i.test(text)) return { text, mark: 'rounded' }
  return { text: unguard(text) }
}

/** The rows of a CSV file that hold anything. */
export async function* csvRows(path: string): AsyncGenerator<SheetRow> {
  const text = decode(await readFile(path))
  if (text.includes('\0')) throw new FileFault('文件不是 xlsx 或 CSV', 'The file is neither xlsx nor CSV')
  const parser = parse(text, {
    delimiter: delimiterOf(text),
    bom: true,
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: 1_048_576,
  })
  let no = 0
  try {
    for await (const record of parser as AsyncIterable<string[]>) {
      no += 1
      if (record.length > limits.columns && record.slice(limits.columns).some(Boolean))
        throw new FileFault(`第${no}行超过${limits.columns}列`, `Row ${no} has more than ${limits.columns} columns`)
      const cells: string[] = []
      const marks: Record<number, Mark> = {}
      for (const [column, raw] of record.slice(0, limits.columns).entries()) {
        const cell = readCell(raw.trim())
        cells.push(cell.text.slice(0, limits.cell))
        if (cell.mark) marks[column] = cell.mark
      }
      while (cells.length > 0 && cells.at(-1) === '' && !(cells.length - 1 in marks)) cells.pop()
      if (cells.length > 0) yield { no, cells, ...(Object.keys(marks).length > 0 ? { marks } : {}) }
    }
  } catch (error) {
    if (error instanceof FileFault) throw error
    throw new FileFault(
      `CSV第${no + 1}行附近无法读取,请检查引号`,
      `The CSV cannot be read near row ${no + 1}: check its quotes`,
    )
  }
}
