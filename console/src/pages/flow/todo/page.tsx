import { todoList } from '@data-brain/contract/calls/flow'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Count, ListMenu, QueryStates, stateOf } from '../../../entity/list/index.ts'
import { call } from '../../../http/call.ts'
import { entityWords } from '../../../locales/entity.ts'
import { flowWords } from '../../../locales/flow.ts'
import { Sheet } from '../../../ui/drawing.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { useKeys } from '../../../ui/keys.ts'
import { Link, setQuery, usePlace, useTab } from '../../../ui/place.ts'
import { useScreenClass } from '../../../ui/screen.ts'
import { useStore } from '../../../ui/store.ts'
import { Pager } from '../../../ui/table/pager.tsx'
import { addWords, useT } from '../../../ui/words.ts'
import { useWorkFilters, WorkFilterLine } from '../filters.tsx'
import { detailOf, type FlowTask, fileOf, flowKey, useFlowNews } from '../queries.ts'
import { BulkAnswer } from './bulk.tsx'
import { TaskList } from './list.tsx'
import { Pane, type PaneKeys } from './pane.tsx'
import { decide, leavingStore, takenBackStore } from './sending.ts'
import '../../../ui/later-words.ts'
import '../none.css'
import './todo.css'

addWords({ ...entityWords, ...flowWords })

/** As many are worked through without turning a page. */
const usual = 50
const NONE: readonly FlowTask[] = []
/** The list has no columns of its own: a file of it has those that the server usually gives. */
const file = { ...fileOf('todo'), fields: {} }
const fileColumns: readonly { readonly key: string }[] = []

/** What waits for whoever works here: the list at the left, the task that is read beside it, answered by a key. */
export default function TodoPage() {
  const t = useT()
  const { active } = useTab()
  const { path, query } = usePlace()
  const narrow = useScreenClass() <= 1
  const filters = useWorkFilters()
  const current = Math.max(1, Number(query.get('current')) || 1)
  const size = Number(query.get('size')) || usual
  const asked = { ...filters, current, size }
  const found = useQuery({
    queryKey: [...flowKey, 'todo', asked],
    queryFn: ({ signal }) => call(todoList, asked, { signal, silent: true }),
    placeholderData: (before) => before,
    staleTime: 0,
    retry: false,
  })
  useFlowNews()
  const leaving = useStore(leavingStore)
  const records = found.data?.records ?? NONE
  const rows = useMemo(() => records.filter(({ taskId }) => !leaving.has(taskId ?? '')), [records, leaving])
  const total = Math.max(0, (found.data?.total ?? 0) - (records.length - rows.length))
  const wanted = query.get('id')
  // On a wide screen the first one is open: whoever comes here comes to read it.
  const at = rows.find(({ taskId }) => taskId === wanted) ?? (narrow ? undefined : rows[0])
  const place = at ? rows.indexOf(at) : -1
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const selected = rows.filter(({ taskId }) => chosen.has(taskId ?? ''))
  const [asking, setAsking] = useState<'ok' | 'no' | null>(null)
  const pane = useRef<PaneKeys>(null)
  const list = useRef<HTMLDivElement>(null)

  const openAt = (task: FlowTask | undefined, replace = true) =>
    setQuery({ id: task?.taskId ?? null }, { path, replace, soon: replace })
  const move = (step: 1 | -1) => {
    const next = rows[Math.min(rows.length - 1, Math.max(0, place + step))]
    if (next && next !== at) openAt(next)
  }
  const turn = (task: FlowTask | undefined) => {
    const id = task?.taskId
    if (!id) return
    setChosen((now) => new Set(now.has(id) ? [...now].filter((each) => each !== id) : [...now, id]))
  }
  /** The task is gone from here: the one beneath opens by itself. */
  const left = () => openAt(rows[place + 1] ?? (narrow ? undefined : rows[place - 1]))
  const answer = (flag: 'ok' | 'no') => (selected.length > 0 ? setAsking(flag) : pane.current?.answer(flag))
  const answerAll = (flag: 'ok' | 'no', comment: string) => {
    const rest = rows.filter((row) => !selected.includes(row))
    decide(selected, { flag, comment })
    setChosen(new Set())
    setAsking(null)
    openAt(narrow ? undefined : rest[0])
  }
  const id = at?.taskId ?? null
  useEffect(() => {
    if (id && active)
      list.current?.querySelector(`[data-task="${CSS.escape(id)}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [id, active])

  // What is taken back is what the next key is meant for: it is open again, and several are selected again.
  const takenBack = useStore(takenBackStore)
  const seenBack = useRef(takenBack)
  useEffect(() => {
    if (!active || seenBack.current === takenBack) return
    seenBack.current = takenBack
    if (takenBack.length > 1) setChosen(new Set(takenBack))
    setQuery({ id: takenBack[0] ?? null }, { path, replace: true })
  }, [active, takenBack, path])

  // The one beneath is read ahead: it opens in the moment in which this one is answered.
  const queries = useQueryClient()
  const beneath = rows[place + 1]
  useEffect(() => {
    if (at && beneath?.taskId) void queries.prefetchQuery(detailOf(beneath.processInstanceId, beneath.taskId))
  }, [queries, at, beneath])

  useKeys(active, {
    name: 'keys.approval',
    bindings: [
      { keys: ['KeyJ', 'ArrowDown'], label: 'keys.down', run: () => move(1) },
      { keys: ['KeyK', 'ArrowUp'], label: 'keys.up', run: () => move(-1) },
      {
        keys: ['Enter'],
        label: 'keys.openTask',
        run: (event) => (isOwned(event) ? false : at ? pane.current?.focus() : openAt(rows[0], false)),
      },
      { keys: ['KeyX'], label: 'keys.tick', run: () => turn(at) },
      { keys: ['Space'], run: (event) => (isOwned(event) ? false : turn(at)) },
      {
        keys: ['Mod+KeyA'],
        label: 'keys.tickPage',
        run: () => setChosen(new Set(rows.flatMap(({ taskId }) => (taskId ? [taskId] : [])))),
      },
      { keys: ['KeyA'], label: 'keys.approve', run: () => answer('ok') },
      { keys: ['KeyR'], label: 'keys.refuse', run: () => answer('no') },
      { keys: ['KeyT'], label: 'keys.transfer', run: () => pane.current?.act('transfer') },
      { keys: ['KeyC'], label: 'keys.comment', run: () => pane.current?.comment() },
      { keys: ['KeyP'], label: 'keys.print', run: () => pane.current?.print() },
      {
        keys: ['/'],
        label: 'keys.quick',
        run: () => list.current?.querySelector<HTMLElement>('input[data-quick]')?.focus(),
      },
      {
        keys: ['Escape'],
        label: 'keys.clear',
        run: () => (chosen.size > 0 ? setChosen(new Set()) : narrow && at ? openAt(undefined) : false),
      },
    ],
  })

  const empty = (
    <div className="flow-none">
      <Sheet />
      <p>{t(Object.keys(filters).length > 0 ? 'flow.noMatch' : 'flow.nothingToDo')}</p>
      {Object.keys(filters).length === 0 && (
        <Link className="button" to="/work/done">
          {t('flow.seeDone')}
        </Link>
      )}
    </div>
  )
  return (
    <div className="page flow-todo" data-narrow={narrow || undefined}>
      {(!narrow || !at) && (
        <section className="flow-side" ref={list} aria-label={t('flow.todo')}>
          <header className="flow-side-head">
            <h1 tabIndex={-1}>{t('flow.todo')}</h1>
            {found.data && <Count total={total} />}
            <button
              type="button"
              className="icon-button small"
              aria-label={t('flow.refresh')}
              title={t('flow.refresh')}
              onClick={() => void found.refetch()}
            >
              <Icon name="refresh-cw" size={16} />
            </button>
            <ListMenu entity={file} total={found.data?.total} file={{ query: filters, columns: fileColumns }} />
          </header>
          <WorkFilterLine byTime />
          <QueryStates query={found}>
            {() =>
              rows.length === 0 ? (
                empty
              ) : (
                <TaskList
                  rows={rows}
                  at={at}
                  chosen={chosen}
                  onTurn={turn}
                  onOpen={(task) => openAt(task, !narrow)}
                  waits={stateOf(found) === 'refresh'}
                />
              )
            }
          </QueryStates>
          {selected.length > 0 && (
            <BulkAnswer
              tasks={selected}
              asking={asking}
              onAsk={setAsking}
              onClear={() => setChosen(new Set())}
              onAnswer={answerAll}
            />
          )}
          {total > size && (
            <Pager
              total={total}
              current={current}
              size={size}
              onPage={(next) => setQuery({ current: next === 1 ? null : next, id: null }, { path, replace: true })}
              onSize={(next) => setQuery({ size: next, current: null }, { path, replace: true })}
            />
          )}
        </section>
      )}
      {at ? (
        <Pane
          key={at.taskId}
          ref={pane}
          task={at}
          onStep={move}
          onLeft={left}
          onBack={narrow ? () => openAt(undefined) : undefined}
        />
      ) : (
        !narrow && <div className="flow-read">{found.data && empty}</div>
      )}
    </div>
  )
}

/** Whether a key belongs to what has the focus. */
const isOwned = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLElement && target.closest('a,button,input,summary') !== null
