import { workerData } from 'node:worker_threads'
import type { ShownSheet } from '@data-brain/contract/fixed-form'
import { zipSync } from 'fflate'
import { FileFault } from '../../kernel/file-fault.ts'
import { handOver } from '../../kernel/reading-thread.ts'
import { fillForm } from './fill.ts'
import type { Mark } from './marks.ts'
import { openForm, sheetsOf, textOf } from './package.ts'
import { bySign, growingRow, ownList, placesOf, unboundedRows } from './places.ts'
import { printForm } from './print.ts'
import { showForm } from './show.ts'
import type { FormFacts, FormTask } from './thread.ts'

/* The thread that takes forms apart and fills them: whatever a file does to it, its memory and time are bounded. */

const task = workerData as FormTask

function facts(): FormFacts {
  const parts = openForm(task.bytes)
  return {
    sheets: sheetsOf(parts).map((sheet) => {
      const { name, cells, loose, outside, copies } = sheet
      const xml = textOf(parts, sheet.part)
      const places = placesOf(xml, sheet, bySign).get(ownList)?.length ?? 0
      const isGrowing = growingRow(xml, sheet, bySign) !== undefined
      return { name, cells, loose, outside, copies, places: isGrowing ? unboundedRows : places }
    }),
  }
}

handOver<never, FormFacts | Uint8Array | readonly ShownSheet[]>(
  async () => {
    if (task.kind === 'read') return facts()
    const { bytes, files, foot, belonging, paper } = task
    const listOf = (mark: Mark): string | undefined => bySign(mark) ?? belonging[mark.text]
    const pages = files.flatMap((file) => file.pages)
    if (task.kind === 'show') return showForm(bytes, pages, { foot, listOf })
    if (paper) return printForm(bytes, pages, { foot, listOf }, paper)
    const filled = files.map(({ name, pages }) => [name, fillForm(bytes, pages, { foot, listOf })] as const)
    // A workbook is packed already.
    return filled.length === 1 ? filled[0]![1] : zipSync(Object.fromEntries(filled), { level: 0 })
  },
  (error) => (error instanceof FileFault ? error.words : { zh: '文件无法读取', en: 'The file cannot be read' }),
)
