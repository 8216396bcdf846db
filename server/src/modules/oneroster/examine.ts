import { createHash } from 'node:crypto'
import type { Words } from '@data-brain/contract'
import type { Context } from '../../entity/repository.ts'
import { openArchive } from './archive.ts'
import { carrierFor } from './carried-entities.ts'
import { checkTables, isDelta } from './check.ts'
import { readState, type State } from './current-state.ts'
import { type Fault, Faults } from './fault.ts'
import type { Tables } from './files.ts'
import { RecordGatherer } from './gather.ts'
import { type JudgedRows, judgeRoster } from './judge.ts'
import { changedKeeps, type KeptRecords, overlayKept, type Records, readKeeps } from './kept-records.ts'
import type { PassProgress } from './pass-progress.ts'
import { type Answer, type ImportQuestions, makePlan, type Plan } from './plan.ts'
import { sortRecords } from './sort-records.ts'

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

/** What is wrong with an archive, or what it would do. */
export interface Report {
  readonly faults: readonly Fault[]
  readonly faultCount: number
  readonly counts: readonly Count[]
  /** Files that were not read. */
  readonly otherFiles: readonly string[]
  /** Records that have no place here. */
  readonly passed: readonly { file: string; count: number; reason: Words }[]
  /** What is asked before it can be imported. */
  readonly asks?: ImportQuestions
  /** Says what the plan is, so that a commit can insist on the plan that was shown. */
  readonly plan: string
}

/** What to carry out. */
export interface ReadyPlan {
  readonly plan: Plan
  readonly judged: JudgedRows
  readonly tables: Tables
}

export interface ExaminedArchive {
  readonly report: Report
  /** Only where nothing is wrong. */
  readonly ready?: ReadyPlan
}

/** Reads and judges an archive against what stands now. Writes nothing. */
export async function examineArchive(
  context: Context,
  path: string,
  pace: PassProgress,
  answer?: Answer,
): Promise<ExaminedArchive> {
  const faults = new Faults()
  const opened = await openArchive(path, faults, pace)
  const changes = isDelta(opened) ? await currentRecords(context) : undefined
  const tables = await checkTables(opened, faults, pace, changes?.now)
  const found = () => ({ faults: faults.shown, faultCount: faults.count, otherFiles: opened.others })
  // Rows are judged only when the files are whole: one missing file would make faults by the thousand.
  if (faults.count > 0) return { report: { ...found(), counts: [], passed: [], plan: '' } }
  const state = await readState(context)
  const sorted = await sortRecords(tables, faults)
  const plan = await makePlan(state, sorted, faults, pace, answer)
  const judged = await judgeRoster(plan, context, faults, pace)
  const counts = countsOf(judged)
  // Where no row changes, cells that no row has may.
  if (counts.every(({ add, update }) => add + update === 0)) {
    const { made, keeps } = changes ?? (await currentRecords(context, state))
    const update = changedKeeps(tables, made, keeps, false).length
    if (update > 0) counts.push({ ...further, update })
  }
  const asks = plan.asks.enrolled > 0 ? { asks: plan.asks } : {}
  const report = { ...found(), counts, passed: sorted.passed, ...asks, plan: digest(judged) }
  return faults.count > 0 ? { report } : { report, ready: { plan, judged, tables } }
}

/** What an export would write now: of our rows, what is kept beside them, and both together. */
export async function currentRecords(
  context: Context,
  state?: State,
): Promise<{ made: Records; keeps: KeptRecords; now: Records }> {
  const plain: State = { ...(state ?? (await readState(context))), reveals: () => true }
  const made = await new RecordGatherer(plain).gather()
  const keeps = await readKeeps(context)
  return { made, keeps, now: overlayKept(made, keeps, true) }
}

const further: Omit<Count, 'update'> = {
  file: '',
  entity: 'roster_record',
  label: { zh: '其他栏目', en: 'Further columns' },
  add: 0,
  unchanged: 0,
  missing: 0,
  missingNames: [],
}

const district: Words = { zh: '上级机构', en: 'Authority' }
const shownNames = 10

function countsOf(judged: JudgedRows): Count[] {
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
function digest(judged: JudgedRows): string {
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
