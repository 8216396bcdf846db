import { pathOf } from '../../session/paths.ts'
import { Icon } from '../../ui/icon.tsx'
import { Link } from '../../ui/place.ts'
import { useLanguage, useT } from '../../ui/words.ts'
import { askUndo, takeBack } from './batches.tsx'
import type { BatchView } from './calls.ts'
import { useRenew, useWork } from './state.ts'

/** The last step: what came of it, and the way back. */
export function Result({ batch }: { batch: BatchView }) {
  const t = useT()
  const number = new Intl.NumberFormat(useLanguage())
  const work = useWork()
  const renew = useRenew(batch.id)
  const { add = 0, update = 0, skip = 0, bad = 0 } = batch.counts
  const students = pathOf('student')
  const undone = batch.state === 'undone'
  const undo = async () => {
    if (!(await askUndo(batch, t))) return
    await work.run(() => takeBack(batch.id, t))
    await renew()
  }
  const failure = work.failure || batch.failure
  return (
    <section className="card import-result" aria-labelledby="import-result">
      <h2 id="import-result">
        <Icon name={undone ? 'undo-2' : 'circle-check'} size={24} />
        {t(undone ? 'import.undone' : 'import.done')}
      </h2>
      <div role="status">
        {undone ? (
          <p>{t('import.undoneText', { name: batch.fileName })}</p>
        ) : (
          <>
            <p className="import-outcome">
              {t('import.result', {
                add: number.format(add),
                update: number.format(update),
                skip: number.format(skip),
              })}
            </p>
            {bad > 0 && <p>{t('import.leftOut', { count: number.format(bad) })}</p>}
          </>
        )}
        <p className="muted">{[batch.schoolName, batch.yearName, batch.fileName].filter(Boolean).join(' · ')}</p>
      </div>
      {failure && (
        <p className="alert import-wrong" role="alert">
          {failure}
        </p>
      )}
      <div className="import-foot">
        {!undone && (
          <button type="button" className="button" disabled={work.busy} onClick={() => void undo()}>
            <Icon name="undo-2" size={16} />
            {t('import.undo')}
          </button>
        )}
        {students && (
          <Link to={students} className="button primary">
            {t('import.students')}
          </Link>
        )}
      </div>
    </section>
  )
}
