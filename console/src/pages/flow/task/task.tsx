import { useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense } from 'react'
import { Facts } from '../../../entity/display/index.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { Link } from '../../../ui/place.ts'
import { useT } from '../../../ui/words.ts'
import { FormFacts } from '../form/facts.tsx'
import { FormBody } from '../form/form.tsx'
import { Timeline } from '../history/timeline.tsx'
import { detailAddress } from '../places.ts'
import { historyOf, type ProcessDetail } from '../queries.ts'
import { waitingOf } from '../time.ts'
import { businessParts } from './business.ts'
import { Decision } from './decision.tsx'
import type { TaskWork } from './use-task.tsx'
import '../../../entity/detail/detail.css'
import './task.css'

const ActDialog = lazyPart(() => import('./actions.tsx'))

/** What an instance is and asks: its head, its fields, and what its business adds. */
export function Request({ detail, work }: { detail: ProcessDetail; work?: TaskWork | undefined }) {
  const t = useT()
  const Part = detail.formKey ? businessParts[detail.formKey] : undefined
  const waiting = detail.taskId && detail.endTime === null ? waitingOf(t, detail) : undefined
  const writing = work !== undefined && detail.may.decide && detail.fields.some(({ writable }) => writable)
  const read = writing ? detail.fields.filter(({ writable }) => !writable) : detail.fields
  return (
    <>
      <h2 className="flow-title">{detail.title}</h2>
      <Facts
        texts={[
          detail.startUserName ?? '',
          t('flow.sentAtTime', { time: detail.startTime.slice(0, 16) }),
          waiting ? t('flow.waitsFor', { span: waiting.text }) : '',
        ].filter(Boolean)}
      />
      {waiting?.pill && <span className={`pill ${waiting.pill.tone}`}>{waiting.pill.text}</span>}
      {detail.reason && <p className="alert flow-reason">{detail.reason}</p>}
      {!Part && (
        <div className="flow-card-box">
          <FormFacts fields={read} />
        </div>
      )}
      {Part && (
        <Suspense fallback={null}>
          <Part detail={detail} />
        </Suspense>
      )}
      {writing && (
        <section className="flow-card-box" aria-label={t('flow.fillIn')}>
          <h3>{t('flow.fillIn')}</h3>
          <FormBody made={work.made} />
        </section>
      )}
    </>
  )
}

/** What can be done with a task, and the dialog of what was chosen. */
export function Answer({ detail, work, onLeft }: { detail: ProcessDetail; work: TaskWork; onLeft: () => void }) {
  const { opinion, put, commentBox, act, setAct, answer, claim, release } = work
  return (
    <>
      <Decision
        detail={detail}
        opinion={opinion}
        onOpinion={put}
        commentBox={commentBox}
        onDecide={answer}
        onAct={setAct}
        onClaim={() => void claim()}
        onRelease={() => void release()}
      />
      {act && (
        <Suspense fallback={null}>
          <ActDialog
            kind={act}
            about={detail}
            onClose={() => setAct(null)}
            onDone={act === 'copy' || act === 'withdraw' ? undefined : onLeft}
          />
        </Suspense>
      )}
    </>
  )
}

/** The way so far, beside what is read. */
export function Way({ detail, children }: { detail: ProcessDetail; children?: ReactNode }) {
  const t = useT()
  const steps = useQuery(historyOf(detail.processInstanceId))
  return (
    <aside className="flow-way" aria-label={t('flow.way')}>
      <h2>{t('flow.way')}</h2>
      {steps.data ? (
        <Timeline steps={steps.data} candidates={detail.candidateNames} />
      ) : (
        <div className="bone" aria-busy={steps.isPending} />
      )}
      <Link className="flow-diagram-link" to={detailAddress(detail)}>
        {t('flow.showDiagram')}
      </Link>
      {children}
    </aside>
  )
}
