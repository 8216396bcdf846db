import { useQuery } from '@tanstack/react-query'
import { type Ref, useEffect, useImperativeHandle, useRef } from 'react'
import { QueryStates } from '../../../entity/list/index.ts'
import { Icon } from '../../../ui/icon.tsx'
import { useScreenClass } from '../../../ui/screen.ts'
import { useT } from '../../../ui/words.ts'
import { detailOf, type FlowTask, historyOf, type ProcessDetail } from '../queries.ts'
import type { ActKind } from '../task/actions.tsx'
import { Answer, Request, Way } from '../task/task.tsx'
import { useTaskWork } from '../task/use-task.tsx'

/** What keys of the page do with the task that is read. */
export interface PaneKeys {
  answer(flag: 'ok' | 'no'): void
  act(kind: ActKind): void
  comment(): void
  print(): void
  focus(): void
}

interface PaneProps {
  readonly ref: Ref<PaneKeys>
  readonly task: FlowTask
  readonly onStep: (step: 1 | -1) => void
  /** The task is decided, or somebody else's by now. */
  readonly onLeft: () => void
  /** Back to the list, where it is not beside. */
  readonly onBack: (() => void) | undefined
}

/** A task to read and to answer, with the way that it has come. */
export function Pane({ ref, task, onStep, onLeft, onBack }: PaneProps) {
  const found = useQuery(detailOf(task.processInstanceId, task.taskId ?? undefined))
  const read = useRef<PaneKeys>(null)
  // A key that comes before the task does is done when it is there; those that follow it are not its keys any more.
  const wish = useRef<((keys: PaneKeys) => void) | null>(null)
  const here = found.data !== undefined
  useEffect(() => {
    if (!here || !read.current) return
    wish.current?.(read.current)
    wish.current = null
  }, [here])
  const when = (run: (keys: PaneKeys) => void): void => {
    if (read.current) run(read.current)
    else wish.current ??= run
  }
  useImperativeHandle(ref, () => ({
    answer: (flag) => when((keys) => keys.answer(flag)),
    act: (kind) => when((keys) => keys.act(kind)),
    comment: () => when((keys) => keys.comment()),
    print: () => when((keys) => keys.print()),
    focus: () => when((keys) => keys.focus()),
  }))
  return (
    <article className="flow-read" aria-label={task.title}>
      <QueryStates query={found}>
        {(detail) => <Read ref={read} task={task} detail={detail} onStep={onStep} onLeft={onLeft} onBack={onBack} />}
      </QueryStates>
    </article>
  )
}

function Read({ ref, task, detail, onStep, onLeft, onBack }: PaneProps & { readonly detail: ProcessDetail }) {
  const t = useT()
  const wide = useScreenClass() === 3
  const steps = useQuery(historyOf(detail.processInstanceId))
  const work = useTaskWork(detail, onLeft)
  const head = useRef<HTMLDivElement>(null)
  const { may } = detail
  const print = async () => {
    const { printInstance } = await import('../task/print.ts')
    printInstance(detail, steps.data ?? [])
  }
  useImperativeHandle(ref, () => ({
    answer: (flag) => void (may.decide && work.answer(flag)),
    act: (kind) => {
      if (kind !== 'transfer' || may.transfer) work.setAct(kind)
    },
    comment: () => work.commentBox.current?.focus(),
    print: () => void print(),
    focus: () => head.current?.focus(),
  }))
  return (
    <>
      <div className="flow-main">
        {onBack && (
          <h1 className="sr-only" tabIndex={-1}>
            {t('flow.todo')}
          </h1>
        )}
        <div className="flow-bar">
          {onBack && (
            <button type="button" className="button quiet small" onClick={onBack}>
              <Icon name="arrow-left" size={16} /> {t('flow.back')}
            </button>
          )}
          <span className="pill in">{detail.processDefinitionName}</span>
          <span className="flow-no">{detail.serialNo}</span>
          <span className="flow-grow" />
          <button type="button" className="button quiet small" onClick={() => void print()}>
            <Icon name="printer" size={16} /> {t('flow.print')}
          </button>
          <button
            type="button"
            className="icon-button small"
            aria-label={t('flow.previous')}
            onClick={() => onStep(-1)}
          >
            <Icon name="chevron-left" size={16} />
          </button>
          <button type="button" className="icon-button small" aria-label={t('flow.next')} onClick={() => onStep(1)}>
            <Icon name="chevron-right" size={16} />
          </button>
        </div>
        <div ref={head} tabIndex={-1} className="flow-body">
          <Request detail={detail} work={work} />
          {!wide && <Way detail={detail} />}
        </div>
        <Answer detail={detail} work={work} onLeft={onLeft} />
        <span className="sr-only" role="status">
          {t('flow.opened', { title: task.title })}
        </span>
      </div>
      {wide && <Way detail={detail} />}
    </>
  )
}
