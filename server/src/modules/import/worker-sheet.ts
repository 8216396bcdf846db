import { parentPort, workerData } from 'node:worker_threads'
import type { FormKind } from '@data-brain/contract/import/all'
import { exampleMark } from '@data-brain/contract/import/form'
import { csvRows } from './csv.ts'
import { FileFault, limits, type SheetMessage, shapes } from './limits.ts'
import { knownHeadings } from './match.ts'
import { isPackage } from './package.ts'
import type { SheetRow } from './read/table.ts'
import { xlsxRows } from './xlsx.ts'

/*
 * The thread that reads a file: whatever the file does to it, its memory and time are bounded by whoever started it,
 * and the server goes on.
 */

const portion = 500
const { path, kind } = workerData as { path: string; kind: FormKind }
const shape = shapes[kind]
const port = parentPort!

const send = (message: SheetMessage): void => port.postMessage(message)
const heard = (): Promise<void> => new Promise((resolve) => port.once('message', () => resolve()))

async function read(): Promise<void> {
  let headings: string[] | undefined
  let count = 0
  let seen = 0
  let rows: SheetRow[] = []
  const flush = async (): Promise<void> => {
    if (rows.length === 0) return
    const acknowledged = heard()
    send({ kind: 'rows', rows })
    rows = []
    await acknowledged
  }
  for await (const row of (await isPackage(path)) ? xlsxRows(path) : csvRows(path)) {
    if (!headings) {
      seen += 1
      if (knownHeadings(kind, row.cells) >= shape.headings) {
        headings = row.cells.map((cell) => cell.trim().slice(0, 100))
        send({ kind: 'head', headings, headNo: row.no })
      } else if (seen >= limits.headWithin) break
      continue
    }
    if (row.cells.find((cell) => cell !== '')?.startsWith(exampleMark)) continue
    if (!row.cells.some((cell) => cell.trim() !== '') && !row.marks) continue
    count += 1
    if (count > shape.rows)
      throw new FileFault(`超过${shape.rows}行,请分成几个文件`, `More than ${shape.rows} rows: split the file`)
    rows.push(row)
    if (rows.length >= portion) await flush()
  }
  if (!headings)
    throw new FileFault(
      `前${limits.headWithin}行里没有找到标题行(至少要有${shape.such.zh}等${shape.headings}个列名)`,
      `No heading row in the first ${limits.headWithin} rows (it needs at least ${shape.headings} known names, such as ${shape.such.en})`,
    )
  await flush()
  if (count === 0) throw new FileFault('标题行下面没有数据', 'There are no rows below the heading')
  send({ kind: 'end', rows: count })
}

read()
  .catch((error: unknown) =>
    send({
      kind: 'fault',
      words:
        error instanceof FileFault
          ? error.words
          : { zh: '文件无法读取,请另存为 xlsx 后重试', en: 'The file cannot be read: save it as xlsx and try again' },
    }),
  )
  .finally(() => port.close())
