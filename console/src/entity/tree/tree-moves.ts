import type { Entity } from '@data-brain/contract'
import { useQueryClient } from '@tanstack/react-query'
import { HttpProblem } from '../../http/client.ts'
import { toast } from '../../ui/toast.ts'
import type { TreeMove } from '../../ui/tree/drag.ts'
import { everyNode } from '../../ui/tree/flat.ts'
import { useT } from '../../ui/words.ts'
import { refresh } from '../data/client.ts'
import { backOf, movedForest, type TreeRow, treeKey } from './tree-source.ts'

/** Puts a row elsewhere on the server; at the top the parent is 0. */
export type MoveCall = (move: {
  readonly id: string
  readonly parentId: string
  readonly beforeId: string | null
}) => Promise<unknown>

interface MovesOptions {
  readonly entity: Entity
  /** The call of its page; absent where rows stay where they are. */
  readonly move: MoveCall | undefined
  readonly nameOf: (row: TreeRow) => string
  /** What is known of a tree that is fetched level by level; a whole one stands in the cache. */
  readonly known?: readonly TreeRow[] | undefined
  /** Hears of every move that was made. */
  readonly onMoved: (move: TreeMove) => void
}

interface Moves {
  /** Moves a row; what goes wrong is thrown. */
  readonly place: (move: TreeMove) => Promise<void>
  /** The same with a way back, and with the server's words where it refuses. */
  readonly put: (move: TreeMove) => Promise<void>
}

/** Puts rows of a whole tree elsewhere: shown at once, and taken back where the server refuses. */
export function useMoves({ entity, move: send, nameOf, known, onMoved }: MovesOptions): Moves {
  const t = useT()
  const queries = useQueryClient()
  const now = () => known ?? queries.getQueryData<readonly TreeRow[]>(treeKey(entity)) ?? []

  const place = async (move: TreeMove) => {
    await queries.cancelQueries({ queryKey: treeKey(entity) })
    const before = now()
    if (!known) queries.setQueryData(treeKey(entity), movedForest(before, move))
    try {
      const { parentId, ...rest } = move
      await send!({ ...rest, parentId: parentId ?? '0' })
    } catch (problem) {
      if (!known) queries.setQueryData(treeKey(entity), before)
      throw problem
    }
    onMoved(move)
    void refresh(queries, entity.name)
  }
  const put = async (move: TreeMove, isUndo = false): Promise<void> => {
    const back = backOf(now(), move.id)
    if (back.parentId === move.parentId && back.beforeId === move.beforeId) return
    const row = everyNode(now()).find((other) => other.id === move.id)
    try {
      await place(move)
      if (!isUndo)
        toast.success(t('tree.moved'), row && nameOf(row), { label: t('tree.undo'), run: () => void put(back, true) })
    } catch (problem) {
      if (!(problem instanceof HttpProblem)) throw problem
      toast.error(problem.message || t('spec.unknownError'))
    }
  }
  return { place, put }
}
