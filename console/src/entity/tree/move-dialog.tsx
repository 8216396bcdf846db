import type { Entity } from '@data-brain/contract'
import { Select } from 'antd'
import { useId, useMemo, useState } from 'react'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import type { TreeMove } from '../../ui/tree/drag.ts'
import { everyNode } from '../../ui/tree/flat.ts'
import { useT } from '../../ui/words.ts'
import { useTask } from '../data/task.ts'
import { type ParentChoice, ParentSelect } from '../fields/parent-select.tsx'
import { ReferenceSelect } from '../fields/select.tsx'
import { useLevel } from './tree-lazy.ts'
import { parentOf, type TreeRow } from './tree-source.ts'

interface MoveProps {
  readonly row: TreeRow
  readonly choice: ParentChoice
  /** The entity of a tree that is fetched level by level: its parents are searched by the server, and its levels asked for. */
  readonly lazily?: Entity | undefined
  readonly onMove: (move: TreeMove) => Promise<void>
  readonly onClose: () => void
}

const LAST = ''

/** Moves a row without a pointer: under which parent, and before which of its rows. */
export function MoveDialog({ row, choice, lazily, onMove, onClose }: MoveProps) {
  const t = useT()
  const id = useId()
  const task = useTask()
  const { roots, nameOf } = choice
  const [parentId, setParentId] = useState(() => parentOf(row))
  // Not touched yet: where it stands now, and after a choice of another parent the last of its rows.
  const [chosen, setChosen] = useState<string>()
  const level = useLevel(lazily, parentId)
  const rows = useMemo(() => {
    if (lazily) return level ?? []
    return parentId === null ? roots : (everyNode(roots).find((other) => other.id === parentId)?.children ?? [])
  }, [lazily, level, roots, parentId])
  const beside = rows.filter((other) => other.id !== row.id)
  const at = rows.findIndex((other) => other.id === row.id)
  const beforeId = chosen ?? (at < 0 ? LAST : (rows[at + 1]?.id ?? LAST))
  const known = useMemo(() => {
    const above = everyNode(roots).find((other) => other.id === parentOf(row))
    return above ? { [above.id]: nameOf(above) } : {}
  }, [roots, row, nameOf])
  const under = (next: string | null) => {
    setParentId(next)
    setChosen(undefined)
  }
  const save = async () => {
    if (await task.run(() => onMove({ id: row.id, parentId, beforeId: beforeId || null }))) onClose()
  }
  return (
    <Dialog
      title={t('tree.moveOf', { name: nameOf(row) })}
      okText={t('tree.moveOk')}
      busy={task.busy || (lazily !== undefined && level === undefined)}
      failure={task.failure}
      onClose={onClose}
      onOk={() => void save()}
    >
      <div className="ff">
        <label className="ff-label" htmlFor={`${id}-parent`}>
          {t('tree.under')}
        </label>
        {lazily ? (
          <ReferenceSelect
            id={`${id}-parent`}
            className="ff-full"
            label={t('tree.under')}
            placeholder={choice.none}
            to={lazily.name}
            names={known}
            scope={{ without: row.id }}
            value={parentId}
            onChange={(next) => under(next as string | null)}
          />
        ) : (
          <ParentSelect id={`${id}-parent`} label={t('tree.under')} choice={choice} value={parentId} onChange={under} />
        )}
      </div>
      <div className="ff">
        <label className="ff-label" htmlFor={`${id}-before`}>
          {t('tree.place')}
        </label>
        <Select
          id={`${id}-before`}
          className="ff-full"
          value={beforeId}
          showSearch={{ optionFilterProp: 'label' }}
          options={[
            ...beside.map((other) => ({ value: other.id, label: t('tree.beforeRow', { name: nameOf(other) }) })),
            { value: LAST, label: t('tree.last') },
          ]}
          onChange={setChosen}
        />
      </div>
    </Dialog>
  )
}
