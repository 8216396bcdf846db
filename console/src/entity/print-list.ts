import type { PrintWork } from './print-sheet.ts'

/** Puts a list on paper; what makes the sheet comes when the first one is asked for. */
export async function printList(work: PrintWork): Promise<void> {
  const { printSheet } = await import('./print-sheet.ts')
  await printSheet(work)
}
