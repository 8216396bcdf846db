import { rm } from 'node:fs/promises'
import type { Words } from '@data-brain/contract'
import { sql } from '../../database/statement.ts'
import { inTenant, type Tx } from '../../database/transaction.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Services } from '../../kernel/services.ts'
import { folderOf } from './storage/folder.ts'
import { storeOf } from './storage/place.ts'
import { bytesOf } from './storage/small.ts'
import { StoreError } from './storage/store.ts'

/*
 * All bytes of a tenant go, before its rows do: the rows are the list of what must go, and of the keys that it takes. So
 * a store that is away leaves the list whole, and the next try goes through it once more.
 */

/** What became of the bytes in object stores. */
export interface ClearedFiles {
  readonly removed: number
  /** Objects that were left: told to be, or named for another tenant, which they may belong to. */
  readonly left: number
}

/** Removes the files of a tenant that lie in the data folder. */
export const dropFolder = (services: Pick<Services, 'environment'>, tenantId: string): Promise<void> =>
  rm(folderOf(services, tenantId), { recursive: true, force: true })

interface Row {
  readonly id: string
  readonly ossId: string
  readonly name: string
  readonly extension: string | null
}

const batch = 200
const atOnce = 8

const attached = (tenantId: string, after: string) =>
  sql`select id, oss_id as "ossId", name, extension from attach
      where tenant_id = ${tenantId} and oss_id is not null and name is not null and id > ${after} order by id limit ${batch}`
const loose = (tenantId: string, after: string) =>
  sql`select id, oss_id as "ossId", name, null as extension from attach_loose
      where tenant_id = ${tenantId} and oss_id is not null and id > ${after} order by id limit ${batch}`

/** The rows that lead to bytes in object stores, a batch at a time. */
async function* rowsOf(services: Services, tenantId: string): AsyncGenerator<readonly Row[]> {
  for (const kind of [attached, loose])
    for (let after = '0'; ; ) {
      const rows = await inTenant(services.pool, tenantId, (tx) => tx.run<Row>(kind(tenantId, after)))
      if (rows.length > 0) yield rows
      if (rows.length < batch) break
      after = rows.at(-1)!.id
    }
}

const placeName = (services: Services, tenantId: string, ossId: string): Promise<string> =>
  inTenant(
    services.pool,
    tenantId,
    async (tx) =>
      (
        await tx.one<{ code: string }>(
          sql`select oss_code as code from oss where tenant_id = ${tenantId} and id = ${ossId}`,
        )
      )?.code ?? ossId,
  )

async function refusal(services: Services, tenantId: string, ossId: string, words: Words): Promise<Problem> {
  const name = await placeName(services, tenantId, ossId)
  return new Problem('rule_broken', {
    reason: {
      zh: `对象存储“${name}”中的文件未能删除（${words.zh}）。其余数据都还在：恢复连接后请重试，或选择保留对象存储中的文件`,
      en: `The files in the object storage “${name}” could not be removed (${words.en}). All rows are still there: try again once it can be reached, or choose to leave its files`,
    },
  })
}

/** Whether a file of the tenant is just on its way into an object store: what comes after the purge would stay there. */
export const onItsWay = async (tx: Tx, tenantId: string): Promise<boolean> =>
  (await tx.one(
    sql`select 1 from attach_loose where tenant_id = ${tenantId} and oss_id is not null and reserved > 0 and until > now() limit 1`,
  )) !== undefined

/**
 * Removes every object that the tenant's rows lead to from the tenant's object stores, small copies and sealed files of
 * jobs too, and its folder. With `leave`, what lies in object stores stays. A store that does not do it ends this in a
 * problem that names it; nothing is forgotten, and another try goes on.
 */
export async function clearBytes(
  services: Services,
  tenantId: string,
  { leave, tell }: { readonly leave: boolean; readonly tell?: (removed: number) => Promise<void> },
): Promise<ClearedFiles> {
  let removed = 0
  let left = 0
  for await (const rows of rowsOf(services, tenantId)) {
    const names = new Map<string, string>()
    for (const { ossId, name, extension } of rows) {
      // A tenant that was imported may share what another has put there under its own code.
      if (leave || !name.startsWith(`${tenantId}/`)) left += 1
      else for (const each of bytesOf(name, extension)) names.set(each, ossId)
    }
    const due = [...names]
    while (due.length > 0) {
      await Promise.all(
        due.splice(0, atOnce).map(async ([name, ossId]) => {
          try {
            await (await storeOf(services, tenantId, ossId)).remove(name)
          } catch (error) {
            if (!(error instanceof StoreError)) throw error
            throw await refusal(services, tenantId, ossId, error.words)
          }
        }),
      )
      await tell?.(removed)
    }
    removed += rows.filter(({ name }) => names.has(name)).length
  }
  await dropFolder(services, tenantId)
  return { removed, left }
}
