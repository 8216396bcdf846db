import { importCode } from '@data-brain/contract/import/place'
import { useEffect, useRef } from 'react'
import { NoRight } from '../../entity/list/index.ts'
import { HttpProblem } from '../../http/client.ts'
import { entityWords } from '../../locales/entity.ts'
import { importWords } from '../../locales/import.ts'
import { useCan } from '../../session/session.ts'
import { Icon } from '../../ui/icon.tsx'
import { setQuery, usePlace } from '../../ui/place.ts'
import { addWords, useT } from '../../ui/words.ts'
import { Batches } from './batches.tsx'
import { type BatchView, sendMapping } from './calls.ts'
import { Check } from './check.tsx'
import { type Kind, KindProvider, useImportT, useKind } from './import-kinds.ts'
import { LearnedWords } from './learned.tsx'
import { Match } from './match.tsx'
import { NotRead } from './not-read.tsx'
import { OtherImports } from './other-imports.tsx'
import { centre } from './place.ts'
import { BatchProgress } from './progress.tsx'
import { Result } from './result.tsx'
import { importSteps, isClear, mappingOf, mayGo, type Step, stepOf, useBatch, useRenew } from './state.ts'
import { Upload } from './upload.tsx'
import './page.css'

addWords({ ...entityWords, ...importWords })

/** The import centre: a file is uploaded, its columns matched, its rows checked and corrected, and all stored at once. */
export default function ImportPage({ kind = centre }: { kind?: Kind }) {
  return (
    <KindProvider value={kind}>
      <Centre />
    </KindProvider>
  )
}

function Centre() {
  const t = useImportT()
  const kind = useKind()
  const can = useCan()
  const { path, query } = usePlace()
  const id = query.get('batch')
  const asked = query.get('step')
  const { data: batch, error, refetch } = useBatch(id)
  const step = stepOf(batch, asked)
  const clear = useClearStart(batch, asked, path)

  // The address says what is shown, so that a reload or a colleague comes to the same place.
  useEffect(() => {
    if (batch && !clear && asked !== step && batch.state !== 'reading') setQuery({ step }, { replace: true, path })
  }, [batch, clear, asked, step, path])

  if (!can(importCode(kind))) return <NoRight />
  const leave = () => setQuery({ batch: null, step: null })
  return (
    <div className="page import">
      <header className="entity-head">
        <h1 tabIndex={-1}>{t('import.title')}</h1>
        <span className="entity-count">{batch ? batch.fileName : t('import.about')}</span>
        {id !== null && (
          <span className="entity-buttons">
            <button type="button" className="button" onClick={leave}>
              <Icon name="arrow-left" size={16} />
              {t('import.another')}
            </button>
          </span>
        )}
      </header>
      <Stepper batch={batch} step={step} />
      {id === null ? (
        <>
          {/* A file may still be on its way when somebody has gone to another page. */}
          <Upload onBatch={(batchId) => setQuery({ batch: batchId }, { path })} />
          {kind === centre && <OtherImports />}
          <Batches all={kind === centre} />
          <LearnedWords />
        </>
      ) : error && !batch ? (
        <NotThere problem={error} onRetry={() => void refetch()} />
      ) : batch ? (
        <Stage key={batch.id} batch={batch} step={step} clear={clear} />
      ) : (
        <section className="card" aria-busy="true">
          <p className="muted">{t('common.loading')}</p>
        </section>
      )}
    </div>
  )
}

interface StageProps {
  batch: BatchView
  step: Step
  clear: boolean
}

/** What the batch needs now. */
function Stage({ batch, step, clear }: StageProps) {
  const t = useT()
  if (batch.state === 'failed')
    return (
      <section className="card">
        <h2>{t('import.failed')}</h2>
        <p className="alert" role="alert">
          {batch.failure}
        </p>
      </section>
    )
  if (batch.state === 'reading' || clear) return <BatchProgress batch={batch} what="import.reading" />
  if (batch.state === 'checking') return <BatchProgress batch={batch} what="import.checking" />
  if (batch.state === 'committing') return <BatchProgress batch={batch} what="import.committing" />
  if (batch.state === 'undoing') return <BatchProgress batch={batch} what="import.undoing" />
  // Of a file that was read anew the columns are others.
  const headings = batch.columns.map(({ heading }) => heading).join('|')
  if (step === 'match') return <Match key={headings} batch={batch} />
  if (step === 'check')
    return (
      <>
        <NotRead batch={batch} />
        <Check batch={batch} />
      </>
    )
  return <Result batch={batch} />
}

/** Begins the check of a file that is understood whole, once; true while that is so. */
function useClearStart(batch: BatchView | undefined, asked: string | null, path: string): boolean {
  const kind = useKind()
  const renew = useRenew(batch?.id ?? null)
  const begun = useRef('')
  const clear = batch !== undefined && asked === null && isClear(batch)
  useEffect(() => {
    if (!clear || !batch || begun.current === batch.id) return
    begun.current = batch.id
    // Where it is refused, as when a second window was quicker, the batch itself says how it stands.
    void sendMapping(kind, batch.id, mappingOf(batch.columns), { silent: true })
      .catch((problem: unknown) => {
        if (!(problem instanceof HttpProblem)) throw problem
        setQuery({ step: 'match' }, { replace: true, path })
      })
      .finally(renew)
  }, [clear, batch, renew, kind, path])
  return clear
}

function Stepper({ batch, step }: { batch: BatchView | undefined; step: Step }) {
  const t = useT()
  const at = importSteps.indexOf(step)
  return (
    <nav aria-label={t('import.steps')}>
      <ol className="import-steps">
        {importSteps.map((each, index) => {
          const name = (
            <>
              <span className="import-step-no" aria-hidden="true">
                {index < at ? <Icon name="check" size={14} /> : index + 1}
              </span>
              {t(`import.step.${each}`)}
            </>
          )
          const current = each === step ? 'step' : undefined
          return (
            <li key={each} aria-current={current} className={index < at ? 'past' : undefined}>
              {each !== step && each !== 'upload' && mayGo(batch, each) ? (
                <button type="button" onClick={() => setQuery({ step: each })}>
                  {name}
                </button>
              ) : (
                <span>{name}</span>
              )}
            </li>
          )
        })}
      </ol>
    </nav>
  )
}

function NotThere({ problem, onRetry }: { problem: Error; onRetry: () => void }) {
  const t = useT()
  const gone = problem instanceof HttpProblem && problem.status === 404
  return (
    <section className="card">
      <p className="alert" role="alert">
        {gone ? t('import.notFound') : problem.message}
      </p>
      {!gone && (
        <button type="button" className="button" onClick={onRetry}>
          {t('common.retry')}
        </button>
      )}
    </section>
  )
}
