import { parentPort, workerData } from 'node:worker_threads'
import type { Cell } from './columns.ts'
import type { PdfSheet } from './pdf-sheet.ts'
import { PdfTable } from './pdf-table.ts'
import type { FromThread, ToThread } from './writing-thread.ts'

/* The thread that writes a list as a PDF: rows come in by bunches, pages go out as they are full. */

const port = parentPort!
const say = (message: FromThread): void => port.postMessage(message)
const table = new PdfTable(workerData as PdfSheet, (bytes) => say({ kind: 'piece', bytes }))

port.on('message', async (message: ToThread) => {
  if (message.kind === 'rows') {
    const sums = new Set(message.sums)
    table.add(message.rows.map((cells: readonly Cell[], at) => ({ cells, isSum: sums.has(at) })))
    say({ kind: 'taken' })
    return
  }
  await table.end()
  say({ kind: 'whole' })
})
