import { codeOf, type Entity, entityOf, nameOf, owner, titledWith, type Words } from '@data-brain/contract'
import type { ReactNode } from 'react'
import { hasSeveralOwners, sessionStore } from '../../session/session.ts'
import { Icon } from '../../ui/icon.tsx'
import type { Column } from '../../ui/table/table.tsx'
import { tintOf } from '../../ui/tint.ts'
import type { ShownRow } from '../data/calls.ts'
import { type CellWords, cellOf, EmptyValue, isNumeric, StatusTag, textOf, widthOf } from '../display/cell.tsx'
import { sortsOf } from './list-state.ts'

/** A page's own way to show one field, or the status; where it answers nothing, the field is shown as usual. */
/*
 * What a page says of the rows of its entity is declared as methods, so that the engine, which knows no entity, may call it
 * with the rows that it has.
 */

/** Cells of the page's own, by the names of their columns. */
export type Cells<E extends Entity = Entity> = Readonly<
  Record<string, { cell(record: ShownRow<E>, words: CellWords): ReactNode }['cell']>
>

/** One more thing to do with a row; `run` gets the record. */
export interface RowAction<E extends Entity = Entity> {
  readonly key: string
  readonly label: string
  readonly icon: string
  readonly code?: string
  readonly danger?: boolean
  run(record: ShownRow<E>): void
}

/** Whether a row offers an action: `edit`, `delete`, or the key of a page's own. */
export type OffersAction<E extends Entity = Entity> = {
  offers(record: ShownRow<E>, action: string): boolean
}['offers']

/** As many columns as a list begins with. */
const MOST = 8

interface PlanOptions {
  readonly entity: Entity
  readonly words: CellWords
  readonly pick: (words: Words) => string
  readonly can: (code: string) => boolean
  readonly cells: Cells | undefined
  readonly actions: readonly RowAction[]
  readonly offers: OffersAction | undefined
  readonly hrefOf: (record: ShownRow) => string
  readonly severalOwners?: boolean | undefined
}

/** What a person calls a row: its title field, by the shown name where that is a reference. */
export function titleOf(entity: Entity, record: ShownRow, words: CellWords): string {
  const inEnglish = words.language === 'en' && entity.titleEn ? record[entity.titleEn] : undefined
  if (typeof inEnglish === 'string' && inEnglish !== '') return inEnglish
  const field = entity.fields[entity.title]
  const text = field ? textOf(field, record[entity.title], words, record[nameOf(entity.title)]) : ''
  return text || record.id
}

/** What stands beside a row's title, as far as the row itself says it; its school, where there are several. */
export function besideOf(entity: Entity, record: ShownRow, words: CellWords): string[] {
  const several = hasSeveralOwners(sessionStore.get())
  return (entity.beside ?? []).flatMap((name) => {
    const field = entity.fields[name]
    const text =
      field && (several || name !== owner.field) ? textOf(field, record[name], words, record[nameOf(name)]) : ''
    return text === '' || (field?.to && text === String(record[name])) ? [] : [text]
  })
}

/** What a person calls a row where several may be called the same. */
export const fullTitleOf = (entity: Entity, record: ShownRow, words: CellWords): string =>
  titledWith(titleOf(entity, record, words), besideOf(entity, record, words), words.language)

/** Whether rows are people: their names, or the names of what they refer to, are those of persons. */
export function isPeople(entity: Entity, depth = 0): boolean {
  const field = entity.fields[entity.title]
  if (field?.rule === 'personName') return true
  return depth < 2 && field?.kind === 'reference' && field.to !== undefined && isPeople(entityOf(field.to), depth + 1)
}

/**
 * The fields of a list in the order of their weight: what names a row, then as the definition has them. The school comes
 * last, for most people have one; where there are several and it tells rows of one name apart, it stands beside the name.
 */
export function fieldsByWeight(entity: Entity, severalOwners = false): string[] {
  const others = entity.list.filter((name) => name !== entity.title && name !== owner.field)
  const owners = entity.list.includes(owner.field) ? [owner.field] : []
  const all =
    severalOwners && entity.beside?.includes(owner.field)
      ? [entity.title, ...owners, ...others]
      : [entity.title, ...others, ...owners]
  // The status stands behind what tells rows apart.
  return (entity.status ? all.toSpliced(4, 0, 'status') : all).concat('createTime')
}

/**
 * The columns of an entity's list: those it begins with, by weight, and behind them, `extra`, every other one that it can
 * show; last what may be done with a row.
 */
export function planOf(options: PlanOptions): Column<ShownRow>[] {
  const { entity, words, pick, can, cells, actions, offers, hrefOf, severalOwners } = options
  const { t } = words
  const sorts = sortsOf(entity)
  const people = isPeople(entity)
  const first = fieldsByWeight(entity, severalOwners)
  const rest = Object.keys(entity.fields).filter(
    (name) =>
      !first.includes(name) &&
      entity.fields[name]!.kind !== 'secret' &&
      !entity.fields[name]!.inner &&
      (entity.fields[name]!.kind !== 'json' || entity.fields[name]!.as),
  )
  const system = ['updateTime', 'createUser', 'updateUser', 'extId']

  const made = (name: string): Omit<Column<ShownRow>, 'extra'> => {
    const given = cells?.[name]
    const field = entity.fields[name]
    if (!field) return ofEvery(name)
    const label = pick(field.label)
    const title = name === entity.title
    const cell = (record: ShownRow) => given?.(record, words) ?? cellOf(entity, name, record, words, true)
    // A choice that names the row is longer than one that only marks it; a disc takes its place.
    const least = title ? (people ? 132 : field.kind === 'choice' ? 190 : 148) : 0
    return {
      key: name,
      label,
      width: Math.max(least, widthOf(field, label, words.language, sorts.has(name))),
      sortable: sorts.has(name),
      numeric: isNumeric(field),
      title,
      pin: title ? 'start' : undefined,
      cell: title
        ? (record) => {
            const name = people ? titleOf(entity, record, words) : ''
            return (
              <a
                className={people ? `dt-link dt-who dt-who-${tintOf(name)}` : 'dt-link'}
                data-disc={people ? [...name][0] : undefined}
                data-act="view"
                href={hrefOf(record)}
              >
                {cell(record)}
              </a>
            )
          }
        : cell,
    }
  }
  /** What every row has. */
  const ofEvery = (name: string): Omit<Column<ShownRow>, 'extra'> => {
    const given = cells?.[name]
    const label = t(`entity.${name}`)
    if (name === 'status')
      return {
        key: name,
        label,
        // A page's own cell says more than the state's word.
        width: given ? 152 : 100,
        cell: (record) =>
          given?.(record, words) ?? <StatusTag value={record.status} status={entity.status!} words={words} />,
      }
    const text = (record: ShownRow): string => {
      const value = record[/User$/.test(name) ? `${name}Name` : name]
      return typeof value === 'string' ? value.slice(0, name.endsWith('Time') ? 16 : 64) : ''
    }
    return {
      key: name,
      label,
      width: name.endsWith('Time') ? 156 : 112,
      cell: (record) => {
        const shown = text(record)
        return shown ? <span className="mono">{shown}</span> : <EmptyValue t={t} />
      },
    }
  }

  const mayEdit = can(codeOf(entity, 'edit'))
  const mine = actions.filter((action) => action.code === undefined || can(action.code))
  const mayMore = mine.length > 0 || mayEdit || can(codeOf(entity, 'delete'))
  const last: Column<ShownRow> = {
    key: 'actions',
    label: t('entity.actions'),
    width: 76,
    pin: 'end',
    cell: (record) => {
      const name = titleOf(entity, record, words)
      return (
        <span className="dt-acts">
          {mayEdit && (offers?.(record, 'edit') ?? true) && (
            <button type="button" className="dt-act dt-quiet" data-act="edit" aria-label={t('entity.editOf', { name })}>
              <Icon name="pencil" size={16} />
            </button>
          )}
          {mayMore && (
            <button
              type="button"
              className="dt-act"
              data-act="more"
              aria-haspopup="menu"
              aria-label={t('entity.moreOf', { name })}
            >
              <Icon name="ellipsis" size={16} />
            </button>
          )}
        </span>
      )
    },
  }
  return [
    ...first.map((name, at) => ({ ...made(name), extra: at >= MOST || entity.aside?.includes(name) === true })),
    ...[...rest, ...system].map((name) => ({ ...made(name), extra: true })),
    last,
  ]
}
