import {
  idOf,
  instantValue,
  integerValue,
  jsonValue,
  listOf,
  mapOf,
  objectOf,
  oneOf,
  textValue,
  truthValue,
  type ValueOf,
} from './shape.ts'

/*
 * What the generic calls answer, which every entity has.
 */

/** A row to choose in a reference. */
export const choiceShape = objectOf(
  {
    id: textValue(),
    name: textValue(),
    /** What tells rows of one name apart. */
    beside: listOf(textValue(), { optional: true }),
    /** The main or the current one among several. */
    usual: truthValue({ optional: true }),
  },
  { name: 'Choice' },
)
export type Choice = ValueOf<typeof choiceShape>

/** Under this request a change stands in the history, where it can be taken back. */
export const removedShape = objectOf({ requestId: textValue() }, { name: 'Removed' })

/** One field of a change. Names are those of the rows that a value names. */
const changeShape = objectOf(
  {
    field: textValue(),
    before: jsonValue(),
    after: jsonValue(),
    beforeName: jsonValue({ optional: true }),
    afterName: jsonValue({ optional: true }),
    /** What the field said that decides of which entity the ids of a json value are. */
    beforeBy: textValue({ optional: true, nullable: true }),
    afterBy: textValue({ optional: true, nullable: true }),
    /** Of grants, which are no field of the form: what was granted, and how much of it stayed as it was. */
    label: textValue({ optional: true }),
    same: integerValue({ optional: true }),
  },
  { name: 'Change' },
)

/** One entry of a row's history. */
export const historyEntryShape = objectOf(
  {
    id: textValue(),
    action: oneOf(['add', 'edit', 'delete', 'import', 'undo', 'restore', 'grant']),
    userName: textValue({ nullable: true }),
    time: instantValue(),
    requestId: textValue({ nullable: true }),
    version: integerValue(),
    changes: listOf(changeShape),
  },
  { name: 'HistoryEntry' },
)

export type Change = ValueOf<typeof changeShape>
export type HistoryEntry = ValueOf<typeof historyEntryShape>

/** What a change of many rows comes to, or came to, of one of them. */
const bulkRowShape = objectOf({
  id: textValue(),
  name: textValue({ nullable: true }),
  result: oneOf(['changed', 'same', 'failed']),
  version: integerValue({ nullable: true }),
  before: mapOf(jsonValue()),
  /** Numbers that follow from the change. */
  after: mapOf(jsonValue(), { optional: true }),
  msg: textValue({ optional: true }),
  /** The problem by its name, where it failed. */
  problem: textValue({ optional: true }),
})

export const bulkAnswerShape = objectOf(
  {
    total: integerValue(),
    changed: integerValue(),
    same: integerValue(),
    failed: integerValue(),
    rows: listOf(bulkRowShape),
    /** Under which the changes can be taken back. */
    requestId: textValue({ nullable: true }),
  },
  { name: 'BulkAnswer' },
)
export type BulkRow = ValueOf<typeof bulkRowShape>
export type BulkAnswer = ValueOf<typeof bulkAnswerShape>

/** Rows of one entity that somebody has touched since: what stands in the way of taking something back. */
export const touchedShape = objectOf(
  {
    entity: textValue(),
    label: textValue(),
    /** The Chinese measure word of the rows, where it is not the usual one. */
    unit: textValue({ optional: true }),
    count: integerValue(),
    /** Names of the first of them. */
    sample: listOf(textValue()),
    /** The same rows, each with what was done to it; where only names are known, none. */
    rows: listOf(
      objectOf({
        name: textValue(),
        /** The name of what it belongs to. */
        of: textValue({ nullable: true }),
        how: oneOf(['changed', 'removed', 'added', 'used']),
        /** Who did it last. */
        by: textValue({ nullable: true }),
      }),
      { optional: true },
    ),
    /** Rows of the work itself, changed since: whoever takes it back may do so all the same, knowing which they are. */
    own: truthValue(),
  },
  { name: 'Touched' },
)
export type TouchedRows = ValueOf<typeof touchedShape>

/** Personal values in full, by the names of their fields. */
export const personalShape = mapOf(textValue({ nullable: true }))

/** Work that goes on in the background: its progress is asked for by this id. */
export const jobShape = objectOf({ jobId: idOf('job') }, { name: 'StartedJob' })
