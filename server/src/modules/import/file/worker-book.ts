import { parentPort, workerData } from 'node:worker_threads'
import excel from '@zurmokeeper/exceljs'
import type { OutputWorkbook } from './output-workbook.ts'

/* The thread that writes workbooks: the writer and what it needs are gone when it ends. */

/** Rows that take a drop-down: as many as one import of a large school. */
const offered = 5_000

const book = workerData as OutputWorkbook
const file = new excel.Workbook()
for (const sheet of book.sheets) {
  const page = file.addWorksheet(sheet.name, {
    ...(sheet.hidden ? { state: 'veryHidden' as const } : {}),
    views: sheet.head ? [{ state: 'frozen', ySplit: sheet.head }] : [],
  })
  for (const row of sheet.rows) page.addRow([...row])
  for (const [at, column] of sheet.columns.entries()) {
    const shown = page.getColumn(at + 1)
    shown.width = column.width
    // Text, so that long numbers and zeros in front stay as they are typed.
    shown.numFmt = '@'
    const head = page.getCell(1, at + 1)
    if (column.fill) head.fill = { type: 'pattern', pattern: 'solid', fgColor: { argb: column.fill } }
    if (sheet.head) head.font = { bold: true }
    if (column.note) head.note = column.note
    if (column.list)
      (page as unknown as { dataValidations: { add(range: string, rule: object): void } }).dataValidations.add(
        `${shown.letter}2:${shown.letter}${offered}`,
        {
          type: 'list',
          allowBlank: true,
          showErrorMessage: false,
          formulae: [column.list],
        },
      )
    if (sheet.red?.includes(at))
      for (let row = 2; row <= sheet.rows.length; row += 1)
        page.getCell(row, at + 1).font = { color: { argb: 'FFC00000' } }
  }
}
const bytes = await file.xlsx.writeBuffer()
parentPort!.postMessage(new Uint8Array(bytes as ArrayBuffer))
