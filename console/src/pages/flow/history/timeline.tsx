import type { FlowStep } from '@data-brain/contract/calls/flow'
import { Fragment } from 'react'
import { flowWords } from '../../../locales/flow.ts'
import { addWords, useT, useWords } from '../../../ui/words.ts'
import { FileList } from '../files.tsx'
import { lengthOfStep, nameOfStep, stateSigns, toldSteps, wordOfStep } from './steps.ts'
import './history.css'

addWords(flowWords)

interface TimelineProps {
  readonly steps: readonly FlowStep[]
  /** The element that is pointed at, here or in the drawing. */
  readonly lit?: string | null
  /** Hears which element is pointed at; without it there is no drawing beside. */
  readonly onLit?: ((element: string | null) => void) | undefined
}

/** What has happened, in order of time: step, who, what they decided, how long it took, and what they said. */
export function Timeline({ steps, lit = null, onLit }: TimelineProps) {
  const t = useT()
  return (
    <ol className="fh-line">
      {toldSteps(steps).map((step, at) => {
        const { historyActivityId: id } = step
        const name = nameOfStep(step, t)
        return (
          <li
            key={`${id} ${step.taskId ?? at}`}
            className={`fh-step fh-${step.state}${id === lit ? ' fh-lit' : ''}`}
            onPointerEnter={onLit && (() => onLit(id))}
            onPointerLeave={onLit && (() => onLit(null))}
          >
            <span className="fh-sign" aria-hidden="true">
              {step.state === 'waiting' ? '' : stateSigns[step.state]}
            </span>
            <div className="fh-told">
              {onLit ? (
                <button type="button" className="fh-name" onFocus={() => onLit(id)} onBlur={() => onLit(null)}>
                  {name}
                </button>
              ) : (
                <strong className="fh-name">{name}</strong>
              )}
              <StepFacts step={step} />
            </div>
          </li>
        )
      })}
    </ol>
  )
}

function StepFacts({ step }: { readonly step: FlowStep }) {
  const t = useT()
  const pick = useWords()
  const facts = [step.assigneeName ?? step.candidateNames ?? '', wordOfStep(step, t), lengthOfStep(step, t)].filter(
    Boolean,
  )
  return (
    <>
      <p className="fh-facts">
        {facts.map((fact, at) => (
          <Fragment key={fact}>
            {at > 0 && (
              <>
                <i className="between" aria-hidden="true" />
                <span className="sr-only">{t('flow.separator')}</span>
              </>
            )}
            <span>{fact}</span>
          </Fragment>
        ))}
      </p>
      {step.comment && <q className="fh-comment">{step.comment}</q>}
      {step.incident && <p className="fh-trouble">{pick(step.incident)}</p>}
      <FileList files={step.files} />
      <time className="fh-time">{(step.endTime ?? step.createTime).slice(0, 16)}</time>
    </>
  )
}
