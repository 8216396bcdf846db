import { tidyText } from '@data-brain/contract'
import { memberParts } from '@data-brain/contract/import/student-form'
import { sql } from '../../../database/statement.ts'
import type { Context } from '../../../entity/repository.ts'
import { mapGently } from '../../../kernel/cooperative.ts'
import type { StoredRow } from '../batch/batch.ts'
import type { FileLookups } from '../batch/lookups.ts'
import { readRow } from '../batch/read-row.ts'
import { allParts, type Fault, judgeRow, type ReadRow, stateOf, withRemarks } from '../batch/row.ts'
import { findStored, keysOf, loadBefore } from './known-students.ts'
import type { JudgedStudent, StudentJudgeContext } from './student-judge.ts'

/** A pupil whom a name may mean. */
export interface Pupil {
  readonly id: string
  readonly name: string
  readonly classId: string | null
  readonly gradeId: string | null
  readonly birth: string
  readonly no: string
}

/** What is said of a student number under the name of another child. */
const pupilNumberTaken = {
  zh: '属于另一名学生，与姓名不一致；请改正，或留空，按姓名查找',
  en: 'belongs to a student of another name: correct it, or leave it empty to go by the name',
}

/** Pupils of the school by their names. */
export async function pupilsNamed(
  { tx, actor }: Pick<Context, 'tx' | 'actor'>,
  schoolId: string,
  names: readonly string[],
): Promise<Map<string, Pupil[]>> {
  const found = await tx.run<Pupil>(
    sql`select id, name, class_id as "classId", grade_id as "gradeId", birth_date as birth, student_no as no from student
        where tenant_id = ${actor.tenantId} and school_id = ${schoolId} and (name collate "zh-x-icu" = any(${[...new Set(names)]}::text[]) or id = any(${names.flatMap((name) => /^=(\d{1,18})$/.exec(name)?.[1] ?? [])}::bigint[]))
        order by status desc, id`,
  )
  const pupils = new Map<string, Pupil[]>()
  for (const pupil of found)
    for (const name of [pupil.name, `=${pupil.id}`]) pupils.set(name, [...(pupils.get(name) ?? []), pupil])
  return pupils
}

const text = (value: unknown): string => (value === undefined || value === null ? '' : String(value))

/** The pupil of a row without a number that is known: by name, and by class, grade and birth as far as they are given. */
function pupilOf({ drafts: { student } }: ReadRow, pupils: ReadonlyMap<string, readonly Pupil[]>): Pupil | Fault {
  const name = text(student.name)
  if (name === '') return { key: 'student.name', zh: '不能为空', en: 'is required' }
  const fits = (given: unknown, own: string | null): boolean => text(given) === '' || text(given) === own
  const named = pupils.get(name) ?? []
  const found = name.startsWith('=')
    ? named
    : named.filter(
        (pupil) =>
          fits(student.classId, pupil.classId) &&
          fits(student.birthDate, pupil.birth) &&
          fits(student.gradeId, pupil.gradeId),
      )
  if (found.length === 1) return found[0]!
  if (found.length > 1)
    return {
      key: 'student.name',
      zh: `有${found.length}名学生叫这个名字，请选择是哪一名`,
      en: `is the name of ${found.length} students: say which`,
    }
  return named.length > 0
    ? {
        key: 'student.name',
        zh: '有这个名字的学生，但班级或出生日期不一致',
        en: 'is a student of another class or date of birth',
      }
    : {
        key: 'student.name',
        zh: '没有这名学生，请先导入学生',
        en: 'is no student of the school: import the students first',
      }
}

/** Judges rows whose guardians alone are stored, for pupils who stand. */
export async function judgeGuardians(bench: StudentJudgeContext, rows: readonly StoredRow[]): Promise<JudgedStudent[]> {
  const { context, batch, lookups, columns, answers } = bench
  const update = batch.settings.duplicates === 'update'
  const read = await mapGently(rows, (row) => readRow(row.no, row.kept, columns, lookups, answers))
  // A number that nobody has says nothing: the name may.
  const stored = await findStored(
    read.map(({ drafts }) => {
      const { alike: _, seatNo: __, ...keys } = keysOf(drafts, context)
      return keys
    }),
    context,
    lookups.schoolId,
  )
  const pupils = await pupilsNamed(
    context,
    lookups.schoolId,
    read.map(({ drafts }) => text(drafts.student.name)),
  )
  const meant = read.map((row, at): { id: string } | Fault => {
    // Who was chosen for a name is meant, whatever the number says.
    if (text(row.drafts.student.name).startsWith('=')) return pupilOf(row, pupils)
    const { id, taken = [] } = stored[at] ?? {}
    if (id) return { id }
    return taken.some(({ name }) => name === 'studentNo')
      ? { key: 'student.studentNo', ...pupilNumberTaken }
      : pupilOf(row, pupils)
  })
  const before = await loadBefore(
    read.map((row, at) => ({ row, id: 'id' in meant[at]! ? (meant[at] as { id: string }).id : undefined })),
    context,
  )
  return mapGently(read, (row, at): JudgedStudent => {
    const pupil = meant[at]!
    const old = before[at] ?? {}
    const drafts = { ...row.drafts, student: {}, detail: {} }
    const mine = memberParts.filter((part) => Object.keys(drafts[part]).length > 0)
    const isKnown = mine.length > 0 && mine.every((part) => old[part])
    // The pupil stays as it is: what no field holds stands in the remarks of the guardian.
    for (const part of mine) {
      const own = row.remarks.filter((each) => (mine.find((one) => one === each.part) ?? mine[0]) === part)
      if (own.length > 0) drafts[part] = { ...drafts[part], remark: withRemarks(old[part]?.remark, own) }
    }
    const faults: Fault[] = row.faults.filter(({ key }) => !key.startsWith('detail.'))
    const base = { row: { ...row, drafts }, found: { taken: [] }, before: old, values: {} }
    if (!('id' in pupil)) {
      const all = [pupil, ...faults]
      return { ...base, faults: all, keys: [], state: stateOf(all, false) }
    }
    const found = { id: pupil.id, taken: [] }
    const keys = keysOfGuardians(pupil.id, drafts, mine, context)
    if (isKnown && !update) return { ...base, found, faults: [], keys, state: 'duplicate' }
    const judged = judgeRow({ ...row, drafts, faults }, lookups, { ...old, student: old.student ?? {} })
    const all = [...judged.faults]
    if (mine.length === 0) all.push({ key: 'member1.parentName', zh: '没有家长信息', en: 'names no guardian' })
    const values = Object.fromEntries(
      allParts.flatMap((part) =>
        part === 'student' || part === 'detail' || !judged.values[part] || (old[part] && !update)
          ? []
          : [[part, judged.values[part]]],
      ),
    )
    return { ...base, found, faults: all, keys, values, state: stateOf(all, isKnown) }
  })
}

/** What no two rows may say of one pupil: the same number, two fathers, two mothers. */
function keysOfGuardians(
  id: string,
  drafts: ReadRow['drafts'],
  parts: readonly (typeof memberParts)[number][],
  { cipher, actor }: Pick<Context, 'cipher' | 'actor'>,
): string[] {
  return parts.flatMap((part) => {
    const mobile = tidyText('phone', text(drafts[part].mobile))
    const relation = text(drafts[part].relation)
    return [
      ...(mobile ? [`mobile:${id}|${cipher.hash(mobile, actor.tenantId).toString('hex')}`] : []),
      ...(['51', '52'].includes(relation) ? [`relation:${id}|${relation}`] : []),
    ]
  })
}

/** Pupils who may be meant by a name, as they are offered. */
export const pupilOptions = (pupils: readonly Pupil[], lookups: FileLookups): { value: string; label: string }[] =>
  pupils.map(({ id, name, classId, birth, no }) => {
    const place = lookups.classes.find((each) => each.id === classId)?.name
    return { value: `=${id}`, label: `${name}（${[place, no, birth].filter(Boolean).join('，')}）` }
  })
