import { infoWords } from '../../locales/info.ts'
import { logout } from '../../session/end.ts'
import { useSession } from '../../session/session.ts'
import { Gate } from '../../ui/gate-page.tsx'
import { addWords, setLanguage, useLanguage, useT } from '../../ui/words.ts'
import { PasswordForm } from '../info/index.ts'
import '../../ui/later-words.ts'

addWords(infoWords)

/** What somebody with a first password sees before anything else: the form that changes it, and the way out. */
export default function FirstPasswordPage() {
  const t = useT()
  const other = useLanguage() === 'zh' ? 'en' : 'zh'
  const session = useSession()
  if (!session) return null
  return (
    <Gate
      tenant={session.tenantName}
      corner={
        <>
          <button type="button" className="link-button" lang={other} onClick={() => void setLanguage(other)}>
            {t(other === 'zh' ? 'common.chinese' : 'common.english')}
          </button>
          <button type="button" className="link-button" onClick={() => void logout()}>
            {t('shell.logout')}
          </button>
        </>
      }
    >
      <h1 tabIndex={-1}>{t('info.password')}</h1>
      <PasswordForm session={session} />
    </Gate>
  )
}
