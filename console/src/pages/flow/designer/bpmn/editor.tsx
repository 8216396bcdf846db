import { flowModdle } from '@data-brain/contract/flow/moddle'
import Modeler from 'bpmn-js/lib/Modeler'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { flowDesignWords } from '../../../../locales/flow-design.ts'
import { addWords, onLanguage, useT } from '../../../../ui/words.ts'
import type { Board, Drawn } from './board.ts'
import { offeredModule } from './offered.ts'
import { BoardPanel } from './panel.tsx'
import { wordsModule } from './words.ts'
import 'bpmn-js/dist/assets/diagram-js.css'
import 'bpmn-js/dist/assets/bpmn-js.css'
import 'bpmn-js/dist/assets/bpmn-font/css/bpmn.css'
import './editor.css'

addWords(flowDesignWords)

/** What the page does with the drawing. */
export interface BpmnHandle {
  /** The drawing as BPMN. */
  xml(): Promise<string>
  /** As it was a moment ago, for who cannot wait. */
  latest(): string
  /** It is saved as it stands. */
  settle(): void
  /** False where nothing can be taken back here. */
  undo(): boolean
  redo(): boolean
  select(id: string): void
  nameOf(id: string): string | undefined
}

interface EditorProps {
  readonly xml: string
  readonly handle: RefObject<BpmnHandle | null>
  /** Hears whether it differs from what was opened or saved. */
  readonly onDrawn: (drawn: boolean) => void
}

/** Colours of the theme, which the library writes into the style of what it draws. */
const colours = {
  defaultFillColor: 'var(--card)',
  defaultStrokeColor: 'var(--ink-2)',
  defaultLabelColor: 'var(--ink)',
}

/** Why nothing is shown, by what the library says of it in English. */
const failureOf = (problem: unknown): 'design.notDrawn' | 'design.notRead' =>
  problem instanceof Error && problem.message.includes('no diagram to display') ? 'design.notDrawn' : 'design.notRead'

/** Pixels between the palette and the drawing. */
const gap = 16

/** How much of the board the palette takes at its left, which has two columns where the board is low. */
function paletteShare(container: HTMLElement): number {
  const palette = container.querySelector('.djs-palette')?.getBoundingClientRect()
  if (!palette) return 0
  const board = container.getBoundingClientRect()
  return (palette.right - board.left + gap) / board.width
}

function make(container: HTMLElement): Board {
  return new Modeler({
    container,
    moddleExtensions: { db: flowModdle },
    additionalModules: [wordsModule, offeredModule],
    bpmnRenderer: colours,
    textRenderer: { defaultStyle: { fontFamily: 'inherit' } },
  } as ConstructorParameters<typeof Modeler>[0]) as unknown as Board
}

/** How far the drawing is from what is saved, counted in steps; a step that leads elsewhere makes that unreachable. */
class Distance {
  #at = 0
  #saved: number | null = 0

  moved(trigger: string): boolean {
    if (trigger === 'clear') {
      this.#at = 0
      this.#saved = 0
    } else if (trigger === 'undo') this.#at -= 1
    else {
      if (trigger === 'execute' && this.#saved !== null && this.#saved > this.#at) this.#saved = null
      this.#at += 1
    }
    return this.#at !== this.#saved
  }

  settle(): void {
    this.#saved = this.#at
  }
}

/** The drawing board for those who know BPMN, with settings of the product's own beside it. */
export default function BpmnEditor({ xml, handle, onDrawn }: EditorProps) {
  const t = useT()
  const place = useRef<HTMLDivElement>(null)
  const [board, setBoard] = useState<Board | null>(null)
  const [chosen, setChosen] = useState<Drawn | null>(null)
  /** Counts changes of the drawing: the settings are read again. */
  const [turn, setTurn] = useState(0)
  const [failure, setFailure] = useState<ReturnType<typeof failureOf> | null>(null)
  const now = useRef({ onDrawn })
  now.current = { onDrawn }

  useEffect(() => {
    const container = place.current!
    const made = make(container)
    const distance = new Distance()
    let text = xml
    let timer: ReturnType<typeof setTimeout> | undefined
    let isGone = false
    let isRead = false
    const save = async (): Promise<string> => {
      // What could not be read stays as it is: there is nothing else to save.
      if (!isRead) return text
      text = (await made.saveXML({ format: true })).xml ?? text
      return text
    }
    const bus = made.get('eventBus')
    bus.on('commandStack.changed', ({ trigger }: { readonly trigger: string }) => {
      now.current.onDrawn(distance.moved(trigger))
      setTurn((count) => count + 1)
      clearTimeout(timer)
      timer = setTimeout(() => void save(), 400)
    })
    bus.on('selection.changed', ({ newSelection }: { readonly newSelection: readonly Drawn[] }) => {
      const [first] = newSelection
      setChosen(newSelection.length === 1 ? (first?.labelTarget ?? first ?? null) : null)
    })
    bus.on('root.set', () => setTurn((count) => count + 1))
    const stop = onLanguage(() => bus.fire('i18n.changed'))
    handle.current = {
      xml: save,
      latest: () => text,
      settle: () => distance.settle(),
      undo: () => {
        const stack = made.get('commandStack')
        if (!stack.canUndo()) return false
        stack.undo()
        return true
      },
      redo: () => {
        const stack = made.get('commandStack')
        if (!stack.canRedo()) return false
        stack.redo()
        return true
      },
      select: (id) => {
        const element = made.get('elementRegistry').get(id)
        made.get('selection').select(element ?? null)
        if (element) made.get('canvas').scrollToElement(element)
        made.get('canvas').focus()
      },
      nameOf: (id) => {
        const element = made.get('elementRegistry').get(id)
        return element && (element.businessObject.name || id)
      },
    }
    made.importXML(xml).then(
      () => {
        if (isGone) return
        isRead = true
        const canvas = made.get('canvas')
        // A drawing that fits is not made larger than it is; the palette lies at its left.
        const taken = paletteShare(container)
        canvas.zoom(Math.min(1, canvas.zoom('fit-viewport', 'auto') * (1 - taken)), 'auto')
        canvas.scroll({ dx: (taken * container.clientWidth) / 2, dy: 0 })
        setBoard(made)
        setFailure(null)
      },
      (problem: unknown) => {
        if (!isGone) setFailure(failureOf(problem))
      },
    )
    return () => {
      isGone = true
      clearTimeout(timer)
      stop()
      handle.current = null
      setBoard(null)
      setChosen(null)
      made.destroy()
    }
  }, [xml, handle])

  return (
    <div className="design-body board">
      <div className="board-canvas">
        {/* The drawing answers keys itself: arrows move what is chosen, and Ctrl with letters copies, pastes, takes back. */}
        <section ref={place} className="board-place" aria-label={t('design.board')} />
        {failure && (
          <p className="alert alert-wrong" role="alert">
            {t(failure)}
          </p>
        )}
      </div>
      <aside className="design-panel" aria-label={t('design.settings')}>
        {board && <BoardPanel board={board} element={chosen} turn={turn} />}
      </aside>
    </div>
  )
}
