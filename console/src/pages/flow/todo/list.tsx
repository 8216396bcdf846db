import { Facts } from '../../../entity/display/index.ts'
import { usePlace } from '../../../ui/place.ts'
import { useStore } from '../../../ui/store.ts'
import { tintOf } from '../../../ui/tint.ts'
import { useT } from '../../../ui/words.ts'
import type { FlowTask } from '../queries.ts'
import { waitingOf } from '../time.ts'
import { failuresStore } from './sending.ts'

interface ListProps {
  readonly rows: readonly FlowTask[]
  readonly at: FlowTask | undefined
  readonly chosen: ReadonlySet<string>
  readonly onTurn: (task: FlowTask) => void
  readonly onOpen: (task: FlowTask) => void
  /** Whether the rows are those of the question before. */
  readonly waits: boolean
}

/** Tasks as people bring them: who asks, for what, and how long it has waited. */
export function TaskList({ rows, at, chosen, onTurn, onOpen, waits }: ListProps) {
  const t = useT()
  const { path, query } = usePlace()
  const failures = useStore(failuresStore)
  const addressOf = (id: string): string => {
    const next = new URLSearchParams(query)
    next.set('id', id)
    return `${path}?${next}`
  }
  return (
    <ul className="flow-tasks" aria-busy={waits}>
      {rows.map((task) => {
        const id = task.taskId ?? ''
        const failure = failures.get(id)
        return (
          <li key={id} data-task={id} data-chosen={chosen.has(id) || undefined} data-failed={failure ? '' : undefined}>
            <label className="flow-tick">
              <input
                type="checkbox"
                aria-label={t('flow.select', { title: task.title })}
                checked={chosen.has(id)}
                onChange={() => onTurn(task)}
              />
            </label>
            <a
              className="flow-task"
              href={addressOf(id)}
              aria-current={task === at || undefined}
              onClick={(event) => {
                if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
                event.preventDefault()
                onOpen(task)
              }}
            >
              <TaskHead task={task} />
              {failure && <span className="flow-failure">{t('flow.failed', { message: failure })}</span>}
            </a>
          </li>
        )
      })}
    </ul>
  )
}

function TaskHead({ task }: { task: FlowTask }) {
  const t = useT()
  const name = task.startUserName ?? t('flow.system')
  const { text, pill } = waitingOf(t, task)
  return (
    <>
      <span className={`disc medium s${tintOf(name)}`} aria-hidden="true">
        {[...name][0]}
      </span>
      <span className="flow-task-words">
        <span className="flow-task-line">
          <strong>{name}</strong>
          <span className="flow-task-kind">{task.processDefinitionName}</span>
          <span className="flow-task-wait">
            <span className="sr-only">{t('flow.waited')} </span>
            {text}
          </span>
        </span>
        <span className="flow-task-title">{task.title}</span>
        <span className="flow-task-line flow-task-more">
          <Facts texts={[task.taskName ?? '', task.serialNo ?? ''].filter(Boolean)} />
          {pill && <span className={`pill ${pill.tone}`}>{pill.text}</span>}
        </span>
      </span>
    </>
  )
}
