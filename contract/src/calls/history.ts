import { type AnswerOf, defineCall } from '../call.ts'
import { historyEntryShape } from '../generic.ts'
import {
  flagValue,
  idOf,
  instantValue,
  integerValue,
  listOf,
  mapOf,
  objectOf,
  oneOf,
  type Shape,
  textValue,
  textValues,
} from '../shape.ts'

const of = 'history'
const access = { codes: ['history_view'] } as const

const times = { time_ge: textValue({ max: 19 }), time_le: textValue({ max: 19 }) } as const
const steps = { before: idOf('the list'), size: integerValue({ min: 1, max: 100 }) } as const

/** What narrows the changes, and the reads of children's records. */
export const changeFilters = {
  ...times,
  entity: textValues({ max: 50 }),
  action: textValues({ max: 10 }),
  userId: idOf('user'),
  requestId: textValue({ max: 64 }),
} as const
export const readFilters = {
  ...times,
  childId: idOf('student'),
  userId: idOf('user'),
  kind: textValues({ max: 4 }),
} as const

/** A page of records that only grow: `next` is given as `before` for what comes next, null at the end. */
const sliceOf = <const S extends Shape>(shape: S) =>
  objectOf({ records: listOf(shape), next: textValue({ nullable: true }) })

const changed = {
  id: textValue(),
  entity: textValue(),
  entityName: textValue(),
  rowId: textValue(),
  rowName: textValue({ nullable: true }),
  action: historyEntryShape.fields.action,
  userId: textValue({ nullable: true }),
  userName: textValue({ nullable: true }),
  time: instantValue(),
  requestId: textValue({ nullable: true }),
  version: integerValue(),
  // 1: brought in by an import, which is undone in the import centre.
  imported: flagValue(),
} as const

export const recordedChanges = defineCall({
  method: 'GET',
  path: 'blade-log/history/list',
  of,
  access,
  summary: {
    zh: '变更记录：全部变更，新的在前；以 next 作为 before 读取更早的',
    en: 'All changes, newest first; older ones with `next` as `before`',
  },
  input: { ...steps, ...changeFilters },
  answer: sliceOf(objectOf(changed)),
})

export const recordedChange = defineCall({
  method: 'GET',
  path: 'blade-log/history/detail',
  of,
  access,
  summary: { zh: '变更记录：一条变更的内容', en: 'What one change did, field by field' },
  input: { id: idOf(of, { required: true }) },
  answer: objectOf({ ...changed, changes: historyEntryShape.fields.changes }),
})

export const undoChanges = defineCall({
  method: 'POST',
  path: 'blade-log/history/undo',
  of,
  access: 'session',
  summary: {
    zh: '变更记录：撤销一次请求的全部变更（自己24小时内的，或持有 history_undo）',
    en: 'Take back all that one request changed: one’s own within 24 hours, or by history_undo',
  },
  // `changed`: rows that were changed since as well.
  input: { requestId: textValue({ max: 64, required: true }), changed: integerValue({ min: 0, max: 1 }) },
  answer: objectOf({
    rows: integerValue(),
    // By the names of entities: how many rows, and the first of them by name, where the caller may know it.
    counts: mapOf(integerValue()),
    names: mapOf(listOf(textValue())),
    requestId: textValue(),
  }),
})

export const verifyHistory = defineCall({
  method: 'GET',
  path: 'blade-log/history/verify',
  of,
  access: { codes: ['history_verify'] },
  summary: {
    zh: '变更记录：重新计算哈希链；next 非空时以其为 from 继续',
    en: 'Computes the chain of hashes anew; go on with `next` as `from` while it is given',
  },
  input: { from: integerValue({ min: 0 }) },
  answer: objectOf({
    // Rows bound by a seal and as they were then, and rows written since the newest seal.
    sealed: integerValue(),
    unsealed: integerValue(),
    // Rows and seals that are not as they were.
    broken: integerValue(),
    first: objectOf(
      {
        // A row was changed, is gone or was slipped in, or a seal does not fit the one before it.
        fault: oneOf(['changed', 'missing', 'added', 'seal']),
        // The seal in whose range it is.
        seq: integerValue(),
        // The history row; null for a seal.
        historyId: textValue({ nullable: true }),
        entity: textValue({ nullable: true }),
        rowId: textValue({ nullable: true }),
        at: instantValue({ nullable: true }),
        userName: textValue({ nullable: true }),
      },
      { nullable: true },
    ),
    seals: integerValue(),
    // The newest hash: to be compared with what was written down elsewhere.
    head: textValue({ nullable: true }),
    // Where to go on; null when all was checked.
    next: integerValue({ nullable: true }),
  }),
})

export const recordedReads = defineCall({
  method: 'GET',
  path: 'blade-log/read/list',
  of: 'readlog',
  access: { codes: ['readlog_view'] },
  summary: {
    zh: '访问记录：谁查看了哪个学生的档案，新的在前',
    en: 'Who has read which child’s record, newest first',
  },
  input: { ...steps, ...readFilters },
  answer: sliceOf(
    objectOf({
      id: textValue(),
      time: instantValue(),
      userId: textValue({ nullable: true }),
      userName: textValue({ nullable: true }),
      entity: textValue(),
      entityName: textValue(),
      rowId: textValue(),
      childId: textValue(),
      // null where the child is gone, or the caller may not view students.
      childName: textValue({ nullable: true }),
      kind: oneOf(['list', 'detail', 'personal', 'export', 'file']),
      reason: textValue({ nullable: true }),
      requestId: textValue({ nullable: true }),
      address: textValue({ nullable: true }),
    }),
  ),
})

export type Changed = AnswerOf<typeof recordedChanges>['records'][number]
export type RecordedRead = AnswerOf<typeof recordedReads>['records'][number]
export type Verdict = AnswerOf<typeof verifyHistory>
