import Viewer from 'bpmn-js/lib/Viewer'
import MoveCanvas from 'diagram-js/lib/navigation/movecanvas'
import { useEffect, useRef, useState } from 'react'
import { useT } from '../../../ui/words.ts'
import 'bpmn-js/dist/assets/diagram-js.css'
import './drawing.css'

interface DrawingProps {
  readonly xml: string
  /** What it shows, for who does not see it. */
  readonly sentence: string
}

interface Shown {
  get(service: 'canvas'): { zoom(to: 'fit-viewport' | number, center: 'auto'): number }
  importXML(xml: string): Promise<unknown>
  destroy(): void
}

/** The drawing of a process as it was made, to look at. */
export default function Drawing({ xml, sentence }: DrawingProps) {
  const t = useT()
  const place = useRef<HTMLDivElement>(null)
  const [isBroken, setBroken] = useState(false)
  useEffect(() => {
    const viewer = new Viewer({
      container: place.current!,
      additionalModules: [MoveCanvas],
      bpmnRenderer: {
        defaultFillColor: 'var(--card)',
        defaultStrokeColor: 'var(--ink-2)',
        defaultLabelColor: 'var(--ink)',
      },
    } as ConstructorParameters<typeof Viewer>[0]) as unknown as Shown
    let isGone = false
    viewer.importXML(xml).then(
      () => {
        if (isGone) return
        if (viewer.get('canvas').zoom('fit-viewport', 'auto') > 1) viewer.get('canvas').zoom(1, 'auto')
        // One picture: what it holds is said beside it, and nothing in it is worked with.
        const drawn = place.current?.querySelector('.djs-container')
        drawn?.querySelector('svg[tabindex]')?.removeAttribute('tabindex')
        drawn?.setAttribute('role', 'img')
        drawn?.setAttribute('aria-label', sentence)
      },
      () => !isGone && setBroken(true),
    )
    return () => {
      isGone = true
      viewer.destroy()
    }
  }, [xml, sentence])
  return (
    <>
      <div ref={place} className="flow-drawing" />
      {isBroken && <p className="alert">{t('flowManage.notDrawn')}</p>}
    </>
  )
}
