import { type Bounds, type Line, layout, type Point, type Shape } from './layout.ts'
import { create, type Element, idOf, isA, many, one, toXml } from './moddle.ts'
import { readBpmn } from './read.ts'

/** The room around what stands in a sub-process, its name above it. */
const padding = { x: 40, top: 50, bottom: 20 }

interface Drawn {
  readonly shapes: Map<Element, Bounds>
  readonly lines: Map<Element, readonly Point[]>
}

function sizeOf(of: Element): { width: number; height: number } {
  if (isA(of, 'bpmn:Event')) return { width: 36, height: 36 }
  return isA(of, 'bpmn:Gateway') ? { width: 50, height: 50 } : { width: 100, height: 80 }
}

/** Draws what stands in a process or sub-process, from a corner; answers how large that is. */
function draw(scope: Element, into: Drawn): { width: number; height: number; shift(x: number, y: number): void } {
  const elements = many(scope, 'flowElements').filter((each) => idOf(each) !== '')
  const nodes = elements.filter((each) => isA(each, 'bpmn:FlowNode'))
  const byId = new Map(nodes.map((each) => [idOf(each), each]))
  const within = new Map<string, ReturnType<typeof draw>>()
  const shapes: Shape[] = nodes.map((each) => {
    const id = idOf(each)
    const attached = one(each, 'attachedToRef')
    const attachedTo = attached && byId.has(idOf(attached)) ? { attachedTo: idOf(attached) } : {}
    if (!isA(each, 'bpmn:SubProcess')) return { id, ...sizeOf(each), ...attachedTo }
    const inner = draw(each, into)
    within.set(id, inner)
    const width = Math.max(100, inner.width + 2 * padding.x)
    return { id, width, height: Math.max(80, inner.height + padding.top + padding.bottom), ...attachedTo }
  })
  const flows = elements.filter((each) => isA(each, 'bpmn:SequenceFlow'))
  const lines: Line[] = flows.flatMap((each) => {
    const [from, to] = [one(each, 'sourceRef'), one(each, 'targetRef')]
    return from && to && byId.has(idOf(from)) && byId.has(idOf(to))
      ? [{ id: idOf(each), from: idOf(from), to: idOf(to) }]
      : []
  })
  const laid = layout(shapes, lines)
  const shift = (x: number, y: number): void => {
    for (const [id, bounds] of laid.shapes) {
      const placed = { ...bounds, x: bounds.x + x, y: bounds.y + y }
      into.shapes.set(byId.get(id)!, placed)
      within.get(id)?.shift(placed.x + padding.x, placed.y + padding.top)
    }
    for (const flow of flows) {
      const run = laid.lines.get(idOf(flow))
      if (run)
        into.lines.set(
          flow,
          run.map((point) => ({ x: point.x + x, y: point.y + y })),
        )
    }
  }
  return { width: laid.width, height: laid.height, shift }
}

const rounded = (bounds: Bounds): Element =>
  create('dc:Bounds', {
    x: Math.round(bounds.x),
    y: Math.round(bounds.y),
    width: Math.round(bounds.width),
    height: Math.round(bounds.height),
  })

/** Whether a document brings a drawing of its own. */
export const isDrawn = (definitions: Element): boolean =>
  many(definitions, 'diagrams').some((each) => {
    const plane = one(each, 'plane')
    return plane !== undefined && many(plane, 'planeElement').length > 0
  })

/** Gives a document a drawing of a process of it, in place of any other. */
export function drawInto(definitions: Element, process: Element): void {
  const drawn: Drawn = { shapes: new Map(), lines: new Map() }
  draw(process, drawn).shift(160, 80)
  const planeElement: Element[] = []
  for (const [of, bounds] of drawn.shapes) {
    const under = { x: bounds.x + bounds.width / 2 - 45, y: bounds.y + bounds.height + 5, width: 90, height: 14 }
    const labelled = isA(of, 'bpmn:Event') || isA(of, 'bpmn:Gateway')
    planeElement.push(
      create('bpmndi:BPMNShape', {
        id: `${idOf(of)}_di`,
        bpmnElement: of,
        ...(isA(of, 'bpmn:SubProcess') ? { isExpanded: true } : {}),
        ...(isA(of, 'bpmn:ExclusiveGateway') ? { isMarkerVisible: true } : {}),
        bounds: rounded(bounds),
        ...(labelled && of.get('name') ? { label: create('bpmndi:BPMNLabel', { bounds: rounded(under) }) } : {}),
      }),
    )
  }
  for (const [of, run] of drawn.lines) {
    const waypoint = run.map(({ x, y }) => create('dc:Point', { x: Math.round(x), y: Math.round(y) }))
    planeElement.push(create('bpmndi:BPMNEdge', { id: `${idOf(of)}_di`, bpmnElement: of, waypoint }))
  }
  const plane = create('bpmndi:BPMNPlane', { id: `${idOf(process)}_plane`, bpmnElement: process, planeElement })
  definitions.set('diagrams', [create('bpmndi:BPMNDiagram', { id: `${idOf(process)}_diagram`, plane })])
}

/** A document with a drawing: its own where it has one, else one made for it. Undefined where it is no model. */
export async function withDrawing(xml: string): Promise<string | undefined> {
  const read = await readBpmn(xml)
  if (!read.definitions) return undefined
  if (isDrawn(read.definitions)) return xml
  drawInto(read.definitions, read.process)
  return toXml(read.definitions)
}
