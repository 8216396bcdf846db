import { isId } from '../../database/id.ts'
import { Problem } from '../../kernel/problem.ts'

/** A row that may stand under another one of its kind. */
export interface Node {
  readonly id: string
  readonly parentId: string | null
}

/** What a tree of choices is made of: all texts, `key` and `value` being the id. */
export interface TreeNode {
  id: string
  parentId: string
  title: string
  key: string
  value: string
  hasChildren?: boolean
  /** Of a menu: 1 a page or group, 2 a button. */
  category?: 1 | 2
  /** Whether it is a data or API scope under its menu. */
  isScope?: boolean
  children?: TreeNode[]
}

/** Where roots stand, on the wire. */
export const rootId = '0'

/**
 * Nests rows under their parents, in the order in which they came. A row whose parent is not among them is a root;
 * a row without children has no `children`.
 */
export function nestRows<T extends Node>(rows: readonly T[]): (T & { children?: T[] })[] {
  const nodes = new Map(rows.map((row) => [row.id, { ...row } as T & { children?: T[] }]))
  const roots: (T & { children?: T[] })[] = []
  for (const node of nodes.values()) {
    const parent = node.parentId && node.parentId !== node.id ? nodes.get(node.parentId) : undefined
    if (!parent) roots.push(node)
    else {
      parent.children ??= []
      parent.children.push(node)
    }
  }
  return roots
}

type Titled = Node & { title: string } & Pick<TreeNode, 'hasChildren' | 'category' | 'isScope'>

/** A row as a node of a tree of choices. */
export const treeNode = (row: Titled): TreeNode => ({
  id: row.id,
  parentId: row.parentId ?? rootId,
  title: row.title,
  key: row.id,
  value: row.id,
  ...(row.hasChildren === undefined ? {} : { hasChildren: row.hasChildren }),
  ...(row.category === undefined ? {} : { category: row.category }),
  ...(row.isScope ? { isScope: true } : {}),
})

/** Rows as a tree of choices. */
export const treeOf = (rows: readonly Titled[]): TreeNode[] => nestRows(rows.map(treeNode))

/** The rows that are wanted, and all that stand above them. */
export function withAncestors<T extends Node>(rows: readonly T[], wanted: (row: T) => boolean): T[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const kept = new Set<string>()
  for (const row of rows)
    if (wanted(row))
      for (let at: T | undefined = row; at && !kept.has(at.id); at = at.parentId ? byId.get(at.parentId) : undefined)
        kept.add(at.id)
  return rows.filter((row) => kept.has(row.id))
}

/** The rows below one, without it. */
export function rowsBelow<T extends Node>(rows: readonly T[], id: string): T[] {
  const kept = new Set([id])
  let size = 0
  while (kept.size !== size) {
    size = kept.size
    for (const row of rows) if (row.parentId && kept.has(row.parentId)) kept.add(row.id)
  }
  kept.delete(id)
  return rows.filter((row) => kept.has(row.id))
}

/** The parent that a lazy call names: an id, null for the roots (`0`), undefined for all rows. */
export function parentOf(text: string | undefined): string | null | undefined {
  if (text === undefined) return undefined
  if (text === rootId) return null
  if (isId(text)) return text
  throw new Problem(
    'field_invalid',
    { label: 'parentId', reason: { zh: '不是有效的编号', en: 'is not an id' } },
    { field: 'parentId', fields: [] },
  )
}

/** A draft in which the family's `0` for "no parent" has become null. */
export function withoutZeroParent(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const { parentId } = body as { parentId?: unknown }
  return parentId === rootId || parentId === 0 ? { ...body, parentId: null } : body
}
