import type { Words } from '@data-brain/contract'
import type { Parameters, ParametersOf } from './parameter.ts'
import type { Call } from './route.ts'

/*
 * Lists that are no entity's (logs, changes, access records, sessions, regions), as an export reads them: first which
 * rows the filters leave, then these by bunches, each within what the caller reaches at that moment.
 */

/** What reads rows in one transaction. */
export type RecordReading = Pick<Call, 'tx' | 'actor' | 'services' | 'circumstance'>

/** Opens a transaction for a piece of the work. */
export type OpenTransaction = <T>(work: (reading: RecordReading) => Promise<T>) => Promise<T>

export interface RecordColumn<R> {
  readonly label: Words
  /** Characters that it needs. */
  readonly width: number
  readonly cell: (row: R, language: keyof Words) => string | number | null | undefined
}

export interface RecordList<R extends { readonly id: string } = never, F extends Parameters = Parameters> {
  readonly name: string
  readonly path: string
  readonly label: Words
  readonly tag: string
  /** The code that it asks for, where that is another than the one to take it out. */
  readonly code?: string
  /** What narrows it. */
  readonly filters: F
  readonly columns: Readonly<Record<string, RecordColumn<R>>>
  /** The first rows that the filters leave, in the order of the list; `note` says what was not searched. */
  readonly ids: (
    open: OpenTransaction,
    filters: ParametersOf<F>,
    most: number,
    query: Readonly<Record<string, string>>,
  ) => Promise<{ readonly ids: string[]; readonly note?: Words | undefined }>
  /** Rows of these ids in any order; without those out of reach. */
  readonly rows: (reading: RecordReading, ids: readonly string[]) => Promise<readonly R[]>
}

/** A list with the types of its rows and filters forgotten. */
export type AnyRecordList = RecordList<never, Parameters>

/** Declares such a list. */
export const recordList = <R extends { readonly id: string }, const F extends Parameters>(
  list: RecordList<R, F>,
): AnyRecordList => list as unknown as AnyRecordList
