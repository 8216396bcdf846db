import { user } from '@data-brain/contract'
import { newId } from '../../../database/id.ts'
import { sql } from '../../../database/statement.ts'
import type { Tx } from '../../../database/transaction.ts'
import { type BulkRow, writeMany } from '../../../entity/bulk.ts'
import { gatherCustom } from '../../../entity/custom.ts'
import { type Context, Repository } from '../../../entity/repository.ts'
import { nameRef, titleRef } from '../../../entity/select.ts'
import { raiseGrants } from '../../../kernel/authenticate.ts'
import { hashPassword, randomPassword, wireMd5 } from '../../../kernel/password.ts'
import { Problem } from '../../../kernel/problem.ts'
import { nameLocks, setPassword } from '../../auth/index.ts'
import type { Progress } from '../../jobs/index.ts'
import { holdAdmins, mustCoverRoles, mustCoverUsers, mustKeepAdmin, mustStandWithin } from '../../system/index.ts'
import { type Batch, loadRows, rowCounts } from '../batch/batch.ts'
import { refuseChanged } from '../batch/commit-job.ts'
import type { FormJob, StoredBatch, WrittenItem } from '../batch/form.ts'
import { keepPasswords, type NewAccount, passwordHours } from './passwords.ts'
import { judgeUsers, userBenchOf } from './user-judge.ts'
import { userModel } from './user-lookups.ts'

const portion = 200
/** What making a password takes of the whole work on a row: nearly all. */
const hashing = 0.9

interface Secret {
  readonly password: string
  readonly hash: string
}

/**
 * Passwords for so many new users, made before anything is written: it takes seconds, and nobody should wait for a row
 * that a job holds meanwhile.
 */
async function makeSecrets(job: FormJob, tx: Tx, count: number, progress: Progress): Promise<Secret[]> {
  const secrets: Secret[] = []
  for (let made = 0; made < count; made += 1) {
    const password = randomPassword()
    secrets.push({ password, hash: await hashPassword(wireMd5(password), job.services.secrets.pepper) })
    // A transaction that says nothing for long is ended by the database.
    if (made % 50 === 0) await tx.run(sql`select 1`)
    await progress(Math.floor(made * hashing))
  }
  return secrets
}

/** Stores the users of a batch: new ones with one-time passwords, which are kept to be told once. */
export async function storeUsers(job: FormJob, batch: Batch, tx: Tx, progress: Progress): Promise<StoredBatch> {
  const { tenantId, batchId, services, actor, circumstance } = job
  const context: Context = { tx, actor, circumstance, cipher: services.cipher, batchId, unscoped: true }
  const update = batch.settings.duplicates === 'update'
  const secrets = await makeSecrets(job, tx, (await rowCounts(tx, tenantId, batchId)).good, progress)
  if (update) await holdAdmins(tx, tenantId)
  const bench = await userBenchOf(context, batch)
  const users = new Repository(user, context)
  const states = update ? (['good', 'duplicate'] as const) : (['good'] as const)
  const accounts: NewAccount[] = []
  let done = 0
  for (let after = 0; ; ) {
    const rows = await loadRows(tx, services.cipher, tenantId, batchId, { after, states, limit: portion })
    if (rows.length === 0) break
    const judged = await judgeUsers(bench, rows)
    refuseChanged(judged, rows, batch.settings.runs)
    const added: (BulkRow & Secret)[] = []
    for (const { row_id: id, values, before } of judged) {
      const secret = id ? undefined : secrets[accounts.length + added.length]
      if (secret) {
        gatherCustom(users.model, values, undefined)
        added.push({ id: newId(), values, ...secret })
      } else if (id && before) await users.edit(id, values)
    }
    await writeMany(userModel, context, added)
    await mustStandWithin(
      tx,
      actor,
      added.map((row) => row.id),
    )
    for (const { id, values, password, hash } of added) {
      await setPassword(tx, { tenantId, userId: id, hash, oneTime: true })
      accounts.push({
        account: String(values.account),
        realName: String(values.realName),
        staffNo: String(values.staffNo ?? ''),
        dept: ((values.deptId as string[] | undefined) ?? [])
          .map((dept) => bench.lookups.named.deptId.titles.get(dept) ?? '')
          .join('、'),
        password,
      })
    }
    after = rows.at(-1)?.no ?? after
    done += rows.length
    await progress(Math.max(done, Math.floor(secrets.length * hashing)))
  }
  if (update) await mustKeepAdmin(tx, tenantId)
  await raiseGrants(tx, tenantId)
  await nameLocks(tx, services.cipher, tenantId)
  return {
    done,
    settings:
      accounts.length > 0
        ? {
            passwords: { userId: actor.userId, count: accounts.length },
            keptUntil: new Date(Date.now() + passwordHours * 3_600_000).toISOString(),
          }
        : {},
    after: () => keepPasswords(tx, services.cipher, tenantId, batchId, accounts),
  }
}

/** Users who have logged in since they were added. */
export const loggedIn = (
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
): Promise<{ id: string; name: string | null }[]> =>
  tx.run(
    sql`select t.id, ${titleRef(userModel)} as name from app_user t where t.tenant_id = ${tenantId} and t.id = any(${[...ids]}::bigint[])
          and exists (select 1 from session s where s.tenant_id = ${tenantId} and s.user_id = t.id) order by t.id`,
  )

/** An undo is a removal or a change of every one of the users: it asks for the same power, and keeps an administrator. */
export async function beginUndo(
  context: Context,
  batch: Batch,
  rows: ReadonlyMap<string, readonly WrittenItem[]>,
): Promise<() => Promise<void>> {
  const { tx, actor } = context
  const { tenantId } = actor
  const users = rows.get('user') ?? []
  if (users.some((row) => row.added && row.id === actor.userId))
    throw new Problem('rule_broken', { reason: { zh: '不能删除自己', en: 'You cannot remove yourself' } })
  await holdAdmins(tx, tenantId)
  await mustCoverUsers(
    tx,
    actor,
    users.map((row) => row.id),
  )
  // Roles that come back with users who had them before.
  const there = await tx.run<{ id: string }>(
    sql`select distinct r.id from history h cross join lateral jsonb_array_elements_text(h.before -> 'role_id') l(id)
          join role r on r.tenant_id = h.tenant_id and r.id = l.id::bigint
        where h.tenant_id = ${tenantId} and h.batch_id = ${batch.id} and h.entity = 'user' and h.action = 'import'
          and not exists (select 1 from ${nameRef(userModel.byName.get('roleId')?.linkTable ?? '')} u
            where u.tenant_id = h.tenant_id and u.owner_id = h.row_id and u.target_id = r.id)`,
  )
  await mustCoverRoles(
    tx,
    actor,
    there.map((row) => row.id),
  )
  return async () => {
    await mustKeepAdmin(tx, tenantId)
    await raiseGrants(tx, tenantId)
  }
}
