import { student, studentparents } from '@data-brain/contract'
import { exampleMark, type FormColumn } from '@data-brain/contract/import/form'
import { guardianForm as columns } from '@data-brain/contract/import/guardian-form'
import type { Context } from '../../../entity/repository.ts'
import { type Batch, loadRows } from '../batch/batch.ts'
import { tidyName } from '../batch/cell-words.ts'
import type { CellQuestion, Form } from '../batch/form.ts'
import { readLookups } from '../batch/lookups.ts'
import { models } from '../batch/row.ts'
import { pupilOptions, pupilsNamed } from './guardian-judge.ts'
import { studentForm } from './student-form.ts'
import { benchOf, judgeStudentRows, verdictOf } from './student-judge.ts'
import { storeStudents } from './student-store.ts'

/** The columns of the template with what their example row says. */
const template: Readonly<Record<string, readonly [heading: string, example: string]>> = {
  'student.name': ['学生姓名', `${exampleMark}：王小明（本行不会导入）`],
  'student.classId': ['班级', '三年级（1）班'],
  'student.studentNo': ['校内学号', ''],
  'member1.parentName': ['家长姓名', '王大明'],
  'member1.relation': ['与学生关系', '父亲'],
  'member1.mobile': ['家长电话', '13800000000'],
  'member1.otherPhone': ['备用电话', ''],
  'member1.workUnit': ['家长工作单位', ''],
}
const shown = Object.keys(template).flatMap((key) => columns.find((column) => column.key === key) ?? [])
const heading = ({ key }: FormColumn): string => template[key]?.[0] ?? ''
const example = ({ key }: FormColumn): string => template[key]?.[1] ?? ''
const needed: ReadonlySet<string> = new Set(['student.name', 'member1.parentName'])

/** What can be said of cells that could not be read: beside what pupils' files are asked, which pupil a name means. */
async function asks(context: Context, batch: Batch): Promise<CellQuestion> {
  const { tx, actor, cipher } = context
  const asking = await studentForm.asks!(context, batch)
  const { schoolId = '0', yearId = null } = batch.settings
  const lookups = await readLookups(tx, actor.tenantId, schoolId, yearId)
  const at = Object.entries(batch.mapping).find(([, key]) => key === 'student.name')?.[0]
  const rows = await loadRows(tx, cipher, actor.tenantId, batch.id, { states: ['bad'], limit: 20_000 })
  const names = rows.map((row) => tidyName(row.kept.cells[Number(at ?? -1)] ?? ''))
  const pupils = await pupilsNamed(context, schoolId, names)
  return {
    ...asking,
    // A pupil's class cannot be made here: nobody would be in it.
    made: () => undefined,
    plan: () => undefined,
    isWord: (key) => key === 'student.name',
    options: (key, text) =>
      key === 'student.name' ? pupilOptions(pupils.get(tidyName(text)) ?? [], lookups) : asking.options(key, text),
  }
}

/** Guardians of pupils who stand, by the engine that reads pupils. */
export const guardianForm: Form = {
  ...studentForm,
  kind: 'studentparents',
  title: { zh: '家长导入', en: 'Guardian import' },
  code: 'studentparents_import',
  personal: 'studentparents_personal',
  entities: [student, studentparents],
  template: 'guardians',
  templateName: { zh: '家长导入模板', en: 'guardians' },
  columns,
  main: 'member1',
  apart: [],
  need: ({ key }) => (needed.has(key) ? 'always' : 'no'),
  blank: async (call) => {
    const asked = call.parameters as { schoolId?: string; yearId?: string }
    const { schoolId = '0', yearId = null } = asked.schoolId ? await studentForm.settings(call) : {}
    const lookups = await readLookups(call.tx, call.actor.tenantId, schoolId, yearId)
    return {
      name: '家长 Parents',
      columns: shown,
      heading,
      example,
      offers: ({ field }) =>
        field === 'relation' ? (lookups.offers.get('relation') ?? []).map((offer) => offer.zh) : [],
      isNeeded: ({ key }) => needed.has(key),
      howTo: [
        { zh: '每行一名家长；同一名学生可以写几行。', en: 'One row per guardian; a student may have several.' },
        { zh: '学生按学号、证件号，或姓名和班级查找。', en: 'Students are found by number, or by name and class.' },
      ],
    }
  },
  judge: async (context, batch) => {
    const bench = await benchOf(context, batch, true)
    return async (rows) => (await judgeStudentRows(bench, rows)).map(verdictOf)
  },
  asks,
  store: storeStudents,
  undo: { order: [models.member1] },
}
