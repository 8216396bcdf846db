import { Link } from '../../../ui/place.ts'
import type { Column } from '../../../ui/table/table.tsx'
import type { Translate } from '../../../ui/words.ts'
import { outcomeWords } from '../history/steps.ts'
import { detailAddress } from '../places.ts'
import type { FlowTask } from '../queries.ts'
import { waitingOf } from '../time.ts'

type Words = (key: string) => string

const none = <span className="none">—</span>
const moment = (text: string | null) => (text ? <span className="mono">{text.slice(0, 16)}</span> : none)

/** What became of a task that one has had, but for a refusal. */
const decisions: Readonly<Record<string, string>> = { ok: 'flow.agreed', back: 'flow.returned', ...outcomeWords }

/** States as shape and word: what runs is a dot, what ended otherwise than well a pill. */
const tones: Readonly<Record<string, string>> = { '3': 'bad', '4': 'warn', '5': 'bad', '6': 'bad' }

/** The columns of which each list of the workflow takes its own. */
export function columnsIn(t: Translate, category: Words, stateText: Words) {
  const column = (
    key: string,
    label: string,
    width: number,
    cell: Column<FlowTask>['cell'],
    more: Partial<Column<FlowTask>> = {},
  ): Column<FlowTask> => ({ key, label, width, cell, ...more })
  return {
    title: column(
      'title',
      t('flow.title'),
      280,
      (task) => (
        <Link className="dt-open" to={detailAddress(task)}>
          {task.title}
        </Link>
      ),
      { title: true, pin: 'start' },
    ),
    serialNo: column('serialNo', t('flow.serialNo'), 150, ({ serialNo }) =>
      serialNo ? <span className="mono">{serialNo}</span> : none,
    ),
    process: column('process', t('flow.process'), 160, ({ processDefinitionName }) => processDefinitionName),
    category: column('category', t('flow.category'), 120, (task) => category(task.category) || none, { extra: true }),
    applicant: column('applicant', t('flow.applicant'), 120, ({ startUserName }) => startUserName ?? none),
    step: column('step', t('flow.step'), 150, ({ taskName }) => taskName ?? none),
    candidates: column('candidates', t('flow.candidates'), 180, ({ candidateNames }) => candidateNames ?? none),
    activity: column('activity', t('flow.standsAt'), 180, ({ activity, assigneeName, candidateNames }) =>
      activity ? [activity, assigneeName ?? candidateNames].filter(Boolean).join(t('flow.separator')) : none,
    ),
    state: column('state', t('flow.state'), 110, ({ instanceState }) => {
      const text = stateText(instanceState)
      const tone = tones[instanceState]
      return tone ? <span className={`pill ${tone}`}>{text}</span> : <span className="usual">{text}</span>
    }),
    decision: column('decision', t('flow.decision'), 110, ({ outcome }) => {
      if (outcome === 'no') return <span className="pill bad">{t('flow.refused')}</span>
      const word = decisions[outcome ?? '']
      return word ? <span className="usual">{t(word)}</span> : none
    }),
    comment: column('comment', t('flow.comment'), 220, ({ comment }) => comment ?? none),
    waits: column('waits', t('flow.waited'), 150, (task) => {
      const { text, pill } = waitingOf(t, task)
      return pill ? <span className={`pill ${pill.tone}`}>{pill.text}</span> : text
    }),
    startTime: column('startTime', t('flow.sentAt'), 150, ({ startTime }) => moment(startTime)),
    createTime: column('createTime', t('flow.cameAt'), 150, ({ createTime }) => moment(createTime)),
    endTime: column('endTime', t('flow.doneAt'), 150, ({ endTime }) => moment(endTime)),
  }
}

interface RowAct {
  readonly key: string
  readonly label: string
  readonly offered?: (task: FlowTask) => boolean
}

/** The buttons of a row, named with it for whoever does not see which row it is. */
export const actionsColumn = (t: Translate, acts: readonly RowAct[], width: number): Column<FlowTask> => ({
  key: 'actions',
  label: t('flow.actions'),
  width,
  pin: 'end',
  cell: (task) => {
    const offered = acts.filter((act) => act.offered?.(task) ?? true)
    if (offered.length === 0) return none
    return (
      <span className="dt-acts">
        {offered.map(({ key, label }) => (
          <button
            key={key}
            type="button"
            className="dt-act"
            data-act={key}
            aria-label={t('flow.actOf', { act: label, title: task.title })}
          >
            {label}
          </button>
        ))}
      </span>
    )
  },
})
