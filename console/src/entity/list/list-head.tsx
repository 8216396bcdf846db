import type { Entity } from '@data-brain/contract'
import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { useCan } from '../../session/session.ts'
import { Icon } from '../../ui/icon.tsx'
import { useKeyHint } from '../../ui/keymap.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { MenuButton, type MenuEntry } from '../../ui/menu-button.tsx'
import type { Marks } from '../../ui/table/marks.ts'
import { forgetTyping, holdTyping } from '../../ui/typed-ahead.ts'
import { useLanguage, useT } from '../../ui/words.ts'
import type { ShownRow } from '../data/calls.ts'
import { inSentence } from '../display/cell.tsx'
import { mayExport } from '../export/code.ts'
import type { ExportedEntity } from '../export/export.tsx'

const ExportMenu = lazyPart(() => import('../export/export.tsx'))

/** What is done with all of a list. */
export interface ListMenuWork {
  readonly onPrint?: (() => void) | undefined
  readonly onDelete?: (() => void) | undefined
  /** What a file of the list holds. */
  readonly file: ListFile
  /** Whether the panel of the export is open, where it is opened from elsewhere too. */
  readonly exporting?: ExportState | undefined
}

interface ListFile {
  readonly query: Readonly<Record<string, string | number>>
  readonly columns: readonly { readonly key: string }[]
  readonly marks?: Marks<ShownRow>
}

interface MenuProps extends ListMenuWork {
  /** The list that can be taken out; without one it can only be printed. */
  readonly entity: ExportedEntity | undefined
  readonly total: number | undefined
  readonly tree?: boolean
}

export type ExportState = readonly [boolean | undefined, (open: boolean) => void]

/** What is done with all of a list: it is taken out, printed, or what is ticked in it deleted. */
export function ListMenu({ entity, total, file, tree = false, onPrint, onDelete, exporting }: MenuProps) {
  const t = useT()
  const can = useCan()
  const own = useState<boolean>()
  const [open, setOpen] = exporting ?? own
  useEffect(() => {
    if (!open) return
    const callOff = () => setOpen(false)
    holdTyping(callOff)
    return () => forgetTyping(callOff)
  }, [open, setOpen])
  const exports = entity !== undefined && mayExport(can, entity)
  const entries: MenuEntry[] = [
    ...(exports ? [{ key: 'export', label: t('entity.export'), icon: 'download', run: () => setOpen(true) }] : []),
    ...(onPrint ? [{ key: 'print', label: t('entity.print'), icon: 'printer', run: onPrint }] : []),
    ...(onDelete
      ? [{ key: 'delete', label: t('entity.delete'), icon: 'trash-2', danger: true, line: true, run: onDelete }]
      : []),
  ]
  return (
    <>
      {exports && open !== undefined && (
        <Suspense fallback={null}>
          <ExportMenu entity={entity} total={total} tree={tree} state={[open, setOpen]} {...file} />
        </Suspense>
      )}
      {entries.length > 0 && (
        <MenuButton
          label={t('entity.moreOfList', { what: entries.map(({ label }) => label).join(t('entity.separator')) })}
          className="tool"
          entries={entries}
          align="right"
        >
          <Icon name="ellipsis" size={16} />
        </MenuButton>
      )}
    </>
  )
}

interface HeadProps {
  readonly entity: Entity
  readonly heading: string
  /** How many rows there are, once it is known. */
  readonly total: number | undefined
  /** Makes a new row; without it there is no such button. */
  readonly onAdd: (() => void) | undefined
  readonly work: ListMenuWork
  /** The views, in the same line. */
  readonly views?: ReactNode
  /** The page has a heading of its own above. */
  readonly part?: boolean
  /** More buttons, before the one that adds. */
  readonly children: ReactNode
}

/** How many there are; with words around the number for whoever does not see where it stands. */
export function Count({ total, unit }: { total: number; unit?: string | undefined }) {
  const t = useT()
  const number = new Intl.NumberFormat(useLanguage())
  const [before, after] = t('entity.count', { count: '\n', unit }).split('\n')
  return (
    <span className="entity-count">
      <span className="sr-only">{before}</span>
      {number.format(total)}
      <span className="sr-only">{after}</span>
    </span>
  )
}

/** The heading of a list: what it is, how many there are, its views, and what can be done with all of it. */
export function ListHead({ entity, heading, total, onAdd, work, views, part = false, children }: HeadProps) {
  const t = useT()
  const language = useLanguage()
  const addHint = useKeyHint('KeyN', 'keys.add')
  const add = t('entity.add', {
    label: inSentence(language === 'en' ? entity.label.en : entity.label.zh, language),
  })
  return (
    <header className="entity-head">
      {part ? <h2>{heading}</h2> : <h1 tabIndex={-1}>{heading}</h1>}
      {total === undefined ? <span className="entity-count waits" /> : <Count total={total} unit={entity.measure} />}
      {views}
      <span className="entity-buttons">
        <ListMenu entity={entity} total={total} tree={work.file.marks === undefined} {...work} />
        {children}
        {onAdd && (
          <button type="button" className="button primary" aria-keyshortcuts={addHint.aria} onClick={onAdd}>
            <Icon name="plus" size={16} />
            {add}
          </button>
        )}
      </span>
    </header>
  )
}
