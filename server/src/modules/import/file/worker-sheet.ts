import { workerData } from 'node:worker_threads'
import type { FormKind } from '@data-brain/contract/import/place'
import { handOver } from '../../../kernel/reading-thread.ts'
import { FileFault, limits } from './limits.ts'
import { readTable } from './read-sheet.ts'
import type { Choice, SheetRow, Source } from './table.ts'

/* The thread that reads a file. */

/** Rows, or characters, that are handed over at once. */
const portion = { rows: 200, characters: 1_000_000 }
const { path, kind, choice } = workerData as { path: string; kind: FormKind; choice: Choice }

handOver<readonly SheetRow[], Source>(
  async (give) => {
    let rows: SheetRow[] = []
    let characters = 0
    let all = 0
    const flush = async (): Promise<void> => {
      if (rows.length === 0) return
      const full = rows
      rows = []
      characters = 0
      await give(full)
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
    return source
  },
  (error) =>
    error instanceof FileFault
      ? error.words
      : { zh: '文件无法读取，请另存为 xlsx 后重试', en: 'The file cannot be read: save it as xlsx and try again' },
)
