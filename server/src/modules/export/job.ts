import type { Words } from '@data-brain/contract'
import { jobFile } from '@data-brain/contract/calls/job'
import { jobShape } from '@data-brain/contract/generic'
import { newId } from '../../database/id.ts'
import { sql } from '../../database/statement.ts'
import { inTenant, type Tx } from '../../database/transaction.ts'
import { onDetached } from '../../entity/serve-call.ts'
import { shapeSchema } from '../../entity/shape-schema.ts'
import type { Actor } from '../../kernel/actor.ts'
import { missingFor } from '../../kernel/authorize.ts'
import type { Cipher, Place } from '../../kernel/cipher.ts'
import { contentDisposition } from '../../kernel/disposition.ts'
import { pluralize } from '../../kernel/pluralize.ts'
import { Problem } from '../../kernel/problem.ts'
import type { RecordReading } from '../../kernel/record-list.ts'
import { type Call, code, type DetachedCall, RawResponse, type Route, route } from '../../kernel/route.ts'
import type { Services } from '../../kernel/services.ts'
import { sendMessage } from '../desk/index.ts'
import { addWork, doneOf, openJobs, startJob, type WorkContext } from '../jobs/index.ts'
import { keepPassing, newSecret, passingStays, readPassing } from '../resource/index.ts'
import { type Source, typeOf } from './source.ts'
import { exportSources, sourceOf } from './sources.ts'

/*
 * A list that is written in the background: the same file as the streamed one, by the same code. It is kept for a day,
 * sealed, for whoever asked for it and nobody else.
 */

const kind = 'export'
/** How long a file is kept. */
const keptHours = 24
/** Exports that one person may have waiting or running. */
const openMost = 5
/** Where the console shows everybody their own jobs. */
export const jobsPage = '/job/mine'

/** What a job is told: what to take out, and the secret of its files. Filters may name a child, so they are sealed. */
interface Told {
  readonly query: Readonly<Record<string, string>>
  /** Why somebody takes out records of children, where they say so. */
  readonly reason?: string | undefined
  readonly secret: string
}

/** What a job tells of its file. */
interface Kept extends Record<string, unknown> {
  readonly rows: number
  readonly bytes: number
  readonly fileId: string
  readonly expires: string
  readonly name: string
}

type Asked = Pick<WorkContext['job'], 'tenantId' | 'subjectId' | 'input'>

const placeOf = ({ tenantId, subjectId }: Omit<Asked, 'input'>): Place => ({
  table: 'job',
  column: 'input',
  tenantId,
  id: subjectId!,
})

const sourceFor = ({ input }: Pick<Asked, 'input'>): Source => sourceOf(String(input.entity))

const toldOf = (cipher: Cipher, job: Asked): Told =>
  JSON.parse(cipher.open(Buffer.from(String(job.input.told), 'base64'), placeOf(job))) as Told

/** Refuses what the streamed export would refuse: a code, a call that an API scope keeps, or another's page. */
export function refuse(source: Source, actor: Actor): void {
  const asked = { access: code(source.code), platform: source.platform } as const
  for (const [method, path] of [
    ['GET', `/${source.path}/export`],
    ['POST', `/${source.path}/export-job`],
  ] as const) {
    const missing = missingFor({ ...asked, method, path }, actor)
    if (missing !== undefined) throw new Problem('forbidden', { code: missing })
  }
}

/** Parameters as texts again: a POST may bring them in its body. */
const textsOf = (parameters: Call['parameters']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(parameters).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  )

/** Who is told of a file in place of the usual message, by whom it was asked for. */
export interface FileReceiver {
  /** What a job keeps of it: the process that writes the file may be another than the one that asked. */
  readonly name: string
  /** How long its files are kept. */
  readonly keptHours: number
  /** A file is there, in the transaction that says so. */
  ready(tx: Tx, file: ReadyFile): Promise<unknown>
  /** There is none. */
  failed(tx: Tx, job: FailedFile): Promise<unknown>
}
interface FailedFile {
  readonly tenantId: string
  readonly userId: string
  /** What the receiver was asked with. */
  readonly of: string
  readonly failure: Words
}
interface ReadyFile extends Omit<FailedFile, 'failure'> {
  readonly services: Services
  readonly jobId: string
  readonly rows: number
}

const receivers = new Map<string, FileReceiver>()
/** Called where a module is loaded, so that every process knows every receiver. */
export const addFileReceiver = (receiver: FileReceiver): unknown => receivers.set(receiver.name, receiver)

const receiverOf = ({ input }: Pick<Asked, 'input'>): FileReceiver | undefined => receivers.get(String(input.receiver))

/** Refuses what an actor may not take out of a list, and what is wrong with what is asked for. */
export async function refuseExport(
  source: Source,
  asking: RecordReading,
  query: Readonly<Record<string, string>>,
): Promise<void> {
  const { actor, circumstance } = asking
  refuse(source, actor)
  const asked = source.ask(query, circumstance.language, actor)
  asked.refuse(actor)
  await asked.probe(asking)
}

/** Asks for a list as a file, as this actor: it is written with the rights that they have by then. */
export async function startExport(
  source: Source,
  asking: RecordReading,
  query: Readonly<Record<string, string>>,
  receiver?: { readonly name: string; readonly of: string },
): Promise<string> {
  const { services, actor, circumstance } = asking
  const { tenantId } = actor
  const told: Told = { query, reason: circumstance.reason, secret: newSecret() }
  const subjectId = newId()
  const sealed = services.cipher.seal(JSON.stringify(told), placeOf({ tenantId, subjectId }))
  const input = {
    entity: source.name,
    told: sealed.toString('base64'),
    ...(receiver ? { receiver: receiver.name, of: receiver.of } : {}),
  }
  return startJob(asking, kind, { subject: source.label[circumstance.language], subjectId, input })
}

/** Asks for a list as a file. What is wrong with it is told at once; how many rows it is, when it is done. */
async function ask(source: Source, call: Call): Promise<{ jobId: string }> {
  const { tx, actor } = call
  const { tenantId, userId } = actor
  const query = { ...textsOf(call.parameters), ...call.query }
  await refuseExport(source, call, query)
  // Many at once are counted one after the other.
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`export|${tenantId}|${userId}`}, 0))`)
  if ((await openJobs(tx, actor, [kind])).own >= openMost)
    throw new Problem('rule_broken', {
      reason: {
        zh: `最多同时有${openMost}个导出任务，请等前面的完成`,
        en: `At most ${openMost} exports at once: wait for the earlier ones`,
      },
    })
  return { jobId: await startExport(source, call, query) }
}

/** Writes the file, keeps it, and tells whoever asked that it is there. */
async function write({ services, job, actor, circumstance, progress, as, end }: WorkContext): Promise<undefined> {
  const { tenantId } = job
  const source = sourceFor(job)
  const receiver = receiverOf(job)
  const { query, reason, secret } = toldOf(services.cipher, job)
  const pool = source.platform ? services.platform : services.pool
  const taker = {
    services,
    circumstance: { ...circumstance, reason },
    as: <T>(work: Parameters<typeof as<T>>[0]) =>
      as(async (opened) => {
        refuse(source, opened.actor)
        return work(opened)
      }, pool),
  }
  const { name, rows, bytes } = await source.ask(query, circumstance.language, actor).file(taker, progress)
  const file = await keepPassing(services, tenantId, secret, bytes)
  await inTenant(services.pool, tenantId, async (tx) => {
    const expires = await passingStays(tx, tenantId, file.id, (receiver?.keptHours ?? keptHours) * 3_600)
    const kept: Kept = { rows, bytes: file.bytes, fileId: file.id, expires, name }
    await end(tx, kept)
    if (receiver) {
      const of = String(job.input.of)
      return void (await receiver.ready(tx, { services, tenantId, userId: actor.userId!, of, jobId: job.id, rows }))
    }
    await sendMessage(tx, tenantId, [actor.userId!], {
      kind: 'export-done',
      title: { zh: `导出完成：${source.label.zh}`, en: `Export ready: ${source.label.en}` },
      body: {
        zh: `共${rows}条，请在“我的任务”页下载。文件保留${keptHours}小时。`,
        en: `${pluralize(rows, 'row')}. Download it on the page My jobs within ${keptHours} hours.`,
      },
      link: jobsPage,
    })
    return undefined
  })
  return undefined
}

addWork({
  kind,
  queue: kind,
  // Two are streamed beside it: the machine has other things to do.
  atOnce: 1,
  code: (job) => sourceFor(job).code,
  again: true,
  stoppable: true,
  run: write,
  setBack: async (tx, job, failure) => {
    const { label } = sourceFor(job)
    const { tenantId, userId } = job
    if (userId === null) return
    const receiver = receiverOf(job)
    if (receiver) return void (await receiver.failed(tx, { tenantId, userId, of: String(job.input.of), failure }))
    await sendMessage(tx, tenantId, [userId], {
      kind: 'export-failed',
      title: { zh: `导出失败：${label.zh}`, en: `Export failed: ${label.en}` },
      body: failure,
      link: jobsPage,
    })
    return undefined
  },
})

/** The file of a job, for whoever asked for it, while it is kept and as long as they may still take that list out. */
async function fileOf(id: string, { services, circumstance, as }: DetachedCall): Promise<RawResponse> {
  const found = await as(async ({ tx, actor }) => {
    const done = await doneOf(tx, actor.tenantId, actor.userId, kind, id)
    if (!done) throw new Problem('not_found')
    const source = sourceFor(done.job)
    const { query, secret } = toldOf(services.cipher, done.job)
    refuse(source, actor)
    source.ask(query, circumstance.language, actor).refuse(actor)
    return { ...done, source, secret, userId: actor.userId }
  })
  const { tenantId } = found.job
  const { fileId, bytes, name, rows } = found.result as Kept
  const stream = await readPassing(services, tenantId, found.secret, { id: fileId, bytes })
  if (!stream) throw new Problem('not_found')
  services.log.info('export file', {
    tenantId,
    userId: found.userId,
    requestId: circumstance.requestId,
    jobId: found.job.id,
    entity: found.source.name,
    rows,
  })
  return new RawResponse(stream, 200, {
    'Content-Type': typeOf(name),
    'Content-Disposition': contentDisposition('attachment', name),
    'Content-Length': String(bytes),
    'X-Content-Type-Options': 'nosniff',
  })
}

export const exportJobRoutes: readonly Route[] = exportSources.map((source) =>
  route({
    method: 'POST',
    path: `/${source.path}/export-job`,
    summary: { zh: `${source.label.zh}：在后台导出`, en: `${source.label.en}: export in the background` },
    access: code(source.code),
    platform: source.platform,
    tag: source.tag,
    parameters: source.parameters,
    dataSchema: shapeSchema(jobShape),
    handler: (call) => ask(source, call),
  }),
)

export const exportFileRoute: Route = onDetached(jobFile, ({ id }, call) => fileOf(id, call))
