import type { PrintedRecord } from './print-record.ts'
import type { PrintWork } from './print-sheet.ts'

/** Puts a list on paper; what makes the sheet comes when the first one is asked for. */
export async function printList(work: PrintWork): Promise<void> {
  const { printSheet } = await import('./print-sheet.ts')
  await printSheet(work)
}

/** Puts one record on paper. */
export async function printRecord(work: PrintedRecord): Promise<void> {
  const { printRecordSheet } = await import('./print-record.ts')
  await printRecordSheet(work)
}
