import { logout } from '../../session/end.ts'
import { useSession } from '../../session/session.ts'
import { Icon } from '../../ui/icon.tsx'
import { useT } from '../../ui/words.ts'

/** What a locked session shows, whatever its address: nothing of the work, and the way out. */
export default function LockPage() {
  const t = useT()
  const session = useSession()
  return (
    <div className="page notice-page">
      <Icon name="key-round" size={32} />
      <h1 tabIndex={-1}>{t('lock.title')}</h1>
      <p>{t('lock.text', { name: session?.realName || session?.account || '' })}</p>
      <p className="actions">
        <button type="button" className="button primary" onClick={() => void logout()}>
          {t('lock.logout')}
        </button>
      </p>
    </div>
  )
}
