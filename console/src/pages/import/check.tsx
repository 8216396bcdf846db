import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useId, useRef, useState } from 'react'
import { saveFile } from '../../ui/save-file.ts'
import { useLanguage } from '../../ui/words.ts'
import {
  type BatchView,
  type CorrectedRows,
  checkAgain,
  commitBatch,
  type Duplicates,
  fetchFaults,
  sendAnswers,
} from './calls.ts'
import { CheckNotes, LeftColumns } from './check-notes.tsx'
import { FaultGrid } from './grid.tsx'
import { FaultGroups } from './groups.tsx'
import { useImportT, useKind } from './import-kinds.ts'
import { batchKey, useRenew, useWork } from './state.ts'
import { DuplicatesChoice } from './upload.tsx'

const noRows = { good: 0, bad: 0, duplicate: 0, out: 0 }

/** The third step: what would happen, what is wrong, and the way to put it right. */
export function Check({ batch }: { batch: BatchView }) {
  const t = useImportT()
  const kind = useKind()
  const language = useLanguage()
  const client = useQueryClient()
  const [skipBad, setSkipBad] = useState(false)
  // What was just chosen, until the batch itself says so.
  const [duplicates, setDuplicates] = useState<Duplicates>()
  const work = useWork()
  const renew = useRenew(batch.id)
  const commitButton = useRef<HTMLButtonElement>(null)
  const hint = useId()
  const states = batch.rows ?? noRows
  const { add = 0, update = 0, skip = 0, bad = 0 } = batch.counts
  // What only waits for a class is a question and no error.
  const asks = Math.min(batch.waiting?.rows ?? 0, states.bad)
  const wrong = states.bad - asks
  const number = new Intl.NumberFormat(language)
  const count = (n: number) => number.format(n)

  const keep = useCallback(
    async ({ states, counts, refusal }: CorrectedRows) => {
      // An answer that is on its way knows nothing of this one.
      await client.cancelQueries({ queryKey: batchKey(batch.id) })
      client.setQueriesData<BatchView>(
        { queryKey: batchKey(batch.id) },
        (now) => now && { ...now, rows: states, counts, refusal: refusal ?? null },
      )
    },
    [client, batch.id],
  )
  const run = async (what: () => Promise<unknown>) => {
    await work.run(what)
    await renew()
  }
  const commit = () => run(() => commitBatch(kind, batch.id, skipBad && bad > 0))
  const judge = async (next: Duplicates) => {
    setDuplicates(next)
    await run(() => checkAgain(kind, batch.id, next))
    setDuplicates(undefined)
  }
  const refusal = batch.refusal ?? null
  const blocked = (bad > 0 && !skipBad) || refusal !== null
  const isReady = !blocked && add + update > 0
  useEffect(() => {
    // The button that led here is gone, and the focus with it: nothing is left to do but this.
    if (isReady && document.activeElement === document.body) commitButton.current?.focus()
  }, [isReady])

  return (
    <>
      <section className="card" aria-labelledby="import-check">
        <h2 id="import-check">{t('import.counts')}</h2>
        {batch.failure && (
          <p className="alert" role="alert">
            {batch.failure}
          </p>
        )}
        {asks > 0 && (
          <p className="banner" role="status">
            {t('import.waiting', { classes: batch.waiting?.classes ?? 0, count: count(asks) })}
          </p>
        )}
        <div role="status" className="import-counts" aria-label={t('import.counts')}>
          <span className="tag tag-good">{t('import.good', { count: count(states.good) })}</span>{' '}
          <span className={states.duplicate > 0 ? 'tag tag-warn' : 'tag tag-off'}>
            {t('import.duplicate', { count: count(states.duplicate) })}
          </span>{' '}
          {asks > 0 && <span className="tag tag-warn">{t('import.waits', { count: count(asks) })}</span>}
          {(wrong > 0 || asks === 0) && (
            <span className={wrong > 0 ? 'tag import-tag-bad' : 'tag tag-off'}>
              {t('import.bad', { count: count(wrong) })}
            </span>
          )}
          {states.out > 0 && <span className="tag tag-off">{t('import.out', { count: count(states.out) })}</span>}
        </div>
        <p className="import-plan">
          {t('import.plan', { add: count(add), update: count(update), skip: count(skip) })}
          <span className="muted">{[batch.schoolName, batch.yearName].filter(Boolean).join(' · ')}</span>
        </p>
        {(batch.makes ?? []).length > 0 && (
          <p className="muted">{t('import.makes', { names: (batch.makes ?? []).join(t('entity.separator')) })}</p>
        )}
        {refusal && (
          <p className="alert" role="alert">
            {refusal}
          </p>
        )}
        <CheckNotes
          batch={batch}
          busy={work.busy}
          onAgain={(answer) => void run(() => sendAnswers(kind, batch.id, [answer]))}
        />
        <LeftColumns batch={batch} />
        {(batch.alike ?? 0) > 0 && <p className="muted">{t('import.alikeRows', { count: batch.alike ?? 0 })}</p>}
        {states.duplicate > 0 && (
          <DuplicatesChoice
            value={duplicates ?? batch.duplicates}
            disabled={work.busy}
            onChange={(next) => void judge(next)}
          />
        )}
        {bad > 0 && (
          <label className="check">
            <input type="checkbox" checked={skipBad} onChange={(event) => setSkipBad(event.target.checked)} />
            {t(wrong > 0 ? 'import.skipBad' : 'import.skipAsked', { count: bad })}
          </label>
        )}
        {work.failure && (
          <p className="alert import-wrong" role="alert">
            {work.failure}
          </p>
        )}
        <div className="import-foot">
          <button
            type="button"
            className="button"
            disabled={work.busy}
            onClick={() => void work.run(async () => saveFile(await fetchFaults(kind, batch.id)))}
            hidden={bad + states.out === 0}
          >
            {t(wrong > 0 ? 'import.download' : 'import.downloadLeftOut')}
          </button>
          <span id={hint} className="muted import-hint">
            {bad > 0 && !skipBad
              ? t(wrong > 0 ? 'import.correctFirst' : 'import.answerFirst', { count: bad })
              : add + update === 0
                ? t('import.nothing')
                : bad === 0 && !refusal && t('import.noFaults')}
          </span>
          <button
            ref={commitButton}
            type="button"
            className="button primary"
            disabled={work.busy || blocked || add + update === 0}
            aria-describedby={hint}
            onClick={() => void commit()}
          >
            {t('import.commit')}
          </button>
        </div>
      </section>
      <FaultGroups batch={batch} />
      <FaultGrid
        batch={batch}
        onCorrected={keep}
        onRefused={() => void renew()}
        onAllGood={() => commitButton.current?.focus()}
      />
    </>
  )
}
