import { codeOf, type Entity, type Words } from '@data-brain/contract'
import { Icon } from '../../ui/icon.tsx'
import { MarkedText } from '../../ui/tree/marked.tsx'
import type { TreeColumn } from '../../ui/tree/tree-list.tsx'
import { type CellWords, cellOf, isNumeric, widthOf } from '../display/cell.tsx'
import { type Cells, titleOf } from '../list/columns.tsx'
import type { TreeRow } from './tree-source.ts'

interface PlanOptions {
  readonly entity: Entity
  readonly words: CellWords
  readonly pick: (words: Words) => string
  readonly can: (code: string) => boolean
  readonly cells: Cells | undefined
  /** Fields beside the name, in order. */
  readonly fields: readonly string[]
  readonly search: string
  /** Whether something can be added below a row. */
  readonly mayHold: (row: TreeRow) => boolean
  readonly hasMore: boolean
  readonly linked: boolean
  /** Little room: fingers press, and the name is short of width. */
  readonly narrow: boolean
}

/** The columns of a tree page: the name with its link, the entity's own, and what may be done with a row. */
export function treePlanOf(options: PlanOptions): TreeColumn<TreeRow>[] {
  const { entity, words, pick, can, cells, fields, search, mayHold, hasMore, linked, narrow } = options
  const { t } = words
  const first: TreeColumn<TreeRow> = {
    key: entity.title,
    label: pick(entity.fields[entity.title]!.label),
    width: narrow ? 210 : 270,
    cell: (row, active) => {
      const own = cells?.[entity.title]
      const text = own ? own(row, words) : <MarkedText text={titleOf(entity, row, words)} search={search} />
      return linked ? (
        <a className="dt-link" data-act="view" href={`?id=${row.id}`} tabIndex={active ? 0 : -1}>
          {text}
        </a>
      ) : (
        text
      )
    },
  }
  const own = fields.map((name): TreeColumn<TreeRow> => {
    const field = entity.fields[name]!
    const label = pick(field.label)
    const given = cells?.[name]
    return {
      key: name,
      label,
      width: widthOf(field, label, words.language, false),
      numeric: isNumeric(field),
      cell: (row) => (given ? given(row, words) : cellOf(entity, name, row, words, true)),
    }
  })
  const acts = [
    { key: 'add', icon: 'plus', label: t('tree.addBelow'), of: 'tree.addBelowOf', allowed: can(codeOf(entity, 'add')) },
    { key: 'edit', icon: 'pencil', label: t('entity.edit'), of: 'entity.editOf', allowed: can(codeOf(entity, 'edit')) },
    { key: 'more', icon: 'ellipsis', label: t('entity.more'), of: 'entity.moreOf', allowed: hasMore },
  ].filter(({ allowed }) => allowed)
  if (acts.length === 0) return [first, ...own]
  const last: TreeColumn<TreeRow> = {
    key: 'actions',
    label: t('entity.actions'),
    width: Math.max(acts.length * (narrow ? 42 : 30) + 24, 72),
    cell: (row, active) => {
      const name = titleOf(entity, row, words)
      return (
        <span className="dt-acts">
          {acts.map((act) =>
            act.key === 'add' && !mayHold(row) ? (
              <span key={act.key} className="tl-noact" />
            ) : (
              <button
                key={act.key}
                type="button"
                className="dt-act"
                data-act={act.key}
                tabIndex={active ? 0 : -1}
                aria-haspopup={act.key === 'more' ? 'menu' : undefined}
                aria-label={t(act.of, { name })}
                title={act.label}
              >
                <Icon name={act.icon} size={16} />
              </button>
            ),
          )}
        </span>
      )
    },
  }
  return [first, ...own, last]
}
