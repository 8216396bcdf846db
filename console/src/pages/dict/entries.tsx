import type { Entity } from '@data-brain/contract'
import { useCallback, useMemo, useState } from 'react'
import type { EntityClient } from '../../entity/data/index.ts'
import { Count, LoadFailed } from '../../entity/list/index.ts'
import { Icon } from '../../ui/icon.tsx'
import { useScreenClass } from '../../ui/screen.ts'
import { everyNode } from '../../ui/tree/flat.ts'
import { type TreeColumn, TreeList } from '../../ui/tree/tree-list.tsx'
import { useLanguage, useT } from '../../ui/words.ts'
import { type DictRow, type DictWork, shownName, useEntries } from './calls.ts'
import { InlineEntry } from './inline.tsx'
import { fadedIfSealed, SealSwitch } from './seal.tsx'

interface EntriesProps {
  readonly entity: Entity
  readonly client: EntityClient
  readonly dictionary: DictRow
  /** Goes back to the dictionaries, where they are not in sight. */
  readonly onBack: (() => void) | undefined
  readonly onAdd: (under: DictRow) => void
  readonly work: DictWork
}

const NO_ROWS: readonly DictRow[] = []
const nothing = () => {}

/** The entries of the chosen dictionary: a tree list, and a row at its end to type new ones. */
export function Entries({ entity, client, dictionary, onBack, onAdd, work }: EntriesProps) {
  const { may, onEdit, onRemove, onSeal } = work
  const t = useT()
  const language = useLanguage()
  const narrow = useScreenClass() <= 1
  const nameOf = useCallback((row: DictRow) => shownName(row, language), [language])
  const found = useEntries(entity, dictionary.id)
  const rows = found.data ?? NO_ROWS
  const [shut, setShut] = useState<ReadonlySet<string>>(new Set())
  const [active, setActive] = useState<string | null>(null)
  const all = useMemo(() => everyNode(rows), [rows])
  // All is open until somebody closes it: dictionaries are short.
  const opened = useMemo(() => new Set(all.map((row) => row.id).filter((id) => !shut.has(id))), [all, shut])
  const names = useMemo(
    () => new Map([dictionary, ...all].map((row) => [row.id, nameOf(row)])),
    [dictionary, all, nameOf],
  )

  const columns = useMemo((): TreeColumn<DictRow>[] => {
    const acts = [
      { key: 'add', label: t('tree.addBelow'), of: 'tree.addBelowOf', icon: 'plus', allowed: may.add },
      { key: 'edit', label: t('entity.edit'), of: 'entity.editOf', icon: 'pencil', allowed: may.edit },
      { key: 'delete', label: t('entity.delete'), of: 'entity.deleteOf', icon: 'trash-2', allowed: may.remove },
    ].filter(({ allowed }) => allowed)
    const own: TreeColumn<DictRow>[] = [
      { key: 'code', label: t('dict.code'), width: 150, cell: (row) => fadedIfSealed(row, <code>{row.code}</code>) },
      { key: 'dictValue', label: t('dict.name'), width: 150, cell: (row) => fadedIfSealed(row, nameOf(row)) },
      {
        key: 'parentId',
        label: t('dict.parent'),
        width: 100,
        cell: (row) => fadedIfSealed(row, names.get(row.parentId) ?? ''),
      },
      { key: 'dictKey', label: t('dict.key'), width: 90, cell: (row) => fadedIfSealed(row, row.dictKey) },
      { key: 'sort', label: t('dict.sort'), width: 84, numeric: true, cell: (row) => fadedIfSealed(row, row.sort) },
      {
        key: 'isSealed',
        label: t('dict.sealed'),
        width: 68,
        cell: (row) => <SealSwitch row={row} name={nameOf(row)} disabled={!may.edit} onSeal={onSeal} />,
      },
      { key: 'remark', label: t('dict.remark'), width: 110, cell: (row) => fadedIfSealed(row, row.remark ?? '') },
    ]
    if (acts.length === 0) return own
    return [
      ...own,
      {
        key: 'actions',
        label: t('entity.actions'),
        width: acts.length * (narrow ? 42 : 30) + 24,
        cell: (row, isActive) => (
          <span className="dt-acts">
            {acts.map((act) => (
              <button
                key={act.key}
                type="button"
                className="dt-act dt-quiet"
                data-act={act.key}
                tabIndex={isActive ? 0 : -1}
                aria-label={t(act.of, { name: nameOf(row) })}
                title={act.label}
              >
                <Icon name={act.icon} size={16} />
              </button>
            ))}
          </span>
        ),
      },
    ]
  }, [t, nameOf, narrow, may.add, may.edit, may.remove, names, onSeal])

  const act = (what: string, row: DictRow) => {
    if (what === 'add') may.add && onAdd(row)
    else if (what === 'delete') may.remove && onRemove([row], nothing)
    else if (may.edit) onEdit(row)
  }
  const heading = t('dict.entriesOf', { name: nameOf(dictionary) })
  return (
    <div className="dict-pane">
      <div className="dict-bar">
        {onBack && (
          <button type="button" className="tool" aria-label={t('dict.back')} title={t('dict.back')} onClick={onBack}>
            <Icon name="arrow-left" size={18} />
          </button>
        )}
        <h2>{heading}</h2>
        {found.data && <Count total={all.length} />}
        {may.add && (
          <button type="button" className="button dict-remove" onClick={() => onAdd(dictionary)}>
            <Icon name="plus" size={16} />
            {t('dict.addEntry')}
          </button>
        )}
      </div>
      {found.isError && !found.data ? (
        <LoadFailed problem={found.error} onRetry={() => void found.refetch()} />
      ) : (
        <TreeList
          label={heading}
          forest={{
            ...{ roots: rows, nameOf },
            state: found.data === undefined ? 'first' : found.isFetching ? 'refresh' : 'ready',
            empty: <p>{t(may.add ? 'dict.noEntries' : 'dict.noEntriesView')}</p>,
          }}
          columns={columns}
          expansion={{
            opened,
            onOpened: (next) => setShut(new Set(all.map((row) => row.id).filter((id) => !next.has(id)))),
          }}
          cursor={{ active, onActive: setActive }}
          onAct={act}
          footer={
            may.add && found.data ? (
              <InlineEntry
                key={dictionary.id}
                client={client}
                dictionary={dictionary}
                entries={rows}
                columns={columns.length}
                onAdded={setActive}
              />
            ) : undefined
          }
        />
      )}
    </div>
  )
}
