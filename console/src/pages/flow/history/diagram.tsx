import type { FlowStep } from '@data-brain/contract/calls/flow'
import Viewer from 'bpmn-js/lib/Viewer'
import type Canvas from 'diagram-js/lib/core/Canvas'
import type ElementRegistry from 'diagram-js/lib/core/ElementRegistry'
import type EventBus from 'diagram-js/lib/core/EventBus'
import type Overlays from 'diagram-js/lib/features/overlays/Overlays'
import MoveCanvas from 'diagram-js/lib/navigation/movecanvas'
import { useEffect, useRef, useState } from 'react'
import 'bpmn-js/dist/assets/diagram-js.css'
import { Icon } from '../../../ui/icon.tsx'
import { useT } from '../../../ui/words.ts'
import { sentenceOf, stateSigns, statesOf, stateWords, takenFlows } from './steps.ts'

interface Services {
  readonly canvas: Canvas
  readonly elementRegistry: ElementRegistry
  readonly eventBus: EventBus
  readonly overlays: Overlays
}

interface DiagramProps {
  readonly xml: string
  readonly steps: readonly FlowStep[]
  readonly lit: string | null
  readonly onLit: (element: string | null) => void
}

/** Room around the drawing; at the foot the mark of its library has a line of its own. */
const margin = 24
const foot = 44
const heights = { least: 160, most: 520 } as const

/** Shows the whole drawing, as large as the width allows, and never larger than it was drawn. */
function fit(canvas: Canvas, box: HTMLElement): void {
  const { inner } = canvas.viewbox()
  const width = box.clientWidth
  if (width === 0 || inner.width === 0) return
  const scale = Math.min(1, (width - 2 * margin) / inner.width)
  const height = Math.min(heights.most, Math.max(heights.least, inner.height * scale + margin + foot))
  box.style.height = `${Math.round(height)}px`
  canvas.resized()
  const shown = Math.min(scale, (height - margin - foot) / inner.height)
  canvas.viewbox({
    x: inner.x - (width / shown - inner.width) / 2,
    y: inner.y - margin / shown,
    width: width / shown,
    height: height / shown,
  })
}

const badge = (sign: string, word: string, className: string): HTMLElement => {
  const made = document.createElement('span')
  made.className = `fh-badge ${className}`
  made.textContent = `${sign} ${word}`
  return made
}

/** The drawing of a process with the way that an instance has gone. What it shows, the timeline beside it says in words. */
export default function Diagram({ xml, steps, lit, onLit }: DiagramProps) {
  const t = useT()
  const box = useRef<HTMLDivElement>(null)
  const [viewer, setViewer] = useState<Viewer<Services> | null>(null)
  const [broken, setBroken] = useState(false)
  const hear = useRef(onLit)
  hear.current = onLit

  useEffect(() => {
    const within = box.current
    if (!within) return
    const made = new Viewer<Services>({
      container: within,
      additionalModules: [MoveCanvas],
      bpmnRenderer: {
        defaultFillColor: 'var(--card)',
        defaultStrokeColor: 'var(--edge)',
        defaultLabelColor: 'var(--ink)',
      },
    })
    let gone = false
    made.importXML(xml).then(
      () => {
        if (gone) return
        const canvas = made.get('canvas')
        // One picture: what it holds is said beside it, and nothing in it is worked with.
        within.querySelector('svg[tabindex]')?.removeAttribute('tabindex')
        fit(canvas, within)
        setViewer(made)
      },
      () => {
        if (!gone) setBroken(true)
      },
    )
    const bus = made.get('eventBus')
    bus.on<{ element: { id: string } }>('element.hover', ({ element }) => hear.current(element.id))
    bus.on('element.out', () => hear.current(null))
    const sized = new ResizeObserver(() => !gone && fit(made.get('canvas'), within))
    sized.observe(within.parentElement ?? within)
    return () => {
      gone = true
      sized.disconnect()
      setViewer(null)
      made.destroy()
    }
  }, [xml])

  useEffect(() => {
    if (!viewer) return
    const canvas = viewer.get('canvas')
    const overlays = viewer.get('overlays')
    const states = statesOf(steps)
    const taken = takenFlows(steps)
    const marked: [string, string][] = []
    for (const element of viewer.get('elementRegistry').getAll()) {
      const { id } = element
      const state = states.get(id)
      const isFlow = 'waypoints' in element
      const marker = isFlow ? (taken.has(id) ? 'fh-taken' : 'fh-idle') : `fh-${state ?? 'idle'}`
      canvas.addMarker(id, marker)
      marked.push([id, marker])
      // Events and gateways say by their line what they are: a word beside each would cover the next one.
      if (state && 'width' in element && Number(element.width) >= 80)
        overlays.add(id, 'state', {
          position: { top: 2, right: 8 },
          html: badge(stateSigns[state], t(stateWords[state]), `fh-${state}`),
          scale: false,
        })
    }
    return () => {
      overlays.remove({ type: 'state' })
      for (const [id, marker] of marked) canvas.removeMarker(id, marker)
    }
  }, [viewer, steps, t])

  useEffect(() => {
    if (!viewer || !lit || !viewer.get('elementRegistry').get(lit)) return
    const canvas = viewer.get('canvas')
    canvas.addMarker(lit, 'fh-lit')
    return () => canvas.removeMarker(lit, 'fh-lit')
  }, [viewer, lit])

  const sentence = sentenceOf(steps, t)
  useEffect(() => {
    const drawn = viewer && box.current?.querySelector('.djs-container')
    drawn?.setAttribute('role', 'img')
    drawn?.setAttribute('aria-label', sentence)
  }, [viewer, sentence])

  const zoom = (by: number) => viewer?.get('canvas').zoom(viewer.get('canvas').zoom() * by)
  if (broken) return <p className="alert">{t('flow.diagramBroken')}</p>
  return (
    <div className="fh-diagram">
      <div ref={box} className="fh-canvas" />
      <div className="fh-zoom" role="toolbar" aria-label={t('flow.zoom')}>
        <button type="button" className="icon-button small" aria-label={t('flow.zoomOut')} onClick={() => zoom(0.8)}>
          <Icon name="minus" size={16} />
        </button>
        <button type="button" className="icon-button small" aria-label={t('flow.zoomIn')} onClick={() => zoom(1.25)}>
          <Icon name="plus" size={16} />
        </button>
        <button
          type="button"
          className="icon-button small"
          aria-label={t('flow.zoomFit')}
          onClick={() => viewer && box.current && fit(viewer.get('canvas'), box.current)}
        >
          <Icon name="maximize" size={16} />
        </button>
      </div>
    </div>
  )
}
