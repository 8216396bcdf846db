import { codeOf, type Row, report, student } from '@data-brain/contract'
import { runReport } from '@data-brain/contract/calls/report'
import { emptyReport, type ReportContent, reportedEntities } from '@data-brain/contract/report'
import { isSourceName } from '@data-brain/contract/report-source'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { useEntity, useTask } from '../../entity/data/index.ts'
import { ReferenceSelect } from '../../entity/fields/index.ts'
import { settleWhole, theirsOf } from '../../entity/form/index.ts'
import { LoadFailed } from '../../entity/list/index.ts'
import { call } from '../../http/call.ts'
import { dashboardWords } from '../../locales/dashboard.ts'
import { entityWords } from '../../locales/entity.ts'
import { reportWords } from '../../locales/report.ts'
import { useCan } from '../../session/session.ts'
import { Field } from '../../ui/field.tsx'
import { go, usePlace, useTab } from '../../ui/place.ts'
import { toast } from '../../ui/toast.ts'
import { addWords, useLanguage, useT } from '../../ui/words.ts'
import { AsOf, useAsOf } from './as-of.tsx'
import { resultOf } from './paths.ts'
import { Question } from './question.tsx'
import { Result } from './result.tsx'
import '../../entity/value/words.ts'
import '../../entity/value/rule.css'
import '../../entity/form/form-words.ts'
import '../dashboard/dashboard.css'
import './report.css'

addWords({ ...entityWords, ...dashboardWords, ...reportWords })

/** Changes that follow each other are counted together after so long. */
const REST = 350

interface Draft {
  readonly id?: string
  readonly version?: number
  readonly name: string
  readonly roleIds: readonly string[]
  readonly roleNames: Readonly<Record<string, string>>
  readonly content: ReportContent
}

/** Makes a report or changes one, with what it answers beside it. */
export default function ReportEditorPage() {
  const { params } = usePlace()
  const id = params.reportId ?? 'new'
  const can = useCan()
  const { detail } = useEntity(report)
  const saved = useQuery({ ...detail(id), enabled: id !== 'new' })
  // Whoever comes back to the page of a new report after saving one begins another.
  const [made, setMade] = useState(0)
  const first = reportedEntities().find((each) => can(codeOf(each, 'view')))
  if (saved.isError) return <LoadFailed problem={saved.error} onRetry={() => void saved.refetch()} />
  if (id === 'new') {
    const entity = can(codeOf(student, 'view')) ? student : first
    if (!entity) return null
    const content: ReportContent = { ...emptyReport(entity), measures: [{ of: 'count', field: null }] }
    return (
      <Editor
        key={`new ${made}`}
        start={{ name: '', roleIds: [], roleNames: {}, content }}
        onSaved={() => setMade((before) => before + 1)}
      />
    )
  }
  if (!saved.data) return null
  return <Editor key={id} start={draftOf(saved.data as Row<typeof report>)} />
}

function draftOf({ id, version, name, roleIds, roleNames: names, content }: Row<typeof report>): Draft {
  const roleNames = Object.fromEntries(roleIds.map((each, at) => [each, names?.[at] ?? each]))
  return { id, version, name, roleIds, roleNames, content: content as ReportContent }
}

/** A value that has rested for a moment. */
function useRested<T>(value: T): T {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), REST)
    return () => clearTimeout(timer)
  }, [value])
  return rested
}

const asksSomething = ({ groups, cross, columns, measures }: ReportContent): boolean =>
  columns.length > 0 || (measures.length > 0 && (groups.length > 0 || cross !== null))

function Editor({ start: stored, onSaved }: { readonly start: Draft; readonly onSaved?: () => void }) {
  const t = useT()
  const { setDirty, setName: setTab } = useTab()
  const client = useEntity(report)
  const [start, setStart] = useState(stored)
  const [name, setName] = useState(start.name)
  const [roleIds, setRoles] = useState(start.roleIds)
  const [content, setContent] = useState(start.content)
  const { busy, failure, run } = useTask()
  const dirty = name !== start.name || roleIds !== start.roleIds || content !== start.content
  const begin = useCallback((next: Draft) => {
    setStart(next)
    setName(next.name)
    setRoles(next.roleIds)
    setContent(next.content)
  }, [])
  // What somebody else saved is shown at once to whoever has changed nothing, and to others when they save.
  const isBehind = !dirty && stored.version !== start.version
  useEffect(() => {
    if (isBehind) begin(stored)
  }, [isBehind, begin, stored])
  useEffect(() => {
    setDirty(dirty)
    return () => setDirty(false)
  }, [dirty, setDirty])
  useEffect(() => {
    if (start.name) setTab(start.name)
  }, [start.name, setTab])
  const store = async (over?: number): Promise<boolean> => {
    const { id, version } = start
    const draft = { ...(id ? { id, version: over ?? version } : {}), name, content, roleIds: [...roleIds] }
    let made: Row<typeof report>
    try {
      made = (await client.save(draft as Parameters<typeof client.save>[0])) as Row<typeof report>
    } catch (problem) {
      const theirs = theirsOf<typeof report>(problem)
      if (!theirs) throw problem
      const takeTheirs = () => begin(draftOf(theirs as Row<typeof report>))
      return settleWhole({ theirs, name: String(theirs.name), t, keepMine: store, takeTheirs })
    }
    setDirty(false)
    toast.success(t('report.saved', { name: made.name }))
    go(resultOf(made.id), { replace: true })
    onSaved?.()
    return true
  }
  const save = () => void run(async () => void (await store()))
  return (
    <div className="page report">
      <div className="page-head report-head">
        <h1 tabIndex={-1}>{t(start.id ? 'report.title' : 'report.new')}</h1>
        {dirty && <span className="muted">{t('report.unsaved')}</span>}
        <div className="report-acts">
          <button
            type="button"
            className="button primary"
            disabled={busy || !asksSomething(content) || name.trim() === ''}
            onClick={save}
          >
            {t('common.save')}
          </button>
        </div>
      </div>
      {failure && (
        <p role="alert" className="alert">
          {failure}
        </p>
      )}
      <div className="report-edit">
        <section className="card report-parts" aria-label={t('report.title')}>
          <Field
            label={t('report.name')}
            required
            maxLength={64}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
          <Question content={content} onChange={setContent} />
          <div className="field">
            <span className="report-label">{t('report.roles')}</span>
            <ReferenceSelect
              to="role"
              label={t('report.roles')}
              className="report-wide"
              most={50}
              value={roleIds}
              names={start.roleNames}
              onChange={(next) => setRoles(Array.isArray(next) ? next : next ? [next] : [])}
            />
            <p className="field-help">{t('report.rolesHelp')}</p>
          </div>
        </section>
        <Preview name={name} content={content} />
      </div>
    </div>
  )
}

/** What the report answers as it stands; while it is changed, what it answered last. */
function Preview({ name, content }: { readonly name: string; readonly content: ReportContent }) {
  const t = useT()
  const language = useLanguage()
  const rested = useRested(content)
  const asOf = useAsOf()
  const enabled = asksSomething(rested)
  const found = useQuery({
    queryKey: ['report', 'preview', rested, asOf, language],
    queryFn: ({ signal }) => call(runReport, { content: rested, ...(asOf ? { asOf } : {}) }, { signal, silent: true }),
    placeholderData: (before) => before,
    enabled,
    staleTime: 30_000,
    retry: false,
    meta: { reads: [rested.entity] },
  })
  return (
    <section className="card report-result" aria-label={t('report.preview')} aria-busy={found.isFetching}>
      <div className="report-preview-head">
        <h2>{t('report.preview')}</h2>
        {!isSourceName(rested.entity) && <AsOf asOf={asOf} />}
      </div>
      {found.isError && enabled ? (
        <p role="alert" className="alert">
          {found.error.message}
        </p>
      ) : found.data && enabled ? (
        <Result title={name || t('report.preview')} result={found.data} />
      ) : (
        <p className="muted report-none">{t(enabled ? 'report.counting' : 'report.nothingYet')}</p>
      )}
    </section>
  )
}
