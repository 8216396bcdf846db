import type { ColumnTaste } from '@data-brain/contract'
import { type ReactNode, type RefObject, useRef, useState } from 'react'
import { useScreenClass } from '../../ui/screen.ts'
import { dropStored, readStored, writeStored } from '../../ui/stored.ts'
import type { Column, TableLayout } from '../../ui/table/table.tsx'
import { ColumnsMenu, useTaste } from './column-preferences.tsx'

const USUAL: ColumnTaste = { order: [], hidden: [], widths: {}, pins: {} }
const NONE: ReadonlySet<string> = new Set()

/** What a list without a definition shows of its columns: what `ListFrame` and its table take. */
export interface FrameColumns<R> {
  readonly root: RefObject<HTMLDivElement | null>
  readonly menu: ReactNode
  readonly table: {
    readonly columns: readonly Column<R>[]
    readonly layout: TableLayout
  }
}

/** The columns of a list without a definition, as they fit and as this person wants them; the browser remembers it. */
export function useFrameColumns<R>(
  name: string,
  columns: readonly Column<R>[],
  plan: readonly Column<R>[] = columns,
): FrameColumns<R> {
  const root = useRef<HTMLDivElement>(null)
  const cards = useScreenClass() === 0
  const key = `columns:${name}`
  const [own, setOwn] = useState<ColumnTaste | null>(() => readStored<ColumnTaste>(key) ?? null)
  const keepTaste = (taste: ColumnTaste | null) => {
    if (taste) writeStored(key, taste)
    else dropStored(key)
    setOwn(taste)
  }
  const views = { taste: own ?? USUAL, keepTaste }
  const { taste, keep, ordered, wanted, shown, widths, widen, density } = useTaste({
    ...{ columns, plan, views, root, idle: NONE, cards },
  })
  return {
    root,
    menu: (
      <ColumnsMenu
        taste={taste}
        density={density}
        ordered={ordered}
        left={wanted.filter((column) => !shown.includes(column))}
        keep={keep}
      />
    ),
    table: { columns: shown, layout: { widths, onWidth: widen, density, cards } },
  }
}
