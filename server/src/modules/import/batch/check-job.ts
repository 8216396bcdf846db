import { createHash } from 'node:crypto'
import { sql } from '../../../database/statement.ts'
import type { Tx } from '../../../database/transaction.ts'
import { addBatchWork, type BatchJob, type Progress } from '../../jobs/index.ts'
import {
  type Batch,
  batchOf,
  type Counts,
  commitPlan,
  loadRows,
  rowCounts,
  type Settings,
  type StoredRow,
} from './batch.ts'
import type { Form, RowVerdict } from './form.ts'
import type { Fault, RowNote } from './row.ts'
import { rowWords } from './row-words.ts'

/** Rows that are judged in one go: of more, so many live at once that clearing up after them holds everybody up. */
export const chunkSize = 100

/** The fault of a row that shares a key with other rows of the file. */
const repeated = (main: string, name: string, others: readonly number[], runs: Settings['runs']): Fault => {
  const { zh, en } = rowWords(runs, others, 3)
  return { key: `${main}.${name}`, zh: `与${zh}重复`, en: `is the same as in ${en}`, repeats: true }
}

/** Writes what was found out about rows beside them. */
export async function storeVerdicts(
  tx: Tx,
  tenantId: string,
  batchId: string,
  verdicts: readonly RowVerdict[],
): Promise<void> {
  if (verdicts.length === 0) return
  await tx.run(
    sql`update import_row r set state = u.state, faults = u.faults, keys = u.keys, row_id = u.row_id
        from jsonb_to_recordset(${JSON.stringify(verdicts)}::jsonb) u(no int, state text, faults jsonb, keys text[], row_id bigint)
        where r.tenant_id = ${tenantId} and r.batch_id = ${batchId} and r.row_no = u.no`,
  )
}

/** What rows of a file share with others of it: faults, and those that are left out because another one comes in. */
interface Collisions {
  readonly faults: ReadonlyMap<number, readonly Fault[]>
  readonly out: ReadonlyMap<number, Fault>
}

/** A verdict with what the row shares with other rows of the file. */
export function withOthers(verdict: RowVerdict, { faults, out }: Collisions): RowVerdict {
  if (verdict.state === 'out') return verdict
  const left = out.get(verdict.no)
  if (left) return { ...verdict, state: 'out', faults: [left] }
  const others = faults.get(verdict.no) ?? []
  return others.length === 0 ? verdict : { ...verdict, state: 'bad', faults: [...verdict.faults, ...others] }
}

const keyName = (key: string): string => key.slice(0, key.indexOf(':'))

/** What rows that share keys are told, from the rows of each key; `keep` says which of them come in, by the key's name. */
export function keyCollisions(
  { main }: Pick<Form, 'main'>,
  byKey: ReadonlyMap<string, readonly number[]>,
  { repeats: keep = {}, runs }: Pick<Settings, 'repeats' | 'runs'> = {},
): Collisions {
  const faults = new Map<number, Fault[]>()
  const out = new Map<number, Fault>()
  for (const [key, shared] of byKey) {
    const kept = keep[keyName(key)]
    if (!kept || kept === 'each' || shared.length < 2) continue
    const nos = [...shared].sort((a, b) => a - b)
    const chosen = (kept === 'first' ? nos[0] : nos.at(-1))!
    const { zh, en } = rowWords(runs, [chosen])
    const fault = {
      key: `${main}.${keyName(key)}`,
      zh: `与${zh}重复，只导入${zh}`,
      en: `is the same as ${en}: that one comes in`,
    }
    for (const no of nos) if (no !== chosen) out.set(no, fault)
  }
  for (const [key, shared] of byKey) {
    if (shared.length < 2) continue
    const nos = shared.filter((no) => !out.has(no))
    const name = keyName(key)
    if (nos.length < 2 || keep[name] === 'each') continue
    for (const no of nos)
      faults.set(no, [
        ...(faults.get(no) ?? []),
        repeated(
          main,
          name,
          nos.filter((other) => other !== no),
          runs,
        ),
      ])
  }
  return { faults, out }
}

/** Tells of each row, in the order of the file, which row before it says the same in every column that is read. */
function repeats({ id, mapping }: Batch): (row: StoredRow) => number | undefined {
  const columns = Object.entries(mapping).flatMap(([at, key]) =>
    key && !key.startsWith('ignored.') ? [Number(at)] : [],
  )
  const seen = new Map<string, number>()
  return ({ no, kept }) => {
    const cells = columns.map((at) => kept.cells[at] ?? '')
    if (no <= 0 || cells.every((cell) => cell === '')) return undefined
    // Rows are told apart by a short hash: the cells of a whole file need not be held.
    const hash = createHash('sha256')
      .update(id)
      .update(JSON.stringify([cells, kept.marks]))
      .digest('base64url')
    const first = seen.get(hash)
    if (first === undefined) seen.set(hash, no)
    return first
  }
}

/** What a row is told that says the same as one before it. */
export const repeatedRow = 'check.repeatedRow'

/** The verdict on a row that says the same as another one. */
const onlyOnce = (first: number, runs: Settings['runs']): Pick<RowVerdict, 'state' | 'faults' | 'keys'> => {
  const { zh, en } = rowWords(runs, [first])
  const fault = { key: repeatedRow, zh: `与${zh}完全相同，只导入一次`, en: `is the same as ${en}: it comes in once` }
  return { state: 'out', keys: [], faults: [fault] }
}

/** Judges every row of a batch, and keeps what was found; answers the counts. */
export async function checkRows(
  form: Form,
  { tenantId, batchId, services, actor, circumstance }: BatchJob,
  batch: Batch,
  tx: Tx,
  progress: Progress,
): Promise<Counts> {
  const judge = await form.judge({ tx, actor, circumstance, cipher: services.cipher }, batch)
  const byKey = new Map<string, number[]>()
  const isSaidBefore = repeats(batch)
  const told = new Map<string, { note: RowNote; rows: number[]; count: number }>()
  let after = 0
  let done = 0
  for (;;) {
    const rows = await loadRows(tx, services.cipher, tenantId, batchId, { after, limit: chunkSize })
    if (rows.length === 0) break
    const judged = (await judge(rows)).map((each, at) => {
      const first = isSaidBefore(rows[at]!)
      return first === undefined || each.state === 'out' ? each : { ...each, ...onlyOnce(first, batch.settings.runs) }
    })
    for (const each of judged)
      for (const key of each.state === 'out' ? [] : each.keys) {
        const held = byKey.get(key)
        if (held) held.push(each.no)
        else byKey.set(key, [each.no])
      }
    tell(told, judged)
    await storeVerdicts(
      tx,
      tenantId,
      batchId,
      judged.map(({ notes: _notes, ...verdict }) => verdict),
    )
    after = rows.at(-1)?.no ?? after
    done += rows.length
    await progress(done)
  }
  await markCollisions(tx, tenantId, batchId, keyCollisions(form, byKey, batch.settings))
  const counts = commitPlan(await rowCounts(tx, tenantId, batchId), batch.settings.duplicates)
  const makes = judge.makes?.() ?? []
  await tx.run(
    sql`update import_batch set progress = ${done}, settings = ${JSON.stringify({ ...batch.settings, makes, told: [...told.values()].map(({ note, ...of }) => ({ ...note, ...of })) })}, counts = ${JSON.stringify(counts)}, update_time = now()
        where tenant_id = ${tenantId} and id = ${batchId}`,
  )
  return counts
}

const rowsTold = 5
const notesMost = 100

/** Gathers what is told of rows that come in. */
function tell(
  told: Map<string, { note: RowNote; rows: number[]; count: number }>,
  judged: readonly RowVerdict[],
): void {
  for (const { no, state, notes = [] } of judged)
    for (const note of state === 'out' ? [] : notes) {
      const id = `${note.kind}|${note.key}|${note.word ?? ''}`
      const held = told.get(id) ?? { note, rows: [], count: 0 }
      held.count += 1
      if (held.rows.length < rowsTold) held.rows.push(no)
      if (told.size < notesMost || told.has(id)) told.set(id, held)
    }
}

/** Checks every row of a batch. */
export function addChecking(form: Form): void {
  addBatchWork(form.kind, 'checking', form.code, async (job, tx, progress) => {
    const { tenantId, batchId } = job
    const counts = await checkRows(form, job, await batchOf(tx, tenantId, form, batchId), tx, progress)
    await tx.run(
      sql`update import_batch set state = 'checked', failure = null where tenant_id = ${tenantId} and id = ${batchId}`,
    )
    return { ...counts }
  })
}

async function markCollisions(tx: Tx, tenantId: string, batchId: string, { faults, out }: Collisions): Promise<void> {
  const marked = [
    ...[...faults].map(([no, added]) => ({ no, state: 'bad', added })),
    ...[...out].map(([no, fault]) => ({ no, state: 'out', added: [fault] })),
  ]
  for (let start = 0; start < marked.length; start += 1_000)
    await tx.run(
      sql`update import_row r set state = u.state, faults = case when u.state = 'out' then u.added else r.faults || u.added end
          from jsonb_to_recordset(${JSON.stringify(marked.slice(start, start + 1_000))}::jsonb) u(no int, state text, added jsonb)
          where r.tenant_id = ${tenantId} and r.batch_id = ${batchId} and r.row_no = u.no and r.state <> 'out'`,
    )
}
