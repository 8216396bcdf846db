import { type ReactNode, type RefObject, useCallback, useState } from 'react'
import { MenuAt } from '../../ui/menu.tsx'
import type { MenuSpot } from '../../ui/menu-button.tsx'
import { useT } from '../../ui/words.ts'
import type { ShownRow } from '../data/calls.ts'
import type { OffersAction, RowAction } from './columns.tsx'

interface RowMenuOptions {
  /** The page whose row the menu stands at. */
  readonly root: RefObject<HTMLElement | null>
  readonly actions: readonly RowAction[]
  readonly can: (code: string) => boolean
  readonly offers: OffersAction | undefined
  readonly nameOf: (record: ShownRow) => string
}

/** The menu of a row's own actions, where they are too many to stand in it: `open` shows it at the row's button. */
export function useRowMenu({ root, actions, can, offers, nameOf }: RowMenuOptions): {
  readonly open: (record: ShownRow) => void
  readonly shown: ReactNode
} {
  const t = useT()
  const [at, setAt] = useState<{ record: ShownRow; spot: MenuSpot } | null>(null)
  const close = useCallback(() => setAt(null), [])
  const open = (record: ShownRow) => {
    const button = root.current?.querySelector(`[data-key="${CSS.escape(record.id)}"] [data-act=more]`)
    const box = button?.getBoundingClientRect()
    if (box) setAt({ record, spot: { x: box.right, y: box.bottom + 4, right: true } })
  }
  const entries = at
    ? actions
        .filter((action) => action.code === undefined || can(action.code))
        .filter((action) => offers?.(at.record, action.key) ?? true)
        .map(({ key, label, icon, danger, run }) => ({ key, label, icon, danger, run: () => run(at.record) }))
    : []
  return {
    open,
    shown: at && (
      <MenuAt
        label={t('entity.moreOf', { name: nameOf(at.record) })}
        entries={entries}
        spot={at.spot}
        onClose={close}
      />
    ),
  }
}
