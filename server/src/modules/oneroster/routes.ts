import type { InputOf } from '@data-brain/contract/call'
import {
  commitRoster,
  type RosterBatch,
  removeRoster,
  rosterBatchOf,
  uploadRoster,
} from '@data-brain/contract/calls/oneroster'
import { newId } from '../../database/id.ts'
import { sql } from '../../database/statement.ts'
import { inTenant } from '../../database/transaction.ts'
import { mustReachAll, reachesAll } from '../../entity/scopes-of-role.ts'
import { on } from '../../entity/serve-call.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Call, Route } from '../../kernel/route.ts'
import type { ReceivedFile } from '../../kernel/upload.ts'
import { keepFile, needState, reviveBatches, startBatch } from '../jobs/index.ts'
import { refuseNoArchive } from './archive.ts'
import { batchView, openRoster, refuseSecond, reportOf, rosterOf } from './batch.ts'
import { carriedEntities } from './carried-entities.ts'
import { isDay } from './check.ts'
import type { ImportQuestions } from './plan.ts'

const uploadLimit = 100 * 1_048_576
/** Days after which an archive that nobody imported is dropped. */
const kept = 7

/** An archive is the whole tenant: whoever works with a part of it may not bring one in. */
const mustReach = ({ actor }: Pick<Call, 'actor'>): void => mustReachAll(actor, carriedEntities(), ['oneroster_import'])
const importsAll = (actor: Call['actor']): boolean => reachesAll(actor, carriedEntities(), ['oneroster_import'])

const broken = (zh: string, en: string): Problem => new Problem('rule_broken', { reason: { zh, en } })

/** Takes an archive in: its directory is looked at, the rest is checked as a job. */
async function upload({ services, actor, circumstance, body }: Call): Promise<RosterBatch> {
  mustReach({ actor })
  const { tenantId } = actor
  const file = body as ReceivedFile
  await refuseNoArchive(file.path)
  const id = newId()
  // In one transaction: an archive that is kept is checked, and whichever process checks it finds it.
  const batch = await inTenant(services.pool, tenantId, async (tx) => {
    await reviveBatches(tx, tenantId)
    await refuseSecond(tx, tenantId)
    await tx.run(
      sql`delete from import_batch where tenant_id = ${tenantId} and entity = 'oneroster' and state in ('checked', 'failed')
            and (user_id = ${actor.userId} or update_time < now() - make_interval(days => ${kept}))`,
    )
    await tx.run(
      sql`insert into import_batch (tenant_id, id, entity, template, file_name, state, user_id, user_name)
          values (${tenantId}, ${id}, 'oneroster', '1.2', ${file.name}, 'checking', ${actor.userId}, ${actor.name})`,
    )
    await keepFile(tx, services.cipher, tenantId, id, file.path)
    const made = await rosterOf(tx, tenantId, id)
    await startBatch({ services, tx, actor, circumstance }, made, 'oneroster', 'checking')
    return made
  })
  return batchView(batch, circumstance.language)
}

/** Whether an answer says what is asked. */
const answers = ({ byGrade }: ImportQuestions, answer: string | undefined): boolean =>
  answer !== undefined && (answer === 'grade' ? byGrade : isDay(answer))

/** Starts to carry out what the check has shown. */
async function commit(given: InputOf<typeof commitRoster>, call: Call): Promise<RosterBatch> {
  const { tx, actor } = call
  mustReach(call)
  const { tenantId } = actor
  const retire = given.retire === 1
  await refuseSecond(tx, tenantId)
  const batch = await rosterOf(tx, tenantId, given.id, true)
  needState(batch, 'checked')
  const { faultCount, counts, asks } = reportOf(batch) ?? { faultCount: 0, counts: [], asks: undefined }
  if (faultCount > 0)
    throw broken(`压缩包有${faultCount}处问题，不能导入`, `The archive has ${faultCount} faults and cannot be imported`)
  if (counts.every(({ add, update, missing }) => add + update + (retire ? missing : 0) === 0))
    throw broken('没有可导入的变化', 'There is nothing to import')
  const { enrolled } = given
  if (asks && !answers(asks, enrolled))
    throw broken(
      `请选择${asks.enrolled}名新增学生的入学年月`,
      `Say when ${asks.enrolled} new students enrolled: the archive does not tell it`,
    )
  await tx.run(
    sql`update import_batch set settings = ${JSON.stringify({ retire, enrolled })} where tenant_id = ${tenantId} and id = ${batch.id}`,
  )
  await startBatch(call, batch, 'oneroster', 'committing')
  return batchView({ ...batch, state: 'committing', progress: 0, failure: null }, call.circumstance.language)
}

/** The calls of an import: a file goes up, is checked, shown, and carried out or dropped. */
export const importRoutes: readonly Route[] = [
  on(uploadRoster, (_, call) => upload(call), { uploadLimit }),
  on(rosterBatchOf, async ({ id }, { tx, actor, circumstance }) => {
    await reviveBatches(tx, actor.tenantId)
    const all = importsAll(actor)
    // What an archive says is of the whole tenant.
    if (id && !all) throw new Problem('out_of_scope')
    const batch = id
      ? await rosterOf(tx, actor.tenantId, id)
      : all && (await openRoster(tx, actor.tenantId, actor.userId))
    return batch ? batchView(batch, circumstance.language) : null
  }),
  on(commitRoster, commit),
  on(removeRoster, async ({ id }, { tx, actor }) => {
    const all = importsAll(actor)
    const batch = await rosterOf(tx, actor.tenantId, id, true)
    // One's own archive is one's own, whatever one works with by now.
    if (!all && (batch.user_id === null || batch.user_id !== actor.userId)) throw new Problem('not_found')
    needState(batch, 'checked', 'failed')
    await tx.run(sql`delete from import_batch where tenant_id = ${actor.tenantId} and id = ${id}`)
  }),
]
