import { type Entity, type Kind, nameOf, personalCode, traitsOf } from '@data-brain/contract'
import { useQuery } from '@tanstack/react-query'
import { Drawer } from 'antd'
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { isMissing } from '../../http/client.ts'
import { iconOf } from '../../session/paths.ts'
import { useCan } from '../../session/session.ts'
import { Icon } from '../../ui/icon.tsx'
import { useKeys } from '../../ui/keys.ts'
import { setQuery, usePlace } from '../../ui/place.ts'
import { tintOf } from '../../ui/tint.ts'
import { useT, useWords } from '../../ui/words.ts'
import type { ShownRow } from '../data/calls.ts'
import { type EntityClient, useEntity } from '../data/client.ts'
import { type CellWords, cellOf, EmptyValue, StatusTag, textOf } from '../display/cell.tsx'
import { Facts } from '../display/facts.tsx'
import { useCellWords } from '../display/use-cell-words.ts'
import { besideOf, type Cells, isPeople, titleOf } from '../list/columns.tsx'
import { type RecordKeys, recordBindings } from '../list/key-bindings.ts'
import { History } from './history.tsx'
import { Related } from './related.tsx'
import '../form/form-words.ts'
import '../value/words.ts'
import './detail.css'

interface DetailProps {
  readonly entity: Entity
  readonly id: string
  /** What the list knows of the row: shown at once, the rest fills in. */
  readonly partial: ShownRow | undefined
  /** Ids of the list, for previous and next. */
  readonly keys: readonly string[]
  /** On narrow screens the record covers the list; on wide ones it stands beside it. */
  readonly modal: boolean
  readonly onGo: (id: string | null) => void
  readonly work: RecordWork
  /** What the page shows in its own way. */
  readonly own?: RecordOwn
}

/** What is done with a record; what is left out cannot be done. */
export interface RecordWork {
  readonly onEdit: ((id: string) => void) | undefined
  readonly onDelete: ((record: ShownRow) => void) | undefined
  /** Whether this record takes it, where not every one does: `edit`, `delete`. */
  readonly offers?: ((record: ShownRow, action: string) => boolean) | undefined
  /** What keys do with it besides, where it stands over the list. */
  readonly keys?: Pick<RecordKeys, 'menu' | 'print'>
}

export interface RecordOwn {
  /** Ways to show fields. */
  readonly cells?: Cells | undefined
  /** What stands under the name, before the fields. */
  readonly top?: RecordTop | undefined
}

/** What a page shows of a record under its name: whom to ring, what is unusual. */
export type RecordTop<E extends Entity = Entity> = {
  top(props: { readonly record: ShownRow<E>; readonly words: CellWords }): ReactNode
}['top']

/** Somebody who walks down the list looks at the rows, and only where he stops at the whole record. */
const REST = 120

/** The id that has been the same for a moment; the first one is there at once. */
function useSettled(id: string): string {
  const [settled, setSettled] = useState(id)
  useEffect(() => {
    if (settled === id) return
    const timer = setTimeout(() => setSettled(id), REST)
    return () => clearTimeout(timer)
  }, [id, settled])
  return settled
}

/** The class of a field that needs the whole width, always or on a phone. */
function roomOf(kind: Kind): string | undefined {
  const { room } = traitsOf(kind)
  return room && `detail-${room}`
}

/** One record: beside the list where there is room, over it where there is not. */
export default function EntityDetail({ entity, id, partial, keys, modal, onGo, work, own = {} }: DetailProps) {
  const { cells, top: Top } = own
  const t = useT()
  const pick = useWords()
  const client = useEntity(entity)
  const { path, query } = usePlace()
  // Rows that the server alone writes have no history.
  const offered = entity.readOnly ? (['record'] as const) : (['record', 'history'] as const)
  const tab = query.get('tab') === 'history' && !entity.readOnly ? 'history' : 'record'
  const settled = useSettled(id)
  const found = useQuery({ ...client.detail(id, partial), enabled: settled === id })
  const words = useCellWords(entity)
  const record = found.data
  const isGone = found.isError && isMissing(found.error)
  const may = (action: string) => !record || (work.offers?.(record, action) ?? true)
  const onEdit = may('edit') ? work.onEdit : undefined
  const onDelete = may('delete') ? work.onDelete : undefined
  const name = record ? titleOf(entity, record, words) : isGone ? pick(entity.label) : '…'
  const facts = record ? besideOf(entity, record, words) : []
  const at = keys.indexOf(id)
  const beside = (by: 1 | -1) => (at < 0 ? undefined : keys[at + by])
  const walk = (by: 1 | -1) => {
    const to = beside(by)
    if (to !== undefined) onGo(to)
  }
  // Beside the list the list's own keys walk, and the record follows; over it, the keys are the record's.
  useKeys(modal, {
    name: 'keys.record',
    modal: true,
    bindings: recordBindings(walk, {
      ...work.keys,
      edit: onEdit && (() => onEdit(id)),
      remove: onDelete && (() => record && onDelete(record)),
    }),
  })
  const step = (to: string | undefined, label: string, icon: string) => (
    <button
      type="button"
      className="tool"
      aria-label={label}
      title={label}
      disabled={!to}
      onClick={() => to && onGo(to)}
    >
      <Icon name={icon} size={18} />
    </button>
  )
  const icon = iconOf(entity.name)
  const who = (
    <div className="detail-who">
      {record && isPeople(entity) ? (
        <span className={`disc large s${tintOf(name)}`} aria-hidden="true">
          {[...name][0]}
        </span>
      ) : (
        icon && (
          <span className="detail-tile" aria-hidden="true">
            <Icon name={icon} size={22} />
          </span>
        )
      )}
      <div className="detail-names">
        <h2 className="detail-title">
          {name}
          {record && entity.status && <StatusTag value={record.status} status={entity.status} words={words} />}
        </h2>
        {facts.length > 0 && <Facts texts={facts} />}
      </div>
    </div>
  )
  const buttons = (
    <span className="detail-buttons">
      {step(beside(-1), t('detail.previous'), 'chevron-left')}
      {step(beside(1), t('detail.next'), 'chevron-right')}
      {onEdit && !isGone && (
        <button type="button" className="button detail-edit" onClick={() => onEdit(id)}>
          {t('entity.edit')}
        </button>
      )}
      {onDelete && record && (
        <button
          type="button"
          className="tool"
          aria-label={t('entity.deleteOf', { name })}
          title={t('entity.delete')}
          onClick={() => onDelete(record)}
        >
          <Icon name="trash-2" size={16} />
        </button>
      )}
    </span>
  )
  const tabs = !isGone && (
    <fieldset className="detail-tabs" aria-label={name}>
      {offered.map((key) => (
        <button
          key={key}
          type="button"
          aria-pressed={tab === key}
          onClick={() => setQuery({ tab: key === 'record' ? null : key }, { path, replace: true })}
        >
          {t(`detail.${key}`)}
        </button>
      ))}
    </fieldset>
  )
  const content = found.isError ? (
    <div className="banner banner-wrong" role="alert">
      <div>{found.error.message || t('entity.failed')}</div>
      {isGone ? (
        <button type="button" className="button" onClick={() => onGo(null)}>
          {t('entity.backToList')}
        </button>
      ) : (
        <button type="button" className="button" onClick={() => void found.refetch()}>
          {t('entity.retry')}
        </button>
      )}
    </div>
  ) : tab === 'history' ? (
    <History entity={entity} id={id} words={words} />
  ) : record ? (
    <>
      {Top && !found.isPlaceholderData && (
        <Suspense fallback={<div className="related-wait" />}>
          <Top key={id} record={record} words={words} />
        </Suspense>
      )}
      {!found.isPlaceholderData && <Related key={`first${id}`} entity={entity} id={id} first />}
      <Record
        key={id}
        entity={entity}
        record={record}
        partial={found.isPlaceholderData}
        words={words}
        client={client}
        cells={cells}
      />
      {!found.isPlaceholderData && <Related key={`of${id}`} entity={entity} id={id} first={false} />}
      {!found.isPlaceholderData && <Stamps record={record} t={t} />}
    </>
  ) : (
    <p className="detail-wait">{t('table.loading')}</p>
  )
  if (modal) {
    return (
      <Drawer open size="min(640px, 100%)" title={who} extra={buttons} onClose={() => onGo(null)}>
        <div className="detail-body">
          {tabs}
          {content}
        </div>
      </Drawer>
    )
  }
  return (
    <Aside label={`${pick(entity.label)} ${name}`} onClose={() => onGo(null)}>
      <header className="detail-head">
        <div className="detail-bar">
          {buttons}
          <button
            type="button"
            className="tool"
            aria-label={t('entity.close')}
            title={t('entity.close')}
            onClick={() => onGo(null)}
          >
            <Icon name="x" size={18} />
          </button>
        </div>
        {who}
      </header>
      <div className="detail-body">
        {tabs}
        {content}
      </div>
    </Aside>
  )
}

/** Not modal: the list beside it stays in use, and Esc from inside goes back to it. */
function Aside({ label, onClose, children }: { label: string; onClose: () => void; children: ReactNode }) {
  const opener = useRef<Element | null>(null)
  useEffect(() => {
    opener.current = document.activeElement
    return () => {
      if (opener.current instanceof HTMLElement && opener.current.isConnected) opener.current.focus()
    }
  }, [])
  return (
    <aside
      className="detail"
      aria-label={label}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.nativeEvent.isComposing) return
        event.preventDefault()
        onClose()
      }}
    >
      {children}
    </aside>
  )
}

interface RecordProps {
  readonly entity: Entity
  readonly record: ShownRow
  /** Only the list's columns are known yet. */
  readonly partial: boolean
  readonly words: CellWords
  readonly client: EntityClient
  readonly cells: Cells | undefined
}

type Numbers = Readonly<Record<string, string | null>>

/** All fields of a record, under the headings of its form. */
function Record({ entity, record, partial, words, client, cells }: RecordProps) {
  const pick = useWords()
  const { t } = words
  const can = useCan()
  const [asked, setAsked] = useState<{ readonly version: number; readonly found: Numbers } | null>(null)
  // After a change they would stand there as they were before.
  const shown = asked?.version === record.version ? asked.found : null
  const toggle = async () =>
    setAsked(shown ? null : { version: record.version, found: await client.personal(record.id) })
  const [full, setFull] = useState(false)
  const names = Object.keys(entity.fields).filter((name) => !entity.fields[name]!.inner)
  const claimed = new Set(entity.groups?.flatMap((group) => group.fields))
  // What a person enters comes first as in the form; what the server works out comes last.
  const loose = names.filter((name) => !claimed.has(name))
  const first = loose.filter((name) => !entity.fields[name]!.computed)
  const worked = loose.filter((name) => entity.fields[name]!.computed)
  const one = (name: string) => {
    const field = entity.fields[name]!
    const label = pick(field.label)
    const known = name in record || nameOf(name) in record
    const personal = field.kind === 'personal'
    const value = shown && personal ? { ...record, [name]: shown[name] ?? null } : record
    return (
      <div key={name} className={roomOf(field.kind)}>
        <dt>{label}</dt>
        <dd>
          {known ? (
            (cells?.[name]?.(value, words) ?? cellOf(entity, name, value, words))
          ) : partial ? (
            <span className="detail-wait">…</span>
          ) : (
            <EmptyValue t={t} />
          )}
          {personal && Boolean(record[name]) && can(personalCode(entity)) && (
            <button
              type="button"
              className="tool small"
              aria-label={t(shown ? 'detail.hide' : 'detail.reveal', { label })}
              onClick={() => void toggle()}
            >
              <Icon name={shown ? 'eye-off' : 'eye'} size={16} />
            </button>
          )}
        </dd>
      </div>
    )
  }
  const isEmpty = (name: string) =>
    !partial && textOf(entity.fields[name]!, record[name], words, record[nameOf(name)], record) === ''
  const empties = names.filter((name) => isEmpty(name) && !cells?.[name]).length
  const seen = (list: readonly string[]) => (full ? list : list.filter((name) => !isEmpty(name) || cells?.[name]))
  return (
    <>
      {seen(first).length > 0 && <dl className="detail-list">{seen(first).map(one)}</dl>}
      {entity.groups?.map((group) =>
        seen(group.fields).length === 0 ? null : (
          <section key={group.label.en}>
            <h3>{pick(group.label)}</h3>
            <dl className="detail-list">{seen(group.fields).map(one)}</dl>
          </section>
        ),
      )}
      {seen(worked).length > 0 && (
        <section>
          <h3>{t('detail.worked')}</h3>
          <dl className="detail-list">{seen(worked).map(one)}</dl>
        </section>
      )}
      {!full && empties > 0 && (
        <button type="button" className="link-button detail-empties" onClick={() => setFull(true)}>
          {t('detail.emptyFields', { count: empties })}
        </button>
      )}
    </>
  )
}

/** When the record was made and last changed, and by whom. */
function Stamps({ record, t }: { record: ShownRow; t: CellWords['t'] }) {
  const who = (name: unknown) => (typeof name === 'string' ? name : '')
  return (
    <footer className="detail-foot">
      <span>
        {t('detail.created', { time: record.createTime?.slice(0, 16) ?? '', who: who(record.createUserName) })}
      </span>
      <span>
        {t('detail.updated', { time: record.updateTime?.slice(0, 16) ?? '', who: who(record.updateUserName) })}
      </span>
    </footer>
  )
}
