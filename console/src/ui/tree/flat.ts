/** What a tree is made of. `children` are known; `hasChildren` says that some are to be fetched. */
export interface TreePart {
  readonly id: string
  readonly children?: readonly TreePart[]
  readonly hasChildren?: boolean
}

/** A part with the name it is shown under. */
export interface TreeNode extends TreePart {
  readonly title: string
}

/** One visible line of a tree. */
export interface FlatRow<N> {
  readonly node: N
  /** 1 for roots. */
  readonly level: number
  /** How many stand beside it, itself included, and which of them it is, from 1. */
  readonly setSize: number
  readonly position: number
  /** Undefined where there is nothing below. */
  readonly open: boolean | undefined
}

const isAlike = (one: object, other: object): boolean =>
  Object.entries(one).every(([name, value]) => Object.is(value, other[name as keyof typeof other]))

/** Whether a line of a tree is drawn as before: its row is made anew with every change of the tree. */
export function sameLine<P extends { readonly row: FlatRow<unknown> }>(before: P, after: P): boolean {
  const { row: was, ...had } = before
  const { row: is, ...has } = after
  return isAlike(was, is) && isAlike(had, has)
}

/** How a tree is walked: what is below a node (undefined: not fetched yet), what is open, and what is left out. */
export interface TreeWalk<N extends TreePart> {
  readonly below?: (node: N) => readonly N[] | undefined
  readonly isOpen: (id: string) => boolean
  readonly isShown?: (id: string) => boolean
}

const ownChildren = <N extends TreePart>(node: N) => node.children as readonly N[] | undefined

/** The visible lines from top to bottom. */
export function flattenTree<N extends TreePart>(roots: readonly N[], walk: TreeWalk<N>): FlatRow<N>[] {
  const { below = ownChildren, isOpen, isShown } = walk
  const rows: FlatRow<N>[] = []
  const step = (nodes: readonly N[], level: number): void => {
    const shown = isShown ? nodes.filter(({ id }) => isShown(id)) : nodes
    for (const [i, node] of shown.entries()) {
      const inside = below(node)
      const visible = inside && isShown ? inside.filter(({ id }) => isShown(id)) : inside
      const branch = visible ? visible.length > 0 : node.hasChildren === true
      const open = branch ? isOpen(node.id) : undefined
      rows.push({ node, level, setSize: shown.length, position: i + 1, open })
      if (open && visible) step(visible, level + 1)
    }
  }
  step(roots, 1)
  return rows
}

/** Every node of a tree, parents before what is below them. */
export function everyNode<N extends TreePart>(roots: readonly N[], below: TreeWalk<N>['below'] = ownChildren): N[] {
  return roots.flatMap((node) => [node, ...everyNode(below(node) ?? [], below)])
}

/** What a search leaves: the matches, what leads to them, and what is below them; and what must be open to see them. */
export interface TreeSearch {
  readonly shown: ReadonlySet<string>
  readonly opened: ReadonlySet<string>
  readonly matches: number
}

/** Looks through a whole tree. What stands below a match stays reachable, and is not opened for it. */
export function findIn<N extends TreePart>(
  roots: readonly N[],
  matches: (node: N) => boolean,
  below: (node: N) => readonly N[] | undefined = ownChildren,
): TreeSearch {
  const shown = new Set<string>()
  const opened = new Set<string>()
  let count = 0
  const step = (nodes: readonly N[], under: boolean): boolean => {
    let any = false
    for (const node of nodes) {
      const self = matches(node)
      if (self) count += 1
      const inside = step(below(node) ?? [], under || self)
      if (inside) opened.add(node.id)
      if (self || inside || under) shown.add(node.id)
      any ||= self || inside
    }
    return any
  }
  step(roots, false)
  return { shown, opened, matches: count }
}

/** Whether a text is in any of these, whatever the case. */
export const textIn = (text: string, ...places: readonly (string | null | undefined)[]): boolean => {
  const wanted = text.trim().toLowerCase()
  return places.some((place) => place?.toLowerCase().includes(wanted))
}

/** The ids of a subtree, its root included. */
export function subtreeOf<N extends TreePart>(
  roots: readonly N[],
  id: string,
  below: TreeWalk<N>['below'] = ownChildren,
): ReadonlySet<string> {
  const root = everyNode(roots, below).find((node) => node.id === id)
  return new Set(root ? everyNode([root], below).map((node) => node.id) : [])
}
