import { type Row, report } from '@data-brain/contract'
import { runReport } from '@data-brain/contract/calls/report'
import type { ReportContent } from '@data-brain/contract/report'
import { isSourceName } from '@data-brain/contract/report-source'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useState } from 'react'
import { useEntity } from '../../entity/data/index.ts'
import { useCellWords } from '../../entity/display/index.ts'
import { mayExport } from '../../entity/export/index.ts'
import { LoadFailed } from '../../entity/list/index.ts'
import { call } from '../../http/call.ts'
import { dashboardWords } from '../../locales/dashboard.ts'
import { entityWords } from '../../locales/entity.ts'
import { exportWords } from '../../locales/export.ts'
import { reportWords } from '../../locales/report.ts'
import { useCan, useSession } from '../../session/session.ts'
import { Icon } from '../../ui/icon.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Link, usePlace, useTab } from '../../ui/place.ts'
import { addWords, useLanguage, useT } from '../../ui/words.ts'
import { AsOf, useAsOf } from './as-of.tsx'
import { type Asked, Parameters, textsOf } from './parameters.tsx'
import { editorOf, isChangedBy } from './paths.ts'
import { printResult } from './print.ts'
import { Result } from './result.tsx'
import { useReportEntity } from './sources.ts'
import '../../entity/value/words.ts'
import '../../entity/value/rule.css'
import '../dashboard/dashboard.css'
import './report.css'

addWords({ ...entityWords, ...dashboardWords, ...exportWords, ...reportWords })

const SubscribeDialog = lazyPart(() => import('./subscribe-dialog.tsx'))
const ExportMenu = lazyPart(() => import('../../entity/export/export.tsx'))
/** What is taken out is the result, whatever its columns. */
const exported = { name: report.name, path: 'blade-report/report/result', fields: {} }
const FORMATS = ['xlsx', 'pdf', 'csv'] as const
const NO_COLUMNS: readonly { readonly key: string }[] = []

interface SavedParametersProps {
  readonly content: ReportContent
  readonly asked: Asked
  readonly onChange: (asked: Asked) => void
}

/** What a saved report asks for, of an entity or of a table of the data source. */
function SavedParameters({ content, asked, onChange }: SavedParametersProps) {
  const entity = useReportEntity(content)
  return entity ? <Parameters entity={entity} names={content.parameters} asked={asked} onChange={onChange} /> : null
}

/** A saved report, run by whoever looks: what it asks for, what it answers, and ways to take that out. */
export default function ReportResultPage() {
  const { params } = usePlace()
  const id = params.reportId ?? ''
  const t = useT()
  const can = useCan()
  const language = useLanguage()
  const { setName } = useTab()
  const words = useCellWords(report)
  const [asked, setAsked] = useState<Asked>({})
  const [exporting, setExporting] = useState(false)
  const [subscribing, setSubscribing] = useState(false)
  const { detail } = useEntity(report)
  const saved = useQuery(detail(id))
  const row = saved.data as Row<typeof report> | undefined
  const name = row?.name ?? ''
  const content = row?.content as ReportContent | undefined
  useEffect(() => {
    if (name) setName(name)
  }, [name, setName])
  const session = useSession()
  const mayChange = can('report_edit') && isChangedBy(row, session)
  const parameters = textsOf(asked)
  const asOf = useAsOf()
  const found = useQuery({
    queryKey: ['report', 'run', id, row?.version, parameters, asOf, language],
    queryFn: ({ signal }) => call(runReport, { id, parameters, ...(asOf ? { asOf } : {}) }, { signal, silent: true }),
    placeholderData: (before) => before,
    enabled: content !== undefined,
    staleTime: 0,
    retry: false,
    meta: { reads: content ? [content.entity] : [] },
  })
  const result = found.data
  return (
    <div className="page report">
      <div className="page-head report-head">
        <h1 tabIndex={-1}>{name || t('report.result')}</h1>
        <div className="report-acts">
          <button type="button" className="button" onClick={() => void found.refetch()}>
            {t('report.refresh')}
          </button>
          {result && (
            <button type="button" className="button" onClick={() => void printResult(name, result, words)}>
              <Icon name="printer" size={16} /> {t('report.print')}
            </button>
          )}
          {result && mayExport(can, exported) && (
            <button type="button" className="button" aria-expanded={exporting} onClick={() => setExporting(true)}>
              <Icon name="download" size={16} /> {t('export.title')}
            </button>
          )}
          {result && mayExport(can, exported) && (
            <Suspense fallback={null}>
              <ExportMenu
                entity={{ ...exported, measure: t('report.unit') }}
                query={{ id, parameters: JSON.stringify(parameters), ...(asOf ? { asOf } : {}) }}
                total={result.cut ? result.total : result.rows.length}
                columns={NO_COLUMNS}
                formats={FORMATS}
                state={[exporting, setExporting]}
              />
            </Suspense>
          )}
          {result && can('reportsubscription_add') && mayExport(can, exported) && (
            <button type="button" className="button" aria-haspopup="dialog" onClick={() => setSubscribing(true)}>
              <Icon name="bell" size={16} /> {t('report.subscribe')}
            </button>
          )}
          {subscribing && (
            <Suspense fallback={null}>
              <SubscribeDialog report={{ id, name }} parameters={parameters} onClose={() => setSubscribing(false)} />
            </Suspense>
          )}
          {mayChange && (
            <Link className="button" to={editorOf(id)}>
              <Icon name="pencil" size={16} /> {t('report.edit')}
            </Link>
          )}
        </div>
      </div>
      {saved.isError && <LoadFailed problem={saved.error} onRetry={() => void saved.refetch()} />}
      {content && (
        <div className="report-asked">
          {!isSourceName(content.entity) && <AsOf asOf={asOf} />}
          <SavedParameters content={content} asked={asked} onChange={setAsked} />
        </div>
      )}
      {found.isError && <LoadFailed problem={found.error} onRetry={() => void found.refetch()} />}
      {result && !found.isError && (
        <div className="card report-result" aria-busy={found.isFetching}>
          <Result title={name} result={result} />
        </div>
      )}
      {!result && !found.isError && !saved.isError && (
        <p className="muted" role="status">
          {t('report.counting')}
        </p>
      )}
    </div>
  )
}
