import { whatIsCarried } from '@data-brain/contract/calls/oneroster'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { call } from '../../http/call.ts'
import { HttpProblem } from '../../http/client.ts'
import { onerosterWords } from '../../locales/oneroster.ts'
import { useCan } from '../../session/session.ts'
import { saveFile } from '../../ui/save-file.ts'
import { toast } from '../../ui/toast.ts'
import { addWords, useLanguage, useT } from '../../ui/words.ts'
import { type CarriedEntities, fetchArchive } from './calls.ts'
import { ImportCard } from './import.tsx'
import './page.css'

addWords(onerosterWords)

/** Exchange with other systems: what is carried, the archive to take away, and one to take in. */
export default function OneRosterPage() {
  const t = useT()
  const can = useCan()
  const language = useLanguage()
  const { data, error, refetch } = useQuery({
    queryKey: ['oneroster', 'carried', language],
    queryFn: ({ signal }) => call(whatIsCarried, undefined, { signal, silent: true }),
  })
  return (
    <div className="page">
      <div className="page-head">
        <h1 tabIndex={-1}>{t('oneroster.title')}</h1>
        <p className="muted">{t('oneroster.about')}</p>
      </div>
      <div className="roster">
        {error && (
          <p role="alert" className="alert">
            {error.message}{' '}
            <button type="button" className="link-button" onClick={() => void refetch()}>
              {t('common.retry')}
            </button>
          </p>
        )}
        {can('oneroster_export') && <ExportCard carried={data} />}
        {can('oneroster_import') && <ImportCard />}
        {data && <ScopeCard carried={data} />}
      </div>
    </div>
  )
}

function ExportCard({ carried }: { carried: CarriedEntities | undefined }) {
  const t = useT()
  const language = useLanguage()
  const [busy, setBusy] = useState(false)
  const [profile, setProfile] = useState<string>()
  const fieldId = useId()
  const save = async () => {
    setBusy(true)
    try {
      const file = await fetchArchive(profile)
      saveFile(file)
      toast.success(t('oneroster.exported', { name: file.name }))
    } catch (problem) {
      // The client has said what went wrong; anything else is a defect and goes up.
      if (!(problem instanceof HttpProblem)) throw problem
    } finally {
      setBusy(false)
    }
  }
  return (
    <section className="card" aria-labelledby="roster-export">
      <h2 id="roster-export">{t('oneroster.export')}</h2>
      {carried && carried.masked.length > 0 && (
        <p className="alert">
          {t('oneroster.masked', { entities: carried.masked.join(language === 'zh' ? '、' : ', ') })}
        </p>
      )}
      {carried && (
        <div className="field roster-profile">
          <label htmlFor={fieldId}>{t('oneroster.profile')}</label>
          <select id={fieldId} className="input" value={profile} onChange={(event) => setProfile(event.target.value)}>
            {carried.profiles.map(({ key, label }) => (
              <option key={key} value={key}>
                {label}
              </option>
            ))}
          </select>
          <p className="field-help">{t('oneroster.profileHelp')}</p>
        </div>
      )}
      <button type="button" className="button primary" disabled={busy} onClick={() => void save()}>
        {busy ? t('oneroster.exporting') : t('oneroster.exportButton')}
      </button>
    </section>
  )
}

function ScopeCard({ carried }: { carried: CarriedEntities }) {
  const t = useT()
  return (
    <section className="card roster-scope" aria-label={t('oneroster.carried')}>
      <div>
        <h2>{t('oneroster.carried')}</h2>
        <ul>
          {carried.carried.map(({ entity, label, file }) => (
            <li key={entity}>
              {label} <code>{file}</code>
            </li>
          ))}
        </ul>
      </div>
      <div>
        <h2>{t('oneroster.notCarried')}</h2>
        <ul>
          {carried.notCarried.map((each) => (
            <li key={each}>{each}</li>
          ))}
        </ul>
      </div>
    </section>
  )
}
