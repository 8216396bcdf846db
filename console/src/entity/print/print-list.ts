import type { PrintedFrame } from './print-frame.tsx'
import type { PrintedRecord } from './print-record.ts'
import type { PrintWork, SheetLayout } from './print-sheet.ts'

/** A sheet that a page lays out itself, called by the words `print.<key>`. */
export interface Sheet {
  readonly key: string
  /** The codes that all of it takes. */
  readonly codes: readonly string[]
  readonly load: () => Promise<SheetLayout>
}

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

/** Puts a list on paper, or a sheet of its rows; what makes it comes when the first one is asked for. */
export async function printList(work: PrintWork, onExport?: () => void, sheet?: Sheet): Promise<void> {
  const [{ printSheet }, layout] = await Promise.all([import('./print-sheet.ts'), sheet?.load()])
  await printSheet(layout ? { ...work, layout } : work, onExport)
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
