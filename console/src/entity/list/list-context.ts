import type { Entity } from '@data-brain/contract'
import { createContext, type RefObject, useContext } from 'react'
import type { Marks } from '../../ui/table/marks.ts'
import type { Column } from '../../ui/table/row.tsx'
import type { ShownRow } from '../data/calls.ts'
import type { EntityClient } from '../data/client.ts'
import type { CellWords } from '../display/cell.tsx'
import type { Cells, OffersAction } from './columns.tsx'
import type { ListState, Steps } from './list-state.ts'

/** A list as it stands now: of what it is, which rows it has, and the ways to change what it shows. */
export interface ListValue {
  readonly entity: Entity
  readonly client: EntityClient
  readonly words: CellWords
  /** The page as the menu calls it. */
  readonly heading: string
  readonly marks: Marks<ShownRow>
  readonly root: RefObject<HTMLElement | null>
  readonly state: ListState
  readonly steps: Steps
  readonly rows: readonly ShownRow[]
  readonly total: number
  readonly columns: readonly Column<ShownRow>[]
  readonly cells: Cells | undefined
  readonly offers: OffersAction | undefined
}

/** Around a list; its value keeps its identity until something of it changes. */
export const ListContext = createContext<ListValue | null>(null)

/** The list that a part stands in. */
export function useList(): ListValue {
  const list = useContext(ListContext)
  if (!list) throw new Error('a part of a list stands outside of one')
  return list
}
