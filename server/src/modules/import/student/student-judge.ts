import type { Words } from '@data-brain/contract'
import { gatherCustom } from '../../../entity/custom.ts'
import { modelFor } from '../../../entity/model.ts'
import type { Context } from '../../../entity/repository.ts'
import { mapGently } from '../../../kernel/cooperative.ts'
import { answersOf, type ImportAnswers, ordersOf } from '../batch/answers.ts'
import type { Batch, RowState, StoredRow } from '../batch/batch.ts'
import type { RowVerdict } from '../batch/form.ts'
import { type FileLookups, readLookups } from '../batch/lookups.ts'
import { readRow } from '../batch/read-row.ts'
import {
  type JudgedRow,
  judgeRow,
  type MappedColumn,
  mappedColumns,
  models,
  type ReadRow,
  type RowNote,
  type StoredParts,
  stateOf,
} from '../batch/row.ts'
import { customReader, type ReadCustom } from '../custom.ts'
import { judgeGuardians } from './guardian-judge.ts'
import { type FoundPupil, findStored, type KeyName, keptKeys, keysOf, loadBefore } from './known-students.ts'

export interface JudgedStudent extends JudgedRow {
  readonly row: ReadRow
  readonly found: FoundPupil
  readonly before: StoredParts
  readonly keys: string[]
  /** What else is told of it, beside what reading said. */
  readonly more?: readonly RowNote[]
  readonly state: RowState
}

/** What a judge needs besides the rows: read once per job. */
export interface StudentJudgeContext {
  readonly context: Context
  readonly batch: Batch
  readonly lookups: FileLookups
  readonly columns: readonly MappedColumn[]
  readonly answers: ImportAnswers
  /** The fields of the tenant's own, of the pupil. */
  readonly readCustom: ReadCustom
  /** Pupils are only found, and their guardians alone are stored. */
  readonly onlyGuardians: boolean
}

export async function benchOf(context: Context, batch: Batch, onlyGuardians = false): Promise<StudentJudgeContext> {
  const { schoolId = '', yearId = '', classes } = batch.settings
  const columns = mappedColumns(batch.mapping, await ordersOf(context, batch, models), batch.columns)
  return {
    context,
    batch,
    lookups: await readLookups(context.tx, context.actor.tenantId, schoolId, yearId, classes),
    columns,
    answers: answersOf(batch.settings, context),
    readCustom: await customReader(context, batch, 'student', modelFor(models.student.entity, context.actor)),
    onlyGuardians,
  }
}

/** What is said of a student number that another child has, and what to do. */
export const numberTaken: Words = {
  zh: '已属于另一名学生，请改正；留空则沿用原学号，新学生由系统编号',
  en: 'belongs to another student: correct it, or leave it empty to keep the present number or have one made',
}

const taken: Record<KeyName, { here: string; elsewhere: string; en: string }> = {
  studentNo: { here: numberTaken.zh, elsewhere: numberTaken.zh, en: numberTaken.en },
  idNo: { here: '已属于另一名学生', elsewhere: '已属于另一所学校的学生', en: 'belongs to another student' },
  nationalCode: { here: '已属于另一名学生', elsewhere: '已属于另一所学校的学生', en: 'belongs to another student' },
  seatNo: { here: '在该班已有人使用', elsewhere: '在该班已有人使用', en: 'is taken in that class' },
}

/** Judges rows: reads their cells, finds whom they are about, and checks what would be stored. */
export async function judgeStudentRows(
  bench: StudentJudgeContext,
  rows: readonly StoredRow[],
): Promise<JudgedStudent[]> {
  if (bench.onlyGuardians) return judgeGuardians(bench, rows)
  const { context, batch, lookups, columns, answers } = bench
  const read = await mapGently(rows, (row) => readRow(row.no, row.kept, columns, lookups, answers))
  const hashed = await mapGently(read, (row) => keysOf(row.drafts, context))
  const found = await findStored(hashed, context, lookups.schoolId)
  const update = batch.settings.duplicates === 'update'
  const before = await loadBefore(
    read.map((row, at) => ({ row, id: update ? found[at]?.id : undefined })),
    context,
  )
  return mapGently(read, (row, at): JudgedStudent => {
    const is = found[at] as FoundPupil
    const { studentNo, ...apart } = hashed[at] ?? {}
    // A number of another child is refused by itself: the row of whoever has it does not repeat it.
    const isTaken = is.taken.some(({ name }) => name === 'studentNo')
    const keys = keptKeys(studentNo === undefined || isTaken ? apart : { studentNo, ...apart }, is)
    // A row that is left alone need not be right.
    if (is.id && !update) return { row, found: is, before: {}, keys, values: {}, faults: [], state: 'duplicate' }
    const judged = judgeRow(row, lookups, before[at])
    const own = bench.readCustom(rows[at]!.kept)
    const pupil = { ...judged.values.student, ...own.values }
    gatherCustom(modelFor(models.student.entity, context.actor), pupil, before[at]?.student)
    const faults = [...judged.faults, ...own.faults]
    for (const { name, elsewhere } of is.taken)
      faults.push({ key: `student.${name}`, zh: taken[name][elsewhere ? 'elsewhere' : 'here'], en: taken[name].en })
    return {
      row,
      found: is,
      before: before[at] ?? {},
      keys,
      values: { ...judged.values, student: pupil },
      more: own.notes,
      faults,
      state: stateOf(faults, is.id !== undefined),
    }
  })
}

/** What is kept of a judgement beside the row. */
export const verdictOf = (judged: JudgedStudent): RowVerdict => ({
  no: judged.row.no,
  state: judged.state,
  faults: judged.faults,
  keys: judged.keys,
  row_id: judged.found.id ?? null,
  notes: notesOf(judged),
})

/** What is told of a pupil who comes in: that there is no class, unless there is one already, and what reading said. */
function notesOf({ row, values, before, state, more = [] }: JudgedStudent): RowNote[] {
  // Of rows whose guardians alone are stored, only how their words were read, and what is kept of them.
  const isStored = state !== 'out' && Object.keys(values).length > 0
  if (state === 'out' || !values.student)
    return row.notes.filter(
      ({ kind }) => kind === 'learned' || ((kind === 'inRemark' || kind === 'noRoom') && isStored),
    )
  const isClassless = !values.student.classId && !before.student?.classId
  const isAsked = row.faults.some(({ key }) => key === 'student.classId' || key === 'student.gradeId')
  const isCopied = row.notes.some(({ kind }) => kind === 'copied') && !before.detail
  return [
    ...[...row.notes, ...more].filter(({ kind }) => kind !== 'copied' || isCopied),
    ...(isClassless && !isAsked ? [{ kind: 'noClass', key: 'student.classId' } as const] : []),
  ]
}
