import { workerData } from 'node:worker_threads'
import { zipSync } from 'fflate'
import { FileFault } from '../../kernel/file-fault.ts'
import { handOver } from '../../kernel/reading-thread.ts'
import { fillForm, placesOf } from './fill.ts'
import { openForm, sheetsOf, textOf } from './package.ts'
import type { FormFacts, FormTask } from './thread.ts'

/* The thread that takes forms apart and fills them: whatever a file does to it, its memory and time are bounded. */

const task = workerData as FormTask

function facts(): FormFacts {
  const parts = openForm(task.bytes)
  return {
    sheets: sheetsOf(parts).map((sheet) => ({
      name: sheet.name,
      cells: sheet.cells,
      copies: sheet.copies,
      places: placesOf(textOf(parts, sheet.part), sheet).length,
    })),
  }
}

handOver<never, FormFacts | Uint8Array>(
  async () => {
    if (task.kind === 'read') return facts()
    const { bytes, files, foot } = task
    const filled = files.map(({ name, pages }) => [name, fillForm(bytes, pages, foot)] as const)
    // A workbook is packed already.
    return filled.length === 1 ? filled[0]![1] : zipSync(Object.fromEntries(filled), { level: 0 })
  },
  (error) => (error instanceof FileFault ? error.words : { zh: '文件无法读取', en: 'The file cannot be read' }),
)
