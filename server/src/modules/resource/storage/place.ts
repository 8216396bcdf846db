import { randomBytes } from 'node:crypto'
import { oss } from '@data-brain/contract'
import { sql } from '../../../database/statement.ts'
import { inTenant, type Tx } from '../../../database/transaction.ts'
import { modelOf } from '../../../entity/model.ts'
import type { Services } from '../../../kernel/services.ts'
import { FolderStore } from './folder.ts'
import type { S3Store } from './s3.ts'
import { type Store, StoreError } from './store.ts'

/** The status of the one place of a tenant that new files go to. */
export const enabledStatus = 2

/** The place that new files of a tenant go to; null for the data folder. */
export async function enabledPlace(tx: Tx, tenantId: string): Promise<string | null> {
  const row = await tx.one<{ id: string }>(
    sql`select id from oss where tenant_id = ${tenantId} and status = ${enabledStatus}`,
  )
  return row?.id ?? null
}

interface Row {
  readonly version: number
  readonly category: string
  readonly endpoint: string
  readonly region: string | null
  readonly bucket_name: string
  readonly access_key: Buffer
  readonly secret_key: Buffer
  readonly path_style: number | null
  readonly app_id: string | null
}

/** Connections are kept between calls, by place and its version: a changed key is used with the next call. */
const kept = new Map<string, S3Store>()
const keptMost = 100

/** The store in which the files of a place lie; null is the data folder. */
export async function storeOf(services: Services, tenantId: string, ossId: string | null): Promise<Store> {
  if (ossId === null) return new FolderStore(services, tenantId)
  const row = await inTenant(services.pool, tenantId, (tx) =>
    tx.one<Row>(
      sql`select version, category, endpoint, region, bucket_name, access_key, secret_key, path_style, app_id
          from oss where tenant_id = ${tenantId} and id = ${ossId}`,
    ),
  )
  if (!row) throw new StoreError({ zh: '该对象存储已不存在', en: 'The object storage is no longer there' })
  const allowed = services.environment.outboundAllow.join()
  const key = `${tenantId}|${ossId}|${row.version}|${allowed}`
  const known = kept.get(key)
  if (known) return known
  const open = (column: string, sealed: Buffer): string =>
    services.cipher.open(sealed, { table: modelOf(oss).table, column, tenantId, id: ossId })
  // Of the larger packages; a tenant without object storage needs none of it.
  const { S3Store } = await import('./s3.ts')
  const store = new S3Store(services, {
    category: row.category,
    endpoint: row.endpoint,
    region: row.region,
    bucketName: row.bucket_name,
    accessKey: open('access_key', row.access_key),
    secretKey: open('secret_key', row.secret_key),
    pathStyle: row.path_style === 1,
    appId: row.app_id,
  })
  // Whoever is still reading by a store that is forgotten here reads on; its idle connections close by themselves.
  if (kept.size >= keptMost) kept.delete(kept.keys().next().value!)
  kept.set(key, store)
  return store
}

/** A name for new bytes: `<tenant>/<yyyy>/<mm>/<random>.<extension>`, nothing of what the client called them. */
export function newName(tenantId: string, extension: string, now = new Date()): string {
  const month = String(now.getUTCMonth() + 1).padStart(2, '0')
  return `${tenantId}/${now.getUTCFullYear()}/${month}/${randomBytes(16).toString('hex')}.${extension}`
}
