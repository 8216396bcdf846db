import { useQueryClient } from '@tanstack/react-query'
import { type DragEvent, useRef, useState } from 'react'
import { HttpProblem } from '../../http/client.ts'
import { announce } from '../../ui/announce.tsx'
import { useTab } from '../../ui/place.ts'
import { toast } from '../../ui/toast.ts'
import { useLanguage, useT } from '../../ui/words.ts'
import { type Report, sendArchive } from './calls.ts'
import { CountTable, FaultTable, MissingList, PassedList } from './report.tsx'

const largest = 100 * 1_048_576

interface Chosen {
  file: File
  report: Report | undefined
}

const sum = (report: Report, what: 'add' | 'update' | 'missing'): number =>
  report.counts.reduce((total, count) => total + count[what], 0)

/** Takes an archive in: checked first, carried out when the person has seen what it would do. */
export function ImportCard() {
  const t = useT()
  const client = useQueryClient()
  const { setDirty } = useTab()
  const [chosen, setChosen] = useState<Chosen>()
  const [busy, setBusy] = useState('')
  const [failure, setFailure] = useState('')
  const [retire, setRetire] = useState(false)

  const work = async (words: string, run: () => Promise<void>) => {
    setBusy(words)
    setFailure('')
    announce(words)
    try {
      await run()
    } catch (problem) {
      // The client has said what went wrong; anything else is a defect and goes up.
      if (!(problem instanceof HttpProblem)) throw problem
      setFailure(problem.message)
    } finally {
      setBusy('')
    }
  }
  const check = (file: File) => {
    if (!/\.zip$/i.test(file.name)) return toast.warning(t('oneroster.notZip'))
    if (file.size > largest) return toast.warning(t('oneroster.tooLarge'))
    setRetire(false)
    setChosen({ file, report: undefined })
    return work(t('oneroster.checking', { name: file.name }), async () => {
      const report = await sendArchive(file)
      setChosen({ file, report })
      setDirty(report.faultCount === 0 && sum(report, 'add') + sum(report, 'update') > 0)
    })
  }
  const commit = ({ file, report }: Chosen & { report: Report }) =>
    work(t('oneroster.committing', { name: file.name }), async () => {
      const done = await sendArchive(file, { plan: report.plan, retire })
      setChosen({ file, report: done })
      if (!done.committed) return toast.warning(t('oneroster.moved'))
      setDirty(false)
      // Anything may have changed.
      await client.invalidateQueries()
    })
  const clear = () => {
    setChosen(undefined)
    setDirty(false)
  }
  const report = chosen?.report
  return (
    <section className="card" aria-labelledby="roster-import" aria-busy={busy !== ''}>
      <h2 id="roster-import">{t('oneroster.import')}</h2>
      {failure && (
        <p className="alert" role="alert">
          {chosen?.file.name} {failure}
        </p>
      )}
      {!report && <DropZone busy={busy} onFile={(file) => void check(file)} />}
      {chosen && report && (
        <>
          <p>
            <strong>{chosen.file.name}</strong>{' '}
            <button type="button" className="link-button" disabled={busy !== ''} onClick={clear}>
              {t('oneroster.another')}
            </button>
          </p>
          {report.committed ? (
            <Done report={report} />
          ) : report.faultCount > 0 ? (
            <FaultTable report={report} />
          ) : (
            <Ready
              report={report}
              busy={busy}
              retire={retire}
              onRetire={setRetire}
              onCommit={() => void commit({ ...chosen, report })}
            />
          )}
        </>
      )}
    </section>
  )
}

function DropZone({ busy, onFile }: { busy: string; onFile: (file: File) => void }) {
  const t = useT()
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const file = event.dataTransfer.files[0]
    if (file && !busy) onFile(file)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is one more way; the button inside does the same
    <div
      className={over ? 'roster-drop over' : 'roster-drop'}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      {busy ? (
        <p>{busy}</p>
      ) : (
        <p>
          {t('oneroster.drop')}{' '}
          <button type="button" className="button" onClick={() => input.current?.click()}>
            {t('oneroster.choose')}
          </button>
        </p>
      )}
      <input
        ref={input}
        type="file"
        hidden
        accept=".zip,application/zip"
        aria-label={t('oneroster.choose')}
        onChange={(event) => {
          const file = event.target.files?.[0]
          event.target.value = ''
          if (file) onFile(file)
        }}
      />
      <p className="muted">{t('oneroster.limit')}</p>
    </div>
  )
}

function Ready(props: {
  report: Report
  busy: string
  retire: boolean
  onRetire: (on: boolean) => void
  onCommit: () => void
}) {
  const t = useT()
  const { report, busy, retire, onRetire, onCommit } = props
  const missing = sum(report, 'missing')
  const changes = sum(report, 'add') + sum(report, 'update')
  return (
    <>
      <p role="status">{t(changes + missing > 0 ? 'oneroster.good' : 'oneroster.nothing')}</p>
      <CountTable report={report} />
      <PassedList report={report} />
      {missing > 0 && (
        <div className="roster-missing">
          <h3>{t('oneroster.missingTitle')}</h3>
          <MissingList report={report} />
          <label className="check">
            <input type="checkbox" checked={retire} onChange={(event) => onRetire(event.target.checked)} />
            {t('oneroster.retire', { count: missing })}
          </label>
          <p className="field-help">{t('oneroster.retireHelp')}</p>
        </div>
      )}
      <button
        type="button"
        className="button primary"
        disabled={busy !== '' || (changes === 0 && !retire)}
        onClick={onCommit}
      >
        {busy || t('oneroster.commit')}
      </button>
    </>
  )
}

function Done({ report }: { report: Report }) {
  const t = useT()
  const number = new Intl.NumberFormat(useLanguage())
  return (
    <>
      <p role="status">
        <strong>
          {t('oneroster.done', {
            add: number.format(sum(report, 'add')),
            update: number.format(sum(report, 'update')),
          })}
        </strong>
      </p>
      <p className="muted">{t('oneroster.batch', { id: report.batchId ?? '' })}</p>
      <CountTable report={report} />
    </>
  )
}
