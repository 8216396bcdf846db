import type { AnswerOf } from '@data-brain/contract/call'
import type { BatchLine, batch as batchCall, ImportRow } from '@data-brain/contract/calls/import'
import { sql } from '../../../database/statement.ts'
import type { Tx } from '../../../database/transaction.ts'
import { shownOf } from '../../../entity/read-log.ts'
import { type Actor, holdsCode } from '../../../kernel/actor.ts'
import type { Language } from '../../../kernel/problem.ts'
import type { Call } from '../../../kernel/route.ts'
import { markShown, type ShownRow } from '../../../kernel/shown-rows.ts'
import { readingsWithin } from '../file/day-order.ts'
import { sourceOf } from '../file/kept-cells.ts'
import type { Source } from '../file/table.ts'
import { likelyNames } from '../student/likely-names.ts'
import { otherSchool } from '../student/other-school.ts'
import { type Batch, commitPlan, loadRows, rowCounts, type StoredRow } from './batch.ts'
import { spanOfDays } from './cell.ts'
import { repeatedRow } from './check-job.ts'
import type { Form } from './form.ts'
import { hiddenRow } from './read-row.ts'
import { aboutOf } from './undo-plan.ts'
import { undoneView } from './undo-view.ts'

type BatchView = AnswerOf<typeof batchCall>

/** What a column of the form is called to a person; one that the file names alone, such as a subject, is called as there. */
export function labelOf(form: Form, key: string, language: Language, batch?: Batch): string {
  const [at] = /^(taught|lessons|headed)\./.test(key)
    ? (Object.entries(batch?.mapping ?? {}).find(([, each]) => each === key) ?? [])
    : []
  const heading = at === undefined ? undefined : batch?.columns[Number(at)]?.heading
  if (heading) return heading
  const column = form.columns.find((each) => each.key === key)
  if (column) return column.label[language]
  if (key.startsWith('@')) return language === 'zh' ? '标题行' : 'Heading row'
  if (key === hiddenRow.key) return language === 'zh' ? '隐藏行' : 'Hidden row'
  if (key === repeatedRow) return language === 'zh' ? '重复行' : 'Repeated row'
  const [part = '', field = ''] = key.split('.')
  return form.models[part]?.byName.get(field)?.label[language] ?? key
}

/** What is asked about, in the words of the file: a guardian under 接送人 is called so, and no 成员3. */
export function askedLabel(form: Form, key: string, language: Language, batch: Batch): string {
  const label = labelOf(form, key, language, batch)
  const [part = '', field = ''] = key.split('.')
  if (!part.startsWith('member')) return label
  const headingOf = (is: (other: string) => boolean): string | undefined => {
    const at = Object.keys(batch.mapping).find((each) => is(batch.mapping[each] ?? ''))
    return at === undefined ? undefined : batch.columns[Number(at)]?.heading || undefined
  }
  const own = headingOf((other) => other === key)
  if (own) return own
  const beside = headingOf((other) => other.startsWith(`${part}.`))
  const name = form.models[part]?.byName.get(field)?.label[language]
  return beside && name ? (language === 'zh' ? `${beside}（${name}）` : `${beside} (${name})`) : label
}

/** The rows in the database that rows of a file are known to be about: their cells say what stands in these. */
export const knownRows = ({ undo }: Pick<Form, 'undo'>, rows: readonly StoredRow[]): ShownRow[] =>
  rows.flatMap(({ rowId }) => (rowId === null ? [] : shownOf(aboutOf(undo).entity, {}, 'detail', rowId)))

export function rowView(form: Form, tx: Tx, row: StoredRow, batch: Batch, language: Language): ImportRow {
  const columnOf = new Map(Object.entries(batch.mapping).map(([at, key]) => [key, Number(at)]))
  const view = {
    row: row.no,
    state: row.state,
    cells: batch.columns.map((_column, at) => row.kept.cells[at] ?? ''),
    faults: row.faults.map((fault) => ({
      row: row.no,
      column: columnOf.get(fault.key) ?? null,
      field: fault.key,
      label: askedLabel(form, fault.key, language, batch),
      message: fault[language],
    })),
  }
  return markShown(tx, view, ...knownRows(form, [row]))
}

const samplesShown = 5

/** A batch as a list shows it. */
export function batchLine({ kind }: Pick<Form, 'kind'>, batch: Batch, language: Language): BatchLine {
  return {
    id: batch.id,
    kind,
    fileName: batch.file_name,
    state: batch.state,
    schoolId: batch.settings.schoolId,
    yearId: batch.settings.yearId,
    duplicates: batch.settings.duplicates,
    progress: batch.progress,
    total: batch.total,
    counts: batch.counts,
    failure: batch.failure?.[language] ?? null,
    userName: batch.user_name,
    createTime: batch.create_time,
    updateTime: batch.update_time,
  }
}

/** Required fields that no column of the file fills. */
export function missingColumns(
  form: Form,
  mapping: Batch['mapping'],
  fixed: Readonly<Record<string, string>>,
  language: Language,
): { key: string; label: string }[] {
  const mapped = new Set(Object.values(mapping))
  const begun = new Set([...mapped].map((key) => key.split('.')[0]))
  const derived = form.derived?.(mapped) ?? []
  return form.columns
    .filter((column) => !mapped.has(column.key) && !derived.includes(column.key) && !fixed[column.key])
    .filter((column) => form.need(column) === 'always' || (form.need(column) === 'part' && begun.has(column.part)))
    .map((column) => ({ key: column.key, label: column.label[language] }))
}

/** How many one-time passwords of a batch wait to be fetched by somebody. */
export function passwordsFor({ state, settings }: Batch, { userId }: Pick<Actor, 'userId'>): number {
  const { passwords, keptUntil = '' } = settings
  const waits = passwords && state === 'done' && passwords.userId === userId && new Date(keptUntil) > new Date()
  return waits ? passwords.count : 0
}

/** Why the batch as a whole cannot be stored, in words; null where nothing stands in the way. */
export const refusalOf = async (
  form: Form,
  { tx, actor, language }: { readonly tx: Tx; readonly actor: Actor; readonly language: Language },
  adding: number,
): Promise<string | null> => (await form.refuses?.(tx, actor.tenantId, adding))?.[language] ?? null

/** What reading said of the file: its sheets, what was left out, hidden rows, and columns of days that can be read in several ways. */
function sourceView(form: Form, source: Source, batch: Batch): BatchView['source'] {
  return {
    sheets: source.sheets.map(({ index, name, hidden, rows, headings, shape }) => ({
      ...{ index, name, hidden, rows, table: shape !== undefined },
      headings: headings.filter((heading) => heading !== '').slice(0, 12),
    })),
    chosen: source.chosen,
    unsure: source.unsure ?? { sheets: false, heading: false },
    views: (source.views ?? []).map(({ sheet, rows, top, bottom }) => ({ sheet, rows, top, bottom })),
    notes: source.notes.filter(({ kind }) => kind !== 'title').slice(0, 20),
    hidden: source.hidden.byHand + source.hidden.byFilter,
    hiddenAnswer: batch.settings.hidden ?? null,
    orders: source.columns.flatMap(({ facts }, at) => {
      const [part = '', name = ''] = (batch.mapping[at] ?? '').split('.')
      const field = form.models[part]?.byName.get(name)
      const readings = field?.kind === 'date' ? readingsWithin(facts.order, spanOfDays(field)) : []
      return readings.length > 1
        ? [{ index: at, example: facts.order?.example, readings, answer: batch.settings.orders?.[at] ?? null }]
        : []
    }),
  }
}

/** How many rows were known for pupils who stand by name, birth and class or phone alone. */
const alikeOf = async (tx: Tx, tenantId: string, batchId: string): Promise<number> =>
  (
    await tx.one<{ n: number }>(
      sql`select count(*)::int as n from import_row where tenant_id = ${tenantId} and batch_id = ${batchId} and state = 'duplicate'
          and exists (select 1 from unnest(keys) k where k like 'name:%')`,
    )
  )?.n ?? 0

type ToldView = NonNullable<BatchView['told']>[number]

/** Fields whose cells are words: what one says may stand in the words of a page. */
const worded: ReadonlySet<string> = new Set(['choice', 'flag', 'reference', 'region'])

/** What the check has to tell of rows that are right; what they say only to whoever may see the cells. */
async function toldView(
  form: Form,
  {
    tx,
    services: { cipher },
    actor,
    circumstance: { language },
  }: Pick<Call, 'tx' | 'services' | 'actor' | 'circumstance'>,
  batch: Batch,
  cellsToo: boolean,
): Promise<{ told: ToldView[]; first: StoredRow[] }> {
  const { told = [], answers = {}, fixed = {} } = batch.settings
  const nos = [...new Set(told.flatMap(({ rows }) => rows.slice(0, 1)))]
  const first =
    cellsToo && nos.length > 0 ? await loadRows(tx, cipher, actor.tenantId, batch.id, { nos, limit: nos.length }) : []
  const titles = told.some(({ kind }) => kind === 'learned') ? await titlesOf(tx, actor.tenantId, answers) : new Map()
  const view = told.map(({ kind, key, count, rows, word }): ToldView => {
    const [part = '', name = ''] = key.split('.')
    const at = Object.keys(batch.mapping).find((each) => batch.mapping[each] === key)
    const isWord = worded.has(form.models[part]?.byName.get(name)?.kind ?? '') && kind !== 'noClass'
    const row = first.find(({ no }) => no === rows[0])
    const said = word === undefined ? undefined : answers[key]?.[word]?.as
    return {
      kind,
      key,
      label: askedLabel(form, key, language, batch),
      count,
      rows: [...rows],
      text: isWord && row ? (at === undefined ? (fixed[key] ?? null) : (row.kept.cells[Number(at)] ?? null)) : null,
      answer: said === undefined ? null : (titles.get(said) ?? said),
      word: word ?? null,
    }
  })
  return { told: view, first }
}

/** The titles of rows that answers name. */
async function titlesOf(
  tx: Tx,
  tenantId: string,
  answers: NonNullable<Batch['settings']['answers']>,
): Promise<Map<string, string>> {
  const ids = Object.values(answers)
    .flatMap((words) => Object.values(words))
    .flatMap(({ as = '' }) => /^=(\d{1,18})$/.exec(as)?.[1] ?? [])
  if (ids.length === 0) return new Map()
  const rows = await tx.run<{ id: string; title: string }>(
    sql`select id, class_name as title from schoolclass where tenant_id = ${tenantId} and id = any(${ids}::bigint[])`,
  )
  return new Map(rows.map(({ id, title }) => [`=${id}`, title]))
}

/** Rows that are right but for classes that a file of pupils could make, and how many those would be. */
async function waitingFor(tx: Tx, actor: Actor, batchId: string): Promise<{ rows: number; classes: number }> {
  if (!holdsCode(actor, 'schoolclass_add')) return { rows: 0, classes: 0 }
  const found = await tx.one<{ rows: number; classes: number }>(
    sql`select count(distinct r.row_no)::int as rows, count(distinct f.fault -> 'make')::int as classes
        from import_row r cross join lateral jsonb_array_elements(r.faults) f(fault)
        where r.tenant_id = ${actor.tenantId} and r.batch_id = ${batchId} and r.state = 'bad'
          and not exists (select 1 from jsonb_array_elements(r.faults) o(fault) where o.fault -> 'make' is null)`,
  )
  return found ?? { rows: 0, classes: 0 }
}

/** A batch with what its next step needs: the columns and what they are matched to, or the counts of its rows. */
export async function batchView(
  form: Form,
  call: Pick<Call, 'tx' | 'services' | 'actor' | 'circumstance'>,
  batch: Batch,
): Promise<BatchView> {
  const {
    tx,
    services: { cipher },
    actor,
    circumstance: { language },
  } = call
  const { tenantId } = actor
  const cellsToo = batch.user_id === actor.userId || holdsCode(actor, form.personal)
  const names = await tx.one<{ school: string | null; year: string | null; semester: string | null }>(
    sql`select (select school_name from school where tenant_id = ${tenantId} and id = ${batch.settings.schoolId ?? null}) as school,
               (select year_name from schoolyear where tenant_id = ${tenantId} and id = ${batch.settings.yearId ?? null}) as year,
               (select semester_name from schoolsemester where tenant_id = ${tenantId} and id = ${batch.settings.semesterId ?? null}) as semester`,
  )
  const open = batch.state === 'mapping' || batch.state === 'checked'
  const first = open && cellsToo ? await loadRows(tx, cipher, tenantId, batch.id, { limit: samplesShown }) : []
  const ended = batch.state === 'done' && cellsToo ? await rowCounts(tx, tenantId, batch.id) : undefined
  const rows = batch.state === 'checked' ? await rowCounts(tx, tenantId, batch.id) : undefined
  const { outcome } = batch.settings
  const checked = batch.state === 'checked'
  const { told, first: firstTold } = checked ? await toldView(form, call, batch, cellsToo) : { told: [], first: [] }
  const source = open && cellsToo ? await sourceOf(tx, cipher, tenantId, batch.id) : undefined
  const named = likelyNames(
    batch.columns.map(({ heading, from }, at) => ({ heading, from, key: batch.mapping[at] ?? null })),
    (source?.columns ?? []).map(({ facts }) => facts),
  )
  const elsewhere = checked && form.kind === 'student' ? await otherSchool(tx, tenantId, batch, source) : undefined
  const counts = rows && commitPlan(rows, batch.settings.duplicates)
  const view = {
    ...batchLine(form, batch, language),
    schoolName: names?.school ?? null,
    yearName: names?.semester ?? names?.year ?? null,
    columns: batch.columns.map(({ heading, confidence, from }, at) => {
      const key = batch.mapping[at] ?? null
      return {
        index: at,
        heading,
        key,
        label: key ? askedLabel(form, key, language, batch) : null,
        confidence: key ? (confidence ?? 1) : null,
        from: from ?? 'file',
        mayBe: named.get(at) ?? null,
        samples: first.map((row) => row.kept.cells[at] ?? ''),
      }
    }),
    fields: form.columns.map((column) => ({
      key: column.key,
      part: column.part,
      label: column.label[language],
      need: form.need(column),
      starred: column.starred,
    })),
    fixed: batch.settings.fixed ?? {},
    missing: missingColumns(form, batch.mapping, batch.settings.fixed ?? {}, language),
    source: source ? sourceView(form, source, batch) : null,
    runs: [...(batch.settings.runs ?? [])],
    told: elsewhere ? [elsewhere, ...told] : told,
    waiting: checked && form.kind === 'student' ? await waitingFor(tx, actor, batch.id) : { rows: 0, classes: 0 },
    alike: batch.state === 'checked' && form.kind === 'student' ? await alikeOf(tx, tenantId, batch.id) : 0,
    placed: batch.settings.placed ?? [],
    makes: batch.settings.makes ?? [],
    stored: batch.settings.stored ?? null,
    stayed: batch.settings.stayed ?? 0,
    undone: outcome ? await undoneView(form, tx, tenantId, batch.id, outcome, language) : null,
    classes: (batch.settings.classes ?? []).map(({ name, cohortYear }) => ({ name, cohortYear })),
    // Rows that were left out and can still be fetched.
    leftOut: (ended?.bad ?? 0) + (ended?.out ?? 0),
    passwords: passwordsFor(batch, actor),
    ...(counts ? { rows, counts, refusal: await refusalOf(form, { tx, actor, language }, counts.add) } : {}),
  }
  return markShown(tx, view, ...knownRows(form, [...first, ...firstTold]))
}
