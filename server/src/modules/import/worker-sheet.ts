import { parentPort, workerData } from 'node:worker_threads'
import type { FormKind } from '@data-brain/contract/import/all'
import { FileFault, type SheetMessage } from './limits.ts'
import { readTable } from './read/read.ts'
import type { Choice, SheetRow } from './read/table.ts'

/*
 * The thread that reads a file: whatever the file does to it, its memory and time are bounded by whoever started it,
 * and the server goes on.
 */

const portion = 500
const { path, kind, choice } = workerData as { path: string; kind: FormKind; choice: Choice }
const port = parentPort!

const send = (message: SheetMessage): void => port.postMessage(message)
const heard = (): Promise<void> => new Promise((resolve) => port.once('message', () => resolve()))

async function read(): Promise<void> {
  let rows: SheetRow[] = []
  const flush = async (): Promise<void> => {
    if (rows.length === 0) return
    const acknowledged = heard()
    send({ kind: 'rows', rows })
    rows = []
    await acknowledged
  }
  const source = await readTable(path, kind, choice, async (row) => {
    rows.push(row)
    if (rows.length >= portion) await flush()
  })
  await flush()
  send({ kind: 'end', source })
}

read()
  .catch((error: unknown) =>
    send({
      kind: 'fault',
      words:
        error instanceof FileFault
          ? error.words
          : { zh: '文件无法读取，请另存为 xlsx 后重试', en: 'The file cannot be read: save it as xlsx and try again' },
    }),
  )
  .finally(() => port.close())
