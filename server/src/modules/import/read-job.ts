import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { sql } from '../../database/statement.ts'
import { threadOf } from '../../kernel/thread.ts'
import { addBatchWork, dropFile, fetchFile } from '../jobs/index.ts'
import { batchOf, storeRows } from './batch.ts'
import type { Form, FormJob } from './form.ts'
import { FileFault, limits, type SheetMessage } from './limits.ts'
import { propose } from './propose.ts'

/** Reads the kept file of a batch in a thread of its own, and stores its rows sealed. The file is kept no longer then. */
export function addReading({ kind, code }: Form): void {
  addBatchWork(kind, 'reading', code, async ({ tenantId, batchId, services }, tx, progress) => {
    let total = 0
    let headings: readonly string[] = []
    const folder = await mkdtemp(join(tmpdir(), 'data-brain-import-'))
    try {
      const path = join(folder, 'file')
      await fetchFile(tx, services.cipher, tenantId, batchId, path)
      await readFile(path, kind, async (message) => {
        if (message.kind === 'head') headings = message.headings
        if (message.kind !== 'rows') return
        await storeRows(tx, services.cipher, tenantId, batchId, message.rows)
        total += message.rows.length
        await progress(total)
      })
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
    await dropFile(tx, tenantId, batchId)
    const { settings } = await batchOf(tx, tenantId, { kind }, batchId)
    const proposed = await propose(
      kind,
      tx,
      tenantId,
      headings.map((heading) => ({ heading })),
      settings,
    )
    await tx.run(
      sql`update import_batch set state = 'mapping', columns = ${JSON.stringify(proposed.columns)}, mapping = ${JSON.stringify(proposed.mapping)}, settings = ${JSON.stringify({ ...settings, ...proposed.settings })},
            total = ${total}, progress = 0, failure = null, update_time = now() where tenant_id = ${tenantId} and id = ${batchId}`,
    )
    return { rows: total }
  })
}

const tooMuch = (): FileFault =>
  new FileFault(
    '文件过大或过于复杂,请只保留一张工作表后重试',
    'The file is too large or complex: keep one sheet only and try again',
  )

/** Lets a thread read a file, portion by portion; it is ended when it takes too much memory or time. */
function readFile(path: string, kind: FormJob['kind'], heard: (message: SheetMessage) => Promise<void>): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    const worker = new Worker(threadOf('worker-sheet', import.meta.url), {
      workerData: { path, kind },
      resourceLimits: { maxOldGenerationSizeMb: limits.memory, maxYoungGenerationSizeMb: 32 },
    })
    const timer = setTimeout(() => end(tooMuch()), limits.seconds * 1_000)
    let ended = false
    const end = (error?: unknown): void => {
      if (ended) return
      ended = true
      clearTimeout(timer)
      worker.terminate().then(() => (error ? reject(error) : resolve()), reject)
    }
    worker.on('message', (message: SheetMessage) => {
      if (message.kind === 'fault') return end(new FileFault(message.words.zh, message.words.en))
      if (message.kind === 'end') return end()
      heard(message).then(() => {
        if (!ended && message.kind === 'rows') worker.postMessage('go on')
      }, end)
    })
    worker.on('error', (error: Error & { code?: string }) =>
      end(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooMuch() : error),
    )
    worker.on('exit', () => end(tooMuch()))
  })
}
