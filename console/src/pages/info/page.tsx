import { infoWords } from '../../locales/info.ts'
import { useSession } from '../../session/session.ts'
import { TabRow } from '../../ui/overlay.tsx'
import { setQuery, usePlace } from '../../ui/place.ts'
import { addWords, useT } from '../../ui/words.ts'
import { AccountForm } from './account.tsx'
import { PasswordForm } from './password.tsx'

addWords(infoWords)

/** Personal info: account info and change password; while the first password stands, only the latter. */
export default function InfoPage() {
  const t = useT()
  const session = useSession()
  const { query } = usePlace()
  if (!session) return null
  const wanted = session.mustChange ? 'password' : (query.get('tab') ?? 'account')
  const tab = wanted === 'password' ? 'password' : 'account'
  const items = session.mustChange
    ? [{ key: 'password', label: t('info.password') }]
    : [
        { key: 'account', label: t('info.account') },
        { key: 'password', label: t('info.password') },
      ]
  return (
    <div className="page">
      <div className="page-head">
        <h1 tabIndex={-1}>{t('info.title')}</h1>
      </div>
      <div className="card narrow">
        <TabRow
          label={t('info.title')}
          items={items}
          value={tab}
          onChange={(key) => setQuery({ tab: key === 'account' ? null : key }, { replace: true })}
        >
          {tab === 'account' ? (
            <AccountForm key={session.userId} session={session} />
          ) : (
            <PasswordForm session={session} />
          )}
        </TabRow>
      </div>
    </div>
  )
}
