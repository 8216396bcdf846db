import { entityOf, type Words } from '@data-brain/contract'
import type { EntityForm } from '@data-brain/contract/import/entity-form'
import { sql } from '../../../database/statement.ts'
import { checkDraft, type Values } from '../../../entity/check.ts'
import { type Model, modelFor, modelOf } from '../../../entity/model.ts'
import type { Context } from '../../../entity/repository.ts'
import { nameRef } from '../../../entity/select.ts'
import { holdsCode } from '../../../kernel/actor.ts'
import { answersOf, ordersOf } from '../batch/answers.ts'
import type { Batch, StoredRow } from '../batch/batch.ts'
import type { RowVerdict } from '../batch/form.ts'
import { type Fault, stateOf } from '../batch/row.ts'
import { customReader, type ReadCustom } from '../custom.ts'
import { loadMany } from '../student/known-students.ts'
import { readLessonsKnown } from '../timetable/lessons-known.ts'
import { askRules, hasRules } from './ask-rules.ts'
import { deriveItems, isByDefinition } from './derive.ts'
import { readDirectory } from './directory.ts'
import { type Head, headKey, type Item, PendingRows, type Reading, RowReader, readTexts } from './items.ts'

export const modelOfForm = ({ kind }: Pick<EntityForm, 'kind'>): Model => modelOf(entityOf(kind))

/** The fields of a row that tell it from others, as they are compared. */
type Key = readonly string[]
const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === ''
const keyOf = (names: Key, values: Values): string | undefined =>
  names.some((name) => isEmpty(values[name]))
    ? undefined
    : `${names.at(-1)}:${names.map((name) => String(values[name]).toLowerCase()).join('|')}`

/** What no two rows may share: keys of the entity within its school, with what names them. */
interface Uniques {
  readonly names: Key
  readonly where?: Readonly<Record<string, string>>
}

export interface EntityJudgeContext extends Reading {
  readonly context: Context
  readonly update: boolean
  readonly uniques: readonly Uniques[]
  /** Rows that stand, by key. */
  readonly standing: ReadonlyMap<string, { readonly id: string; readonly title: string }>
  /** Whether class teachers may be set along, and who was said to be one, by class. */
  readonly mayHead: boolean
  readonly said: Map<string, string>
  /** The fields of the tenant's own, which every row that a line becomes has. */
  readonly readCustom: ReadCustom
  /** Whether what the rules say to a row is asked while it is judged; forms that derive rows judge what these would. */
  readonly asksRules: boolean
}

const uniquesOf = ({ form, model }: Pick<Reading, 'form' | 'model'>): Uniques[] => [
  ...form.identity.map((names) => ({ names })),
  ...(model.entity.unique ?? [])
    .map((names) => names.filter((name) => name !== 'schoolId'))
    .filter((names) => !form.identity.some((each) => each.join() === names.join()))
    .map((names) => ({ names })),
  ...(form.alone ?? []).map(({ fields, where }) => ({ names: fields, where })),
]

const fits = ({ where }: Uniques, values: Values): boolean =>
  Object.entries(where ?? {}).every(([name, value]) => values[name] === value)

/** Reads once what all rows of a batch are judged by. */
export async function benchOf(form: EntityForm, context: Context, batch: Batch): Promise<EntityJudgeContext> {
  const model = modelOfForm(form)
  const { settings } = batch
  const dicts = model.fields.flatMap((field) => field.dict ?? [])
  const directory = await readDirectory(context.tx, context.actor.tenantId, settings, dicts, {
    model,
    names: new Set(Object.values(batch.mapping).map((key) => key.split('.')[1] ?? '')),
  })
  const orders = await ordersOf(context, batch, { [form.kind]: model })
  const uniques = uniquesOf({ form, model })
  const names = [...new Set(uniques.flatMap((each) => [...each.names, ...Object.keys(each.where ?? {})]))]
  const columns = names.flatMap((name) => model.byName.get(name)?.column ?? [])
  const title = model.byName.get(model.entity.title)!.column
  // Where nothing tells one row from another, none is known for one that stands.
  const rows =
    names.length === 0
      ? []
      : await context.tx.run<Record<string, unknown> & { id: string }>(
          sql`select id, ${nameRef(title)} as title_, ${nameRef(columns.join(', '))} from ${nameRef(model.table)} where tenant_id = ${context.actor.tenantId} ${model.byName.has('schoolId') ? sql`and school_id = ${settings.schoolId ?? null}` : sql``}`,
        )
  const standing = new Map<string, { id: string; title: string }>()
  for (const row of rows) {
    const values = Object.fromEntries(names.map((name) => [name, row[model.byName.get(name)!.column]]))
    for (const unique of uniques) {
      const key = fits(unique, values) ? keyOf(unique.names, values) : undefined
      if (key) standing.set(keyed(unique, key), { id: row.id, title: String(row.title_ ?? '') })
    }
  }
  const codes = new Map<string, string>()
  /** A short code of its own for each name, which none that stands has. */
  const coded = (kind: string, name: string, proposed: string, taken: ReadonlySet<string>): string => {
    const known = codes.get(`${kind}|${name}`)
    if (known) return known
    const used = new Set([...taken, ...codes.values()])
    let code = proposed
    for (let no = 1; code === '' || used.has(code); no += 1) code = `${kind}${no}`
    codes.set(`${kind}|${name}`, code)
    return code
  }
  return {
    context,
    form,
    model,
    directory,
    answers: answersOf(settings, context),
    makes: new PendingRows(),
    lessons:
      form.kind === 'classschedule' ? await readLessonsKnown(context.tx, context.actor.tenantId, settings) : undefined,
    yearId: settings.yearId,
    update: settings.duplicates === 'update',
    asksRules: isByDefinition(form) && hasRules(model),
    uniques,
    standing,
    mayHead: holdsCode(context.actor, 'schoolclass_edit') || holdsCode(context.actor, 'schoolclass_import'),
    said: new Map(),
    readCustom: await customReader(context, batch, form.kind, modelFor(model.entity, context.actor)),
    columns: Object.entries(batch.mapping).map(([at, key]) => ({
      at: Number(at),
      key,
      heading: batch.columns[Number(at)]?.heading ?? '',
      order: orders[at],
    })),
    buildingCode: (campusId, name) =>
      coded(
        'L',
        `${campusId}|${name}`,
        /^[A-Za-z0-9]{1,3}/.exec(name.normalize('NFKC'))?.[0].toUpperCase() ?? '',
        new Set(directory.floors.map((floor) => floor.buildingCode)),
      ),
    roomCode: (name) =>
      coded(
        'R',
        name,
        /[A-Za-z]?-?\d{3,4}/.exec(name)?.[0] ?? '',
        new Set(rows.map((row) => String(row.room_code ?? ''))),
      ),
  }
}

const keyed = ({ where }: Uniques, key: string): string => (where ? `${key}|alone` : key)

/** What a row of the file becomes, one by one. */
export interface JudgedItem extends Item {
  readonly id: string | undefined
  readonly values: Values
}
export interface JudgedRow extends RowVerdict {
  readonly items: readonly JudgedItem[]
  /** Class teachers to be set beside the rows. */
  readonly heads: readonly Head[]
}

const taken = (title: string): Words => ({
  zh: title ? `已由“${title}”使用` : '已有相同的',
  en: title ? `is taken by "${title}"` : 'exists already',
})

/** Judges rows: what each becomes, whether that stands already, and everything that is wrong. */
export async function judgeEntityRows(bench: EntityJudgeContext, rows: readonly StoredRow[]): Promise<JudgedRow[]> {
  const { form, model, standing, uniques, update, directory } = bench
  const read = rows.map((row) => {
    const reader = new RowReader(bench)
    readTexts(row, reader)
    const items = deriveItems(reader).map((item) => ({
      ...item,
      draft: { ...item.draft, ...(model.byName.has('schoolId') ? { schoolId: directory.schoolId } : {}) } as Values,
    }))
    return { row, reader, items }
  })
  const identified = (draft: Values): string | undefined => {
    for (const names of form.identity) {
      const key = keyOf(names, draft)
      const found = key && standing.get(key)
      if (found) return found.id
    }
    // A single one that somebody else holds is changed where changing was chosen.
    if (!update) return undefined
    for (const unique of uniques) {
      const key = unique.where && fits(unique, draft) ? keyOf(unique.names, draft) : undefined
      const found = key && standing.get(keyed(unique, key))
      if (found) return found.id
    }
    return undefined
  }
  const ids = read.flatMap(({ items }) => items.map(({ draft }) => identified(draft)))
  const before = new Map(
    update
      ? (
          await loadMany(
            model,
            bench.context,
            'id',
            ids.flatMap((id) => id ?? []),
          )
        ).map((row) => [row.id, row])
      : [],
  )
  /** What a row is to hold, and what is wrong with it, as its definition and its rules say. */
  const judgeItem = async (item: Item, reader: RowReader): Promise<JudgedItem> => {
    const id = identified(item.draft)
    const old = id ? before.get(id) : undefined
    if (id && !update) return { ...item, id, values: {} }
    const draft = old ? withoutName(item.draft, old, reader) : item.draft
    const { values, faults: wrong } = checkDraft(model, draft, old)
    for (const fault of wrong) reader.add(columnOf(bench, fault.field), fault.reason)
    if (!bench.asksRules || reader.faults.length > 0) return { ...item, id, values }
    const ruled = await askRules(model, bench.context, { id, before: old, values })
    if ('faults' in ruled) {
      for (const fault of ruled.faults) reader.add(columnOf(bench, fault.field), fault.reason)
      return { ...item, id, values }
    }
    // As the rules write it a row may be one that stands: an ISBN without its hyphens.
    const written = { ...item, draft: { ...draft, ...ruled.values } }
    const found = id ?? identified(written.draft)
    if (found && !id && !update) return { ...written, id: found, values: {} }
    return { ...written, id: found, values: ruled.values }
  }
  const verdicts: JudgedRow[] = []
  for (const { row, reader, items } of read) {
    const faults: Fault[] = reader.faults
    const keys = new Set<string>()
    const own = bench.readCustom(row.kept)
    faults.push(...own.faults)
    const judged: JudgedItem[] = []
    for (const each of items) {
      const item = await judgeItem(each, reader)
      const { id, values } = item
      if (id && !update) {
        judged.push(item)
        continue
      }
      const old = id ? before.get(id) : undefined
      for (const field of model.fields) {
        const value = values[field.name]
        if (field.dict && typeof value === 'string' && !directory.keys.get(field.dict)?.has(value))
          reader.add(`${form.kind}.${field.name}`, { zh: '不是可选的值', en: 'is not one of the choices' })
      }
      const whole = { ...old, ...values }
      for (const unique of uniques) {
        const key = fits(unique, whole) ? keyOf(unique.names, whole) : undefined
        const other = key ? standing.get(keyed(unique, key)) : undefined
        if (other && other.id !== id) {
          const shown =
            model.byName.get(model.entity.title)?.kind === 'text'
              ? other.title
              : (directory.users.get(other.title)?.title ?? '')
          reader.add(
            columnOf(bench, unique.where ? model.entity.title : unique.names.at(-1)!),
            unique.where ? clash(shown) : taken(shown),
          )
        }
      }
      judged.push({ ...item, values: { ...values, ...own.values } })
    }
    const heads = newHeads(bench, reader)
    for (const { draft } of judged)
      for (const unique of uniques) {
        const key = fits(unique, draft) ? keyOf(unique.names, draft) : undefined
        if (key) keys.add(keyed(unique, key))
      }
    const state = stateOf(faults, judged.every(({ id }) => id) && heads.length === 0)
    if (faults.length === 0) for (const { draft } of judged) bench.makes.use(draft)
    verdicts.push({
      no: row.no,
      state,
      faults,
      keys: [...keys],
      row_id: judged.find(({ id }) => id)?.id ?? null,
      notes: [...reader.notes, ...own.notes],
      items: judged,
      heads,
    })
  }
  return verdicts
}

const clash = (name: string): Words => ({
  zh: `该班该学科已有主讲教师${name}；要换成文件中的教师，请选择“用文件中的内容更新”`,
  en: `would be a second main teacher beside ${name}: choose to update from the file to put this one in the place`,
})

/** The class teachers of a row that are others than those who stand; told where they may not be put there. */
function newHeads(bench: EntityJudgeContext, reader: RowReader): Head[] {
  const { directory, update, said } = bench
  const heads = reader.heads.filter(({ classId, userId }) => directory.heads.get(classId) !== userId)
  for (const { classId, userId } of reader.heads) {
    if ((said.get(classId) ?? userId) !== userId)
      reader.add(headKey, { zh: '文件中该班有两名不同的班主任', en: 'is another one than elsewhere in the file' })
    said.set(classId, userId)
  }
  for (const { classId } of heads) {
    const other = directory.users.get(directory.heads.get(classId) ?? '')
    if (!bench.mayHead)
      reader.add(headKey, {
        zh: '您没有修改行政班的权限，不能设置班主任；请把这一列改为不导入',
        en: 'cannot be set: you may not change classes. Leave this column out',
      })
    else if (other && !update)
      reader.add(headKey, {
        zh: `该班已有班主任${other.title}；要换成文件中的教师，请选择“用文件中的内容更新”`,
        en: `would take the place of "${other.title}": choose to update from the file`,
      })
  }
  return heads
}

/** A row that stands keeps its name and code unless the file has a column of them. */
function withoutName(draft: Values, _old: Values, reader: RowReader): Values {
  const kept = { ...draft }
  const has = (name: string): boolean => reader.texts.has(`${reader.reading.form.kind}.${name}`)
  for (const name of [
    'className',
    'classType',
    'cohortYear',
    'roomType',
    'roomCode',
    'beginDate',
    'endDate',
    'weekHours',
    'role',
    'campusId',
    'floorId',
  ])
    if (!has(name) && !(name === 'floorId' && ['ref.floor', 'ref.building'].some((key) => reader.texts.has(key))))
      delete kept[name]
  if (reader.reading.form.kind === 'schoolclass') delete kept.className
  return kept
}

/** The column at which a fault of a field is told: its own, else the one that says it. */
function columnOf({ form, columns }: Reading, field: string): string {
  const own = `${form.kind}.${field}`
  const instead: Readonly<Record<string, readonly string[]>> = {
    'schoolclass.classNo': ['schoolclass.className'],
    'schoolclass.gradeId': ['schoolclass.className'],
    'schoolclassroom.roomCode': ['schoolclassroom.roomName'],
    'schoolclassroom.floorId': ['ref.floor', 'ref.building'],
    'teacherclass.userId': ['ref.staffNo', 'taught.1'],
    'teacherclass.classId': ['taught.1'],
    'teacherclass.teachClassId': ['teacherclass.classId'],
    'teacherclass.subjectId': ['taught.1'],
  }
  return [own, ...(instead[own] ?? [])].find((key) => columns.some((column) => column.key === key)) ?? own
}

/** What is kept of a judgement beside the row. */
export const verdictOf = ({ items: _, heads: _heads, ...verdict }: JudgedRow): RowVerdict => verdict
