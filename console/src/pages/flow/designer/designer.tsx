import { codeOf, flowmodel } from '@data-brain/contract'
import { type ReactNode, Suspense, useCallback, useEffect, useMemo, useReducer, useRef, useState } from 'react'
import { type ShownRow, useEntity } from '../../../entity/data/index.ts'
import { settleWhole, theirsOf } from '../../../entity/form/index.ts'
import { HttpProblem } from '../../../http/client.ts'
import { onKeepDrafts } from '../../../session/draft.ts'
import { pathOf } from '../../../session/paths.ts'
import { sessionStore, useCan } from '../../../session/session.ts'
import { Icon } from '../../../ui/icon.tsx'
import { type Binding, useKeys } from '../../../ui/keys.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { Link, useTab } from '../../../ui/place.ts'
import { Segments } from '../../../ui/segments.tsx'
import { toast } from '../../../ui/toast.ts'
import { useT } from '../../../ui/words.ts'
import type { BpmnHandle } from './bpmn/editor.tsx'
import { faultsOfCards } from './card-faults.ts'
import { CardsView } from './cards-view.tsx'
import { startKey, stops } from './edit.ts'
import { Faults } from './faults.tsx'
import { beginSteps, type StepAction, type Steps, takeStep } from './steps.ts'
import {
  type Content,
  contentOf,
  type Fault,
  faultsOf,
  fromCards,
  type Mode,
  stopOfElement,
  writeDraft,
} from './work.ts'

// The drawing board is another chunk: nobody who stays with the cards waits for it.
const BpmnEditor = lazyPart(() => import('./bpmn/editor.tsx'))
const DeployDialog = lazyPart(() => import('../model/deploy-dialog.tsx'))

type Model = ShownRow<typeof flowmodel>

interface DesignerProps {
  readonly row: Model
  readonly begun: { readonly content: Content; readonly version: number; readonly restored: boolean }
  /** What is stored, to go back to. */
  readonly stored: Content
  /** Nothing is stored yet: what is proposed is not saved either. */
  readonly isNew: boolean
}

const reduce = (steps: Steps<Content>, action: StepAction<Content>) => takeStep(steps, action)

export function Designer({ row, begun, stored, isNew }: DesignerProps) {
  const t = useT()
  const can = useCan()
  const { active, setDirty } = useTab()
  const [steps, take] = useReducer(reduce, begun.content, beginSteps<Content>)
  const content = steps.now
  const [saved, setSaved] = useState<Content | null>(begun.restored || isNew ? null : stored)
  const version = useRef(begun.version)
  const [restored, setRestored] = useState(begun.restored)
  const [drawn, setDrawn] = useState(false)
  const [selected, setSelected] = useState(startKey)
  const [faults, setFaults] = useState<readonly Fault[] | null>(null)
  const [busy, setBusy] = useState(false)
  const [deploys, setDeploys] = useState(false)
  const board = useRef<BpmnHandle | null>(null)
  const client = useEntity(flowmodel)
  const mayEdit = can(codeOf(flowmodel, 'edit'))
  const dirty = content !== saved || drawn

  const now = useCallback(
    async (): Promise<Content> =>
      content.mode === 'bpmn' && board.current ? { mode: 'bpmn', xml: await board.current.xml() } : content,
    [content],
  )
  useEffect(() => setDirty(dirty && mayEdit), [dirty, mayEdit, setDirty])
  useEffect(() => () => setDirty(false), [setDirty])
  useDraft(row.id, dirty ? content : null, version, board)

  /** Does one thing at a time, and tells what goes wrong. */
  const run = useCallback(
    async <T,>(work: () => Promise<T>): Promise<T | undefined> => {
      setBusy(true)
      try {
        return await work()
      } catch (problem) {
        if (!(problem instanceof HttpProblem)) throw problem
        toast.error(problem.message || t('spec.unknownError'))
        return undefined
      } finally {
        setBusy(false)
      }
    },
    [t],
  )

  const xmlOf = async (of: Content): Promise<string> => (of.mode === 'cards' ? (await fromCards(of.cards)).xml : of.xml)

  const store = async (over?: number): Promise<boolean> => {
    const of = await now()
    const xml = await xmlOf(of)
    try {
      const done = await client.save({ id: row.id, version: over ?? version.current, xml })
      version.current = done.version
    } catch (problem) {
      const theirs = theirsOf<typeof flowmodel>(problem)
      if (!theirs) throw problem
      return settleWhole({
        ...{ theirs, name: row.name, t, keepMine: store },
        takeTheirs: ({ xml: stored, version: of }) => void run(() => open(String(stored ?? ''), of)),
      })
    }
    setSaved(content)
    board.current?.settle()
    setDrawn(false)
    setRestored(false)
    writeDraft(row.id, null)
    toast.success(t('spec.updated'))
    return true
  }
  /** Shows what is stored in the place of what is here. */
  const open = async (xml: string, of: number): Promise<void> => {
    const next = await contentOf(xml)
    version.current = of
    take({ do: 'begin', next })
    setSaved(next)
    setDrawn(false)
    setRestored(false)
    setFaults(null)
    writeDraft(row.id, null)
  }
  const check = async (): Promise<boolean> => {
    const of = await now()
    const found =
      of.mode === 'cards' ? faultsOfCards(of.cards, (await fromCards(of.cards)).faults, t) : await faultsOf(of.xml)
    setFaults(found.length > 0 ? found : null)
    if (found.length === 0) toast.success(t('design.noFaults'))
    return found.length === 0
  }
  const turn = async (mode: Mode): Promise<void> => {
    if (mode === content.mode) return
    const of = await now()
    if (of.mode === 'cards') {
      const next: Content = { mode: 'bpmn', xml: (await fromCards(of.cards)).xml }
      take({ do: 'put', next })
      if (!dirty) setSaved(next)
      setFaults(null)
      return
    }
    const next = await contentOf(of.xml)
    if (next.mode === 'bpmn') {
      toast.warning(t('design.noCards'))
      return
    }
    take({ do: 'put', next })
    if (!dirty) setSaved(next)
    setDrawn(false)
    setFaults(null)
  }
  const deploy = async (): Promise<void> => {
    if (dirty && !(await store())) return
    if (await check()) setDeploys(true)
  }

  const keys = useMemo(() => (content.mode === 'cards' ? stops(content.cards).map(({ key }) => key) : []), [content])
  const faulty = useMemo(
    () => new Set((faults ?? []).flatMap(({ element }) => stopOfElement(element, keys) ?? [])),
    [faults, keys],
  )
  const nameOf = ({ element }: Fault): string | undefined => {
    if (element === null) return undefined
    if (content.mode === 'bpmn') return board.current?.nameOf(element) ?? element
    const key = stopOfElement(element, keys)
    const stop = stops(content.cards).find((each) => each.key === key)
    if (!stop) return undefined
    if (stop.kind === 'card') return stop.card.name || stop.card.id
    return stop.kind === 'way' ? stop.way.name : t(stop.kind === 'start' ? 'design.start' : 'design.end')
  }
  const goTo = ({ element }: Fault) => {
    if (content.mode === 'bpmn') return board.current?.select(element ?? '')
    const key = stopOfElement(element, keys)
    if (key === undefined) return
    setSelected(key)
    document.querySelector<HTMLElement>(`.cards [data-key="${CSS.escape(key)}"]`)?.focus()
  }

  const undo = () => (content.mode === 'bpmn' && board.current?.undo()) || take({ do: 'undo' })
  const redo = () => (content.mode === 'bpmn' && board.current?.redo()) || take({ do: 'redo' })
  const bindings: Binding[] = [
    { keys: ['Mod+KeyZ'], label: 'design.undo', run: undo },
    { keys: ['Mod+Shift+KeyZ', 'Mod+KeyY'], label: 'design.redo', run: redo },
    { keys: ['Mod+KeyS'], label: 'design.save', typing: true, run: () => mayEdit && void run(() => store()) },
  ]
  useKeys(active, { name: 'design.title', bindings })
  const list = pathOf('flowmodel')
  return (
    <>
      <div className="page-head design-head">
        <h1 tabIndex={-1}>{row.name}</h1>
        {dirty && mayEdit && <span className="muted">{t('design.unsaved')}</span>}
        <div className="design-acts">
          <Segments<Mode>
            label={t('design.views')}
            value={content.mode}
            options={[
              { key: 'cards', label: t('design.viewCards') },
              { key: 'bpmn', label: t('design.viewBpmn') },
            ]}
            onChange={(mode) => void run(() => turn(mode))}
          />
          <IconButton icon="undo-2" label={t('design.undo')} onClick={undo} />
          <IconButton icon="redo-2" label={t('design.redo')} onClick={redo} />
          <button type="button" className="button" disabled={busy} onClick={() => void run(check)}>
            {t('design.check')}
          </button>
          {mayEdit && (
            <button
              type="button"
              className={can('flowmodel_deploy') ? 'button' : 'button primary'}
              aria-busy={busy}
              disabled={busy}
              onClick={() => void run(() => store())}
            >
              {t('common.save')}
            </button>
          )}
          {can('flowmodel_deploy') && (
            <button type="button" className="button primary" disabled={busy} onClick={() => void run(deploy)}>
              {t('design.deploy')}
            </button>
          )}
        </div>
      </div>
      {restored && (
        <p className="alert" role="status">
          {t('design.restored')}{' '}
          <button
            type="button"
            className="link-button"
            onClick={() => {
              take({ do: 'begin', next: stored })
              version.current = row.version
              setSaved(isNew ? null : stored)
              setDrawn(false)
              setRestored(false)
              writeDraft(row.id, null)
            }}
          >
            {t('design.drop')}
          </button>
        </p>
      )}
      {faults && <Faults faults={faults} nameOf={nameOf} onGo={goTo} onClose={() => setFaults(null)} />}
      {content.mode === 'cards' ? (
        <CardsView
          model={content.cards}
          faulty={faulty}
          selected={selected}
          onSelect={setSelected}
          onChange={(cards, mark) => take({ do: 'put', next: { mode: 'cards', cards }, ...(mark ? { mark } : {}) })}
        />
      ) : (
        <Suspense fallback={<p className="muted">{t('design.loadingBoard')}</p>}>
          <BpmnEditor xml={content.xml} handle={board} onDrawn={setDrawn} />
        </Suspense>
      )}
      <p className="design-foot">
        {list && <Link to={list}>{t('design.back')}</Link>}
        <span className="muted">{t(content.mode === 'cards' ? 'design.keysHelp' : 'design.boardKeysHelp')}</span>
      </p>
      <Suspense fallback={null}>{deploys && <DeployDialog row={row} onClose={() => setDeploys(false)} />}</Suspense>
    </>
  )
}

function IconButton({ icon, label, onClick }: { icon: string; label: string; onClick: () => void }): ReactNode {
  return (
    <button type="button" className="icon-button" aria-label={label} title={label} onClick={onClick}>
      <Icon name={icon} size={16} />
    </button>
  )
}

/** Keeps what is not saved, so that a reload and a lock lose nothing. */
function useDraft(
  id: string,
  content: Content | null,
  version: { readonly current: number },
  board: { readonly current: BpmnHandle | null },
): void {
  const latest = useRef(content)
  latest.current = content
  useEffect(() => {
    const keep = (): boolean => {
      const of = latest.current
      if (!of || !sessionStorage || !sessionStore.get()) return true
      const kept = of.mode === 'bpmn' ? { ...of, xml: board.current?.latest() ?? of.xml } : of
      return writeDraft(id, { version: version.current, content: kept })
    }
    const stop = onKeepDrafts(keep)
    window.addEventListener('pagehide', keep)
    return () => {
      keep()
      stop()
      window.removeEventListener('pagehide', keep)
    }
  }, [id, version, board])
  useEffect(() => {
    if (!content) return undefined
    const timer = setTimeout(() => {
      const kept = content.mode === 'bpmn' ? { ...content, xml: board.current?.latest() ?? content.xml } : content
      writeDraft(id, { version: version.current, content: kept })
    }, 1000)
    return () => clearTimeout(timer)
  }, [id, content, version, board])
}
