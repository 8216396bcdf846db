import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { sql } from '../../../database/statement.ts'
import { inTenant } from '../../../database/transaction.ts'
import type { Services } from '../../../kernel/services.ts'
import { temporaryFolder } from '../../../kernel/temporary.ts'
import { measureFile, shrinkPicture, thumbnailWidths, type Width } from '../picture.ts'
import { typeOf } from '../type.ts'
import { type Bytes, holdFiles, noteLoose, removeLoose, takeLoose } from './loose.ts'
import { storeOf } from './place.ts'
import { StoreError } from './store.ts'

/** The kind of every small copy. */
export const smallMime = 'image/webp'

const smallName = (name: string, width: Width): string => `${name.replace(/\.\w+$/, '')}.w${width}.webp`

/** All names that bytes of a file may have in their store: themselves, and the small copies of a picture. */
export const bytesOf = (name: string, extension: string | null): string[] => [
  name,
  ...(typeOf(extension ?? '')?.picture ? thumbnailWidths.map((width) => smallName(name, width)) : []),
]

/** Longest that a small copy is on its way, in seconds. */
const onTheWay = 3_600

async function make(services: Services, tenantId: string, { ossId, name }: Bytes, width: Width): Promise<boolean> {
  const store = await storeOf(services, tenantId, ossId)
  const original = await store.get(name)
  if (!original) return false
  const small = smallName(name, width)
  const folder = await temporaryFolder()
  try {
    const path = join(folder.path, 'small')
    await shrinkPicture(tenantId, original, width, path)
    await inTenant(services.pool, tenantId, (tx) =>
      noteLoose(tx, tenantId, { ossId, name: small }, { seconds: onTheWay }),
    )
    await store.put(small, { path, ...(await measureFile(path)), mime: smallMime })
    const stays = await inTenant(services.pool, tenantId, async (tx) => {
      await holdFiles(tx, tenantId)
      const row = await tx.one(sql`select 1 from attach where tenant_id = ${tenantId} and name = ${name} limit 1`)
      return row !== undefined && (await takeLoose(tx, tenantId, small))
    })
    if (!stays) await removeLoose(services, tenantId, [small])
    return stays
  } finally {
    await folder.remove()
  }
}

/** Copies being made by this process: who asks for one meanwhile waits for it. */
const making = new Map<string, Promise<boolean>>()

/**
 * The small copy of a picture: made when it is first asked for, and kept beside it. Undefined where none can be made of
 * what is there.
 */
export async function smallOf(
  services: Services,
  tenantId: string,
  bytes: Bytes,
  width: Width,
): Promise<Readable | undefined> {
  const name = smallName(bytes.name, width)
  const store = await storeOf(services, tenantId, bytes.ossId)
  const kept = await store.get(name)
  if (kept) return kept
  const key = `${bytes.ossId ?? ''}|${name}`
  const under = making.get(key) ?? make(services, tenantId, bytes, width).finally(() => making.delete(key))
  making.set(key, under)
  try {
    return (await under) ? await store.get(name) : undefined
  } catch (error) {
    if (error instanceof StoreError) throw error
    services.log.warn('no small copy of a picture', { tenantId, name, error: (error as Error).message })
    return undefined
  }
}
