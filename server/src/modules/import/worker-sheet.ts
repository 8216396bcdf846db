import { parentPort, workerData } from 'node:worker_threads'
import type { FormKind } from '@data-brain/contract/import/all'
import { FileFault, limits, type SheetMessage } from './limits.ts'
import { readTable } from './read/read.ts'
import type { Choice, SheetRow } from './read/table.ts'

/*
 * The thread that reads a file: whatever the file does to it, its memory and time are bounded by whoever started it,
 * and the server goes on.
 */

/** Rows, or characters, that are handed over at once: the server holds no more of a file at a time. */
const portion = { rows: 200, characters: 1_000_000 }
const { path, kind, choice } = workerData as { path: string; kind: FormKind; choice: Choice }
const port = parentPort!

const send = (message: SheetMessage): void => port.postMessage(message)
const heard = (): Promise<void> => new Promise((resolve) => port.once('message', () => resolve()))

async function read(): Promise<void> {
  let rows: SheetRow[] = []
  let characters = 0
  let all = 0
  const flush = async (): Promise<void> => {
    if (rows.length === 0) return
    const acknowledged = heard()
    send({ kind: 'rows', rows })
    rows = []
    characters = 0
    await acknowledged
  }
  const source = await readTable(path, kind, choice, async (row) => {
    rows.push(row)
    const size = row.cells.reduce((sum, cell) => sum + cell.length, 0)
    characters += size
    all += size
    if (all > limits.characters)
      throw new FileFault(
        '文件中的文字过多，请只保留要导入的列后重试',
        'The file holds too much text: keep only the columns to be imported and try again',
      )
    if (rows.length >= portion.rows || characters >= portion.characters) await flush()
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
