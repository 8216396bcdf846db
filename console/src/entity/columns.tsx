import { codeOf, type Entity, nameOf, titledWith, type Words } from '@data-brain/contract'
import type { ReactNode } from 'react'
import { Icon } from '../ui/icon.tsx'
import type { Column } from '../ui/table/table.tsx'
import type { Shown } from './calls.ts'
import { type CellWords, cellOf, isNumeric, Nothing, StatusTag, textOf, widthOf } from './cell.tsx'
import { sortsOf } from './state.ts'

/** A page's own way to show one field, or the status; where it answers nothing, the field is shown as usual. */
export type Cells = Readonly<Record<string, (record: Shown, words: CellWords) => ReactNode>>

/** One more thing to do with a row; `run` gets the record. */
export interface RowAction {
  readonly key: string
  readonly label: string
  readonly icon: string
  readonly code?: string
  readonly danger?: boolean
  readonly run: (record: Shown) => void
}

/** Whether a row offers an action: `edit`, `delete`, or the key of a page's own. */
export type Offers = (record: Shown, action: string) => boolean

/** This many of a page's own actions stand in the row; more of them stand behind a menu. */
const INLINE = 2

interface PlanOptions {
  readonly entity: Entity
  readonly words: CellWords
  readonly pick: (words: Words) => string
  readonly can: (code: string) => boolean
  readonly cells: Cells | undefined
  readonly actions: readonly RowAction[]
  readonly offers: Offers | undefined
  /** Icons instead of words in the last column. */
  readonly narrow: boolean
  readonly hrefOf: (record: Shown) => string
}

/** What a person calls a row: its title field, by the shown name where that is a reference. */
export function titleOf(entity: Entity, record: Shown, words: CellWords): string {
  const inEnglish = words.language === 'en' && entity.titleEn ? record[entity.titleEn] : undefined
  if (typeof inEnglish === 'string' && inEnglish !== '') return inEnglish
  const field = entity.fields[entity.title]
  const text = field ? textOf(field, record[entity.title], words, record[nameOf(entity.title)]) : ''
  return text || record.id
}

/** What stands beside a row's title, as far as the row itself says it. */
export function besideOf(entity: Entity, record: Shown, words: CellWords): string[] {
  return (entity.beside ?? []).flatMap((name) => {
    const field = entity.fields[name]
    const text = field && name !== 'schoolId' ? textOf(field, record[name], words, record[nameOf(name)]) : ''
    return text === '' || (field?.to && text === String(record[name])) ? [] : [text]
  })
}

/** What a person calls a row where several may be called the same. */
export const fullTitleOf = (entity: Entity, record: Shown, words: CellWords): string =>
  titledWith(titleOf(entity, record, words), besideOf(entity, record, words), words.language)

/** The columns of an entity's list: its own, status, creation time, and what may be done with a row. */
export function planOf({
  entity,
  words,
  pick,
  can,
  cells,
  actions,
  offers,
  narrow,
  hrefOf,
}: PlanOptions): Column<Shown>[] {
  const { t } = words
  const sorts = sortsOf(entity)
  const names = entity.list.includes(entity.title) ? entity.list : [entity.title, ...entity.list]
  const titleAt = names.indexOf(entity.title)
  const own = names.map((name, i): Column<Shown> => {
    const field = entity.fields[name]!
    const label = pick(field.label)
    const title = name === entity.title
    const given = cells?.[name]
    const cell = (record: Shown) => given?.(record, words) ?? cellOf(entity, name, record, words)
    return {
      key: name,
      label,
      // A choice that names the row is longer than one that only marks it.
      width: Math.max(title && field.kind === 'choice' ? 190 : 0, widthOf(field, label, sorts.has(name))),
      sortable: sorts.has(name),
      numeric: isNumeric(field),
      title,
      // A number before the name stays beside it.
      pin: title || (titleAt === 1 && i === 0) ? 'start' : undefined,
      cell: title
        ? (record) => (
            <a className="dt-link" data-act="view" href={hrefOf(record)}>
              {cell(record)}
            </a>
          )
        : cell,
    }
  })
  const status: Column<Shown>[] = entity.status
    ? [
        {
          key: 'status',
          label: t('entity.status'),
          // A page's own cell says more than the state's word.
          width: cells?.status ? 152 : 100,
          cell: (record) =>
            cells?.status?.(record, words) ?? (
              <StatusTag value={record.status} dict={entity.status!.dict} words={words} />
            ),
        },
      ]
    : []
  const created: Column<Shown> = {
    key: 'createTime',
    label: t('entity.createTime'),
    width: 156,
    cell: ({ createTime }) =>
      createTime ? <span className="mono">{createTime.slice(0, 16)}</span> : <Nothing t={t} />,
  }
  const mine = actions.filter((action) => action.code === undefined || can(action.code))
  const more = {
    key: 'more',
    label: t('entity.more'),
    of: 'entity.moreOf',
    icon: 'ellipsis',
    danger: false,
    allowed: true,
  }
  const offered = [
    { key: 'view', label: t('entity.view'), of: 'entity.viewOf', icon: 'eye', danger: false, allowed: true },
    {
      key: 'edit',
      label: t('entity.edit'),
      of: 'entity.editOf',
      icon: 'pencil',
      danger: false,
      allowed: can(codeOf(entity, 'edit')),
    },
    ...(mine.length > INLINE
      ? [more]
      : mine.map((action) => ({ ...action, of: null, danger: action.danger ?? false, allowed: true }))),
    {
      key: 'delete',
      label: t('entity.delete'),
      of: 'entity.deleteOf',
      icon: 'trash-2',
      danger: true,
      allowed: can(codeOf(entity, 'delete')),
    },
  ].filter((action) => action.allowed)
  const letters = offered.reduce(
    (sum, { label }) => sum + (narrow ? 28 : [...label].reduce((w, c) => w + (c > '⺀' ? 14 : 8), 14)),
    24,
  )
  const last: Column<Shown> = {
    key: 'actions',
    label: t('entity.actions'),
    width: Math.max(letters + offered.length * 2, 72),
    pin: 'end',
    cell: (record) => {
      const name = titleOf(entity, record, words)
      const here = offered.filter(({ key }) =>
        key === 'more' ? mine.some((action) => offers?.(record, action.key) ?? true) : (offers?.(record, key) ?? true),
      )
      return (
        <span className="dt-acts">
          {here.map((action) => (
            <button
              key={action.key}
              type="button"
              className={action.danger ? 'dt-act dt-act-danger' : 'dt-act'}
              data-act={action.key}
              aria-haspopup={action.key === 'more' ? 'menu' : undefined}
              aria-label={action.of ? t(action.of, { name }) : `${action.label} ${name}`}
              title={narrow ? action.label : undefined}
            >
              {narrow ? <Icon name={action.icon} size={16} /> : action.label}
            </button>
          ))}
        </span>
      )
    },
  }
  // The status stands right after what names the row: it is what one looks for next.
  const pinned = own.filter((column) => column.pin)
  return [...pinned, ...status, ...own.filter((column) => !column.pin), created, last]
}
