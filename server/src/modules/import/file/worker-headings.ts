import { workerData } from 'node:worker_threads'
import { handOver } from '../../../kernel/reading-thread.ts'
import { FileFault } from './limits.ts'
import { openBook } from './open.ts'

/* The thread that reads the headings of a table: the first row of its first sheet in which two cells are filled. */

/** Rows that are looked at for headings, and columns of one. */
const rowsLooked = 20
const columnsMost = 200

handOver<never, string[]>(
  async () => {
    const book = await openBook(workerData as string)
    try {
      const [sheet] = book.sheets
      let looked = 0
      if (sheet)
        for await (const { cells } of sheet.rows()) {
          const texts = Array.from(cells, (cell) => String(cell ?? '').trim()).slice(0, columnsMost)
          if (texts.filter(Boolean).length >= 2) return texts
          looked += 1
          if (looked === rowsLooked) break
        }
      throw new FileFault('第一张工作表中没有标题行', 'There is no row of headings in the first sheet')
    } finally {
      await book.close?.()
    }
  },
  (error) => (error instanceof FileFault ? error.words : { zh: '文件无法读取', en: 'The file cannot be read' }),
)
