import { ownerOf } from '../entity.ts'
import { touchedShape } from '../generic.ts'
import { entityOfForm } from '../import/all.ts'
import type { FormCall, FormKind } from '../import/place.ts'
import {
  dateValue,
  decimalValue,
  emptyAnswer,
  fileOf,
  idOf,
  idsOf,
  instantValue,
  integerValue,
  listOf,
  mapOf,
  objectOf,
  oneOf,
  pageOf,
  type Shape,
  textValue,
  truthValue,
  type ValueOf,
} from '../shape.ts'

/*
 * The calls of an import, which every form has under its own path (import/place.ts): a file goes up, is read, matched,
 * checked, corrected, stored, and taken back.
 */

const batchId = idOf('import_batch', { required: true })
const byId = { id: batchId } as const
const declare = <const C extends FormCall>(call: C): C => call

const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const csv = 'text/csv'

const states = [
  'reading',
  'mapping',
  'checking',
  'checked',
  'committing',
  'done',
  'undoing',
  'undone',
  'failed',
] as const
const dayOrders = ['ymd', 'dmy', 'mdy'] as const
const duplicates = oneOf(['skip', 'update'])
const count = integerValue()
const optionalCount = integerValue({ optional: true })

/** Beside the file: whose classes are meant, and whether rows that stand already are left alone or changed. */
const chosen = { duplicates: textValue({ max: 8 }) } as const
const school = { schoolId: idOf('school', { required: true }), yearId: idOf('schoolyear') } as const
const semester = { semesterId: idOf('schoolsemester') } as const
const format = { format: textValue({ max: 8 }) } as const
const anySchool = { schoolId: idOf('school'), yearId: idOf('schoolyear') } as const

type Shapes = Readonly<Record<string, Shape>>
/** Whether a file of a form belongs to a school; that of pupils and their guardians to a year of it. */
const inSchool = (kind: FormKind): boolean => ownerOf(entityOfForm(kind)) !== undefined
const ofPupils = (kind: FormKind): boolean => kind === 'student' || kind === 'studentparents'

/** What is sent along with a file, by form: the declaration of the call says all that any form takes. */
export const uploadInputs = (kind: FormKind): Shapes => ({
  ...(inSchool(kind) ? school : {}),
  ...(inSchool(kind) && !ofPupils(kind) ? semester : {}),
  ...chosen,
})
export const templateInputs = (kind: FormKind): Shapes => ({
  ...(inSchool(kind) ? anySchool : {}),
  ...(inSchool(kind) && !ofPupils(kind) ? semester : {}),
  ...format,
  ...(ofPupils(kind) ? { short: integerValue({ max: 1 }) } : {}),
})

/** What a commit does, or has done, in rows of the file. */
const counts = objectOf({ add: count, update: count, skip: count, bad: count, out: count }, { name: 'ImportCounts' })
const line = {
  id: textValue(),
  // The name of an entity, of the product or of an extension.
  kind: textValue(),
  fileName: textValue(),
  state: oneOf(states),
  // Of students, classes and the like, told to whoever works with all of them.
  schoolId: textValue({ optional: true }),
  yearId: textValue({ optional: true }),
  duplicates,
  progress: count,
  total: count,
  counts: objectOf({
    add: optionalCount,
    update: optionalCount,
    skip: optionalCount,
    bad: optionalCount,
    out: optionalCount,
  }),
  failure: textValue({ nullable: true }),
  userName: textValue({ nullable: true }),
  createTime: instantValue(),
  updateTime: instantValue(),
} as const
/** A batch as a list shows it. */
const batchLine = objectOf(line, { name: 'ImportLine' })
export type BatchLine = ValueOf<typeof batchLine>

/** How many rows of the file are in which state. */
const rowStates = objectOf(
  { read: count, good: count, bad: count, duplicate: count, out: count },
  { name: 'ImportRowStates' },
)

/** One column of the file, and what it was matched to. */
const fileColumn = objectOf({
  index: count,
  heading: textValue(),
  key: textValue({ nullable: true }),
  label: textValue({ nullable: true }),
  // How sure the match is, from 0 to 1.
  confidence: decimalValue({ nullable: true }),
  // A column of names beside the number of a guardian without one: the field that it may be.
  mayBe: textValue({ nullable: true, optional: true }),
  // What is said once for many rows, as a title or the name of a sheet, is no column of the file.
  from: oneOf(['file', 'section', 'sheet', 'title']),
  samples: listOf(textValue()),
})

const formField = objectOf({
  key: textValue(),
  part: textValue(),
  label: textValue(),
  need: oneOf(['always', 'part', 'no']),
  starred: truthValue(),
})

/** What reading found in the file. */
const source = objectOf({
  sheets: listOf(
    objectOf({
      index: count,
      name: textValue(),
      hidden: truthValue(),
      rows: count,
      table: truthValue(),
      headings: listOf(textValue()),
    }),
  ),
  chosen: listOf(count),
  // What more than one answer fits.
  unsure: objectOf({ sheets: truthValue(), heading: truthValue() }),
  // The first rows of sheets, to point at the heading.
  views: listOf(
    objectOf({
      sheet: count,
      rows: listOf(objectOf({ row: count, cells: listOf(textValue()) })),
      top: count,
      bottom: count,
    }),
  ),
  // What was left out of the rows, or done to them: how many, from which row on, and what stood there.
  notes: listOf(
    objectOf({
      kind: textValue(),
      sheet: count,
      row: optionalCount,
      text: textValue({ optional: true }),
      count: optionalCount,
    }),
  ),
  hidden: count,
  hiddenAnswer: oneOf(['take', 'leave'], { nullable: true }),
  // Columns of days that can be read in several orders.
  orders: listOf(
    objectOf({
      index: count,
      example: textValue({ optional: true }),
      readings: listOf(objectOf({ order: oneOf(dayOrders), day: dateValue(), from: dateValue(), to: dateValue() })),
      answer: oneOf(dayOrders, { nullable: true }),
    }),
  ),
})

/** What becomes of the rows of one entity when a batch is taken back. */
const taken = {
  entity: textValue(),
  label: textValue(),
  // The Chinese measure word, where it is not the usual one.
  unit: textValue({ optional: true }),
  removed: count,
  restored: count,
  // Names: before an undo of rows that were made beside those of the file, after it of what went.
  sample: listOf(textValue()),
  // Rows that were made beside those of the file and stay, because somebody uses them.
  held: count,
  heldSample: listOf(textValue()),
} as const
const takenShape = objectOf(taken, { name: 'ImportTaken' })
export type Taken = ValueOf<typeof takenShape>

/** What an undo has done: what went back, and what others had touched, which was kept or went as well. */
const undone = objectOf({
  taken: listOf(objectOf({ ...taken, restoredSample: listOf(textValue()) })),
  touched: listOf(touchedShape),
  kept: truthValue(),
})
export type Undone = ValueOf<typeof undone>

/** A batch with what its next step needs: the columns and what they are matched to, or the counts of its rows. */
const batchView = objectOf(
  {
    ...line,
    schoolName: textValue({ nullable: true }),
    // The year, or the semester where one is meant.
    yearName: textValue({ nullable: true }),
    columns: listOf(fileColumn),
    fields: listOf(formField),
    // One value for all rows, by field.
    fixed: mapOf(textValue()),
    missing: listOf(objectOf({ key: textValue(), label: textValue() })),
    source: objectOf(source.fields, { nullable: true }),
    // Where rows stand in a file of several sheets or tables: contract/src/import/row-place.ts.
    runs: listOf(objectOf({ no: count, sheet: count, row: count })),
    // What is told of rows that are right, so that nothing happens without a word.
    told: listOf(
      objectOf(
        {
          kind: oneOf(['noClass', 'inRemark', 'wider', 'copied', 'learned', 'noRoom', 'otherSchool']),
          key: textValue(),
          label: textValue(),
          count,
          rows: listOf(count),
          // What the first of the rows says there, where the reader may see it.
          text: textValue({ nullable: true }),
          // What was answered for it in an earlier file, and under which word that is kept.
          answer: textValue({ nullable: true }),
          word: textValue({ nullable: true }),
        },
        { name: 'ImportTold' },
      ),
    ),
    // Rows that wait for nothing but classes that are not there yet, and how many classes those are.
    waiting: objectOf({ rows: count, classes: count }),
    // Of pupils that stand already: how many were known without any number.
    alike: count,
    // How many new students came into which class; without an id, those without one.
    placed: listOf(objectOf({ classId: textValue({ nullable: true }), name: textValue(), count })),
    // Rows of other entities that are made because these need them, by name.
    makes: listOf(textValue()),
    // How many rows were stored, where a row of the file becomes several.
    stored: integerValue({ nullable: true }),
    // Of an import that was undone: how many rows stayed because others had changed them.
    stayed: count,
    undone: objectOf(undone.fields, { nullable: true }),
    classes: listOf(objectOf({ name: textValue(), cohortYear: count })),
    // Rows that were left out of what was stored and can still be fetched.
    leftOut: count,
    // One-time passwords of new users that this person may still fetch.
    passwords: count,
    rows: objectOf(rowStates.fields, { optional: true }),
    // Why the file as a whole cannot be imported, whatever its rows say.
    refusal: textValue({ nullable: true, optional: true }),
  },
  { name: 'ImportBatch' },
)

/** A row of the file: its cells, and every fault with the column that it is about. */
const row = objectOf(
  {
    row: count,
    state: oneOf(['read', 'good', 'bad', 'duplicate', 'out']),
    cells: listOf(textValue()),
    faults: listOf(
      objectOf({
        row: count,
        // The place of the column in the file; null when the file has none for it.
        column: integerValue({ nullable: true }),
        field: textValue(),
        label: textValue(),
        message: textValue(),
      }),
    ),
  },
  { name: 'ImportRow' },
)
export type ImportRow = ValueOf<typeof row>

/** The batch is worked on: how it goes on is asked for by `batch`. */
const begun = objectOf({ id: textValue(), state: oneOf(states) }, { name: 'ImportBegun' })

export const template = declare({
  method: 'GET',
  path: 'template',
  summary: { zh: '模板（format=csv 为 CSV）', en: 'template (format=csv for CSV)' },
  input: { ...anySchool, ...format, short: integerValue({ max: 1 }), ...semester },
  answer: fileOf(xlsx, csv),
})

export const upload = declare({
  method: 'POST',
  path: 'upload',
  summary: { zh: '上传文件', en: 'upload a file' },
  upload: true,
  input: { ...anySchool, ...semester, ...chosen },
  answer: batchLine,
})

export const batch = declare({
  method: 'GET',
  path: 'batch',
  summary: { zh: '批次', en: 'a batch' },
  input: byId,
  answer: batchView,
})

export const batches = declare({
  method: 'GET',
  path: 'list',
  summary: { zh: '批次列表（all=1 为可导入的各类）', en: 'batches (all=1: of every kind that may be imported)' },
  input: {
    current: integerValue({ min: 1, max: 100_000 }),
    size: integerValue({ min: 1, max: 100 }),
    all: integerValue({ min: 0, max: 1 }),
  },
  answer: pageOf(batchLine),
})

export const rows = declare({
  method: 'GET',
  path: 'rows',
  summary: { zh: '行与错误', en: 'rows and their faults' },
  input: {
    ...byId,
    state: textValue({ max: 10 }),
    current: integerValue({ min: 1, max: 100_000 }),
    size: integerValue({ min: 1, max: 200 }),
  },
  answer: pageOf(row),
})

const long = 1_000_000

export const match = declare({
  method: 'POST',
  path: 'mapping',
  summary: { zh: '匹配列并检查', en: 'match columns and check' },
  as: 'json',
  input: {
    ...byId,
    // Columns of the form, by the places of columns of the file; none for a column that is not wanted.
    mapping: mapOf(textValue({ nullable: true }), { required: true }),
    // One value for all rows, by column of the form.
    fixed: mapOf(textValue({ max: long })),
    // Whether rows that are hidden in the file are meant: take or leave.
    hidden: textValue(),
    // How the days of a column are read, by its place.
    orders: mapOf(oneOf(dayOrders), { nullable: true }),
  },
  answer: begun,
})

export const sheets = declare({
  method: 'POST',
  path: 'sheets',
  summary: { zh: '读取其他工作表', en: 'read other sheets of the file' },
  as: 'json',
  input: {
    ...byId,
    sheets: listOf(integerValue({ max: 199 }), { required: true, min: 1, max: 200 }),
    // The row that is the heading of one of them.
    heading: objectOf({
      sheet: integerValue({ required: true, max: 199 }),
      row: integerValue({ required: true, min: 1 }),
    }),
  },
  answer: begun,
})

export const check = declare({
  method: 'POST',
  path: 'check',
  summary: {
    zh: '重新检查，可改变重复行的处理',
    en: 'check again, and choose what to do with duplicates',
  },
  input: { ...byId, ...chosen },
  answer: begun,
})

export const correct = declare({
  method: 'POST',
  path: 'correct',
  summary: { zh: '修改一行', en: 'correct a row' },
  as: 'json',
  input: {
    ...byId,
    row: integerValue({ required: true, min: 1, max: 2_000_000 }),
    // What the cells say, by the places of their columns.
    cells: mapOf(textValue({ max: long }), { required: true }),
  },
  // The row and every other one whose verdict changed with it.
  answer: objectOf(
    {
      rows: listOf(row),
      states: rowStates,
      counts,
      refusal: textValue({ nullable: true }),
    },
    { name: 'ImportCorrected' },
  ),
})

export const groups = declare({
  method: 'GET',
  path: 'groups',
  summary: { zh: '相同的问题，归并', en: 'equal faults, together' },
  input: byId,
  answer: listOf(
    objectOf(
      {
        key: textValue(),
        label: textValue(),
        message: textValue(),
        // What the cells say, where they are words that can be answered.
        text: textValue({ nullable: true }),
        // Every way in which the cells write it, as they stand in the file, and how many rows do; the most frequent ones
        // first. `spellings` counts all of them.
        words: listOf(objectOf({ text: textValue(), count })),
        spellings: count,
        count,
        rows: listOf(count),
        options: listOf(objectOf({ value: textValue(), label: textValue() })),
        mayBeEmpty: truthValue(),
        make: objectOf(
          { name: textValue(), grade: textValue(), cohortYear: count, classNo: count },
          { nullable: true },
        ),
        // The part of a long title that the question is about.
        quote: textValue({ nullable: true }),
        // Whether what the cells say is kept in the remarks where the field is left empty.
        kept: truthValue(),
        // Whether the rows share what only one of them may have.
        repeats: truthValue(),
        // Whether they may be different all the same, without what they share.
        apart: truthValue(),
      },
      { name: 'ImportFaults' },
    ),
  ),
})

/** A value for all rows of a group (an empty one is nothing), a class to be made, its rows left out, or a question put again. */
const said = objectOf({
  key: textValue({ required: true }),
  text: textValue({ required: true, nullable: true, empty: true, max: long }),
  message: textValue({ max: long }),
  as: textValue({ empty: true, max: long }),
  out: truthValue(),
  make: truthValue(),
  keep: oneOf(['first', 'last', 'each']),
  // An answer of an earlier file, by the word that `told` names: asked anew.
  again: textValue({ max: 64 }),
})

export const answer = declare({
  method: 'POST',
  path: 'answer',
  summary: { zh: '一次回答相同的问题', en: 'answer equal faults at once' },
  as: 'json',
  input: { ...byId, answers: listOf(said, { required: true, min: 1, max: 100 }) },
  answer: begun,
})

export const forget = declare({
  method: 'POST',
  path: 'forget',
  summary: {
    zh: '忘记记住的列名与取值（items 只忘记其中几条）',
    en: 'forget the headings and words that were learned, or those in items only',
  },
  as: 'json',
  input: {
    items: listOf(
      objectOf({
        field: textValue({ required: true, empty: true, max: long }),
        word: textValue({ required: true, empty: true, max: long }),
      }),
      { max: 2_000 },
    ),
  },
  answer: emptyAnswer,
})

export const learned = declare({
  method: 'GET',
  path: 'learned',
  summary: { zh: '记住的列名与取值', en: 'the headings and words that were learned' },
  answer: listOf(
    objectOf(
      {
        field: textValue(),
        word: textValue(),
        // Null for a word of a cell, which is not kept in clear.
        heading: textValue({ nullable: true }),
        // The field; null for a heading whose column is not wanted.
        label: textValue({ nullable: true }),
        answer: textValue({ nullable: true }),
        time: instantValue(),
      },
      { name: 'ImportLearned' },
    ),
  ),
})

export const dryRun = declare({
  method: 'POST',
  path: 'dry-run',
  summary: { zh: '试算', en: 'what a commit would do' },
  input: byId,
  answer: counts,
})

export const commit = declare({
  method: 'POST',
  path: 'commit',
  summary: { zh: '导入', en: 'commit' },
  // 1: rows with faults are left out.
  input: { ...byId, skipBad: integerValue({ max: 1 }) },
  answer: batchLine,
})

export const undoPlan = declare({
  method: 'GET',
  path: 'undo-plan',
  summary: { zh: '撤销会删除和恢复什么', en: 'what an undo would remove and restore' },
  input: byId,
  answer: objectOf(
    {
      // What an undo of the whole batch takes back, and what where all that others have touched stays.
      all: listOf(takenShape),
      touched: listOf(touchedShape),
      keeping: listOf(takenShape),
      // How many rows of what the import is about stay then.
      staying: count,
      // What the import is about.
      about: objectOf({ label: textValue(), unit: textValue({ optional: true }) }),
      // Sent back where all goes, so that nothing goes that was touched after this was read.
      seen: textValue(),
    },
    { name: 'ImportUndoPlan' },
  ),
})

export const undo = declare({
  method: 'POST',
  path: 'undo',
  summary: { zh: '撤销整批', en: 'undo the whole batch' },
  input: {
    ...byId,
    // 1: rows that were changed since the import are taken back too.
    changed: integerValue({ min: 0, max: 1 }),
    // 1: rows that were touched since stay, with all that belongs to them.
    keep: integerValue({ min: 0, max: 1 }),
    // With `changed`: what the plan said.
    seen: textValue({ max: 64 }),
  },
  answer: batchLine,
})

export const faultyRows = declare({
  method: 'GET',
  path: 'faults',
  summary: { zh: '下载错误行', en: 'the faulty rows as a file' },
  input: byId,
  answer: fileOf(xlsx),
})

export const remove = declare({
  method: 'POST',
  path: 'remove',
  summary: { zh: '放弃未导入的批次', en: 'drop batches that were not imported' },
  input: { ids: idsOf('import_batch', { required: true }) },
  answer: emptyAnswer,
})

/** Of users alone. */
export const passwords = declare({
  method: 'POST',
  path: 'passwords',
  summary: { zh: '领取初始密码（一次）', en: 'fetch the one-time passwords (once)' },
  input: { ...byId, format: textValue({ max: 4 }) },
  answer: fileOf(xlsx, csv),
})
