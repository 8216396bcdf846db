import { type ReactNode, useSyncExternalStore } from 'react'

/** What a row is at the moment, as bits: a row is drawn again only when its own bits change. */
export const ROW_SELECTED = 1
export const ROW_CURSOR = 2
export const ROW_FRESH = 4
export const ROW_EDITED = 8
export const ROW_FAILED = 16
export const ROW_OPEN = 32
/** The bits above it count what was done to a row: another cell of it, another value in it is another state. */
const TURN = 64

/** The cell that is being changed in its place, and what stands in it meanwhile. */
export interface Editing<R> {
  readonly key: string
  readonly column: string
  readonly draw: (record: R) => ReactNode
}

/**
 * Which rows are ticked, where the keyboard stands, and what was just saved.
 *
 * It lives outside React state so that ticking one of 200 rows draws one row again and not 200.
 * Ticks outlive paging and sorting, so the record is kept beside its key: a later question can name the rows.
 */
export interface Marks<R> {
  /** The bits of one row. */
  of(key: string): number
  /** Ticked rows, in the order of ticking. */
  selected(): ReadonlyMap<string, R>
  /** Ticks or unticks rows; the anchor for a range is the last of them. */
  select(rows: readonly (readonly [string, R])[], on: boolean): void
  clear(): void
  /** Where the keys act: the row that is open, or else where one stands. */
  cursor(): string | null
  /** Stands at a row; while one is open, that is where the keys stay. */
  moveTo(key: string | null): void
  /** A row is looked at as a whole, or none any more: the keys are its own meanwhile, and stay there afterwards. */
  open(key: string | null): void
  /** Tints a row for two seconds: it was just added or changed. */
  refresh(key: string): void
  /** Tints a row for two seconds: what was done to it has failed. */
  fail(key: string): void
  editing(): Editing<R> | null
  edit(next: Editing<R> | null): void
  /** Shows a row otherwise than its list has it, until the list has it anew: so a change is seen before the list is drawn. */
  put(key: string, record: R, instead: R): void
  /** The row as it is to be shown. */
  shown(key: string, record: R): R
  /** Hears of changes of one row. */
  watchRow(key: string, listener: () => void): () => void
  /** Hears of every change of the ticks. */
  watch(listener: () => void): () => void
  /** Counts changes of the ticks; a snapshot for `useSyncExternalStore`. */
  revision(): number
}

/** Makes an empty store of row marks. */
export function createMarks<R>(): Marks<R> {
  const ticked = new Map<string, R>()
  const fresh = new Set<string>()
  const failed = new Set<string>()
  const rows = new Map<string, Set<() => void>>()
  const all = new Set<() => void>()
  let cursor: string | null = null
  let opened: string | null = null
  let revision = 0
  let editing: Editing<R> | null = null
  const put = new Map<string, { record: R; instead: R }>()
  const turns = new Map<string, number>()
  const turn = (key: string) => turns.set(key, ((turns.get(key) ?? 0) + 1) % 1_000_000)
  const tell = (key: string) => {
    for (const listener of rows.get(key) ?? []) listener()
  }
  const tellAll = () => {
    revision += 1
    for (const listener of all) listener()
  }
  const tint = (among: Set<string>, key: string) => {
    among.add(key)
    tell(key)
    setTimeout(() => {
      among.delete(key)
      tell(key)
    }, 2000)
  }
  return {
    of: (key) =>
      (ticked.has(key) ? ROW_SELECTED : 0) |
      (cursor === key ? ROW_CURSOR : 0) |
      (fresh.has(key) ? ROW_FRESH : 0) |
      (failed.has(key) ? ROW_FAILED : 0) |
      (opened === key ? ROW_OPEN : 0) |
      (editing?.key === key ? ROW_EDITED : 0) |
      ((turns.get(key) ?? 0) * TURN),
    selected: () => ticked,
    select(pairs, on) {
      const changed = pairs.filter(([key]) => ticked.has(key) !== on)
      for (const [key, record] of changed) {
        if (on) ticked.set(key, record)
        else ticked.delete(key)
      }
      for (const [key] of changed) tell(key)
      if (changed.length > 0) tellAll()
    },
    clear() {
      const before = [...ticked.keys()]
      ticked.clear()
      for (const key of before) tell(key)
      if (before.length > 0) tellAll()
    },
    cursor: () => cursor,
    moveTo(key) {
      const before = cursor
      if (before === key || opened !== null) return
      cursor = key
      if (before !== null) tell(before)
      if (key !== null) tell(key)
    },
    open(key) {
      if (opened === key) return
      const before = new Set([opened, cursor, key])
      opened = key
      if (key !== null) cursor = key
      for (const each of before) if (each !== null) tell(each)
    },
    refresh: (key) => tint(fresh, key),
    fail: (key) => tint(failed, key),
    editing: () => editing,
    edit(next) {
      const before = editing
      if (before === next) return
      editing = next
      for (const key of new Set([before?.key, next?.key])) {
        if (key === undefined) continue
        turn(key)
        tell(key)
      }
    },
    put(key, record, instead) {
      put.set(key, { record, instead })
      turn(key)
      tell(key)
    },
    shown(key, record) {
      const other = put.get(key)
      if (other?.record === record) return other.instead
      if (other) put.delete(key)
      return record
    },
    watchRow(key, listener) {
      const listeners = rows.get(key) ?? new Set()
      rows.set(key, listeners.add(listener))
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0 && rows.get(key) === listeners) rows.delete(key)
      }
    },
    watch(listener) {
      all.add(listener)
      return () => all.delete(listener)
    },
    revision: () => revision,
  }
}

/** The ticked rows; draws again with every tick, so use it in small parts only. */
export function useSelected<R>(marks: Marks<R>): ReadonlyMap<string, R> {
  useSyncExternalStore(marks.watch, marks.revision)
  return marks.selected()
}
