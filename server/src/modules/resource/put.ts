import { dirname, join } from 'node:path'
import { attach, codeOf, notice } from '@data-brain/contract'
import type { AnswerOf } from '@data-brain/contract/call'
import type { putFile } from '@data-brain/contract/calls/attach'
import { newId } from '../../database/id.ts'
import { sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { modelOf, pointersAt } from '../../entity/model.ts'
import { contextOf } from '../../entity/routes.ts'
import { writeNew } from '../../entity/write.ts'
import { type Actor, holdsCode } from '../../kernel/actor.ts'
import { Problem } from '../../kernel/problem.ts'
import type { DetachedCall } from '../../kernel/route.ts'
import type { ReceivedFile } from '../../kernel/upload.ts'
import { measureFile, redrawPicture } from './picture.ts'
import { linkOf, signedLink } from './sign.ts'
import { type Bytes, holdFiles, noteLoose, removeLoose, takeLoose } from './storage/loose.ts'
import { enabledPlace, newName, storeOf } from './storage/place.ts'
import { type Parcel, StoreError } from './storage/store.ts'
import { extensionOf, type FileType, isOf, typeOf } from './type.ts'
import { mustBeUsed, mustFit } from './usage.ts'

const refuseFile = (zh: string, en: string): Problem =>
  new Problem('field_invalid', { label: { zh: '文件', en: 'File' }, reason: { zh, en } }, { field: 'file', fields: [] })

/** The client's name of a file without its folders and without signs that no name should have. */
function cleanName(name: string): string {
  const last = name.normalize('NFC').split(/[\\/]/).at(-1) ?? ''
  return last
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}"<>|:*?]/gu, '')
    .trim()
    .slice(-200)
}

/** The kind of a file by its name; one that is not taken is refused before it has arrived. */
function kindOf(name: string): FileType {
  const type = typeOf(extensionOf(cleanName(name)))
  if (!type) throw refuseFile('不支持这种文件', 'this kind is not taken')
  return type
}

/** Most bytes of a file of this name. */
export const mostOf = (name: string): number => kindOf(name).most

/** What somebody may upload who may save nothing that a file hangs on: a face, before it is cut out. */
const ownMost = 5 * 1_048_576

/** Whether somebody may save a row that a file hangs on. */
const maySaveFiles = (actor: Actor): boolean =>
  [attach, notice, ...pointersAt(attach.name).map(({ model }) => model.entity)].some((entity) =>
    (['add', 'edit'] as const).some((verb) => holdsCode(actor, codeOf(entity, verb))),
  )

/** Uploads go as far as rights do: whoever may only change the own account brings a picture of themself. */
function refuseBeyond(actor: Actor, { picture }: FileType, size: number): void {
  if (!maySaveFiles(actor) && !(picture && size <= ownMost))
    throw new Problem('forbidden', { code: codeOf(attach, 'add') })
}

/** What is kept of an upload: the file as it came, or a picture drawn anew. Its kind is told by its content. */
async function parcelOf(tenantId: string, received: ReceivedFile, type: FileType): Promise<Parcel> {
  const { path, size, sha256 } = received
  const { extension, mime } = type
  if (size === 0) throw refuseFile('是空文件', 'is empty')
  if (!(await isOf(type, path, size))) throw refuseFile(`内容不是${extension}文件`, `its content is no ${extension}`)
  if (!type.picture) return { path, size, sha256, mime }
  const drawn = join(dirname(path), 'drawn')
  if (!(await redrawPicture(tenantId, extension, path, drawn)))
    throw refuseFile('图片已损坏，或像素过多（上限2500万）', 'is a broken picture, or has more than 25 million pixels')
  return { path: drawn, ...(await measureFile(drawn)), mime }
}

interface Kept {
  readonly originalName: string
  readonly extension: string
  readonly parcel: Parcel
  /** Nobody need point at it for it to stay. */
  readonly stays: boolean
}

/** Bytes of the tenant that are these very ones. */
const twinOf = async (
  tx: Tx,
  tenantId: string,
  { parcel: { sha256, size }, extension }: Kept,
  lost?: string,
): Promise<Bytes | undefined> =>
  tx.one<Bytes>(
    sql`select oss_id as "ossId", name from attach where tenant_id = ${tenantId} and sha256 = ${sha256}
        and attach_size = ${size} and extension = ${extension} and name is not null
        and name is distinct from ${lost ?? null} order by id desc limit 1`,
  )

async function writeRow(
  call: DetachedCall,
  opened: { tx: Tx; actor: Actor },
  { ossId, name }: Bytes,
  { originalName, extension, parcel, stays }: Kept,
): Promise<string> {
  const id = newId()
  const { tenantId } = opened.actor
  await writeNew(
    modelOf(attach),
    contextOf({ ...call, ...opened }),
    id,
    {
      link: linkOf(id),
      domainUrl: call.services.environment.publicUrl ?? '',
      name,
      originalName,
      extension,
      attachSize: parcel.size,
      sha256: parcel.sha256,
      refCount: 0,
    },
    {},
  )
  await opened.tx.run(
    sql`update attach set oss_id = ${ossId}, used_at = case when ${stays} then now() end where tenant_id = ${tenantId} and id = ${id}`,
  )
  return id
}

interface Made {
  readonly id: string
  readonly name: string
}

/**
 * The row of a file whose bytes the tenant has already. Where they are not as they should be, or not there at all, their
 * name: nothing more is to lead to them.
 */
async function keepBeside(call: DetachedCall, kept: Kept): Promise<{ made?: Made; lost?: string }> {
  const { twin, tenantId } = await call.as(async ({ tx, actor }) => ({
    twin: await twinOf(tx, actor.tenantId, kept),
    tenantId: actor.tenantId,
  }))
  if (!twin) return {}
  const size = await (await storeOf(call.services, tenantId, twin.ossId)).head(twin.name).catch(() => undefined)
  if (size !== kept.parcel.size) return { lost: twin.name }
  return call.as(async (opened) => {
    await holdFiles(opened.tx, tenantId)
    // Somebody may have removed the last row that led to them meanwhile.
    if ((await twinOf(opened.tx, tenantId, kept))?.name !== twin.name) return {}
    return { made: { id: await writeRow(call, opened, twin, kept), name: twin.name } }
  })
}

/** How long bytes may be on their way into a store, in seconds: longer than any store is waited for. */
const onTheWay = 7_200

/** Puts the bytes into the store that is enabled, and the row that leads to them into the database. */
async function keepAnew(call: DetachedCall, kept: Kept, lost: string | undefined): Promise<Made> {
  const { services } = call
  const { parcel, extension } = kept
  const { tenantId, bytes } = await call.as(async ({ tx, actor }) => {
    await holdFiles(tx, actor.tenantId)
    await mustFit(tx, actor.tenantId, parcel.size)
    const made = { ossId: await enabledPlace(tx, actor.tenantId), name: newName(actor.tenantId, extension) }
    await noteLoose(tx, actor.tenantId, made, { seconds: onTheWay, reserved: parcel.size })
    return { tenantId: actor.tenantId, bytes: made }
  })
  const letGo = (): Promise<unknown> =>
    removeLoose(services, tenantId, [bytes.name]).catch((error: Error) =>
      services.log.warn('bytes that nothing leads to are removed later', { error: error.message }),
    )
  try {
    await (await storeOf(services, tenantId, bytes.ossId)).put(bytes.name, parcel)
    const made = await call.as(async (opened) => {
      await holdFiles(opened.tx, tenantId)
      // The same may have been sent twice at once: one of the two stays.
      const twin = await twinOf(opened.tx, tenantId, kept, lost)
      if (!twin && !(await takeLoose(opened.tx, tenantId, bytes.name))) throw new Problem('outage')
      const found = twin ?? bytes
      return { id: await writeRow(call, opened, found, kept), name: found.name }
    })
    if (made.name !== bytes.name) await letGo()
    return made
  } catch (error) {
    await letGo()
    if (!(error instanceof StoreError)) throw error
    services.log.error('a file could not be stored', { tenantId, ossId: bytes.ossId, error: error.message })
    throw new Problem('storage_away')
  }
}

/**
 * Takes one file. What is like another of the tenant's is stored once. It stays for a day unless something points at it
 * by then; with `stays` it stays until it is removed.
 */
export async function storeFile(call: DetachedCall, stays: boolean): Promise<AnswerOf<typeof putFile>> {
  const received = call.body as ReceivedFile
  const originalName = cleanName(received.name)
  const type = kindOf(originalName)
  const { extension } = type
  const holder = await call.as(async ({ tx, actor }) => {
    refuseBeyond(actor, type, received.size)
    if (!stays) await mustBeUsed(tx, actor.tenantId, actor.userId, received.size)
    return actor
  })
  const { tenantId } = holder
  const parcel = await parcelOf(tenantId, received, type)
  const kept = { originalName, extension, parcel, stays }
  const { made, lost } = await keepBeside(call, kept)
  const { id, name } = made ?? (await keepAnew(call, kept, lost))
  return {
    link: signedLink(call.services, holder, id),
    domain: call.services.environment.publicUrl ?? '',
    name,
    originalName,
    attachId: id,
  }
}
