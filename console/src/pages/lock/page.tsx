import { type FormEvent, useEffect, useRef, useState } from 'react'
import { HttpProblem } from '../../http/client.ts'
import { lockWords } from '../../locales/lock.ts'
import { logout } from '../../session/end.ts'
import { knowsPassword, tellServer, type UnlockOutcome, unlock, unlockByAccount } from '../../session/lock.ts'
import { isUnattended } from '../../session/lock-state.ts'
import { useSession } from '../../session/session.ts'
import { defaultFace } from '../../ui/default-avatar.ts'
import { Field } from '../../ui/field.tsx'
import { Gate } from '../../ui/gate-page.tsx'
import { zone } from '../../ui/instant.ts'
import { addWords, translate, useLanguage, useT } from '../../ui/words.ts'
import './page.css'
import '../../ui/later-words.ts'

addWords(lockWords)

/** The time of day and the date; it is nobody's secret. */
function Clock() {
  const language = useLanguage()
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 1000)
    return () => clearInterval(timer)
  }, [])
  const locale = language === 'zh' ? 'zh-CN' : 'en-GB'
  return (
    <span className="lock-clock">
      <time>{now.toLocaleTimeString(locale, { hour: '2-digit', minute: '2-digit', timeZone: zone })}</time>{' '}
      <span>
        {now.toLocaleDateString(locale, {
          month: 'long',
          day: 'numeric',
          weekday: 'long',
          timeZone: zone,
        })}
      </span>
    </span>
  )
}

/** What the person is told after a try that did not open. */
function wrongWords(outcome: UnlockOutcome): string | undefined {
  if (typeof outcome === 'string') return undefined
  return outcome.left === 1 ? translate('lock.wrong.last') : translate('lock.wrong', { left: outcome.left })
}

/** What a locked session shows, whatever its address: the time, who it belongs to, and the ways out. */
export default function LockPage() {
  const t = useT()
  const session = useSession()
  const form = useRef<HTMLFormElement>(null)
  const [known] = useState(knowsPassword)
  const [unattended] = useState(isUnattended)
  const [byAccount, setByAccount] = useState(!known)
  const [password, setPassword] = useState('')
  const [wrong, setWrong] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [broken, setBroken] = useState(false)

  useEffect(() => {
    const tell = () => void tellServer()
    tell()
    window.addEventListener('online', tell)
    return () => window.removeEventListener('online', tell)
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another field, or the same one after a wrong try
  useEffect(() => {
    if (!busy) form.current?.querySelector<HTMLInputElement>('input[type=password]')?.focus()
  }, [byAccount, busy])

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    if (password === '') return setWrong(t(byAccount ? 'lock.accountEmpty' : 'spec.lockEmpty'))
    setBusy(true)
    try {
      setWrong(wrongWords(await (byAccount ? unlockByAccount(password) : unlock(password))))
    } catch (error) {
      if (!(error instanceof HttpProblem)) throw error
      setWrong(error.message)
    } finally {
      setPassword('')
      setBusy(false)
    }
  }
  const change = () => {
    setByAccount(!byAccount)
    setPassword('')
    setWrong(undefined)
  }

  const name = session?.realName || session?.nickName || session?.account || ''
  return (
    <Gate tenant={session?.tenantName ?? ''} corner={<Clock />}>
      <div className="lock">
        <img
          className="avatar"
          src={!broken && session?.avatar ? session.avatar : defaultFace}
          alt=""
          width={64}
          height={64}
          onError={() => setBroken(true)}
        />
        <h1>{name || t('lock.title')}</h1>
        <p className="muted">{t(known ? 'lock.title' : unattended ? 'lock.unattended' : 'lock.elsewhere')}</p>
        <form ref={form} noValidate onSubmit={(event) => void submit(event)}>
          {/* Tells password managers whose password is asked for. */}
          {byAccount && (
            <input type="text" name="username" autoComplete="username" value={session?.account ?? ''} readOnly hidden />
          )}
          <Field
            key={byAccount ? 'account' : 'lock'}
            label={t(byAccount ? 'lock.account' : 'lock.password')}
            type="password"
            name={byAccount ? 'password' : 'lock-password'}
            autoComplete={byAccount ? 'current-password' : 'off'}
            required
            maxLength={128}
            readOnly={busy}
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
          {wrong && (
            <p className="field-error" role="alert">
              {wrong}
            </p>
          )}
          <button type="submit" className="button primary" aria-busy={busy}>
            {t('lock.unlock')}
          </button>
          <button type="button" className="button" onClick={() => void logout({ keepDrafts: true })}>
            {t('lock.logout')}
          </button>
          {known && (
            <button type="button" className="link-button" onClick={change}>
              {t(byAccount ? 'lock.remembered' : 'lock.forgot')}
            </button>
          )}
        </form>
      </div>
    </Gate>
  )
}
