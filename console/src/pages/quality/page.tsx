import { school } from '@data-brain/contract'
import { type Quality, type QualityCount, qualitySummary } from '@data-brain/contract/calls/quality'
import { isQualityKey, qualityCheck, qualityKinds } from '@data-brain/contract/quality'
import { useQuery } from '@tanstack/react-query'
import { ReferenceSelect } from '../../entity/fields/index.ts'
import { LoadFailed } from '../../entity/list/index.ts'
import { call } from '../../http/call.ts'
import { entityWords } from '../../locales/entity.ts'
import { qualityWords } from '../../locales/quality.ts'
import { qualityCheckWords } from '../../locales/quality-checks.ts'
import { useSession } from '../../session/session.ts'
import { Sheet } from '../../ui/drawing.tsx'
import { useNumber } from '../../ui/number.ts'
import { setQuery, usePlace, useTab } from '../../ui/place.ts'
import { addWords, useT } from '../../ui/words.ts'
import { Findings } from './findings.tsx'
import { Shares } from './shares.tsx'
import './quality.css'

addWords({ ...entityWords, ...qualityWords, ...qualityCheckWords })

const NONE: Readonly<Record<string, string>> = {}

/** What is at fault in the data of one school or of all, check by check, and how much of it is complete. */
export default function QualityPage() {
  const t = useT()
  const { query } = usePlace()
  const { active } = useTab()
  const several = useSession()?.severalSchools
  const schoolId = query.get('schoolId')
  const asked = query.get('check') ?? undefined
  const found = useQuery({
    queryKey: ['quality', 'summary', schoolId],
    queryFn: ({ signal }) => call(qualitySummary, schoolId ? { schoolId } : {}, { signal, silent: true }),
    placeholderData: (before) => before,
    staleTime: 0,
    retry: false,
    enabled: active,
  })
  const shown = found.data
  const check = isQualityKey(asked) ? shown?.checks.find(({ key }) => key === asked) : undefined
  return (
    <div className="page quality">
      <div className="page-head quality-head">
        <h1 tabIndex={-1}>{t('quality.title')}</h1>
        {shown && <span className="muted">{t('quality.at', { time: shown.at.slice(0, 16) })}</span>}
        <div className="quality-acts">
          {several && (
            <ReferenceSelect
              className="quality-school"
              to={school.name}
              label={t('quality.school')}
              placeholder={t('quality.allSchools')}
              value={schoolId}
              names={NONE}
              onChange={(next) => setQuery({ schoolId: typeof next === 'string' && next ? next : null })}
            />
          )}
          {shown && shown.mine > 0 && (
            <button type="button" className="button" onClick={() => setQuery({ mine: '1', check: null })}>
              {t('quality.mine', { count: shown.mine })}
            </button>
          )}
          <button type="button" className="button" disabled={found.isFetching} onClick={() => void found.refetch()}>
            {t('quality.refresh')}
          </button>
        </div>
      </div>
      {found.isError && <LoadFailed problem={found.error} onRetry={() => void found.refetch()} />}
      {!shown && !found.isError && (
        <p role="status" aria-busy="true">
          {t('quality.loading')}
        </p>
      )}
      {shown && <Parts shown={shown} />}
      {shown && (check || query.get('mine') === '1') && (
        <Findings
          key={check?.key ?? 'mine'}
          check={check}
          schoolId={schoolId}
          ignoredFirst={query.get('ignored') === '1'}
          onClose={() => setQuery({ check: null, mine: null, ignored: null })}
        />
      )}
    </div>
  )
}

function Parts({ shown }: { readonly shown: Quality }) {
  const t = useT()
  if (shown.checks.length === 0)
    return (
      <div className="card quality-none">
        <Sheet />
        <p>{t('quality.nothing')}</p>
      </div>
    )
  return (
    <div className="quality-grid">
      <div>
        {qualityKinds.map((kind) => {
          const checks = shown.checks.filter(({ key }) => isQualityKey(key) && qualityCheck(key).kind === kind)
          return checks.length > 0 && <Checks key={kind} kind={kind} checks={checks} />
        })}
      </div>
      <Shares shown={shown} />
    </div>
  )
}

/** The checks of one kind, those with most findings first. */
function Checks({ kind, checks }: { readonly kind: string; readonly checks: readonly QualityCount[] }) {
  const t = useT()
  const number = useNumber()
  const id = `quality-${kind}`
  const open = (key: string, ignored: boolean) => setQuery({ check: key, mine: null, ignored: ignored ? '1' : null })
  return (
    <section className="card quality-kind" aria-labelledby={id}>
      <h2 id={id}>{t(`quality.kind.${kind}`)}</h2>
      <table className="quality-table">
        <thead>
          <tr>
            <th scope="col">{t('quality.check')}</th>
            <th scope="col">{t('quality.count')}</th>
            <th scope="col">{t('quality.ignoredCount')}</th>
          </tr>
        </thead>
        <tbody>
          {checks
            .toSorted((a, b) => b.count - a.count)
            .map(({ key, count, ignored }) => {
              const name = t(`quality.check.${key}`)
              return (
                <tr key={key} data-check={key} data-none={count === 0 || undefined}>
                  <th scope="row">
                    {name}
                    <span className="muted quality-how">{t(`quality.how.${key}`)}</span>
                  </th>
                  <td>
                    {count > 0 ? (
                      <button
                        type="button"
                        className="link-button"
                        aria-label={t('quality.open', { name, count, shown: number(count) })}
                        onClick={() => open(key, false)}
                      >
                        {number(count)}
                      </button>
                    ) : (
                      number(0)
                    )}
                  </td>
                  <td>
                    {ignored > 0 ? (
                      <button
                        type="button"
                        className="link-button"
                        aria-label={t('quality.openIgnored', { name, shown: number(ignored) })}
                        onClick={() => open(key, true)}
                      >
                        {number(ignored)}
                      </button>
                    ) : (
                      number(0)
                    )}
                  </td>
                </tr>
              )
            })}
        </tbody>
      </table>
    </section>
  )
}
