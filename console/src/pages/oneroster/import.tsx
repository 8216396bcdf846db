import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { HttpProblem } from '../../http/client.ts'
import { setQuery, usePlace } from '../../ui/place.ts'
import { toast } from '../../ui/toast.ts'
import { useLanguage, useT } from '../../ui/words.ts'
import { Progress, useWork } from '../import/index.ts'
import { commitBatch, dropBatch, type RosterBatch, sendArchive } from './calls.ts'
import { DropZone } from './drop.tsx'
import { EnrolmentQuestion } from './enrolled.tsx'
import { CountTable, FaultTable, MissingList, PassedList, totalOf } from './report.tsx'
import { forgetOpen, renewRoster, useRoster } from './state.ts'

const largest = 100 * 1_048_576

/** Takes an archive in: checked first, carried out when the person has seen what it would do. */
export function ImportCard() {
  const t = useT()
  const client = useQueryClient()
  const { path, query } = usePlace()
  const id = query.get('batch')
  const { data: batch, error, refetch } = useRoster(id, true)
  const work = useWork()
  const [sending, setSending] = useState('')

  // The address says what is shown, so that a reload comes to the same place; what is open is come back to.
  useEffect(() => {
    if (id === null && batch) setQuery({ batch: batch.id }, { replace: true, path })
  }, [id, batch, path])

  const send = async (file: File) => {
    if (!/\.zip$/i.test(file.name)) return toast.warning(t('oneroster.notZip'))
    if (file.size > largest) return toast.warning(t('oneroster.tooLarge'))
    setSending(t('oneroster.uploading', { name: file.name }))
    await work.run(async () => {
      try {
        show((await sendArchive(file)).id)
      } catch (problem) {
        // Where another one is under way, that one is shown.
        const other = problem instanceof HttpProblem ? (problem.data as { id?: string } | null)?.id : undefined
        if (other) show(other)
        throw problem
      }
    })
    setSending('')
  }
  const show = (batchId: string | null) => {
    forgetOpen(client)
    setQuery({ batch: batchId }, { path })
  }
  const act = async (what: (id: string) => Promise<unknown>) => {
    if (id === null) return
    await work.run(() => what(id))
    await renewRoster(client, id)
  }
  const drop = () =>
    work.run(async () => {
      if (id !== null && batch && (batch.state === 'checked' || batch.state === 'failed')) await dropBatch(id)
      show(null)
    })

  const gone = error instanceof HttpProblem && error.status === 404
  return (
    <section className="card" aria-labelledby="roster-import" aria-busy={work.busy}>
      <h2 id="roster-import">{t('oneroster.import')}</h2>
      {work.failure && (
        <p className="alert" role="alert">
          {work.failure}
        </p>
      )}
      {error && !batch ? (
        <>
          <p className="alert" role="alert">
            {gone ? t('oneroster.gone') : error.message}
          </p>
          <button type="button" className="button" onClick={() => (gone ? show(null) : void refetch())}>
            {t(gone ? 'oneroster.another' : 'common.retry')}
          </button>
        </>
      ) : batch === undefined ? (
        <p className="muted">{t('common.loading')}</p>
      ) : batch === null || id === null ? (
        <DropZone busy={sending} onFile={(file) => void send(file)} />
      ) : (
        <Stage
          key={batch.id}
          batch={batch}
          busy={work.busy}
          onCommit={(retire, enrolled) => void act((batchId) => commitBatch(batchId, retire, enrolled))}
          onDrop={() => void drop()}
        />
      )}
    </section>
  )
}

interface StageProps {
  batch: RosterBatch
  busy: boolean
  onCommit: (retire: boolean, enrolled: string | null) => void
  onDrop: () => void
}

/** What the archive needs now. */
function Stage({ batch, busy, onCommit, onDrop }: StageProps) {
  const t = useT()
  const { fileName, failure, report, state } = batch
  if (state === 'checking' || state === 'committing') return <Working batch={batch} />
  const another = (
    <button type="button" className="button" disabled={busy} onClick={onDrop}>
      {t(state === 'checked' && report?.faultCount === 0 ? 'oneroster.drop' : 'oneroster.another')}
    </button>
  )
  return (
    <>
      <p>
        <strong>{fileName}</strong>
      </p>
      {failure && (
        <p className="alert" role="alert">
          {failure}
        </p>
      )}
      {state === 'done' && report ? (
        <Done batch={batch} another={another} />
      ) : state === 'checked' && report && report.faultCount === 0 ? (
        <Ready batch={batch} busy={busy} onCommit={onCommit} another={another} />
      ) : (
        <>
          {report && <FaultTable report={report} />}
          <div className="roster-foot">{another}</div>
        </>
      )}
    </>
  )
}

function Working({ batch }: { batch: RosterBatch }) {
  const t = useT()
  const label = t(batch.state === 'checking' ? 'oneroster.checking' : 'oneroster.committing')
  const { progress, total, userName } = batch
  // Between the check and the import the first figures are still those of the check.
  const percent = total > 0 ? t('oneroster.percent', { percent: Math.floor((progress / total) * 100) }) : ''
  return (
    <div className="import-working">
      <h3>{label}…</h3>
      <Progress
        label={label}
        done={progress}
        total={total}
        figures={[batch.fileName, percent].filter(Boolean).join(' · ')}
      />
      {userName && <p className="muted">{t('oneroster.by', { name: userName })}</p>}
    </div>
  )
}

interface ReadyProps {
  batch: RosterBatch
  busy: boolean
  onCommit: (retire: boolean, enrolled: string | null) => void
  another: ReactNode
}

function Ready({ batch, busy, onCommit, another }: ReadyProps) {
  const t = useT()
  const [retire, setRetire] = useState(false)
  const [enrolled, setEnrolled] = useState<string | null>(null)
  const [isUnclear, setUnclear] = useState(false)
  if (!batch.report) return null
  const { report } = batch
  const missing = totalOf(report, 'missing')
  const changes = totalOf(report, 'add') + totalOf(report, 'update')
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
            <input type="checkbox" checked={retire} onChange={(event) => setRetire(event.target.checked)} />
            {t('oneroster.retire', { count: missing })}
          </label>
          <p className="field-help">{t('oneroster.retireHelp')}</p>
        </div>
      )}
      {report.asks && (
        <EnrolmentQuestion asks={report.asks} value={enrolled} onValue={setEnrolled} onDoubt={setUnclear} />
      )}
      <div className="roster-foot">
        {another}
        <button
          type="button"
          className="button primary"
          disabled={busy || (changes === 0 && !retire) || (report.asks !== null && (!enrolled || isUnclear))}
          onClick={() => onCommit(retire, enrolled)}
        >
          {t('oneroster.commit')}
        </button>
      </div>
    </>
  )
}

function Done({ batch, another }: { batch: RosterBatch; another: ReactNode }) {
  const t = useT()
  const number = new Intl.NumberFormat(useLanguage())
  if (!batch.report) return null
  const { report } = batch
  const retired = batch.retire ? totalOf(report, 'missing') : 0
  return (
    <>
      <div role="status">
        <p>
          <strong>
            {t('oneroster.done', {
              add: number.format(totalOf(report, 'add')),
              update: number.format(totalOf(report, 'update')),
            })}
          </strong>
        </p>
        {retired > 0 && <p>{t('oneroster.retired', { count: number.format(retired) })}</p>}
      </div>
      <p className="muted">{t('oneroster.batch', { id: batch.id })}</p>
      <CountTable report={report} />
      <div className="roster-foot">{another}</div>
    </>
  )
}
