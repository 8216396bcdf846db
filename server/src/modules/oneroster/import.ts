import { createHash } from 'node:crypto'
import type { Words } from '@data-brain/contract'
import { newId } from '../../database/id.ts'
import { sql } from '../../database/statement.ts'
import type { Context } from '../../entity/repository.ts'
import { openArchive } from './archive.ts'
import { carrierFor } from './carry.ts'
import { checkTables } from './check.ts'
import { commit } from './commit.ts'
import { type Fault, Faults } from './fault.ts'
import { type Judged, judge } from './judge.ts'
import { makePlan } from './plan.ts'
import { sortRecords } from './sort.ts'
import { readState } from './state.ts'

/** What an archive would do, or has done, to the rows of one entity. */
export interface Count {
  readonly file: string
  readonly entity: string
  readonly label: Words
  readonly add: number
  readonly update: number
  readonly unchanged: number
  /** Rows of an earlier import that the archive no longer knows. */
  readonly missing: number
  /** Names of some of them. */
  readonly missingNames: readonly string[]
}

export interface ImportReport {
  readonly faults: readonly Fault[]
  readonly faultCount: number
  readonly counts: readonly Count[]
  /** Files that were not read. */
  readonly otherFiles: readonly string[]
  /** Records that have no place here. */
  readonly passed: readonly { file: string; count: number; reason: Words }[]
  /** Says what the plan is, so that a commit can insist on the plan that was shown. */
  readonly plan: string
  readonly committed: boolean
  readonly batchId: string | null
}

export interface ImportWish {
  readonly path: string
  readonly commit: boolean
  readonly retire: boolean
  /** The plan that was shown; another one is not carried out. */
  readonly plan?: string | undefined
}

/** Reads and judges an archive, and carries it out when that was asked for and nothing is wrong with it. */
export async function importArchive(context: Context, wish: ImportWish): Promise<ImportReport> {
  const faults = new Faults()
  const opened = await openArchive(wish.path, faults)
  const tables = await checkTables(opened, faults)
  const report = {
    otherFiles: opened.others,
    counts: [] as Count[],
    passed: [] as ImportReport['passed'],
    plan: '',
    committed: false,
    batchId: null as string | null,
  }
  // Rows are judged only when the files are whole: one missing file would make faults by the thousand.
  if (faults.count > 0) return { ...report, faults: faults.shown, faultCount: faults.count }
  // Of two imports into one tenant the second waits, and then sees what the first one made.
  if (wish.commit)
    await context.tx.run(
      sql`select pg_advisory_xact_lock(hashtextextended(${`oneroster|${context.actor.tenantId}`}, 0))`,
    )
  const state = await readState(context)
  const sorted = sortRecords(tables, faults)
  const plan = await makePlan(state, sorted, faults)
  const judged = await judge(plan, context, faults)
  report.counts = countsOf(judged)
  report.passed = sorted.passed
  report.plan = digest(judged)
  if (faults.count === 0 && wish.commit && (!wish.plan || wish.plan === report.plan)) {
    const batchId = newId()
    await commit(plan, judged, { ...context, batchId }, wish.retire)
    report.committed = true
    report.batchId = batchId
  }
  return { ...report, faults: faults.shown, faultCount: faults.count }
}

const district: Words = { zh: '上级机构', en: 'Authority' }
const shownNames = 10

function countsOf(judged: Judged): Count[] {
  return [...judged.verdicts].map(([entity, verdicts]) => {
    const { model, file } = carrierFor(entity)
    const missing = judged.missing.get(entity) ?? []
    const count = (what: string): number => verdicts.filter((verdict) => verdict.what === what).length
    return {
      file: `${file}.csv`,
      entity,
      label: entity === 'dept' ? district : model.entity.label,
      add: count('add'),
      update: count('update'),
      unchanged: count('unchanged'),
      missing: missing.length,
      missingNames: missing
        .slice(0, shownNames)
        .map((row) =>
          model.byName.get(model.entity.title)?.kind === 'text'
            ? String(row.values[model.entity.title])
            : (row.extId ?? row.id),
        ),
    }
  })
}

/** A sign of what a plan does: which rows it adds (by sourcedId), changes and misses. */
function digest(judged: Judged): string {
  const hash = createHash('sha256')
  for (const [entity, verdicts] of judged.verdicts) {
    for (const { what, wanted, values, status } of verdicts)
      if (what !== 'unchanged') {
        const fields = Object.keys(values).sort().join()
        hash.update(
          `${entity}|${what}|${wanted.item.sourcedId}|${wanted.kept?.version ?? 0}|${fields}|${status ?? ''}\n`,
        )
      }
    for (const row of judged.missing.get(entity) ?? []) hash.update(`${entity}|missing|${row.id}\n`)
  }
  return hash.digest('hex').slice(0, 32)
}
