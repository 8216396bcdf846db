import { workerData } from 'node:worker_threads'
import excel from '@zurmokeeper/exceljs'
import { handOver } from '../../kernel/reading-thread.ts'
import type { CellStyle, FormLayout } from './shipped.ts'

/* The thread that writes the workbook of a form which comes with the product. */

const border = { style: 'thin' } as const
const box = { top: border, left: border, bottom: border, right: border }
const styles: Readonly<Record<CellStyle, Partial<excel.Style>>> = {
  title: { font: { name: '黑体', size: 18, bold: true }, alignment: { horizontal: 'center', vertical: 'middle' } },
  label: {
    font: { name: '宋体', size: 10, bold: true },
    alignment: { horizontal: 'center', vertical: 'middle', wrapText: true },
    border: box,
  },
  value: {
    font: { name: '宋体', size: 10 },
    alignment: { horizontal: 'center', vertical: 'middle', wrapText: true },
    border: box,
  },
  text: { font: { name: '宋体', size: 14 }, alignment: { vertical: 'top', wrapText: true } },
  note: { font: { name: '宋体', size: 11 }, alignment: { vertical: 'middle' } },
}

async function written({ sheet: name, landscape, widths, cells, heights, bottom, repeats, places }: FormLayout) {
  const book = new excel.Workbook()
  const sheet = book.addWorksheet(name, {
    pageSetup: {
      paperSize: 9,
      orientation: landscape ? 'landscape' : 'portrait',
      fitToPage: true,
      fitToWidth: 1,
      fitToHeight: repeats ? 0 : 1,
      horizontalCentered: true,
      printArea: `A1:H${bottom}`,
      ...(repeats ? { printTitlesRow: repeats } : {}),
    },
  })
  for (const [at, width] of widths.entries()) sheet.getColumn(at + 1).width = width
  for (let row = 1; row <= bottom; row += 1) sheet.getRow(row).height = heights[row] ?? 24
  for (const { at, to, text, style } of cells) {
    const cell = sheet.getCell(at)
    cell.value = text
    cell.style = styles[style]
    // The cells that are merged take the looks of the first, so that its border goes around them.
    if (to) sheet.mergeCells(`${at}:${to}`)
  }
  // The list goes on in cells that have its looks and nothing in them.
  for (let row = (places?.from ?? 0) + 1; places && row <= places.to; row += 1)
    for (let column = 1; column <= widths.length; column += 1) sheet.getCell(row, column).style = styles.value
  return new Uint8Array(await book.xlsx.writeBuffer())
}

handOver<never, Uint8Array>(
  () => written(workerData as FormLayout),
  () => ({ zh: '范本无法生成，请稍后重试', en: 'The template cannot be made: try again later' }),
)
