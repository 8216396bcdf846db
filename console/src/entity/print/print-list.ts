import type { PrintedFrame } from './print-frame.tsx'
import type { PrintedRecord } from './print-record.ts'
import type { PrintWork } from './print-sheet.ts'

/** How long a list has stood before the browser's own print is prepared for: the rows come first. */
const REST = 3_000

/** The browser's own print waits for nothing: what lays out its sheet is fetched when there is nothing else to do. */
export function readyToPrint(): (() => void) | undefined {
  if (!('requestIdleCallback' in globalThis)) return undefined
  const timer = setTimeout(
    () => requestIdleCallback(() => void import('./print-screen.ts').catch(() => undefined)),
    REST,
  )
  return () => clearTimeout(timer)
}

/** Puts a list on paper; what makes the sheet comes when the first one is asked for. */
export async function printList(work: PrintWork, onExport?: () => void): Promise<void> {
  const { printSheet } = await import('./print-sheet.ts')
  await printSheet(work, onExport)
}

/** Puts one record on paper. */
export async function printRecord(work: PrintedRecord): Promise<void> {
  const { printRecordSheet } = await import('./print-record.ts')
  await printRecordSheet(work)
}

/** Puts a list on paper that is no entity's. */
export async function printFrame<R>(work: PrintedFrame<R>, onExport?: () => void): Promise<void> {
  const { printFrameSheet } = await import('./print-frame.tsx')
  await printFrameSheet(work, onExport)
}
