import { parse } from 'csv-parse'
import { unguardFormula } from '../../../kernel/formula.ts'
import { FileFault } from './limits.ts'
import { putCell, type RawBook, type RawRow, refuseRows, sheetOf } from './raw-rows.ts'
import { sniffUtf16 } from './sniff.ts'

/** Words of which a list of people has some, in both ways of writing Chinese. */
const familiar = /姓名|性别|性別|班级|班級|年级|年級|学号|學號|学校|學校|电话|電話|身份|账号|帳號/

/** The text of a file in whatever of UTF-8, UTF-16, GB18030 and Big5 it is written. */
export function decode(bytes: Buffer): { readonly text: string; readonly encoding: string } {
  const as = (encoding: string): { text: string; encoding: string } => ({
    text: new TextDecoder(encoding).decode(bytes),
    encoding,
  })
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return as('utf-16le')
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return as('utf-16be')
  const wide = sniffUtf16(bytes)
  if (wide) return as(wide)
  const fitting = ['utf-8', 'gb18030', 'big5'].flatMap((encoding) => {
    try {
      return [{ text: new TextDecoder(encoding, { fatal: true }).decode(bytes), encoding }]
    } catch {
      // Not in this one: Excel for Chinese Windows writes GB18030, or Big5, without saying so.
      return []
    }
  })
  const [first] = fitting
  if (!first)
    throw new FileFault(
      '无法识别文件编码，请另存为 xlsx 或 UTF-8 的 CSV',
      'The encoding is not known: save the file as xlsx, or as CSV in UTF-8',
    )
  if (first.encoding === 'utf-8' || familiar.test(first.text)) return first
  return fitting.find(({ text }) => familiar.test(text)) ?? first
}

const signs = [',', '\t', ';', '|', '，'] as const

/** The sign between columns: the one of which the first lines have most, outside quotes. */
export function delimiterOf(text: string): string {
  const lines = text
    .slice(0, 20_000)
    .replace(/"(?:[^"]|"")*"/g, '')
    .split(/\r\n?|\n/)
    .filter((line) => line.trim() !== '')
    .slice(0, 30)
  const count = (sign: string): number => lines.reduce((sum, line) => sum + line.split(sign).length - 1, 0)
  // A full-width comma stands between columns only where nothing else does.
  const plain = signs.slice(0, 4).reduce((best, sign) => (count(sign) > count(best) ? sign : best))
  return count(plain) > 0 || count('，') < lines.length ? plain : '，'
}

/** A number that was shown with an exponent and is still whole: 1.3912345678E+10. */
function unfolded(text: string): string {
  const [, one = '', more = '', power = ''] = /^(\d)\.(\d+)E\+(\d\d)$/i.exec(text) ?? []
  return one && more.length >= Number(power) && Number(power) < 15
    ? `${one}${more.slice(0, Number(power))}${more.length > Number(power) ? `.${more.slice(Number(power))}` : ''}`
    : text
}

function putText(row: RawRow, column: number, raw: string): void {
  const text = raw.trim()
  // ="00123" is how a spreadsheet keeps zeros in front.
  const kept = /^="([^"]*)"$/.exec(text)?.[1]
  if (kept !== undefined) putCell(row, column, kept)
  // A file of plain text holds no formulas: what begins with a sign is what somebody typed.
  else putCell(row, column, unfolded(unguardFormula(text)))
}

/** Reads a text with a sign between its columns. */
export async function openCsv(text: string, encoding: string): Promise<RawBook> {
  if (text.includes('\0')) throw new FileFault('文件不是表格或 CSV', 'The file is neither a spreadsheet nor CSV')
  const told = /^\ufeff?sep=(.)\r?\n/i.exec(text)
  const delimiter = told?.[1] ?? delimiterOf(text)
  const parser = parse(told ? text.slice(told[0].length) : text, {
    delimiter,
    bom: true,
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: 1_048_576,
  })
  const rows: RawRow[] = []
  let no = told ? 1 : 0
  try {
    for await (const record of parser as AsyncIterable<string[]>) {
      no += 1
      const row: RawRow = { no, cells: [] }
      for (const [column, raw] of record.entries()) if (raw !== '') putText(row, column, raw)
      if (row.cells.length === 0) continue
      rows.push(row)
      refuseRows(rows.length)
    }
  } catch (error) {
    if (error instanceof FileFault) throw error
    throw new FileFault(
      `CSV第${no + 1}行附近无法读取，请检查引号`,
      `The CSV cannot be read near row ${no + 1}: check its quotes`,
    )
  }
  return { format: 'csv', encoding, delimiter, sheets: [sheetOf('', false, rows)] }
}
