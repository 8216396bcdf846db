/*
 * Where the shapes of a process stand that brings no drawing: in layers from left to right, each way on in a row of its own
 * that no other crosses. Lines run in the gutters between columns and rows, so that none lies on a shape.
 */

export interface Bounds {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface Point {
  readonly x: number
  readonly y: number
}

/** A node of a scope: its size, and at whose edge it stands, where it stands at one. */
export interface Shape {
  readonly id: string
  readonly width: number
  readonly height: number
  readonly attachedTo?: string
}

export interface Line {
  readonly id: string
  readonly from: string
  readonly to: string
}

/** Shapes and lines of one scope, from its own left upper corner. */
export interface Layout {
  readonly shapes: ReadonlyMap<string, Bounds>
  readonly lines: ReadonlyMap<string, readonly Point[]>
  readonly width: number
  readonly height: number
}

const gapX = 80
const gapY = 50

interface Graph {
  readonly ids: readonly string[]
  /** The lines that leave a node, those from what stands at its edge among them. */
  readonly out: ReadonlyMap<string, readonly Line[]>
  /** Lines that lead back in a circle. */
  readonly back: ReadonlySet<string>
  readonly layer: ReadonlyMap<string, number>
  readonly hostOf: (id: string) => string
}

function graphOf(shapes: readonly Shape[], lines: readonly Line[]): Graph {
  const hosts = new Map(shapes.flatMap(({ id, attachedTo }) => (attachedTo === undefined ? [] : [[id, attachedTo]])))
  const hostOf = (id: string): string => hosts.get(id) ?? id
  const ids = shapes.filter(({ id }) => !hosts.has(id)).map(({ id }) => id)
  const out = new Map<string, Line[]>(ids.map((id) => [id, []]))
  const entered = new Set<string>()
  for (const line of lines) {
    out.get(hostOf(line.from))?.push(line)
    entered.add(hostOf(line.to))
  }
  // The way that a node leads on itself comes before those that lead away from its edge.
  for (const of of out.values()) of.sort((a, b) => Number(hosts.has(a.from)) - Number(hosts.has(b.from)))
  // Roots first, so that circles are cut where they close.
  const roots = [...ids.filter((id) => !entered.has(id)), ...ids]
  const back = new Set<string>()
  const state = new Map<string, 'open' | 'done'>()
  const order: string[] = []
  for (const root of roots) {
    if (state.has(root)) continue
    state.set(root, 'open')
    const path = [{ id: root, next: 0 }]
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const line = out.get(top.id)?.[top.next]
      top.next += 1
      if (!line) {
        state.set(top.id, 'done')
        order.push(top.id)
        path.pop()
        continue
      }
      const to = hostOf(line.to)
      if (state.get(to) === 'open') back.add(line.id)
      else if (!state.has(to)) {
        state.set(to, 'open')
        path.push({ id: to, next: 0 })
      }
    }
  }
  const layer = new Map<string, number>(ids.map((id) => [id, 0]))
  for (const id of order.reverse())
    for (const line of out.get(id) ?? [])
      if (!back.has(line.id)) layer.set(hostOf(line.to), Math.max(layer.get(hostOf(line.to)) ?? 0, layer.get(id)! + 1))
  return { ids, out, back, layer, hostOf }
}

/** The row of each node, and of each line the row along which it runs. */
function rowsOf({ ids, out, back, layer, hostOf }: Graph): {
  row: ReadonlyMap<string, number>
  lineRow: ReadonlyMap<string, number>
} {
  const row = new Map<string, number>()
  const lineRow = new Map<string, number>()
  const taken = new Map<number, Set<number>>()
  const isFree = (at: number, from: number, to: number): boolean => {
    const cells = taken.get(at)
    for (let column = from; cells && column <= to; column += 1) if (cells.has(column)) return false
    return true
  }
  /** Puts a way, from a line or a root, as far as it leads to nodes without a place, into the first free row. */
  const place = (first: Line | undefined, root: string, least: number): string[] => {
    const chain: string[] = []
    const run: Line[] = first ? [first] : []
    let last = first ? hostOf(first.from) : undefined
    let at = first ? hostOf(first.to) : root
    const within = new Set<string>()
    while (!row.has(at) && !within.has(at)) {
      chain.push(at)
      within.add(at)
      last = at
      const next = out.get(at)?.find((line) => !back.has(line.id))
      if (!next) break
      run.push(next)
      at = hostOf(next.to)
    }
    const begin = first ? layer.get(hostOf(first.from))! + 1 : layer.get(root)!
    // What runs on to a node that has its place takes the cells up to it.
    const end = last === at ? layer.get(at)! : layer.get(at)! - 1
    let chosen = first && begin > end ? row.get(hostOf(first.from))! : least
    while (!isFree(chosen, begin, end)) chosen += 1
    const cells = taken.get(chosen) ?? new Set()
    for (let column = begin; column <= end; column += 1) cells.add(column)
    taken.set(chosen, cells)
    for (const id of chain) row.set(id, chosen)
    for (const line of run) lineRow.set(line.id, chosen)
    return chain
  }
  let lowest = 0
  for (const root of [...ids.filter((id) => layer.get(id) === 0), ...ids]) {
    if (row.has(root)) continue
    const open = place(undefined, root, lowest).map((id) => ({ id, next: 0 }))
    for (let top = open.at(-1); top; top = open.at(-1)) {
      const line = out.get(top.id)?.[top.next]
      top.next += 1
      if (!line) open.pop()
      else if (!back.has(line.id) && !lineRow.has(line.id))
        // The ways of this chain come before the others of its node, so that nothing crosses.
        open.push(...place(line, top.id, row.get(top.id)! + 1).map((id) => ({ id, next: 0 })))
    }
    lowest = Math.max(...taken.keys()) + 1
  }
  return { row, lineRow }
}

/** Where columns or rows begin that are as large as the largest in them. */
function tracks(sizes: ReadonlyMap<number, number>, count: number, gap: number): { at: number[]; size: number[] } {
  const at: number[] = []
  const size: number[] = []
  let next = 0
  for (let index = 0; index < count; index += 1) {
    at.push(next)
    size.push(sizes.get(index) ?? 0)
    next += size[index]! + gap
  }
  return { at, size }
}

/** Lays out one scope. */
export function layout(shapes: readonly Shape[], lines: readonly Line[]): Layout {
  if (shapes.length === 0) return { shapes: new Map(), lines: new Map(), width: 0, height: 0 }
  const graph = graphOf(shapes, lines)
  const { row, lineRow } = rowsOf(graph)
  const widths = new Map<number, number>()
  const heights = new Map<number, number>()
  for (const { id, width, height } of shapes) {
    if (graph.hostOf(id) !== id) continue
    const [column, line] = [graph.layer.get(id)!, row.get(id)!]
    widths.set(column, Math.max(widths.get(column) ?? 0, width))
    heights.set(line, Math.max(heights.get(line) ?? 0, height))
  }
  const rows = Math.max(...row.values(), ...lineRow.values()) + 1
  // A row that only lines run along is as high as their words.
  for (let line = 0; line < rows; line += 1) heights.set(line, Math.max(heights.get(line) ?? 0, 30))
  const columns = tracks(widths, Math.max(...graph.layer.values()) + 1, gapX)
  const bands = tracks(heights, rows, gapY)
  const middle = (line: number): number => bands.at[line]! + bands.size[line]! / 2
  const placed = new Map<string, Bounds>()
  for (const { id, width, height } of shapes) {
    if (graph.hostOf(id) !== id) continue
    const column = graph.layer.get(id)!
    const x = columns.at[column]! + (columns.size[column]! - width) / 2
    placed.set(id, { x, y: middle(row.get(id)!) - height / 2, width, height })
  }
  const edge = new Map<string, number>()
  for (const { id, width, height } of shapes) {
    const host = placed.get(graph.hostOf(id))
    if (graph.hostOf(id) === id || !host) continue
    const count = edge.get(graph.hostOf(id)) ?? 0
    edge.set(graph.hostOf(id), count + 1)
    const x = host.x + host.width - width * 0.75 - ((count * (width + 6)) % Math.max(width, host.width - width / 2))
    placed.set(id, { x, y: host.y + host.height - height / 2, width, height })
  }
  const runs = new Map<string, readonly Point[]>()
  for (const line of lines) {
    const [from, to] = [placed.get(line.from), placed.get(line.to)]
    if (!from || !to) continue
    const entry = { x: to.x, y: to.y + to.height / 2 }
    const gutter = columns.at[graph.layer.get(graph.hostOf(line.to))!]! - gapX / 4
    const points: Point[] = []
    const host = graph.hostOf(line.from)
    const column = graph.layer.get(host)!
    const leaves = columns.at[column]! + columns.size[column]! + gapX / 4
    if (graph.back.has(line.id)) {
      const under = bands.at[row.get(host)!]! + bands.size[row.get(host)!]! + gapY / 2
      const x = from.x + from.width / 2
      points.push({ x, y: from.y + from.height }, { x, y: under }, { x: gutter, y: under })
    } else {
      const y = middle(lineRow.get(line.id)!)
      if (host === line.from) {
        points.push({ x: from.x + from.width, y: from.y + from.height / 2 }, { x: leaves, y: from.y + from.height / 2 })
      } else {
        const under = bands.at[row.get(host)!]! + bands.size[row.get(host)!]! + gapY / 2
        const x = from.x + from.width / 2
        points.push({ x, y: from.y + from.height }, { x, y: under }, { x: leaves, y: under })
      }
      points.push({ x: leaves, y }, { x: gutter, y })
    }
    points.push({ x: gutter, y: entry.y }, entry)
    runs.set(line.id, straight(points))
  }
  return {
    shapes: placed,
    lines: runs,
    width: columns.at.at(-1)! + columns.size.at(-1)!,
    height: bands.at.at(-1)! + bands.size.at(-1)! + gapY,
  }
}

/** Without points that lie between two others on one line. */
function straight(points: readonly Point[]): Point[] {
  const kept: Point[] = []
  for (const point of points) {
    const [before, last] = [kept.at(-2), kept.at(-1)]
    if (last && last.x === point.x && last.y === point.y) continue
    if (
      before &&
      last &&
      ((before.x === last.x && last.x === point.x) || (before.y === last.y && last.y === point.y)) &&
      (point.x - last.x) * (last.x - before.x) >= 0 &&
      (point.y - last.y) * (last.y - before.y) >= 0
    )
      kept.pop()
    kept.push(point)
  }
  return kept
}
