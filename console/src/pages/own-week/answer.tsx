import {
  acceptSubstitutions,
  declineSubstitutions,
  type OwnSubstitution,
} from '@data-brain/contract/calls/substitution'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../http/call.ts'
import { HttpProblem } from '../../http/client.ts'
import { askConfirmation } from '../../ui/confirm.tsx'
import { toast } from '../../ui/toast.ts'
import { useT } from '../../ui/words.ts'

interface AnswerProps {
  readonly id: string
  /** The lesson that it is about. */
  readonly name: string
}

/** Accepts or declines a cover or a move that the caller is asked for. */
export function Answer({ id, name }: AnswerProps) {
  const t = useT()
  const queries = useQueryClient()
  const answer = async (declared: typeof acceptSubstitutions | typeof declineSubstitutions, said: string) => {
    try {
      await call(declared, { ids: [id] })
      toast.success(said)
    } catch (problem) {
      // The client has said what went wrong; anything else is a defect and goes up.
      if (!(problem instanceof HttpProblem)) throw problem
    } finally {
      await queries.invalidateQueries({ queryKey: ['plan', 'own'] })
    }
  }
  const decline = async () => {
    const title = t('ownWeek.declineAsk', { name })
    if (await askConfirmation({ title, danger: true, okText: t('ownWeek.decline') }))
      await answer(declineSubstitutions, t('ownWeek.declined'))
  }
  return (
    <span className="own-week-answer">
      <button
        type="button"
        className="button primary small"
        aria-label={t('ownWeek.acceptOf', { name })}
        onClick={() => void answer(acceptSubstitutions, t('ownWeek.accepted'))}
      >
        {t('ownWeek.accept')}
      </button>
      <button
        type="button"
        className="button small"
        aria-label={t('ownWeek.declineOf', { name })}
        onClick={() => void decline()}
      >
        {t('ownWeek.decline')}
      </button>
    </span>
  )
}

/** Substitutions on other days that wait for the caller's answer: a message links to this page whichever day it is about. */
export function PendingAnswers({
  waiting,
  onLook,
}: {
  waiting: readonly OwnSubstitution[]
  onLook: (day: string) => void
}) {
  const t = useT()
  if (waiting.length === 0) return null
  return (
    <section className="own-week-awaiting card" aria-label={t('ownWeek.awaiting')}>
      <h2>{t('ownWeek.awaiting')}</h2>
      <ul>
        {waiting.map(({ id, date, periodNo, className, subjectName, teacherName }) => (
          <li key={id}>
            <button type="button" className="link-button" onClick={() => onLook(date)}>
              {`${date} ${t('ownWeek.period', { no: periodNo })}`}
            </button>
            <span>{`${className} ${subjectName}`}</span>
            <span className="muted">{t('ownWeek.whose', { name: teacherName })}</span>
            <Answer id={id} name={`${date} ${className} ${subjectName}`} />
          </li>
        ))}
      </ul>
    </section>
  )
}
