import { studentclass } from '@data-brain/contract'
import { memberParts } from '@data-brain/contract/import/student-form'
import { newId } from '../../../database/id.ts'
import { sql } from '../../../database/statement.ts'
import { inTenant, type Tx } from '../../../database/transaction.ts'
import { type BulkRow, Sent, sendMany } from '../../../entity/bulk.ts'
import type { Values } from '../../../entity/check.ts'
import { modelOf } from '../../../entity/model.ts'
import type { Context } from '../../../entity/repository.ts'
import { yieldTurn } from '../../../kernel/cooperative.ts'
import { Problem } from '../../../kernel/problem.ts'
import { jobLimits, type Progress } from '../../jobs/index.ts'
import { countClasses } from '../../student/index.ts'
import { type Batch, loadRows, type StoredRow } from '../batch/batch.ts'
import { type Change, changeMany } from '../batch/change-many.ts'
import { refuseChanged } from '../batch/commit-job.ts'
import type { FormJob, StoredBatch } from '../batch/form.ts'
import { models, numberLater } from '../batch/row.ts'
import { rowWords } from '../batch/row-words.ts'
import { makeClasses } from './classes.ts'
import { benchOf, type JudgedStudent, judgeStudentRows, type StudentJudgeContext } from './student-judge.ts'
import { StudentNumbers } from './student-numbers.ts'

const classHistory = modelOf(studentclass)
/** The first rows are few, so that the planner learns early of tables that were empty. */
const firstPortion = 100
const portion = 200

/** What a chunk of rows becomes. */
interface Work {
  readonly students: BulkRow[]
  readonly details: BulkRow[]
  readonly guardians: BulkRow[]
  readonly places: BulkRow[]
  readonly changes: { readonly student: Change[]; readonly detail: Change[]; readonly guardian: Change[] }
}

interface Portion {
  readonly rows: readonly StoredRow[]
  readonly judged: readonly JudgedStudent[]
}

/**
 * Stores the students of a batch. Where nothing that stands is changed, the next rows are judged beside, while the
 * database takes up the last.
 */
export async function storeStudents(job: FormJob, batch: Batch, tx: Tx, progress: Progress): Promise<StoredBatch> {
  // Of guardians the pupils that stand are held while they are judged.
  if (batch.settings.duplicates === 'update' || job.kind === 'studentparents')
    return store(job, batch, tx, tx, progress)
  return inTenant(job.services.pool, job.tenantId, async (aside) => {
    await aside.allow(jobLimits)
    return store(job, batch, tx, aside, progress)
  })
}

async function store(job: FormJob, batch: Batch, tx: Tx, reader: Tx, progress: Progress): Promise<StoredBatch> {
  const { tenantId, batchId, services, actor, circumstance } = job
  const context: Context = { tx, actor, circumstance, cipher: services.cipher, batchId }
  await makeClasses(context, batch)
  const bench = await benchOf({ ...context, tx: reader }, batch, job.kind === 'studentparents')
  const numbers = await StudentNumbers.of(context, bench)
  const day =
    (await tx.one<{ today: string }>(sql`select (now() at time zone 'Asia/Shanghai')::date as today`))?.today ?? ''
  const states = batch.settings.duplicates === 'update' ? (['good', 'duplicate'] as const) : (['good'] as const)
  const classes = new Map<string, number>()
  let unplaced = 0
  const prepare = async (after: number, limit: number): Promise<Portion> => {
    const rows = await loadRows(reader, services.cipher, tenantId, batchId, { after, states, limit })
    const judged = rows.length > 0 ? await judgeStudentRows(bench, rows) : []
    refuseChanged(
      judged.map(({ row, state }) => ({ no: row.no, state })),
      rows,
      batch.settings.runs,
    )
    return { rows, judged }
  }
  let done = 0
  let next = prepare(0, firstPortion)
  let writing = new Sent()
  try {
    for (;;) {
      const { rows, judged } = await next
      if (rows.length === 0) break
      const work = await workOf(context, bench, judged, numbers, day, classes)
      unplaced += work.students.filter(({ values }) => !values.classId).length
      next = prepare(rows.at(-1)?.no ?? 0, portion)
      // Asked for at the next turn; until then a failure is nobody's.
      next.catch(() => {})
      if (reader === tx) await next.catch(() => {})
      // The database is given these rows while it still works on the last.
      const last = writing
      const sending = send(context, work)
      // Nothing is sent in a transaction that has failed and ended.
      await Promise.allSettled([last.answered(), sending])
      await last.answered()
      writing = await sending
      if (done === 0 || reader === tx) await writing.answered()
      await changeStanding(context, work)
      // See the migration: what was empty when the planner last looked would be walked through for every reference.
      if (done === 0) await tx.run(sql`select analyze_students()`)
      done += rows.length
      await progress(done)
    }
  } finally {
    // Nor are rows judged in one.
    await next.catch(() => {})
  }
  await writing.answered()
  await countClasses(context, [...classes.keys()])
  const placed = [...classes].map(([classId, count]) => ({
    classId,
    name: bench.lookups.classes.find((place) => place.id === classId)?.name ?? '',
    count,
  }))
  return {
    done,
    settings: { placed: unplaced > 0 ? [...placed, { classId: null, name: '', count: unplaced }] : placed },
  }
}

async function workOf(
  context: Context,
  bench: StudentJudgeContext,
  judged: readonly JudgedStudent[],
  numbers: StudentNumbers,
  day: string,
  classes: Map<string, number>,
): Promise<Work> {
  const { schoolId } = bench.lookups
  const work: Work = {
    students: [],
    details: [],
    guardians: [],
    places: [],
    changes: { student: [], detail: [], guardian: [] },
  }
  const orders = await contactOrders(
    context,
    judged.flatMap((each) => each.found.id ?? []),
  )
  for (const { row, found, before, values } of judged) {
    await yieldTurn()
    const studentId = found.id ?? newId()
    const own = { ...values.student }
    if (found.id) change(work.changes.student, found.id, before.student, own)
    else {
      if (own.studentNo === numberLater) own.studentNo = numbers.next(row.place)
      work.students.push({ id: studentId, values: own, ...(row.status ? { status: row.status } : {}) })
    }
    if (own.classId && !before.student?.classId) {
      classes.set(String(own.classId), (classes.get(String(own.classId)) ?? 0) + 1)
      work.places.push({
        id: newId(),
        values: { schoolId, studentId, classId: own.classId, beginDate: day, reason: '分班' },
      })
    }
    if (values.detail) {
      if (before.detail) change(work.changes.detail, String(before.detail.id), before.detail, values.detail)
      else work.details.push({ id: newId(), values: { ...values.detail, schoolId, studentId } })
    }
    const used = orders.get(studentId) ?? new Set<number>()
    orders.set(studentId, used)
    // Who has guardians already keeps the one who is called first.
    const isCalled = used.size > 0 ? { isEmergency: 0 } : {}
    for (const part of memberParts) {
      const member = values[part]
      const old = before[part]
      if (!member) continue
      if (old) {
        change(work.changes.guardian, String(old.id), old, member)
        continue
      }
      const contactPriority = [1, 2, 3, 4, 5, 6, 7, 8, 9].find((order) => !used.has(order))
      if (!contactPriority) {
        const { zh, en } = rowWords(bench.batch.settings.runs, [row.no])
        throw new Problem('rule_broken', {
          reason: { zh: `${zh}的学生已有9名家长`, en: `The student of ${en} has nine guardians already` },
        })
      }
      used.add(contactPriority)
      work.guardians.push({ id: newId(), values: { ...member, ...isCalled, schoolId, studentId, contactPriority } })
    }
  }
  return work
}

/** Takes up what of `values` is new; a row to which nothing is new is not touched. */
function change(changes: Change[], id: string, before: Values | undefined, values: Values): void {
  const changed = Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) => JSON.stringify(value ?? null) !== JSON.stringify(before?.[name] ?? null),
    ),
  )
  if (Object.keys(changed).length > 0) changes.push({ id, changed })
}

/** Which places in the order of contacts are taken, by student. */
async function contactOrders({ tx, actor }: Context, ids: readonly string[]): Promise<Map<string, Set<number>>> {
  const orders = new Map<string, Set<number>>()
  if (ids.length === 0) return orders
  for (const row of await tx.run<{ student_id: string; contact_priority: number }>(
    sql`select student_id, contact_priority from studentparents where tenant_id = ${actor.tenantId} and student_id = any(${[...ids]}::bigint[])`,
  ))
    orders.set(row.student_id, (orders.get(row.student_id) ?? new Set()).add(row.contact_priority))
  return orders
}

/** Sends what is new. Students first: what is sent first is written first, and the others point at them. */
async function send(context: Context, work: Work): Promise<Sent> {
  const sent = new Sent()
  await sendMany(models.student, context, work.students, 'import', sent)
  await sendMany(models.detail, context, work.details, 'import', sent)
  await sendMany(models.member1, context, work.guardians, 'import', sent)
  return sendMany(classHistory, context, work.places, 'import', sent)
}

async function changeStanding(context: Context, work: Work): Promise<void> {
  await changeMany(models.student, context, work.changes.student)
  await changeMany(models.detail, context, work.changes.detail)
  await changeMany(models.member1, context, work.changes.guardian)
}
