import { readFile } from 'node:fs/promises'
import { attach, codeOf } from '@data-brain/contract'
import { newId } from '../../database/id.ts'
import { sql } from '../../database/statement.ts'
import { inTenant, type Tx } from '../../database/transaction.ts'
import { modelOf, pointersAt } from '../../entity/model.ts'
import { contextOf, rowsOf } from '../../entity/routes.ts'
import { nameRef } from '../../entity/select.ts'
import { writeNew } from '../../entity/write.ts'
import { type Actor, holds } from '../../kernel/actor.ts'
import { authenticate } from '../../kernel/authenticate.ts'
import { Problem } from '../../kernel/problem.ts'
import { Bare, type Call, code, type PublicCall, publicRoute, type Route, route } from '../../kernel/route.ts'
import { authorize } from '../../kernel/serve.ts'
import type { Received } from '../../kernel/upload.ts'
import { leaveOf, linkOf, signedLink } from './sign.ts'
import { drop, fetchFile, keep } from './store.ts'
import { strip } from './strip.ts'
import { extensionOf, typeOf } from './type.ts'

const largest = 10 * 1_048_576

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

/** Takes one file: its kind is told by its content and must be that of its ending. */
async function putFile(call: Call): Promise<unknown> {
  const received = call.body as Received
  const { tenantId } = call.actor
  const originalName = cleanName(received.name)
  const extension = extensionOf(originalName)
  const type = typeOf(extension)
  if (!type) throw refuseFile('不支持这种文件', 'this kind is not taken')
  if (received.size === 0) throw refuseFile('是空文件', 'is empty')
  const sent = await readFile(received.path)
  const bytes = type.is(sent) ? strip(extension, sent) : undefined
  if (!bytes) throw refuseFile(`内容不是${extension}文件`, `its content is no ${extension}`)
  const kept = await keep(call.services, tenantId, extension, bytes)
  const id = newId()
  const domain = call.services.environment.publicUrl ?? ''
  try {
    await writeNew(
      modelOf(attach),
      contextOf(call),
      id,
      {
        link: linkOf(id),
        domainUrl: domain,
        name: kept.name,
        originalName,
        extension,
        attachSize: kept.size,
        sha256: kept.sha256,
        refCount: 0,
      },
      {},
    )
  } catch (error) {
    await drop(call.services, tenantId, kept.name)
    throw error
  }
  return { link: signedLink(call.services, tenantId, id), domain, name: kept.name, originalName, attachId: id }
}

interface Stored {
  readonly id: string
  readonly name: string
  readonly originalName: string
  readonly extension: string
}

/**
 * Which of these files an actor may read: all with the view code; else those the actor uploaded, everybody's avatars,
 * and what hangs on rows of entities that the actor may view.
 */
async function readable(tx: Tx, actor: Actor, ids: readonly string[]): Promise<Stored[]> {
  const { tenantId } = actor
  const pointing = pointersAt(attach.name)
    .filter(({ model }) => holds(actor, codeOf(model.entity, 'view')))
    .map(({ model, field }) =>
      field.kind === 'references'
        ? sql`exists (select 1 from ${nameRef(field.linkTable!)} l where l.tenant_id = a.tenant_id and l.target_id = a.id)`
        : sql`exists (select 1 from ${nameRef(model.table)} p where p.tenant_id = a.tenant_id and p.${nameRef(field.column)} = a.id)`,
    )
  const leave = [
    sql`${holds(actor, codeOf(attach, 'view'))}`,
    sql`a.create_user = ${actor.userId}`,
    sql`exists (select 1 from app_user u where u.tenant_id = a.tenant_id and u.avatar = a.link)`,
    ...pointing,
  ]
  return tx.run<Stored>(
    sql`select a.id, a.name, a.original_name as "originalName", a.extension from attach a
        where a.tenant_id = ${tenantId} and a.id = any(${[...ids]}::bigint[]) and (${sql.join(leave, sql` or `)})`,
  )
}

async function links(call: Call, ids: readonly string[]): Promise<Record<string, string>> {
  const rows = await readable(call.tx, call.actor, ids)
  return Object.fromEntries(rows.map((row) => [row.id, signedLink(call.services, call.actor.tenantId, row.id)]))
}

interface FileClaim {
  readonly id: string
  readonly tenant?: string | undefined
  readonly expires?: number | undefined
  readonly sign?: string | undefined
}

/** The file that an address gives leave to read, or that the caller's session does; nothing else is there. */
async function claimed(
  { services, headers }: Pick<PublicCall, 'services' | 'headers'>,
  claim: FileClaim,
): Promise<{ tenantId: string; file: Stored; seconds: number }> {
  const { id, tenant: tenantId, expires, sign } = claim
  if (sign !== undefined && tenantId !== undefined && expires !== undefined) {
    const seconds = leaveOf(services, { tenantId, id, expires, sign })
    const file =
      seconds > 0
        ? await inTenant(services.pool, tenantId, (tx) =>
            tx.one<Stored>(sql`select a.id, a.name, a.original_name as "originalName", a.extension from attach a
              join tenant t on t.tenant_id = a.tenant_id and t.status = 1 and (t.expire_time is null or t.expire_time > now())
              where a.tenant_id = ${tenantId} and a.id = ${id}`),
          )
        : undefined
    if (!file) throw new Problem('not_found')
    return { tenantId, file, seconds }
  }
  const { tx, actor, commit, rollback } = await authenticate(services, headers['blade-auth'])
  try {
    authorize({ access: 'session' }, actor)
    const [file] = await readable(tx, actor, [id])
    if (!file) throw new Problem('not_found')
    await commit()
    return { tenantId: actor.tenantId, file, seconds: 0 }
  } catch (error) {
    await rollback()
    throw error
  }
}

/** A file's name in a header: plain letters for old clients, the whole name for all others (RFC 6266). */
function disposition(kind: 'inline' | 'attachment', name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const whole = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${kind}; filename="${plain}"; filename*=UTF-8''${whole}`
}

async function file(call: PublicCall, claim: FileClaim): Promise<Bare> {
  const { tenantId, file: stored, seconds } = await claimed(call, claim)
  const type = typeOf(stored.extension)
  return new Bare(await fetchFile(call.services, tenantId, stored.name), 200, {
    'Content-Type': type?.mime ?? 'application/octet-stream',
    'Content-Disposition': disposition(type?.inline ? 'inline' : 'attachment', stored.originalName),
    'Content-Security-Policy': "sandbox; default-src 'none'",
    'Cross-Origin-Resource-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': seconds > 0 ? `private, max-age=${seconds}` : 'private, no-store',
  })
}

/**
 * Removes attachments, and their files once the removal is certain: whoever asks for the row's lock gets it when the
 * removing transaction has ended, and only then knows whether the row is gone.
 */
async function remove(call: Call, ids: readonly string[]): Promise<void> {
  const { tx, services } = call
  const { tenantId } = call.actor
  const rows = await tx.run<{ id: string; name: string | null }>(
    sql`select id, name from attach where tenant_id = ${tenantId} and id = any(${[...ids]}::bigint[])`,
  )
  await rowsOf(attach, call).remove(ids)
  const clean = async (): Promise<void> => {
    const left = await inTenant(services.pool, tenantId, (later) =>
      later.run<{ id: string }>(
        sql`select id from attach where tenant_id = ${tenantId} and id = any(${rows.map((row) => row.id)}::bigint[]) for update`,
      ),
    )
    for (const { id, name } of rows)
      if (name && !left.some((row) => row.id === id)) await drop(services, tenantId, name)
  }
  clean().catch((error: Error) =>
    services.log.warn('a removed file stays on disk', { error: error.message, ids: ids.join(',') }),
  )
}

const tag = attach.name

export const attachRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/blade-resource/oss/endpoint/put-file',
    tag,
    access: 'session',
    upload: true,
    uploadLimit: largest,
    summary: { zh: '上传文件', en: 'Upload a file' },
    handler: putFile,
  }),
  route({
    method: 'GET',
    path: '/blade-resource/attach/link',
    tag,
    access: 'session',
    summary: { zh: '附件:可直接打开的地址', en: 'Addresses under which files can be shown for some minutes' },
    parameters: { ids: { kind: 'ids', required: true } },
    handler: (call) => links(call, call.parameters.ids),
  }),
  publicRoute({
    method: 'GET',
    path: '/blade-resource/attach/file',
    tag,
    access: 'public',
    bare: true,
    summary: { zh: '附件:内容(签名地址或会话)', en: 'A file, by a signed address or by a session' },
    parameters: {
      id: { kind: 'id', required: true },
      tenant: { kind: 'tenant' },
      expires: { kind: 'integer' },
      sign: { kind: 'text', max: 64 },
    },
    handler: (call) => file(call, call.parameters),
  }),
  route({
    method: 'POST',
    path: '/blade-resource/attach/remove',
    tag,
    access: code(codeOf(attach, 'delete')),
    summary: { zh: '附件:删除', en: 'Attachment: remove' },
    parameters: { ids: { kind: 'ids', required: true } },
    handler: (call) => remove(call, call.parameters.ids),
  }),
]
