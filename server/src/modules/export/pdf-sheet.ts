import type { Words } from '@data-brain/contract'
import type { Sheet } from './writing-thread.ts'

/** A list for a PDF: what stands on its pages beside the rows. */
export interface PdfSheet extends Sheet {
  readonly language: keyof Words
  /** Whose list it is. */
  readonly owner: string
  /** Columns of numbers, which stand at the right of theirs. */
  readonly numeric: readonly boolean[]
  /** Said across every page, where the rows hold personal values. */
  readonly watermark?: string | undefined
}
