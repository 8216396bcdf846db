import { codeOf } from '@data-brain/contract'
import { type ReactNode, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { sheetWords } from '../../locales/print.ts'
import { useCan } from '../../session/session.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { MenuAt } from '../../ui/menu.tsx'
import type { MenuEntry, MenuSpot } from '../../ui/menu-button.tsx'
import { holdTyping } from '../../ui/typed-ahead.ts'
import { addWords } from '../../ui/words.ts'
import type { ShownRow } from '../data/calls.ts'
import { useSubject } from '../data/record-query.ts'
import type { FormParts } from '../form/form-fields.tsx'
import { printList, printRecord, readyToPrint, type Sheet } from '../print/print-list.ts'
import { useCellEdit } from './cell-edit.tsx'
import { type RowAction, titleOf } from './columns.tsx'
import { type ListKeys, type RecordKeys, useListKeys } from './key-bindings.ts'
import type { ListValue } from './list-context.ts'
import type { ExportState } from './list-head.tsx'

addWords(sheetWords)

const BulkEdit = lazyPart(() => import('../bulk/bulk-edit.tsx'))

interface ListWorkOptions {
  /** Whether the page is the one shown, and the rows stand in a table. */
  readonly active: boolean
  readonly table: boolean
  /** Whether rows are made and changed by the form. */
  readonly form: { readonly mayAdd: boolean; readonly mayEdit: boolean }
  readonly actions: readonly RowAction[]
  readonly parts: FormParts | undefined
  /** Sheets that the page can print beside the list as it is shown. */
  readonly sheets: readonly Sheet[] | undefined
  /** Does with a row what its buttons do. */
  readonly act: (what: string, record: ShownRow) => void
  readonly onRemove: () => void
}

interface RowMenu {
  readonly record: ShownRow
  readonly spot: MenuSpot
}

/** What is over the page keeps the focus within itself: a menu stands in it then. */
const coverNow = (menu: ReactNode): ReactNode => {
  // A drawer that is closed, or still slides away, keeps no focus.
  const cover = [...document.querySelectorAll('[aria-modal=true]')].find((over) =>
    over.contains(document.activeElement),
  )
  return cover ? createPortal(menu, cover) : menu
}

export interface ListWork {
  /** What the buttons of a row and a press on it do; a cell that can be changed is, where it is pressed twice. */
  readonly onAct: (what: string, record: ShownRow, from?: HTMLElement) => void
  /** For the bar over the ticked rows. */
  readonly onEdit: (() => void) | undefined
  readonly onPrint: () => void
  /** Whether the panel of the export is open. */
  readonly exporting: ExportState
  /** What keys do with the record that is open. */
  readonly onRecord: Pick<RecordKeys, 'menu' | 'print'>
  readonly shown: ReactNode
}

/** What is done with the rows of a list beside looking at them: by keys, in their cells, many at once, on paper. */
export function useListWork(list: ListValue, options: ListWorkOptions): ListWork {
  const { entity, client, words, marks, root, rows, total, state, steps, columns, heading, offers } = list
  const { active, table, form, actions, parts, sheets, act, onRemove } = options
  const { mayAdd, mayEdit } = form
  const { t } = words
  const can = useCan()
  const mayDelete = can(codeOf(entity, 'delete'))
  // What all tenants share is changed row by row: it could not be taken back.
  const mayBulk = mayEdit && entity.ownership !== 'platform' && !entity.readOnly
  const [bulk, setBulk] = useState<readonly ShownRow[] | null>(null)
  const [menu, setMenu] = useState<RowMenu | null>(null)
  const [paper, setPaper] = useState<{ readonly spot: MenuSpot; readonly entries: readonly MenuEntry[] } | null>(null)
  const exporting = useState<boolean>()
  useEffect(readyToPrint, [])
  const closeMenu = useCallback(() => setMenu(null), [])
  const closePaper = useCallback(() => setPaper(null), [])
  const may = table && mayEdit && !entity.readOnly
  const cell = useCellEdit(list, may, parts)

  const keys = rows.map((row) => row.id)
  const subject = useSubject({ client, marks, root, rows, openId: state.id })
  const rowAt = (key: string) => root.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)
  const stand = (at: number) => {
    const key = keys[Math.max(0, Math.min(at, keys.length - 1))]
    const row = key === undefined ? undefined : rowAt(key)
    if (key === undefined || !row) return
    // The record beside the list follows, as a mail does.
    if (state.id === null) marks.moveTo(key)
    else {
      marks.open(key)
      if (state.id !== key) steps.open(key)
    }
    cell.land(row)
    row.scrollIntoView({ block: 'nearest' })
  }
  const onSubject = (run: (record: ShownRow) => void) => {
    const record = subject.row()
    if (record) run(record)
  }
  const mayDo = (what: string, record: ShownRow) => offers?.(record, what) ?? true
  /** The row that the focus is in, unless another one is open: a cell of it is not what is looked at then. */
  const inSubject = () => {
    const key = document.activeElement?.closest<HTMLElement>('[data-key]')?.dataset.key
    return state.id === null || key === state.id
  }
  const tick = (record: ShownRow, on = (marks.of(record.id) & 1) === 0) => marks.select([[record.id, record]], on)
  const focusIn = (place: string) => {
    const target = root.current?.querySelector<HTMLElement>(place)
    target?.focus()
    return target !== null && target !== undefined
  }
  const print = (ticked: readonly ShownRow[] = [...marks.selected().values()]) => {
    const filters = [...(root.current?.querySelectorAll<HTMLElement>('.chips .chip') ?? [])].map(
      (chip) => chip.dataset.told ?? '',
    )
    const keyword = root.current?.querySelector<HTMLInputElement>('input[data-quick]')?.value ?? ''
    const asked = [...(keyword ? [`“${keyword}”`] : []), ...filters]
    const work = { entity, client, words, columns, heading, query: state.query, total, ticked, asked }
    const canExport = can(codeOf(entity, 'export'))
    const onSheet = (sheet?: Sheet) => void printList(work, canExport ? () => exporting[1](true) : undefined, sheet)
    if (!sheets) return onSheet()
    const from = document.activeElement?.getBoundingClientRect() ?? { left: 0, bottom: 0 }
    setPaper({
      spot: { x: from.left, y: from.bottom + 4 },
      entries: [
        ...sheets
          .filter(({ codes }) => codes.every(can))
          .map((sheet) => ({
            key: sheet.key,
            label: t(`print.${sheet.key}`),
            icon: 'printer',
            run: () => onSheet(sheet),
          })),
        { key: 'columns', label: t('print.columns'), icon: 'columns-3', run: () => onSheet() },
      ],
    })
  }
  const onPaper = ({ id }: ShownRow) => void printRecord({ entity, client, words, id, can })
  const openMenu = (record: ShownRow) => {
    // A record that is not listed, or stands over the list, has its menu at its own heading.
    const row = rowAt(record.id)
    const over = document.querySelector('[aria-modal=true] .detail-title')
    const button = over ?? row?.querySelector('[data-act=more]') ?? row?.querySelector('[data-act=view]')
    const box = (button ?? root.current?.querySelector('.detail-title'))?.getBoundingClientRect()
    const right = button?.matches('[data-act=more]') === true
    if (box) setMenu({ record, spot: { x: right ? box.right : box.left, y: box.bottom + 4, right } })
  }

  const listKeys = useRef<ListKeys>(null as unknown as ListKeys)
  listKeys.current = {
    quick: () => focusIn('[data-quick]'),
    filters: () => focusIn('.filter-add, .filters :is(input:not([data-quick]), select, button)'),
    views: () => focusIn('[data-view][aria-pressed=true], [data-view][aria-current], [data-view]'),
    ...(mayAdd ? { add: () => steps.change('new') } : {}),
    move: (step, extend) => {
      if (subject.isElsewhere()) return
      const from = subject.at()
      if (extend && rows[from]) tick(rows[from], true)
      const to = Math.max(0, Math.min(from < 0 ? (step > 0 ? 0 : keys.length - 1) : from + step, keys.length - 1))
      stand(to)
      if (extend && rows[to]) tick(rows[to], true)
    },
    edge: (last) => {
      if (!subject.isElsewhere()) stand(last ? keys.length - 1 : 0)
    },
    ...(may
      ? {
          beside: (step) => inSubject() && cell.walk(step),
          cell: (first) => inSubject() && cell.open(first),
        }
      : {}),
    tick: () => rows[subject.at()] && tick(rows[subject.at()] as ShownRow),
    tickPage: () =>
      marks.select(
        rows.map((row) => [row.id, row] as const),
        true,
      ),
    view: () => onSubject((record) => state.id !== record.id && steps.open(record.id)),
    ...(mayEdit ? { edit: () => onSubject((record) => mayDo('edit', record) && steps.change(record.id)) } : {}),
    menu: () => onSubject(openMenu),
    ...(mayDelete
      ? {
          remove: () => {
            const record = subject.row()
            // What is open is what is looked at; else what was ticked on purpose; else where one stands.
            if (record && (state.id !== null || marks.selected().size === 0))
              mayDo('delete', record) && act('delete', record)
            else if (state.id === null) onRemove()
          },
        }
      : {}),
    page: (step) => {
      const next = state.current + step
      if (next >= 1 && next <= Math.ceil(total / state.size)) steps.page(next)
    },
    print: () => (state.id === null ? print() : onSubject(onPaper)),
    // With what is open beside the list.
    reload: () => void client.renew(),
    escape: () => (state.id !== null ? steps.open(null) : marks.clear()),
  }
  useListKeys(active && state.edit === null, listKeys)

  const entries = (record: ShownRow): MenuEntry[] => {
    const own = actions.filter((action) => action.code === undefined || can(action.code))
    const all = [
      { key: 'view', label: t('entity.view'), icon: 'eye' },
      ...(mayEdit ? [{ key: 'edit', label: t('entity.edit'), icon: 'pencil' }] : []),
      ...own.map(({ key, label, icon, danger }) => ({ key, label, icon, danger })),
      ...(mayDelete ? [{ key: 'delete', label: t('entity.delete'), icon: 'trash-2', danger: true, line: true }] : []),
    ]
    return all
      .filter(({ key }) => key === 'view' || (offers?.(record, key) ?? true))
      .map((entry) => ({ ...entry, run: () => act(entry.key, record) }))
  }
  const menuOf = ({ record, spot }: RowMenu) => (
    <MenuAt
      label={t('entity.moreOf', { name: titleOf(entity, record, words) })}
      entries={entries(record)}
      spot={spot}
      onClose={closeMenu}
    />
  )
  return {
    onAct: (what, record, from) => {
      if (what === 'more') return openMenu(record)
      if (what === 'open' && from && may && cell.press(from)) return
      act(what, record)
    },
    // As they stand now, and not as they were when they were ticked: what was changed since has another version.
    onEdit: mayBulk
      ? () => {
          holdTyping(() => setBulk(null))
          setBulk([...marks.selected().values()].map((row) => rows[keys.indexOf(row.id)] ?? row))
        }
      : undefined,
    onPrint: () => print(),
    exporting,
    onRecord: { menu: () => onSubject(openMenu), print: () => onSubject(onPaper) },
    shown: (
      <>
        {menu && coverNow(menuOf(menu))}
        {paper &&
          coverNow(<MenuAt label={t('entity.print')} entries={paper.entries} spot={paper.spot} onClose={closePaper} />)}
        {bulk && (
          <Suspense fallback={null}>
            <BulkEdit
              entity={entity}
              client={client}
              words={words}
              rows={bulk}
              parts={parts}
              onChanged={(ids) => {
                for (const id of ids) marks.refresh(id)
              }}
              onClose={() => setBulk(null)}
            />
          </Suspense>
        )}
      </>
    ),
  }
}
