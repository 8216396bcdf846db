import { join } from 'node:path'
import type { Words } from '@data-brain/contract'
import { sql } from '../../../database/statement.ts'
import { readInThread } from '../../../kernel/reading-thread.ts'
import { temporaryFolder } from '../../../kernel/temporary.ts'
import { threadOf } from '../../../kernel/thread.ts'
import { addBatchWork, fetchFile } from '../../jobs/index.ts'
import { headsKnown, rememberHeads } from '../batch/answer-memory.ts'
import { batchOf, storeRows } from '../batch/batch.ts'
import type { Form, FormJob } from '../batch/form.ts'
import { formFor } from '../custom.ts'
import { keepSource } from './kept-cells.ts'
import { FileFault, limits } from './limits.ts'
import { proposeColumns } from './propose.ts'
import { sniffContainer } from './sniff.ts'
import type { Choice, SheetRow, Source } from './table.ts'

/**
 * Reads the kept file of a batch in a thread of its own, and stores its rows sealed. The file is kept until the batch
 * ends, so that other sheets of it can be read instead.
 */
export function addReading(form: Form): void {
  const { kind, code } = form
  addBatchWork(kind, 'reading', code, async ({ tenantId, batchId, services, actor }, tx, progress) => {
    const batch = await batchOf(tx, tenantId, { kind }, batchId)
    let { settings } = batch
    let failure: Words | null = null
    let total = 0
    const known = await headsKnown(tx, tenantId, kind)
    const folder = await temporaryFolder()
    let source: Source
    try {
      const path = join(folder.path, 'file')
      await fetchFile(tx, services.cipher, tenantId, batchId, path)
      const read = async (choice: Choice): Promise<Source> => {
        await tx.run(
          sql`delete from import_row where tenant_id = ${tenantId} and batch_id = ${batchId} and row_no >= 0`,
        )
        total = 0
        return readSheets(path, kind, choice, async (rows) => {
          await storeRows(tx, services.cipher, tenantId, batchId, rows)
          total += rows.length
          await progress(total)
        })
      }
      const { sheets, heading } = settings
      try {
        source = await read({ known, ...(sheets ? { sheets } : {}), ...(heading ? { heading } : {}) })
      } catch (error) {
        // A choice that leads nowhere is told, and the file is as it was before.
        if (!(error instanceof FileFault) || (!sheets && !heading)) throw error
        const { sheets: _sheets, heading: _heading, ...rest } = settings
        settings = rest
        failure = error.words
        source = await read({ known })
      }
    } finally {
      await folder.remove()
    }
    await keepSource(tx, services.cipher, tenantId, batchId, source)
    if (settings.sheets || settings.heading) await rememberHeads(tx, tenantId, kind, signsOf(source))
    const proposed = await proposeColumns(formFor(form, actor), tx, tenantId, source.columns, settings, batch.file_name)
    await tx.run(
      sql`update import_batch set state = 'mapping', columns = ${JSON.stringify(proposed.columns)}, mapping = ${JSON.stringify(proposed.mapping)}, settings = ${JSON.stringify({ ...settings, ...proposed.settings, runs: source.runs })},
            total = ${total}, progress = 0, failure = ${failure && JSON.stringify(failure)}, update_time = now() where tenant_id = ${tenantId} and id = ${batchId}`,
    )
    return { rows: total }
  })
}

/** The signs of the headings of the sheets that were read. */
export const signsOf = ({ views = [], chosen }: Source): string[] =>
  views.flatMap(({ sheet, sign }) => (chosen.includes(sheet) ? [sign] : []))

const tooMuch = (): FileFault =>
  new FileFault(
    '文件过大或过于复杂，请只保留一张工作表后重试',
    'The file is too large or complex: keep one sheet only and try again',
  )

/** Lets a thread read a file, portion by portion; it is ended when it takes too much memory or time. */
export async function readSheets(
  path: string,
  kind: FormJob['kind'],
  choice: Choice,
  take: (rows: readonly SheetRow[]) => Promise<void>,
): Promise<Source> {
  const container = await sniffContainer(path)
  return readInThread<readonly SheetRow[], Source>({
    thread: threadOf('worker-sheet', import.meta.url),
    data: { path, kind, choice },
    memory: container === 'xls' || container === 'xlsb' ? limits.libraryMemory : limits.memory,
    seconds: limits.seconds,
    take,
    refusal: ({ zh, en }) => new FileFault(zh, en),
    tooMuch,
  })
}
