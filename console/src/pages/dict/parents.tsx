import type { Entity } from '@data-brain/contract'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { BulkBar } from '../../entity/bulk/index.ts'
import {
  aText,
  Empty,
  FilterLine,
  type ListKeys,
  LoadFailed,
  useFrameColumns,
  useListKeys,
} from '../../entity/list/index.ts'
import { Icon } from '../../ui/icon.tsx'
import { setQuery, usePlace, useTab } from '../../ui/place.ts'
import { createMarks } from '../../ui/table/marks.ts'
import { sizeIn, useChosenSize } from '../../ui/table/page-size.ts'
import { Pager } from '../../ui/table/pager.tsx'
import { type Column, DataTable } from '../../ui/table/table.tsx'
import { useLanguage, useT } from '../../ui/words.ts'
import { type DictRow, type DictWork, shownName, useParents } from './calls.ts'
import { fadedIfSealed, SealSwitch } from './seal.tsx'

interface ParentsProps {
  readonly entity: Entity
  readonly label: string
  readonly chosen: string | null
  readonly onChoose: (id: string) => void
  /** How many there are. */
  readonly onTotal: (total: number | undefined) => void
  readonly onAdd: () => void
  readonly work: DictWork
}

const keyOf = (row: DictRow) => row.id
const NO_ROWS: readonly DictRow[] = []
/** The arrows may run down a list: what one rests on is what is read. */
const REST = 120

const whole = (text: string | null, otherwise: number) => (/^[1-9]\d{0,5}$/.test(text ?? '') ? Number(text) : otherwise)

/** The dictionaries: page by page, searched by code and name, one of them chosen. */
export function Parents(props: ParentsProps) {
  const { entity, label, chosen, onChoose, onTotal, onAdd, work } = props
  const { may, onEdit, onRemove, onSeal } = work
  const t = useT()
  const language = useLanguage()
  const nameOf = useCallback((row: DictRow) => shownName(row, language), [language])
  const { path, query } = usePlace()
  const { active } = useTab()
  const [marks] = useState(() => createMarks<DictRow>())
  useChosenSize()
  const size = sizeIn(query, 30)
  const current = whole(query.get('current'), 1)
  const code = query.get('code') ?? ''
  const dictValue = query.get('dictValue') ?? ''
  const found = useParents(entity, { current, size, code, dictValue }, may.view)
  const rows = found.data?.records ?? NO_ROWS
  const total = found.data?.total ?? 0
  const narrow = (patch: Record<string, string | number | null>) => setQuery(patch, { replace: true, path })
  const filtered = code !== '' || dictValue !== ''
  const reset = () => narrow({ code: null, dictValue: null, current: null })

  const known = found.data?.total
  useEffect(() => onTotal(known), [onTotal, known])
  useEffect(() => marks.open(chosen), [marks, chosen])
  useEffect(() => {
    if (found.data && !found.isPlaceholderData && rows.length === 0 && total > 0)
      setQuery({ current: Math.max(1, Math.ceil(total / size)) }, { replace: true, path })
  }, [found.data, found.isPlaceholderData, rows.length, total, size, path])

  const columns = useMemo((): Column<DictRow>[] => {
    const acts = [
      { key: 'edit', label: t('entity.edit'), of: 'entity.editOf', icon: 'pencil', allowed: may.edit },
      { key: 'delete', label: t('entity.delete'), of: 'entity.deleteOf', icon: 'trash-2', allowed: may.remove },
    ].filter(({ allowed }) => allowed)
    return [
      { key: 'code', label: t('dict.code'), width: 124, cell: (row) => fadedIfSealed(row, <code>{row.code}</code>) },
      {
        key: 'dictValue',
        label: t('dict.name'),
        width: 160,
        title: true,
        cell: (row) => (
          <a className="dt-link" data-act="view" href={`?dict=${row.id}`}>
            {fadedIfSealed(row, nameOf(row))}
          </a>
        ),
      },
      { key: 'sort', label: t('dict.sort'), width: 80, numeric: true, cell: (row) => fadedIfSealed(row, row.sort) },
      {
        key: 'isSealed',
        label: t('dict.sealed'),
        width: 68,
        cell: (row) => <SealSwitch row={row} name={nameOf(row)} disabled={!may.edit} onSeal={onSeal} />,
      },
      { key: 'remark', label: t('dict.remark'), width: 120, cell: (row) => fadedIfSealed(row, row.remark ?? '') },
      ...(acts.length === 0
        ? []
        : [
            {
              key: 'actions',
              label: t('entity.actions'),
              width: acts.length * 30 + 24,
              pin: 'end' as const,
              cell: (row: DictRow) => (
                <span className="dt-acts">
                  {acts.map((act) => (
                    <button
                      key={act.key}
                      type="button"
                      className="dt-act dt-quiet"
                      data-act={act.key}
                      aria-label={t(act.of, { name: nameOf(row) })}
                      title={act.label}
                    >
                      <Icon name={act.icon} size={16} />
                    </button>
                  ))}
                </span>
              ),
            },
          ]),
    ]
  }, [t, nameOf, may.edit, may.remove, onSeal])

  // The switch is worked with, the place is only looked at: where there is little room, that leaves first.
  const plan = useMemo(
    () => [
      ...columns.filter(({ key }) => key !== 'sort' && key !== 'remark'),
      ...columns.filter(({ key }) => key === 'sort' || key === 'remark'),
    ],
    [columns],
  )
  const frame = useFrameColumns(`${entity.name}-dictionaries`, columns, plan)
  const { root } = frame
  const ids = useMemo(() => rows.map(keyOf), [rows])

  const act = useCallback(
    (what: string, row: DictRow) => {
      if (what === 'edit') onEdit(row)
      else if (what === 'delete') onRemove([row], marks.clear)
      else onChoose(row.id)
    },
    [onEdit, onRemove, onChoose, marks],
  )
  const removeTicked = () => onRemove([...marks.selected().values()], marks.clear)

  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const stand = (at: number) => {
    const row = rows[Math.max(0, Math.min(at, rows.length - 1))]
    if (!row) return
    marks.open(row.id)
    root.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(row.id)}"] [data-act=view]`)?.focus()
    clearTimeout(timer.current)
    timer.current = setTimeout(() => onChoose(row.id), REST)
  }
  const at = () => rows.findIndex((row) => row.id === marks.cursor())
  const here = (run: (row: DictRow) => void) => {
    const row = rows[at()]
    if (row) run(row)
  }
  const keys = useRef<ListKeys>(null as unknown as ListKeys)
  const turn = (by: 1 | -1) => {
    const next = current + by
    if (next >= 1 && next <= Math.ceil(total / size)) narrow({ current: next === 1 ? null : next })
  }
  keys.current = {
    quick: () => root.current?.querySelector<HTMLElement>('input[data-quick]')?.focus(),
    add: () => may.add && onAdd(),
    move: (step) => stand(at() < 0 ? 0 : at() + step),
    edge: (last) => stand(last ? rows.length - 1 : 0),
    tick: () => here((row) => marks.select([[row.id, row]], (marks.of(row.id) & 1) === 0)),
    tickPage: () =>
      marks.select(
        rows.map((row) => [row.id, row] as const),
        true,
      ),
    view: () => here((row) => onChoose(row.id)),
    edit: () => here((row) => may.edit && onEdit(row)),
    remove: () => {
      const row = rows[at()]
      if (may.remove) row && marks.selected().size === 0 ? onRemove([row], marks.clear) : removeTicked()
    },
    page: turn,
    reload: () => void found.refetch(),
    escape: () => marks.clear(),
  }
  useListKeys(active && query.get('edit') === null, keys)

  const phase = found.data === undefined ? 'first' : found.isFetching ? 'refresh' : 'ready'
  return (
    <div className="dict-pane" ref={root}>
      <div className="dict-bar">
        <FilterLine
          quick={{
            label: t('dict.name'),
            value: dictValue,
            onText: (text) => narrow({ dictValue: text, current: null }),
          }}
          fields={[aText('code', t('dict.code'), code, (text) => narrow({ code: text, current: null }))]}
          onReset={reset}
        />
        <span className="tools">{frame.menu}</span>
      </div>
      {found.isError && !found.data ? (
        <LoadFailed problem={found.error} onRetry={() => void found.refetch()} />
      ) : (
        <DataTable
          label={label}
          records={{
            rows,
            keyOf,
            nameOf,
            state: phase,
            empty: (
              <Empty
                label={t('dict.one')}
                filtered={filtered}
                onReset={reset}
                onAdd={may.add ? onAdd : undefined}
                toolbar={null}
              />
            ),
          }}
          {...frame.table}
          marks={marks}
          onAct={act}
        />
      )}
      <Pager
        total={total}
        current={current}
        size={size}
        onPage={(next) => narrow({ current: next === 1 ? null : next })}
        onSize={(next) => narrow({ size: next, current: null })}
      />
      <BulkBar marks={marks} here={ids} onDelete={may.remove ? removeTicked : undefined} />
    </div>
  )
}
