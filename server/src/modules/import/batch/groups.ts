import type { AnswerOf, InputOf } from '@data-brain/contract/call'
import type { answer, groups as groupsCall } from '@data-brain/contract/calls/import'
import { classInTitle } from '@data-brain/contract/import/class-name'
import { sql } from '../../../database/statement.ts'
import { contextOf } from '../../../entity/routes.ts'
import { holdsCode } from '../../../kernel/actor.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { Call } from '../../../kernel/route.ts'
import { needState, startBatch } from '../../jobs/index.ts'
import { forgetAnswers, rememberAnswers } from './answer-memory.ts'
import { foldAsked, wordHash, wordOf } from './answers.ts'
import {
  type Answer,
  type Batch,
  type DuplicatePolicy,
  loadRows,
  refuseForeignCells,
  type StoredRow,
  sealRow,
} from './batch.ts'
import type { CellQuestion, Form } from './form.ts'
import { batchFor } from './import-access.ts'
import { hiddenRow } from './read-row.ts'
import type { Fault } from './row.ts'
import { brokenFile, heldBatch } from './steps.ts'
import { askedLabel } from './view.ts'

/*
 * Equal faults are asked about once: the rows that say the same in the same column are one group, and one answer mends
 * them all.
 */

const portion = 1_000
const groupsMost = 100
/** As many spellings as somebody looks through; of the others their number is told. */
const spellingsMost = 50

interface Group {
  readonly key: string
  readonly fault: Fault
  /** What the cells say, where they are words that can be answered; else the group is of one fault. */
  readonly text: string | null
  /** The cell itself, without what it is meant within. */
  readonly cell: string
  readonly rows: number[]
  /** All words of the group's cells. */
  readonly words: Set<string>
  /** The words as they are written, where they can be answered, with the number of rows. */
  readonly spelt: Map<string, number>
}

/** Kinds whose cells are words: what one of them means is the same in every row. */
const worded: ReadonlySet<string> = new Set(['choice', 'flag', 'reference', 'region'])

async function gather(
  form: Form,
  { tx, actor, services }: Call,
  batch: Batch,
  asking: CellQuestion | undefined,
): Promise<Group[]> {
  const columnOf = new Map(Object.entries(batch.mapping).map(([at, key]) => [key, Number(at)]))
  const { fixed = {} } = batch.settings
  const groups = new Map<string, Group>()
  const take = (row: StoredRow, fault: Fault): void => {
    const at = columnOf.get(fault.key)
    const cell = at === undefined ? '' : (row.kept.cells[at] ?? '').trim()
    const word = cell && wordOf(fault.key, cell, (key) => row.kept.cells[columnOf.get(key) ?? -1] ?? fixed[key])
    const [part = '', field = ''] = fault.key.split('.')
    const kind = form.models[part]?.byName.get(field)?.kind ?? ''
    const text = (worded.has(kind) || asking?.isWord?.(fault.key)) && cell !== '' ? word : null
    const spelt = new Map<string, number>()
    // Of one message there are many: 与第3行重复 is one group, whichever the row.
    const said = text === null ? fault.zh.replace(/\d+(, \d+)*…?/g, '#') : fault.make ? '' : foldAsked(fault.key, text)
    const id = `${fault.key}|${text === null ? '' : 'w'}|${said}|${fault.make ? JSON.stringify(fault.make) : ''}`
    const group = groups.get(id) ?? { key: fault.key, fault, text, cell, rows: [], words: new Set<string>(), spelt }
    group.rows.push(row.no)
    if (word !== '') group.words.add(word)
    if (text !== null) group.spelt.set(text, (group.spelt.get(text) ?? 0) + 1)
    groups.set(id, group)
  }
  for (let after = 0; ; ) {
    const rows = await loadRows(tx, services.cipher, actor.tenantId, batch.id, {
      after,
      states: ['bad'],
      limit: portion,
    })
    for (const row of rows) for (const fault of row.faults) take(row, fault)
    if (rows.length < portion) break
    after = rows.at(-1)!.no
  }
  return together(form, asking, [...groups.values()]).sort((a, b) => b.rows.length - a.rows.length)
}

/**
 * Words of a column that nobody can be offered a value for, each in a few rows: one group of one message, so that the
 * column can be left empty at once.
 */
function together(form: Form, asking: CellQuestion | undefined, groups: readonly Group[]): Group[] {
  const merged = new Map<string, Group>()
  for (const group of groups) {
    const { key, fault, text, cell } = group
    const isOpen =
      text !== null &&
      !fault.make &&
      !key.startsWith('check.') &&
      mayBeEmpty(form, key) &&
      (asking?.options(key, cell) ?? []).length === 0
    const id = isOpen ? `${key}|${fault.zh}` : `${key}|${text ?? ''}|${fault.zh}|${merged.size}`
    const held = merged.get(id)
    if (!held)
      merged.set(id, { ...group, rows: [...group.rows], words: new Set(group.words), spelt: new Map(group.spelt) })
    else {
      held.rows.push(...group.rows)
      for (const word of group.words) held.words.add(word)
      for (const [word, count] of group.spelt) held.spelt.set(word, (held.spelt.get(word) ?? 0) + count)
      merged.set(id, { ...held, text: null, cell: '' })
    }
  }
  return [...merged.values()].map((group) => ({ ...group, rows: group.rows.sort((a, b) => a - b) }))
}

const mayBeEmpty = (form: Form, key: string): boolean => {
  const [part = '', name = ''] = key.split('.')
  return form.made?.includes(key) === true || form.models[part]?.byName.get(name)?.required !== true
}

/** The faults of a batch, equal ones together, with what can be said of each. */
export async function listGroups(form: Form, id: string, call: Call): Promise<AnswerOf<typeof groupsCall>> {
  const { actor, circumstance } = call
  const { language } = circumstance
  const batch = await batchFor(call, form, id)
  needState(batch, 'checked')
  refuseForeignCells(form, batch, actor)
  const asking = await form.asks?.(contextOf(call), batch)
  const groups = await gather(form, call, batch, asking)
  return groups.slice(0, groupsMost).map((group) => {
    const made = holdsCode(actor, 'schoolclass_add') ? asking?.made(group.fault) : undefined
    return {
      key: group.key,
      label: askedLabel(form, group.key, language, batch),
      message: group.fault[language],
      text: group.text,
      words: [...group.spelt]
        .map(([text, count]) => ({ text, count }))
        .sort((a, b) => b.count - a.count)
        .slice(0, spellingsMost),
      spellings: group.spelt.size,
      count: group.rows.length,
      rows: group.rows.slice(0, 5),
      options: group.text === null ? [] : (asking?.options(group.key, group.cell) ?? []),
      mayBeEmpty: mayBeEmpty(form, group.key) && group.words.size > 0,
      make: made ?? null,
      quote: quoteOf(group),
      kept: asking?.keeps?.(group.key, group.cell) === true,
      repeats: group.fault.repeats ?? false,
      apart: group.fault.repeats === true && isApart(form, group.key),
    }
  })
}

/** A title as long as this is read at a glance. */
const quoted = 16

/** The class that a long title names: what is asked about is not the title. */
const quoteOf = ({ key, text }: Group): string | null =>
  text !== null && key.endsWith('.classId') && text.length > quoted ? (classInTitle(text) ?? null) : null

/** Whether rows that share what a column says may be different all the same. */
const isApart = (form: Form, key: string): boolean => form.apart?.includes(key.slice(key.indexOf('.') + 1)) === true

/** Takes what rows share out of all of them but the first of each. */
async function emptyShared({ tx, actor, services: { cipher } }: Call, batch: Batch, key: string): Promise<void> {
  const { tenantId } = actor
  const name = key.slice(key.indexOf('.') + 1)
  const at = Number(Object.entries(batch.mapping).find(([, each]) => each === key)?.[0] ?? Number.NaN)
  if (Number.isNaN(at)) return
  const later = await tx.run<{ no: number }>(
    sql`select no from (
          select row_no as no, row_number() over (partition by k order by row_no) as place
          from import_row, unnest(keys) k where tenant_id = ${tenantId} and batch_id = ${batch.id} and row_no > 0 and starts_with(k, ${`${name}:`})
        ) each where place > 1 order by no`,
  )
  for (let start = 0; start < later.length; start += portion) {
    const nos = later.slice(start, start + portion).map(({ no }) => no)
    const rows = await loadRows(tx, cipher, tenantId, batch.id, { nos, limit: nos.length })
    const sealed = rows.map(({ no, kept }) => {
      kept.cells[at] = ''
      if (kept.marks) delete kept.marks[at]
      return sealRow(kept, cipher, tenantId, batch.id, no)
    })
    await tx.run(
      sql`update import_row r set cells = u.cells from unnest(${rows.map(({ no }) => no)}::int[], ${sealed}::bytea[]) u(no, cells)
          where r.tenant_id = ${tenantId} and r.batch_id = ${batch.id} and r.row_no = u.no`,
    )
  }
}

type Answers = InputOf<typeof answer>

/** Of each group one thing is said. */
function readSaid(answers: Answers['answers']): Answers['answers'] {
  for (const { as, out, make, keep, again } of answers)
    if (
      [as !== undefined, out === true, make === true, keep !== undefined, again !== undefined].filter(Boolean)
        .length !== 1
    )
      throw new Problem('parameter_missing', { field: 'answers' })
  return answers.map(({ as, ...said }) => ({ ...said, ...(as === undefined ? {} : { as: as.slice(0, 200) }) }))
}

/** Takes answers for groups of faults, and checks again. */
export async function answerGroups(
  form: Form,
  { id, answers: given }: Answers,
  call: Call,
): Promise<AnswerOf<typeof answer>> {
  const { tx, actor } = call
  const said = readSaid(given)
  const batch = await heldBatch(call, form, id)
  needState(batch, 'checked')
  refuseForeignCells(form, batch, actor)
  const context = contextOf(call)
  const asking = await form.asks?.(context, batch)
  const groups = await gather(form, call, batch, asking)
  const words = { cipher: context.cipher, tenantId: actor.tenantId, schoolId: batch.settings.schoolId }
  const answers: Record<string, Record<string, Answer>> = { ...batch.settings.answers }
  const classes = [...(batch.settings.classes ?? [])]
  let { hidden } = batch.settings
  const repeats: Record<string, DuplicatePolicy> = { ...batch.settings.repeats }
  const kept: { field: string; word: string; answer: string }[] = []
  const anew: { field: string; word: string }[] = []
  for (const { key, text, message, as, out, make, keep, again } of said) {
    if (again !== undefined) {
      const { [again]: learned, ...others } = answers[key] ?? {}
      if (!learned?.learned) throw brokenFile('这个回答已经改过，请刷新', 'That answer was changed already: look again')
      answers[key] = others
      anew.push({ field: key, word: again })
      continue
    }
    const mine = groups.filter(
      (group) =>
        group.key === key &&
        (text === null
          ? group.text === null && (message === undefined || message === group.fault.zh || message === group.fault.en)
          : group.text !== null &&
            [...group.spelt.keys()].some((each) => foldAsked(key, each) === foldAsked(key, text))),
    )
    if (mine.length === 0)
      throw brokenFile('这些行已经没有这个问题，请刷新', 'These rows no longer have this fault: look again')
    for (const group of mine) {
      if (key === hiddenRow.key) {
        hidden = out ? 'leave' : 'take'
        continue
      }
      if (keep) {
        if (!group.fault.repeats) throw brokenFile('这些行没有重复', 'These rows do not repeat one another')
        const name = key.slice(key.indexOf('.') + 1)
        if (keep !== 'each') repeats[name] = keep
        else if (!isApart(form, key)) throw brokenFile('这些行不能都导入', 'These rows cannot all come in')
        else if (name === 'name') repeats[name] = keep
        else await emptyShared(call, batch, key)
        continue
      }
      let answer: Answer = out ? { out: true } : { as: as ?? '' }
      if (make) {
        if (!holdsCode(actor, 'schoolclass_add')) throw new Problem('forbidden', { code: 'schoolclass_add' })
        const made = asking?.plan(group.fault, classes)
        if (!made)
          throw brokenFile(
            '名称不足以新建班级，请选择一个班级',
            'The name does not say which class to make: choose one',
          )
        if (!classes.some(({ id }) => id === made.id)) classes.push(made)
        answer = { as: `=${made.id}` }
      }
      if (!out && !make && as === '' && !mayBeEmpty(form, key))
        throw brokenFile('这一列不能留空', 'This column cannot be left empty')
      for (const word of group.words) {
        const hash = wordHash(key, word, words)
        answers[key] = { ...answers[key], [hash]: answer }
        // A class that is not made yet is remembered by nobody; neither are rows of this file alone, nor that there is
        // no class yet: that passes. What is compared is looked at anew in every file.
        const passes = (key === 'student.classId' && answer.as === '') || key.startsWith('check.')
        if (group.text !== null && answer.as !== undefined && !make && !passes)
          kept.push({ field: key, word: hash, answer: answer.as })
      }
    }
  }
  await tx.run(
    sql`update import_batch set settings = ${JSON.stringify({ ...batch.settings, answers, classes, repeats, ...(hidden ? { hidden } : {}) })} where tenant_id = ${actor.tenantId} and id = ${id}`,
  )
  if (anew.length > 0) await forgetAnswers(tx, actor.tenantId, form.kind, anew)
  await rememberAnswers(tx, actor.tenantId, form.kind, [
    ...new Map(kept.map((each) => [each.field + each.word, each])).values(),
  ])
  await startBatch(call, batch, form.kind, 'checking')
  return { id, state: 'checking' }
}
