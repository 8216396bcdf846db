import { newId } from '../database/id.ts'
import { sql } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import { insertMany } from '../entity/bulk.ts'
import { holdsWhole } from '../entity/shared.ts'
import { raiseStamp } from '../entity/stamp.ts'
import { changedKeys } from './changed-keys.ts'
import { defaultGrades } from './defaults.ts'

type Grade = (typeof defaultGrades)[number]

/** Lays grades and what each leads to, among them or among those that stand. */
async function lay(
  tx: Tx,
  tenantId: string,
  wanted: readonly Grade[],
  sortOf: (index: number) => number,
  standing: ReadonlyMap<string, string>,
): Promise<void> {
  const ids = new Map(wanted.map(({ code }) => [code as string, newId()]))
  await insertMany(
    tx,
    'sysgrade',
    wanted.map((grade, index) => ({
      tenant_id: tenantId,
      id: ids.get(grade.code),
      grade_code: grade.code,
      grade_name: grade.name,
      stage: grade.stage,
      grade_no: grade.no,
      min_age: grade.minAge,
      max_age: grade.minAge + 2,
      next_grade_id: grade.next && (ids.get(grade.next) ?? standing.get(grade.next)),
      sort: sortOf(index),
      status: 1,
      version: 1,
      create_time: 'now',
      update_time: 'now',
    })),
  )
}

/**
 * Gives a tenant that holds its grades itself those of a kindergarten, which tenants did not have at first. One that has any grade of
 * that stage, or one by such a name or code, or that changed or removed one, has arranged them itself.
 */
export async function addKindergarten(tx: Tx, tenantId: string): Promise<void> {
  if (!(await holdsWhole(tx, tenantId, 'catalogue'))) return
  const wanted = defaultGrades.filter(({ stage }) => stage === '1')
  const held = await tx.run<{ id: string; code: string; name: string; stage: string; sort: number | null }>(
    sql`select id, grade_code as code, grade_name as name, stage, sort from sysgrade where tenant_id = ${tenantId}`,
  )
  const codes = new Set([
    ...held.map(({ code }) => code),
    ...(await changedKeys(tx, tenantId, 'sysgrade', ['grade_code'])),
  ])
  const names = new Set([
    ...held.map(({ name }) => name),
    ...(await changedKeys(tx, tenantId, 'sysgrade', ['grade_name'])),
  ])
  if (held.some(({ stage }) => stage === '1') || wanted.some(({ code, name }) => codes.has(code) || names.has(name)))
    return
  // Before the first of the others; rows of one place stand in the order in which they were made.
  const first = Math.min(...held.map(({ sort }) => sort ?? 0), wanted.length + 1)
  await lay(
    tx,
    tenantId,
    wanted,
    (index) => Math.max(0, first - wanted.length + index),
    new Map(held.map(({ id, code }) => [code, id])),
  )
  await raiseStamp(tx, tenantId, 'sysgrade')
}
