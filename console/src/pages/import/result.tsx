import { TouchedList } from '../../entity/data/index.ts'
import { pathOf } from '../../session/paths.ts'
import { Icon } from '../../ui/icon.tsx'
import { Link } from '../../ui/place.ts'
import { saveFile } from '../../ui/save-file.ts'
import { useLanguage } from '../../ui/words.ts'
import { type BatchView, fetchFaults, type Undone } from './calls.ts'
import { LeftColumns } from './check-notes.tsx'
import { useImportT, useKind } from './import-kinds.ts'
import { Passwords } from './passwords.tsx'
import { useRenew, useWork } from './state.ts'
import { TakenRows, takeBack } from './undo.tsx'

/** What came in, class by class, with the way to each and to what is still missing. */
function Placed({ batch, list }: { batch: BatchView; list: string | undefined }) {
  const t = useImportT()
  const number = new Intl.NumberFormat(useLanguage())
  const way = (query: string) => (list ? `${list}?${query}` : undefined)
  return (
    <>
      <ul className="import-placed" aria-label={t('import.placed')}>
        {(batch.placed ?? []).map(({ classId, name, count }) => {
          const text = t('import.placedIn', { name: name || t('import.noClassYet'), count: number.format(count) })
          const to = way(classId ? `classId=${classId}` : 'classId_null=1&status=1')
          return <li key={classId ?? ''}>{to ? <Link to={to}>{text}</Link> : text}</li>
        })}
      </ul>
      {list && (
        <p>
          <Link to={`${list}?national_notnull=1&status=1`}>{t('import.seeMissing')}</Link>
        </p>
      )}
    </>
  )
}

/** What an undo did, by name: what went, what is as before, and what stayed or went along although it was touched. */
function WhatCame({ undone: { taken, touched, kept } }: { undone: Undone }) {
  const t = useImportT()
  return (
    <div className="import-undo">
      <TakenRows title={t('import.undoneRemoved')} taken={taken} of="removed" t={t} />
      <TakenRows title={t('import.undoneRestored')} taken={taken} of="restored" t={t} />
      <TakenRows title={t('import.undoneHeld')} taken={taken} of="held" t={t} />
      {touched.length > 0 && (
        <>
          <p>{t(kept ? 'import.undoneKept' : 'import.undoneAlso')}</p>
          <TouchedList touched={touched} t={t} />
        </>
      )}
    </div>
  )
}

/** The last step: what came of it, and the way back. */
export function Result({ batch }: { batch: BatchView }) {
  const t = useImportT()
  const kind = useKind()
  const number = new Intl.NumberFormat(useLanguage())
  const work = useWork()
  const renew = useRenew(batch.id)
  const { add = 0, update = 0, skip = 0, bad = 0, out = 0 } = batch.counts
  const list = pathOf(kind)
  const undone = batch.state === 'undone'
  const undo = async () => {
    await work.run(() => takeBack(kind, batch, t))
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
          <>
            <p>
              {(batch.stayed ?? 0) > 0
                ? t('import.undoneStayed', { name: batch.fileName, count: number.format(batch.stayed ?? 0) })
                : t('import.undoneText', { name: batch.fileName })}
            </p>
            {batch.undone && <WhatCame undone={batch.undone} />}
          </>
        ) : (
          <>
            <p className="import-outcome">
              {t('import.result', {
                add: number.format(add),
                update: number.format(update),
                skip: number.format(skip),
              })}
            </p>
            {batch.stored != null && batch.stored !== add && (
              <p>{t('import.stored', { count: number.format(batch.stored) })}</p>
            )}
            {(batch.makes ?? []).length > 0 && (
              <p>{t('import.makes', { names: (batch.makes ?? []).join(t('entity.separator')) })}</p>
            )}
            {(batch.placed ?? []).length > 0 && <Placed batch={batch} list={list} />}
            <LeftColumns batch={batch} />
            {bad + out > 0 && <p>{t('import.leftOut', { count: number.format(bad + out) })}</p>}
            {(batch.leftOut ?? 0) > 0 && <p className="muted">{t('import.leftOutHelp')}</p>}
          </>
        )}
        <p className="muted">{[batch.schoolName, batch.yearName, batch.fileName].filter(Boolean).join(' · ')}</p>
      </div>
      {!undone && <Passwords batch={batch} />}
      {failure && (
        <p className="alert import-wrong" role="alert">
          {failure}
        </p>
      )}
      <div className="import-foot">
        {(batch.leftOut ?? 0) > 0 && (
          <button
            type="button"
            className="button"
            disabled={work.busy}
            onClick={() => void work.run(async () => saveFile(await fetchFaults(kind, batch.id)))}
          >
            {t('import.downloadLeftOut')}
          </button>
        )}
        {!undone && (
          <button type="button" className="button" disabled={work.busy} onClick={() => void undo()}>
            <Icon name="undo-2" size={16} />
            {t('import.undo')}
          </button>
        )}
        {list && (
          <Link to={list} className="button primary">
            {t('import.students')}
          </Link>
        )}
      </div>
    </section>
  )
}
