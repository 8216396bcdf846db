import { schoolclass, student, studentclass, studentdetail, studentparents } from '@data-brain/contract'
import { classInTitle, readClass } from '@data-brain/contract/import/class-name'
import { derivedFrom } from '@data-brain/contract/import/derived'
import { studentForm as columns } from '@data-brain/contract/import/student-form'
import { sql } from '../../../database/statement.ts'
import { modelOf } from '../../../entity/model.ts'
import type { Context } from '../../../entity/repository.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { Call } from '../../../kernel/route.ts'
import { countClasses } from '../../student/index.ts'
import type { Batch } from '../batch/batch.ts'
import { kindsOf } from '../batch/cell.ts'
import type { CellQuestion, Form, RowJudge, WrittenItem } from '../batch/form.ts'
import { type ClassPlace, type FileLookups, foldWord, readLookups } from '../batch/lookups.ts'
import { models } from '../batch/row.ts'
import type { Template } from '../file/output-workbook.ts'
import { classesAsked } from './classes.ts'
import { neededBy, studentTemplate } from './student-book.ts'
import { benchOf, judgeStudentRows, verdictOf } from './student-judge.ts'
import { storeStudents } from './student-store.ts'

/** The year whose classes are meant: the one that was named, else the school's current one. */
async function yearOf(call: Call, schoolId: string, yearId: string | undefined): Promise<string> {
  const { tenantId } = call.actor
  const school = await call.tx.one(sql`select 1 from school where tenant_id = ${tenantId} and id = ${schoolId}`)
  if (!school)
    throw new Problem('reference_unknown', { label: { zh: '学校', en: 'School' } }, { field: 'schoolId', fields: [] })
  const year = await call.tx.one<{ id: string }>(
    sql`select id from schoolyear where tenant_id = ${tenantId} and school_id = ${schoolId} and (id = ${yearId ?? null}::bigint or (${yearId ?? null}::bigint is null and is_current = 1)) limit 1`,
  )
  if (year) return year.id
  if (yearId)
    throw new Problem(
      'reference_unknown',
      { label: { zh: '学年', en: 'School year' } },
      { field: 'yearId', fields: [] },
    )
  throw new Problem('rule_broken', {
    reason: { zh: '该校没有当前学年，请先设置学年', en: 'The school has no current year: set one first' },
  })
}

const schoolOf = ({ parameters }: Pick<Call, 'parameters'>): { schoolId?: string; yearId?: string; short?: number } =>
  parameters

async function settings(call: Call): Promise<{ schoolId: string; yearId: string }> {
  const { schoolId = '', yearId } = schoolOf(call)
  return { schoolId, yearId: await yearOf(call, schoolId, yearId) }
}

async function blank(call: Call): Promise<Template> {
  const { tx, actor } = call
  const { schoolId, yearId } = schoolOf(call)
  const year = schoolId ? await yearOf(call, schoolId, yearId) : null
  const lookups = await readLookups(tx, actor.tenantId, schoolId ?? '0', year)
  const grades = await tx.run<{ grade_name: string }>(
    sql`select grade_name from sysgrade_seen g where tenant_id = ${actor.tenantId}
          and (${schoolId ?? null}::bigint is null or g.stage = any((select s.stages from school s where s.tenant_id = ${actor.tenantId} and s.id = ${schoolId ?? null}::bigint)::text[])) order by sort, grade_code`,
  )
  return studentTemplate(
    lookups,
    grades.map((grade) => grade.grade_name),
    schoolOf(call).short === 1,
  )
}

/** The classes that a name may mean: those of its number first. */
function classesFor(text: string, { classes }: FileLookups): readonly ClassPlace[] {
  const [meant] = readClass(text)
  const [inside] = readClass(classInTitle(text) ?? '')
  const no = meant?.no ?? inside?.no
  return no === undefined ? classes : [...classes].sort((a, b) => Number(b.classNo === no) - Number(a.classNo === no))
}

/** What can be said of cells that could not be read. */
async function asks({ tx, actor, circumstance }: Context, { settings }: Batch): Promise<CellQuestion> {
  const lookups = await readLookups(
    tx,
    actor.tenantId,
    settings.schoolId ?? '0',
    settings.yearId ?? null,
    settings.classes,
  )
  const { language } = circumstance
  return {
    ...classesAsked(lookups),
    isWord: (key) => key === 'check.status',
    keeps: (key, text) => {
      const [part = '', name = ''] = key.split('.')
      const field = models[part as keyof typeof models]?.byName.get(name)
      return field?.kind === 'region' || (field?.kind === 'choice' && kindsOf(text, field.dict, lookups) !== undefined)
    },
    options: (key, text) => {
      if (key === 'student.classId')
        return classesFor(text, lookups).map(({ id, name }) => ({ value: `=${id}`, label: name }))
      if (key === 'check.status')
        return (lookups.offers.get('student_status') ?? [])
          .filter(({ zh }) => lookups.choices.get('student_status')?.get(foldWord(zh)) !== '1')
          .map((offer) => ({ value: offer.zh, label: offer[language] }))
      if (key === 'student.gradeId') return lookups.offered.map(({ name }) => ({ value: name, label: name }))
      const [part = '', name = ''] = key.split('.')
      const field = models[part as keyof typeof models]?.byName.get(name)
      if (field?.kind === 'flag')
        return [
          { value: '是', label: language === 'zh' ? '是' : 'Yes' },
          { value: '否', label: language === 'zh' ? '否' : 'No' },
        ]
      const offers = kindsOf(text, field?.dict, lookups) ?? lookups.offers.get(field?.dict ?? '') ?? []
      return offers.map((offer) => ({ value: offer.zh, label: offer[language] }))
    },
  }
}

async function judgeOf(context: Context, batch: Batch): Promise<RowJudge> {
  const bench = await benchOf(context, batch)
  return async (rows) => (await judgeStudentRows(bench, rows)).map(verdictOf)
}

const history = modelOf(studentclass)

/** The classes whose pupils change are counted anew once they have. */
async function begin(
  context: Context,
  _batch: Batch,
  rows: ReadonlyMap<string, readonly WrittenItem[]>,
): Promise<() => Promise<void>> {
  const ids = (rows.get(history.entity.name) ?? []).map((row) => row.id)
  const classes = await context.tx.run<{ class_id: string }>(
    sql`select distinct class_id from studentclass where tenant_id = ${context.actor.tenantId} and id = any(${ids}::bigint[])`,
  )
  return () =>
    countClasses(
      context,
      classes.map((row) => row.class_id),
    )
}

/** Students with their guardians, by the national form. */
export const studentForm: Form = {
  kind: 'student',
  title: { zh: '学生导入', en: 'Student import' },
  code: 'student_import',
  personal: 'student_personal',
  entities: [student, studentdetail, studentparents, studentclass],
  template: 'national',
  templateName: { zh: '学生导入模板', en: 'students' },
  columns,
  models,
  main: 'student',
  apart: ['studentNo', 'idNo', 'nationalCode', 'seatNo', 'name'],
  need: neededBy,
  made: ['student.studentNo'],
  derived: derivedFrom,
  settings,
  blank,
  judge: judgeOf,
  asks,
  store: storeStudents,
  undo: {
    order: [history, models.member1, models.detail, models.student],
    makes: [modelOf(schoolclass)],
    begin,
  },
}
