import type { AnswerOf } from '@data-brain/contract/call'
import type { explainCall } from '@data-brain/contract/calls/explain'
import type { ReactNode } from 'react'
import { pathOf } from '../../session/paths.ts'
import { Icon } from '../../ui/icon.tsx'
import { Link } from '../../ui/place.ts'
import { useT } from '../../ui/words.ts'

type Verdict = AnswerOf<typeof explainCall>
type Reason = Verdict['reasons'][number]
type Missing = Verdict['missing'][number]

/** A name that leads to where it is kept, for those who have that page. */
function Kept({ page, query, children }: { page: string; query: Record<string, string>; children: ReactNode }) {
  const path = pathOf(page)
  return path ? <Link to={`${path}?${new URLSearchParams(query)}`}>{children}</Link> : <b>{children}</b>
}

/** The answer: yes or no in one word, then by which grants, or what is missing. */
export function Answer({ verdict, onAgain }: { verdict: Verdict; onAgain: () => void }) {
  const t = useT()
  const { allowed, reasons, missing } = verdict
  return (
    <div className={allowed ? 'card verdict verdict-yes' : 'card verdict verdict-no'}>
      <div className="verdict-head">
        <Icon name={allowed ? 'circle-check' : 'circle-x'} size={28} />
        <h2>{t(allowed ? 'explain.yes' : 'explain.no')}</h2>
        <button type="button" className="button" onClick={onAgain}>
          <Icon name="refresh-cw" size={16} />
          {t('explain.again')}
        </button>
      </div>
      {reasons.length > 0 && (
        <>
          <h3>{t('explain.by')}</h3>
          <ul>
            {reasons.map((reason, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: reasons have no names, and the list never changes
              <li key={at}>
                <ReasonLine reason={reason} />
              </li>
            ))}
          </ul>
        </>
      )}
      {missing.length > 0 && (
        <>
          <h3>{t('explain.missing')}</h3>
          <ul>
            {missing.map((each, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: see above
              <li key={at}>
                {each.text} <Way missing={each} />
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}

function ReasonLine({ reason }: { reason: Reason }) {
  const t = useT()
  const { kind, roleId, roleName, code, scope } = reason
  if (kind === 'session') return t('explain.session')
  return (
    <>
      {t('explain.role')}{' '}
      <Kept page="role" query={{ id: roleId ?? '' }}>
        {roleName}
      </Kept>{' '}
      {kind === 'admin' ? (
        t('explain.admin')
      ) : (
        <>
          {t('explain.gives')} <code>{code}</code>
        </>
      )}
      {scope && (
        <>
          {t('explain.within')}{' '}
          <Kept page="datascope" query={{ id: scope.id }}>
            {scope.name}
          </Kept>
        </>
      )}
      {scope === null && t('explain.whole')}
    </>
  )
}

/** Where what is missing could be given. */
function Way({ missing: { kind, scopeName, roleName } }: { missing: Missing }) {
  const t = useT()
  const [page, query] =
    kind === 'scope' && scopeName
      ? (['datascope', { scopeName }] as const)
      : kind === 'apiScope' && scopeName
        ? (['apiscope', { scopeName }] as const)
        : kind === 'code' || roleName
          ? (['role', roleName ? { keyword: roleName } : {}] as const)
          : kind === 'user'
            ? (['user', {}] as const)
            : ([undefined, {}] as const)
  const path = page && pathOf(page)
  if (!path) return null
  const text = new URLSearchParams(query).toString()
  return <Link to={text ? `${path}?${text}` : path}>{t(`explain.to.${page}`)}</Link>
}
