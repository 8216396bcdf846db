import { useEffect, useRef } from 'react'
import { infoWords } from '../../locales/info.ts'
import { useSession } from '../../session/session.ts'
import { setQuery, usePlace } from '../../ui/place.ts'
import { TabRow } from '../../ui/tab-row.tsx'
import { addWords, useT } from '../../ui/words.ts'
import { AccountForm } from './account.tsx'
import { lazyTab } from './lazy-tab.tsx'
import { PasswordForm } from './password.tsx'
import './page.css'

addWords(infoWords)

const tabs = ['account', 'password', 'security', 'preferences'] as const
type TabKey = (typeof tabs)[number]

/** Parts of the tab about log-in have addresses of their own. */
const parts: Readonly<Record<string, TabKey>> = { identities: 'security', sessions: 'security', second: 'security' }

const Security = lazyTab(() => import('./security.tsx'))
const Preferences = lazyTab(() => import('./preferences.tsx'))

/** Personal info. While the first password stands, or a second factor is missing, only what mends that. */
export default function InfoPage() {
  const t = useT()
  const session = useSession()
  const { query } = usePlace()
  const asked = query.get('tab') ?? ''
  const card = useRef<HTMLDivElement>(null)
  // On a small screen the row of tabs is wider than it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab
  useEffect(() => {
    card.current
      ?.querySelector('[role=tab][aria-selected=true]')
      ?.scrollIntoView?.({ inline: 'nearest', block: 'nearest' })
  }, [asked])
  if (!session) return null
  const allowed: readonly TabKey[] = session.mustChange ? ['password'] : session.mustSecond ? ['security'] : tabs
  const wanted = parts[asked] ?? asked
  const tab = allowed.find((key) => key === wanted) ?? allowed[0]!
  return (
    <div className="page">
      <div className="page-head">
        <h1 tabIndex={-1}>{t('info.title')}</h1>
      </div>
      <div ref={card} className="card info-card">
        <TabRow
          label={t('info.title')}
          items={allowed.map((key) => ({ key, label: t(`info.${key}`) }))}
          value={tab}
          onChange={(key) => setQuery({ tab: key === 'account' ? null : key }, { replace: true })}
        >
          {tab === 'account' && <AccountForm key={session.userId} session={session} />}
          {tab === 'password' && <PasswordForm session={session} />}
          {tab === 'security' && <Security part={asked} />}
          {tab === 'preferences' && <Preferences part={asked} />}
        </TabRow>
      </div>
    </div>
  )
}
