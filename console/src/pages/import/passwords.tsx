import { useState } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { useT } from '../../ui/words.ts'
import { type BatchView, fetchPasswords } from './calls.ts'
import { useKind } from './import-kinds.ts'
import { useRenew, useWork } from './state.ts'

/** The one-time passwords of new users: offered as a file, which the server hands over once. */
export function Passwords({ batch }: { batch: BatchView }) {
  const t = useT()
  const kind = useKind()
  const work = useWork()
  const renew = useRenew(batch.id)
  const [fetched, setFetched] = useState(false)
  const waiting = batch.passwords ?? 0
  if (waiting === 0 && !fetched && !work.failure) return null
  const fetch = (format: 'xlsx' | 'csv') =>
    void work
      .run(async () => {
        saveFile(await fetchPasswords(kind, batch.id, format))
        setFetched(true)
      })
      .then(renew)
  return (
    <section className="import-passwords" aria-labelledby="import-passwords">
      <h3 id="import-passwords">
        <Icon name="key-round" size={16} />
        {t('import.passwords')}
      </h3>
      <p role="status">{t(fetched ? 'import.passwordsFetched' : 'import.passwordsText', { count: waiting })}</p>
      {work.failure && (
        <p className="alert" role="alert">
          {work.failure}
        </p>
      )}
      {waiting > 0 && !fetched && (
        <div className="import-passwords-acts">
          <button type="button" className="button primary" disabled={work.busy} onClick={() => fetch('xlsx')}>
            {t('import.passwordsXlsx')}
          </button>
          <button type="button" className="button" disabled={work.busy} onClick={() => fetch('csv')}>
            {t('import.passwordsCsv')}
          </button>
        </div>
      )}
    </section>
  )
}
