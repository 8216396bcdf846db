import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline as flow, type Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { inTenant, type Tx } from '../../database/transaction.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Services } from '../../kernel/services.ts'
import { temporaryFolder } from '../../kernel/temporary.ts'
import { lengthenLoose, looseOf, noteLoose, removeLoose } from './storage/loose.ts'
import { enabledPlace, newName, storeOf } from './storage/place.ts'
import { StoreError } from './storage/store.ts'

/*
 * Files that are no attachments: made for one person, fetched once or twice, and gone by themselves. They lie in the
 * tenant's store as loose bytes with a time of their own, so that the sweep removes them, and they are sealed with a
 * secret that whoever made them keeps: a store, a backup or a disk that was thrown away shows nothing of them.
 */

/** A file that is kept for a while. */
export interface TemporaryFile {
  readonly id: string
  /** Of what was put in. */
  readonly bytes: number
}

const algorithm = 'aes-256-gcm'
const tagSize = 16
/** How long bytes may be on their way into a store, in seconds. */
const onTheWay = 7_200

/** A secret for the files of one purpose. */
export const newSecret = (): string => randomBytes(32).toString('base64')

/** No two files have one name, so none is sealed with the key and nonce of another. */
function keysOf(secret: string, name: string): { key: Buffer; nonce: Buffer } {
  const made = Buffer.from(hkdfSync('sha256', Buffer.from(secret, 'base64'), name, 'passing-file', 44))
  return { key: made.subarray(0, 32), nonce: made.subarray(32) }
}

/** What goes wrong with a store, in the words of a call. */
function away(services: Services, tenantId: string, error: unknown): never {
  if (!(error instanceof StoreError)) throw error
  services.log.error('a passing file could not be kept or read', { tenantId, error: error.message })
  throw new Problem('storage_away')
}

/**
 * Puts bytes into the store of the tenant as they come, never whole in memory. They stay for good only once
 * `passingStays` has said for how long, and are removed where nobody says so.
 */
export async function keepPassing(
  services: Services,
  tenantId: string,
  secret: string,
  bytes: AsyncIterable<Buffer>,
): Promise<TemporaryFile> {
  const name = newName(tenantId, 'sealed')
  const { key, nonce } = keysOf(secret, name)
  const folder = await temporaryFolder()
  try {
    const path = join(folder.path, 'file')
    const cipher = createCipheriv(algorithm, key, nonce)
    const hash = createHash('sha256')
    let size = 0
    await pipeline(
      bytes,
      async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          size += chunk.length
          const sealed = cipher.update(chunk)
          hash.update(sealed)
          yield sealed
        }
        const last = Buffer.concat([cipher.final(), cipher.getAuthTag()])
        hash.update(last)
        yield last
      },
      createWriteStream(path, { mode: 0o600 }),
    )
    const { id, ossId } = await inTenant(services.pool, tenantId, async (tx) => {
      const place = await enabledPlace(tx, tenantId)
      return { ossId: place, id: await noteLoose(tx, tenantId, { ossId: place, name }, { seconds: onTheWay }) }
    })
    try {
      const parcel = { path, size: size + tagSize, sha256: hash.digest('hex'), mime: 'application/octet-stream' }
      await (await storeOf(services, tenantId, ossId)).put(name, parcel)
    } catch (error) {
      await removeLoose(services, tenantId, [name]).catch(() => {})
      away(services, tenantId, error)
    }
    return { id, bytes: size }
  } finally {
    await folder.remove()
  }
}

/** Lets a file stay so many seconds, in the transaction that tells of it. Answers until when. */
export async function passingStays(tx: Tx, tenantId: string, id: string, seconds: number): Promise<string> {
  const until = await lengthenLoose(tx, tenantId, id, seconds)
  if (until === undefined) throw new Problem('outage')
  return until
}

/** The bytes of a file as they come; undefined once its time is over. Bytes that were altered end in an error. */
export async function readPassing(
  services: Services,
  tenantId: string,
  secret: string,
  { id, bytes }: TemporaryFile,
): Promise<Readable | undefined> {
  const found = await inTenant(services.pool, tenantId, (tx) => looseOf(tx, tenantId, id))
  if (!found) return undefined
  try {
    const store = await storeOf(services, tenantId, found.ossId)
    const tag = await store.get(found.name, { from: bytes, to: bytes + tagSize - 1 })
    const sealed = tag && (await store.get(found.name, { from: 0, to: bytes - 1 }))
    if (!sealed) {
      services.log.error('a passing file is not where its note says', { tenantId, id, name: found.name })
      return undefined
    }
    const { key, nonce } = keysOf(secret, found.name)
    const decipher = createDecipheriv(algorithm, key, nonce)
    decipher.setAuthTag(await buffer(tag))
    // Whoever reads hears of a failure by the stream's own end.
    return flow(sealed, decipher, () => {})
  } catch (error) {
    return away(services, tenantId, error)
  }
}
