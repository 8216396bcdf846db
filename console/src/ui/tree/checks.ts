import { everyNode, type TreePart } from './flat.ts'

/** A node in a tree of ticks: 0 not, 1 in part, 2 ticked. */
export type Tick = 0 | 1 | 2

/** Which nodes may be ticked themselves; the others only show what is ticked below them. */
export type IsItem<N> = (node: N) => boolean

export const allNodes = () => true

/** The tick of every node. Linked, a parent is ticked when all below it is, and in part when some of it is. */
export function ticksOf<N extends TreePart>(
  roots: readonly N[],
  checked: ReadonlySet<string>,
  linked: boolean,
  isItem: IsItem<N> = allNodes,
): ReadonlyMap<string, Tick> {
  const ticks = new Map<string, Tick>()
  const step = (node: N): Tick => {
    const below = ((node.children ?? []) as readonly N[]).map(step)
    const own = isItem(node) && checked.has(node.id)
    let tick: Tick
    if (!linked && isItem(node)) tick = own ? 2 : 0
    else if (below.length === 0) tick = own ? 2 : 0
    else if (below.every((one) => one === 2) && (own || !isItem(node))) tick = 2
    else tick = own || below.some((one) => one > 0) ? 1 : 0
    ticks.set(node.id, tick)
    return tick
  }
  roots.forEach(step)
  return ticks
}

/** The ids from the root down to a node, the node included. */
function pathTo<N extends TreePart>(roots: readonly N[], id: string): readonly N[] {
  for (const root of roots) {
    if (root.id === id) return [root]
    const rest = pathTo((root.children ?? []) as readonly N[], id)
    if (rest.length > 0) return [root, ...rest]
  }
  return []
}

/**
 * What is ticked after a node was turned. Linked, everything below follows; ticking takes the parents along, because a
 * page cannot be reached without what leads to it, and unticking lets go of the parents with nothing ticked below.
 */
export function toggleNode<N extends TreePart>(
  roots: readonly N[],
  checked: ReadonlySet<string>,
  id: string,
  on: boolean,
  linked: boolean,
  isItem: IsItem<N> = allNodes,
): ReadonlySet<string> {
  const path = pathTo(roots, id)
  const node = path.at(-1)
  if (!node) return checked
  const next = new Set(checked)
  const set = (one: N, value: boolean) => {
    if (!isItem(one)) return
    if (value) next.add(one.id)
    else next.delete(one.id)
  }
  // A node that cannot be ticked itself stands for all that is below it.
  for (const one of linked || !isItem(node) ? everyNode([node]) : [node]) set(one, on)
  if (linked) {
    for (const parent of path.slice(0, -1).reverse()) {
      const any = everyNode((parent.children ?? []) as readonly N[]).some((one) => next.has(one.id))
      set(parent, any)
    }
  }
  return next
}

/** Everything that may be ticked. */
export const allIds = <N extends TreePart>(roots: readonly N[], isItem: IsItem<N> = allNodes): ReadonlySet<string> =>
  new Set(
    everyNode(roots)
      .filter(isItem)
      .map(({ id }) => id),
  )

/** What was not ticked, and nothing else. Linked, the leaves are turned and the parents follow them. */
export function invertChecks<N extends TreePart>(
  roots: readonly N[],
  checked: ReadonlySet<string>,
  linked: boolean,
  isItem: IsItem<N> = allNodes,
): ReadonlySet<string> {
  if (!linked) return new Set([...allIds(roots, isItem)].filter((id) => !checked.has(id)))
  const next = new Set<string>()
  const step = (node: N): boolean => {
    const below = (node.children ?? []) as readonly N[]
    const on = below.length === 0 ? isItem(node) && !checked.has(node.id) : below.map(step).some(Boolean)
    if (on && isItem(node)) next.add(node.id)
    return on
  }
  roots.forEach(step)
  return next
}
