import { Select } from 'antd'
import { useId, useMemo, useState } from 'react'
import { Dialog } from '../ui/dialog/dialog.tsx'
import type { TreeMove } from '../ui/tree/drag.ts'
import { everyNode } from '../ui/tree/flat.ts'
import { useT } from '../ui/words.ts'
import { type ParentChoice, ParentSelect } from './parent.tsx'
import { useTask } from './task.ts'
import { backOf, parentOf, type TreeRow } from './tree-source.ts'

interface MoveProps {
  readonly row: TreeRow
  readonly choice: ParentChoice
  readonly onMove: (move: TreeMove) => Promise<void>
  readonly onClose: () => void
}

const LAST = ''

/** Moves a row without a pointer: under which parent, and before which of its rows. */
export function MoveDialog({ row, choice, onMove, onClose }: MoveProps) {
  const t = useT()
  const id = useId()
  const task = useTask()
  const { roots, nameOf } = choice
  const now = useMemo(() => backOf(roots, row.id), [roots, row.id])
  const [parentId, setParentId] = useState(() => parentOf(row))
  const [beforeId, setBeforeId] = useState(now.beforeId ?? LAST)
  const beside = useMemo(() => {
    const rows = parentId === null ? roots : (everyNode(roots).find((other) => other.id === parentId)?.children ?? [])
    return rows.filter((other) => other.id !== row.id)
  }, [roots, parentId, row.id])
  const save = async () => {
    if (await task.run(() => onMove({ id: row.id, parentId, beforeId: beforeId || null }))) onClose()
  }
  return (
    <Dialog
      title={t('tree.moveOf', { name: nameOf(row) })}
      okText={t('tree.moveOk')}
      busy={task.busy}
      failure={task.failure}
      onClose={onClose}
      onOk={() => void save()}
    >
      <div className="ff">
        <label className="ff-label" htmlFor={`${id}-parent`}>
          {t('tree.under')}
        </label>
        <ParentSelect
          id={`${id}-parent`}
          label={t('tree.under')}
          choice={choice}
          value={parentId}
          onChange={(next) => {
            setParentId(next)
            setBeforeId(LAST)
          }}
        />
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
          onChange={setBeforeId}
        />
      </div>
    </Dialog>
  )
}
