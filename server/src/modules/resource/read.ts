import { attach, codeOf, notice } from '@data-brain/contract'
import type { RawBuilder } from 'kysely'
import { prepareQuery, slotValue, sql } from '../../database/statement.ts'
import { inTenant } from '../../database/transaction.ts'
import { modelOf, pointersAt } from '../../entity/model.ts'
import { type Reading, type ReadRow, recordReads, subjectColumn } from '../../entity/read-log.ts'
import { contextOf } from '../../entity/routes.ts'
import { reachOf, type ScopeContext } from '../../entity/scope.ts'
import { nameRef, tableRef } from '../../entity/select.ts'
import { holdsCode } from '../../kernel/actor.ts'
import { authenticate } from '../../kernel/authenticate.ts'
import { contentDisposition } from '../../kernel/disposition.ts'
import { Problem } from '../../kernel/problem.ts'
import { type Call, type PublicCall, RawResponse } from '../../kernel/route.ts'
import type { Width } from './picture.ts'
import { etagOf, isUnchanged, rangeOf } from './range.ts'
import { leaveOf, signedLink } from './sign.ts'
import type { Bytes } from './storage/loose.ts'
import { storeOf } from './storage/place.ts'
import { smallMime, smallOf } from './storage/small.ts'
import { StoreError } from './storage/store.ts'
import { typeOf } from './type.ts'

interface Stored extends Bytes {
  readonly id: string
  readonly originalName: string
  readonly extension: string
  readonly size: number
  readonly sha256: string | null
}

const storedColumns = sql.raw(
  'a.id, a.oss_id as "ossId", a.name, a.original_name as "originalName", a.extension, a.attach_size as "size", a.sha256',
)

/** How a row `t` of an entity shows that a file `a` hangs on it. */
const hangings = (): { model: ReturnType<typeof modelOf>; hangs: RawBuilder<unknown> }[] => [
  ...pointersAt(attach.name).map(({ model, field }) => ({
    model,
    hangs:
      field.kind === 'references'
        ? sql`exists (select 1 from ${nameRef(field.linkTable!)} l where l.tenant_id = t.tenant_id and l.owner_id = t.id and l.target_id = a.id)`
        : sql`t.${nameRef(field.column)} = a.id`,
  })),
  {
    model: modelOf(notice),
    hangs: sql`exists (select 1 from notice_image l where l.tenant_id = t.tenant_id and l.notice_id = t.id and l.attach_id = a.id)`,
  },
]

/**
 * Which of these files an actor may read: those whose own row, or a row that they hang on, the actor may view, those the
 * actor uploaded, and everybody's avatars.
 */
async function readable(ground: ScopeContext, ids: readonly string[]): Promise<Stored[]> {
  const { tx, actor } = ground
  const values: Record<string, unknown> = { tenant: actor.tenantId, ids }
  const leave: RawBuilder<unknown>[] = [
    sql`a.create_user = ${actor.userId}`,
    sql`exists (select 1 from app_user u where u.tenant_id = a.tenant_id and u.avatar = a.link)`,
  ]
  const itself = { model: modelOf(attach), hangs: sql`t.id = a.id` }
  for (const [index, { model, hangs }] of [itself, ...hangings()].entries()) {
    const view = codeOf(model.entity, 'view')
    if (!holdsCode(actor, view)) continue
    const reach = await reachOf(ground, model, [view], `p${index}_`)
    Object.assign(values, reach?.values)
    leave.push(
      sql`exists (select 1 from ${tableRef(model)} where t.tenant_id = a.tenant_id and ${hangs} ${reach ? sql`and ${reach.sql}` : sql``})`,
    )
  }
  const { text, values: bound } = prepareQuery(
    sql`select ${storedColumns} from attach a
        where a.tenant_id = ${slotValue('tenant')} and a.id = any(${slotValue('ids')}::bigint[]) and (${sql.join(leave, sql` or `)})`,
  ).with(values)
  return tx.run<Stored>({ text, values: bound })
}

/** Which of these files belong to records of children, and whose. A file may belong to several. */
async function childrenOf({ tx, actor }: ScopeContext, ids: readonly string[]): Promise<ReadRow[]> {
  const parts = hangings().flatMap(({ model, hangs }) => {
    const child = subjectColumn(model.entity)
    return child
      ? [
          sql`select a.id, t.${nameRef(child)} as "childId" from attach a join ${tableRef(model)} on t.tenant_id = a.tenant_id and ${hangs}
              where a.tenant_id = ${actor.tenantId} and a.id = any(${[...ids]}::bigint[])`,
        ]
      : []
  })
  return ids.length > 0 && parts.length > 0 ? tx.run<ReadRow>(sql`${sql.join(parts, sql` union `)}`) : []
}

/**
 * What a list shows beside its rows: a face, or that there is a page. It is no more reading than the list is, which is
 * not recorded either; a wider copy can be read, and is the file itself.
 */
const listWidth = 320
const isGlance = (width: Width | undefined): boolean => width !== undefined && width <= listWidth

/** Records who is given which files of which children: whoever cannot be recorded is given none. */
const record = async (ground: ScopeContext & Reading, ids: readonly string[]): Promise<void> =>
  recordReads(ground, attach, 'file', await childrenOf(ground, ids))

/**
 * Addresses of those of the files that the caller may read, with leave to read them for some minutes; with a width, of
 * small copies of those that are pictures, and leave for these alone. The leave is what is recorded, save for a list's:
 * whoever uses the address names nobody.
 */
export async function signedFileLinks(
  call: Call,
  ids: readonly string[],
  width: Width | undefined,
): Promise<Record<string, string>> {
  const context = contextOf(call)
  const found = await readable(context, ids)
  const rows = width ? found.filter((row) => typeOf(row.extension)?.picture) : found
  if (!isGlance(width))
    await record(
      { ...context, circumstance: call.circumstance },
      rows.map((row) => row.id),
    )
  return Object.fromEntries(
    rows.map((row) => [row.id, signedLink(call.services, call.actor, row.id, Date.now(), width)]),
  )
}

export interface FileClaim {
  readonly id: string
  readonly tenant?: string | undefined
  /** Whose session it was given leave in; none for the pictures of a log-in page. */
  readonly session?: string | undefined
  readonly expires?: number | undefined
  readonly sign?: string | undefined
  /** Of a picture: the small copy of this width. */
  readonly width?: Width | undefined
}

/** Whether the session that was given leave goes on, and its person may still log in. */
const lives = (tenantId: string, sessionId: string | null): RawBuilder<unknown> =>
  sql`exists (select 1 from session s join app_user u on u.tenant_id = s.tenant_id and u.id = s.user_id and u.status = 1
    where s.tenant_id = ${tenantId} and s.id = ${sessionId}::bigint and s.revoked_at is null and s.absolute_expires > now())`

/** The file that an address gives leave to read, or that the caller's session does; nothing else is there. */
async function claimed(
  { services, headers, circumstance }: Pick<PublicCall, 'services' | 'headers' | 'circumstance'>,
  claim: FileClaim,
): Promise<{ tenantId: string; file: Stored; seconds: number; small: boolean }> {
  const { id, tenant: tenantId, session, expires, sign, width } = claim
  const sessionId = session ?? null
  if (sign !== undefined && tenantId !== undefined && expires !== undefined) {
    const { seconds, small } = leaveOf(services, { tenantId, sessionId, id, expires, sign, width })
    const file =
      seconds > 0
        ? await inTenant(services.pool, tenantId, (tx) =>
            tx.one<Stored>(sql`select ${storedColumns} from attach a
              join tenant t on t.tenant_id = a.tenant_id and t.status in (1, 2) and (t.expire_time is null or t.expire_time > now())
              where a.tenant_id = ${tenantId} and a.id = ${id} and (${sessionId === null} or ${lives(tenantId, sessionId)})`),
          )
        : undefined
    if (!file) throw new Problem('not_found')
    return { tenantId, file, seconds, small }
  }
  const { tx, actor, commit, rollback } = await authenticate(services, headers['blade-auth'])
  try {
    if (actor.mustChange) throw new Problem('password_must_change')
    if (actor.mustSecond) throw new Problem('second_factor_must')
    const ground = { tx, actor, cipher: services.cipher, circumstance }
    const [file] = await readable(ground, [id])
    if (!file) throw new Problem('not_found')
    const small = isGlance(width)
    // The further parts of a file that is fetched in parts are the same reading.
    if (!small && !/^bytes=[1-9]/.test(first(headers.range) ?? '')) await record(ground, [id])
    await commit()
    return { tenantId: actor.tenantId, file, seconds: 0, small }
  } catch (error) {
    await rollback()
    throw error
  }
}

const first = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header[0] : header

/** A file as it streams from its store: whole, a range of it, or the small copy of a picture. */
export async function file({ services, headers, circumstance }: PublicCall, claim: FileClaim): Promise<RawResponse> {
  const { tenantId, file: stored, seconds, small: alone } = await claimed({ services, headers, circumstance }, claim)
  const type = typeOf(stored.extension)
  const width = type?.picture ? claim.width : undefined
  // Leave for a small copy is none for the whole.
  if (alone && !width) throw new Problem('not_found')
  const etag = etagOf(stored.sha256 ?? stored.name, width)
  const common = {
    'Content-Security-Policy': "sandbox; default-src 'none'",
    'Cross-Origin-Resource-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': seconds > 0 ? `private, max-age=${seconds}` : 'private, no-cache',
    ETag: etag,
  }
  if (isUnchanged(first(headers['if-none-match']), etag)) return new RawResponse('', 304, common)
  const told = {
    ...common,
    'Content-Type': type?.mime ?? 'application/octet-stream',
    'Content-Disposition': contentDisposition(type?.inline ? 'inline' : 'attachment', stored.originalName),
  }
  try {
    const small = width && (await smallOf(services, tenantId, stored, width))
    if (small) return new RawResponse(small, 200, { ...told, 'Content-Type': smallMime })
    if (alone) throw new Problem('not_found')
    const range = rangeOf(first(headers.range), first(headers['if-range']), etag, stored.size)
    if (range === 'outside')
      return new RawResponse('', 416, {
        ...common,
        'Content-Range': `bytes */${stored.size}`,
        'Accept-Ranges': 'bytes',
      })
    const store = await storeOf(services, tenantId, stored.ossId)
    const bytes = await store.get(stored.name, range)
    if (!bytes) {
      services.log.error('a file is not where its row says', { tenantId, id: stored.id, name: stored.name })
      throw new Problem('not_found')
    }
    return new RawResponse(bytes, range ? 206 : 200, {
      ...told,
      'Accept-Ranges': 'bytes',
      'Content-Length': String(range ? range.to - range.from + 1 : stored.size),
      ...(range ? { 'Content-Range': `bytes ${range.from}-${range.to}/${stored.size}` } : {}),
    })
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    services.log.error('a file could not be read', { tenantId, ossId: stored.ossId, error: error.message })
    throw new Problem('storage_away')
  }
}
