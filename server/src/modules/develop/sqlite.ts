import { realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Services } from '../../kernel/services.ts'
import { threadOf } from '../../kernel/thread.ts'
import type { SourceAddress } from './address.ts'
import { rowsMost, type SourceColumn, type SourceReader, type SourceTable, statementMs } from './reader.ts'
import { SourceError, tableGone, tooMany, tooSlow } from './source-error.ts'

/** What the thread is asked, one thing at a time. */
export type SqliteAsk =
  | { readonly kind: 'tables' }
  | { readonly kind: 'columns'; readonly table: string }
  | { readonly kind: 'rows'; readonly table: string; readonly columns: readonly string[]; readonly most: number }
/** What it tells: `many` rows, a table that is `gone`, a file of another `format`. */
export type SqliteAnswer =
  | { readonly kind: 'found'; readonly found: unknown }
  | { readonly kind: 'fault'; readonly fault: 'many' | 'gone' | 'format' | 'other' }

const notThere = (file: string): SourceError =>
  new SourceError({
    zh: `运维人员的文件夹中没有文件“${file}”`,
    en: `There is no file “${file}” in the operator’s folder`,
  })

/** The file of an address, within the operator's folder wherever its links lead. */
async function placeOf({ environment }: Services, file: string): Promise<string> {
  const { datasourceDir } = environment
  if (datasourceDir === null)
    throw new SourceError({
      zh: '没有可读取的文件夹：请运维人员用环境变量 DATASOURCE_DIR 指定',
      en: 'There is no folder to read from: the operator names one by the environment variable DATASOURCE_DIR',
    })
  try {
    const folder = await realpath(datasourceDir)
    const place = await realpath(join(folder, file))
    if (!place.startsWith(folder + sep) || !(await stat(place)).isFile()) throw notThere(file)
    return place
  } catch {
    throw notThere(file)
  }
}

/** Megabytes of the thread's old space. */
const threadMemory = 128

/** Opens a SQLite file for reading, in a thread of its own. */
export async function openSqlite(
  services: Services,
  { file }: Extract<SourceAddress, { kind: 'sqlite' }>,
): Promise<SourceReader> {
  const path = await placeOf(services, file)
  const worker = new Worker(threadOf('worker-sqlite', import.meta.url), {
    workerData: { path },
    resourceLimits: { maxOldGenerationSizeMb: threadMemory },
  })
  // Thrown within the thread between two questions: the next one tells it.
  worker.on('error', () => {})
  const ask = <T>(question: SqliteAsk): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      const settle = (done: () => void): void => {
        clearTimeout(clock)
        worker.off('message', heard)
        worker.off('exit', ended)
        done()
      }
      const clock = setTimeout(() => {
        settle(() => reject(tooSlow()))
        void worker.terminate()
      }, statementMs)
      const ended = (): void => settle(() => reject(unreadable()))
      const heard = (told: SqliteAnswer): void =>
        settle(() => {
          if (told.kind === 'found') return resolve(told.found as T)
          if (told.fault === 'many') return reject(tooMany(rowsMost))
          if (told.fault === 'gone') return reject(tableGone('table' in question ? question.table : file))
          reject(unreadable())
        })
      worker.on('message', heard)
      worker.on('exit', ended)
      worker.postMessage(question)
    })
  const unreadable = (): SourceError =>
    new SourceError({
      zh: `文件“${file}”无法作为SQLite数据库读取`,
      en: `The file “${file}” cannot be read as a SQLite database`,
    })
  return {
    tables: () => ask<SourceTable[]>({ kind: 'tables' }),
    columns: ({ name }) => ask<SourceColumn[]>({ kind: 'columns', table: name }),
    rows: ({ name }, columns, most) =>
      ask({ kind: 'rows', table: name, columns: columns.map((column) => column.name), most }),
    // A thread that is in the middle of a statement ends with it; nobody waits for that.
    close: async () => void worker.terminate(),
  }
}
