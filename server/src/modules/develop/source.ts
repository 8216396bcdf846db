import { datasource } from '@data-brain/contract'
import { sql } from '../../database/statement.ts'
import { inTenant } from '../../database/transaction.ts'
import { modelOf } from '../../entity/model.ts'
import type { Services } from '../../kernel/services.ts'
import { readAddress } from './address.ts'
import { openMysql } from './mysql.ts'
import { openPostgres } from './postgres.ts'
import { type SourceReader, statementMs } from './reader.ts'
import { busy, SourceError } from './source-error.ts'
import { openSqlite } from './sqlite.ts'

interface Row {
  readonly driver_class: string
  readonly url: string
  readonly username: string | null
  readonly password: Buffer | null
}

/** Connections of this process to one source at a time. */
const atOnce = 3
const held = new Map<string, number>()
const waiting = new Map<string, (() => void)[]>()

/** Waits for one of the connections of a source; answers what gives it back. */
async function turnAt(key: string): Promise<() => void> {
  if ((held.get(key) ?? 0) >= atOnce)
    await new Promise<void>((resolve, reject) => {
      const queue = waiting.get(key) ?? []
      waiting.set(key, queue)
      const go = (): void => {
        clearTimeout(clock)
        resolve()
      }
      const clock = setTimeout(() => {
        queue.splice(queue.indexOf(go), 1)
        reject(busy())
      }, statementMs)
      queue.push(go)
    })
  else held.set(key, (held.get(key) ?? 0) + 1)
  return () => {
    const next = waiting.get(key)?.shift()
    if (next) return next()
    const left = held.get(key)! - 1
    if (left > 0) return void held.set(key, left)
    held.delete(key)
    waiting.delete(key)
  }
}

async function open(services: Services, tenantId: string, id: string): Promise<SourceReader> {
  const row = await inTenant(services.pool, tenantId, (tx) =>
    tx.one<Row>(
      sql`select driver_class, url, username, password from datasource where tenant_id = ${tenantId} and id = ${id}`,
    ),
  )
  if (!row) throw new SourceError({ zh: '该数据源已不存在', en: 'The data source is no longer there' })
  const address = readAddress(row.driver_class, row.url)
  if ('fault' in address) {
    const { zh, en } = address.fault
    throw new SourceError({ zh: `连接地址${zh}`, en: `The address ${en}` })
  }
  if (address.kind === 'sqlite') return openSqlite(services, address)
  const table = modelOf(datasource).table
  const login = {
    username: row.username,
    password: row.password && services.cipher.open(row.password, { table, column: 'password', tenantId, id }),
  }
  return address.kind === 'mysql' ? openMysql(services, address, login) : openPostgres(services, address, login)
}

/** Fails as soon as whoever asked is gone. */
const gone = (left: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const leave = (): void => reject(left.reason)
    if (left.aborted) leave()
    left.addEventListener('abort', leave, { once: true })
  })

/**
 * Reads a data source of a tenant over a connection of its own, which is ended whatever happens. Throws a SourceError in
 * words where it cannot be reached or does not answer; the connection is ended as soon as whoever asked has `left`.
 */
export async function readSource<T>(
  services: Services,
  { tenantId, id }: { readonly tenantId: string; readonly id: string },
  read: (reader: SourceReader) => Promise<T>,
  left?: AbortSignal,
): Promise<T> {
  const end = await turnAt(`${tenantId}|${id}`)
  let reader: SourceReader | undefined
  try {
    left?.throwIfAborted()
    reader = await open(services, tenantId, id)
    return await (left ? Promise.race([read(reader), gone(left)]) : read(reader))
  } finally {
    await reader?.close()
    end()
  }
}
