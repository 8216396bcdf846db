import { useId, useState } from 'react'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { useT } from '../../../ui/words.ts'
import type { FlowTask } from '../queries.ts'

interface BulkProps {
  readonly tasks: readonly FlowTask[]
  /** What is asked for all of them. */
  readonly asking: 'ok' | 'no' | null
  readonly onAsk: (flag: 'ok' | 'no' | null) => void
  readonly onClear: () => void
  readonly onAnswer: (flag: 'ok' | 'no', comment: string) => void
}

/** What can be done with the selected tasks, and the one question before it is done to all of them. */
export function BulkAnswer({ tasks, asking, onAsk, onClear, onAnswer }: BulkProps) {
  const t = useT()
  return (
    <>
      <div className="flow-bulk" role="toolbar" aria-label={t('flow.bulk')}>
        <span>{t('flow.selected', { count: tasks.length })}</span>
        <button type="button" className="button small primary" onClick={() => onAsk('ok')}>
          {t('flow.approve')}
        </button>
        <button type="button" className="button small flow-refuse" onClick={() => onAsk('no')}>
          {t('flow.refuse')}
        </button>
        <button type="button" className="icon-button small" aria-label={t('flow.clearSelection')} onClick={onClear}>
          <Icon name="x" size={16} />
        </button>
      </div>
      {asking && <Question tasks={tasks} flag={asking} onClose={() => onAsk(null)} onAnswer={onAnswer} />}
    </>
  )
}

/** So many are named; of the others it is said how many there are. */
const named = 5

interface QuestionProps extends Pick<BulkProps, 'tasks' | 'onAnswer'> {
  readonly flag: 'ok' | 'no'
  readonly onClose: () => void
}

function Question({ tasks, flag, onClose, onAnswer }: QuestionProps) {
  const t = useT()
  const id = useId()
  const count = tasks.length
  const [comment, setComment] = useState('')
  const [wrong, setWrong] = useState(false)
  const isOk = flag === 'ok'
  const submit = () => {
    if (!isOk && comment.trim() === '') return setWrong(true)
    onAnswer(flag, comment.trim())
  }
  return (
    <Dialog
      title={t(isOk ? 'flow.approveMany' : 'flow.refuseMany', { count })}
      width={440}
      okText={t(isOk ? 'flow.approveCount' : 'flow.refuseCount', { count })}
      danger={!isOk}
      onClose={onClose}
      onOk={submit}
    >
      <ul className="flow-named">
        {tasks.slice(0, named).map((task) => (
          <li key={task.taskId}>{task.title}</li>
        ))}
        {count > named && <li className="muted">{t('flow.andMore', { count: count - named })}</li>}
      </ul>
      <div className="field">
        <label htmlFor={id}>
          {t('flow.comment')}
          {!isOk && (
            <span className="must" aria-hidden="true">
              *
            </span>
          )}
        </label>
        <input
          id={id}
          className="input"
          maxLength={2000}
          aria-required={!isOk || undefined}
          aria-invalid={wrong || undefined}
          aria-describedby={wrong ? `${id}-wrong` : undefined}
          placeholder={t('flow.commentHint')}
          value={comment}
          onChange={({ target }) => {
            setComment(target.value)
            setWrong(false)
          }}
        />
        {wrong && (
          <p id={`${id}-wrong`} className="field-error" role="alert">
            {t('flow.needReason')}
          </p>
        )}
      </div>
    </Dialog>
  )
}
