import { type Entity, user } from '@data-brain/contract'
import { newId } from '../../database/id.ts'
import { sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { type BulkRow, insertMany, writeMany } from '../../entity/bulk.ts'
import type { Values } from '../../entity/check.ts'
import { modelOf } from '../../entity/model.ts'
import { type Context, Repository } from '../../entity/repository.ts'
import { nameRef, titleRef } from '../../entity/select.ts'
import { raiseGrants } from '../../kernel/authenticate.ts'
import { hashPassword, randomPassword, wireMd5 } from '../../kernel/password.ts'
import { Problem } from '../../kernel/problem.ts'
import { setPassword } from '../auth/index.ts'
import type { Progress } from '../jobs/index.ts'
import { holdAdmins, mustCoverRoles, mustCoverUsers, mustKeepAdmin, mustStandWithin } from '../system/index.ts'
import { type Batch, loadRows, rowCounts } from './batch.ts'
import { refuseChanged } from './commit-job.ts'
import type { FormJob, Stored, Written } from './form.ts'
import { keepPasswords, type NewAccount, passwordHours } from './passwords.ts'
import { judgeUsers, userBenchOf } from './user-judge.ts'
import { linked, userModel } from './user-lookups.ts'

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
export async function storeUsers(job: FormJob, batch: Batch, tx: Tx, progress: Progress): Promise<Stored> {
  const { tenantId, batchId, services, actor, circumstance } = job
  const context: Context = { tx, actor, circumstance, cipher: services.cipher, batchId, unscoped: true }
  const update = batch.settings.duplicates === 'update'
  const secrets = await makeSecrets(job, tx, (await rowCounts(tx, tenantId, batchId)).good, progress)
  if (update) await holdAdmins(tx, tenantId)
  const bench = await userBenchOf(context, batch)
  const users = new Repository(user as Entity, context)
  const states = update ? (['good', 'duplicate'] as const) : (['good'] as const)
  const accounts: NewAccount[] = []
  const links: Record<string, Record<string, readonly string[]>> = {}
  let done = 0
  for (let after = 0; ; ) {
    const rows = await loadRows(tx, services.cipher, tenantId, batchId, { after, states, limit: portion })
    if (rows.length === 0) break
    const judged = await judgeUsers(bench, rows)
    refuseChanged(judged, rows)
    const added: (BulkRow & Secret)[] = []
    for (const { row_id: id, values, before } of judged) {
      const secret = id ? undefined : secrets[accounts.length + added.length]
      if (secret) added.push({ id: newId(), values, ...secret })
      else if (id && before) {
        const kept = linksOf(before, values)
        if (kept) links[id] = kept
        await users.edit(id, values)
      }
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
  return {
    done,
    settings: {
      links,
      ...(accounts.length > 0
        ? {
            passwords: { userId: actor.userId, count: accounts.length },
            keptUntil: new Date(Date.now() + passwordHours * 3_600_000).toISOString(),
          }
        : {}),
    },
    after: () => keepPasswords(tx, services.cipher, tenantId, batchId, accounts),
  }
}

/** What a user is linked to before a change that touches it: the history of a row does not hold it. */
function linksOf(before: Values, values: Values): Record<string, readonly string[]> | undefined {
  const changed = linked.filter(
    (name) => name in values && JSON.stringify(values[name]) !== JSON.stringify(before[name]),
  )
  return changed.length === 0 ? undefined : Object.fromEntries(changed.map((name) => [name, before[name] as string[]]))
}

/** Names of users who have logged in since they were added. */
export const loggedIn = (
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
): Promise<{ name: string; count: number }[]> =>
  tx.run(
    sql`select ${titleRef(userModel)} as name, count(*) over ()::int as count from app_user t
        where t.tenant_id = ${tenantId} and t.id = any(${[...ids]}::bigint[])
          and exists (select 1 from session s where s.tenant_id = ${tenantId} and s.user_id = t.id) order by t.id limit 5`,
  )

/** An undo is a removal or a change of every one of the users: it asks for the same power, and keeps an administrator. */
export async function beginUndo(
  context: Context,
  batch: Batch,
  rows: ReadonlyMap<string, readonly Written[]>,
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
  const links = batch.settings.links ?? {}
  const roles = [...new Set(Object.values(links).flatMap((each) => each.roleId ?? []))]
  const there = await tx.run<{ id: string }>(
    sql`select id from role where tenant_id = ${tenantId} and id = any(${roles}::bigint[])`,
  )
  await mustCoverRoles(
    tx,
    actor,
    there.map((row) => row.id),
  )
  return async () => {
    for (const name of linked) await restoreLinks(tx, tenantId, name, links)
    await mustKeepAdmin(tx, tenantId)
    await raiseGrants(tx, tenantId)
  }
}

/** Links users anew to what they were linked to; what is gone meanwhile stays gone. */
async function restoreLinks(
  tx: Tx,
  tenantId: string,
  name: (typeof linked)[number],
  links: NonNullable<Batch['settings']['links']>,
): Promise<void> {
  const field = userModel.byName.get(name)
  const owners = Object.entries(links).flatMap(([id, each]) => (each[name] ? [{ id, targets: each[name] }] : []))
  if (!field?.linkTable || !field.target || owners.length === 0) return
  const table = nameRef(field.linkTable)
  await tx.run(
    sql`delete from ${table} where tenant_id = ${tenantId} and owner_id = any(${owners.map((owner) => owner.id)}::bigint[])`,
  )
  const wanted = owners.flatMap(({ id, targets }) =>
    targets.map((target, index) => ({ owner: id, target, ord: index + 1 })),
  )
  const targets = [...new Set(wanted.map((each) => each.target))]
  const known = new Set(
    (
      await tx.run<{ id: string }>(
        sql`select id from ${nameRef(modelOf(field.target).table)} where tenant_id = ${tenantId} and id = any(${targets}::bigint[])`,
      )
    ).map((row) => row.id),
  )
  await insertMany(
    tx,
    field.linkTable,
    wanted
      .filter((each) => known.has(each.target))
      .map((each) => ({ tenant_id: tenantId, owner_id: each.owner, target_id: each.target, ord: each.ord })),
  )
}
