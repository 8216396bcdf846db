import { type FormEvent, useState } from 'react'
import { HttpProblem, post } from '../../http/client.ts'
import { loadSession } from '../../session/load.ts'
import { md5 } from '../../session/md5.ts'
import { keepSession, type Session } from '../../session/session.ts'
import { Field } from '../../ui/field.tsx'
import { go } from '../../ui/place.ts'
import { toast } from '../../ui/toast.ts'
import { useT } from '../../ui/words.ts'

/** Fewest characters of a password. Checked here, before hashing: the server sees only the md5. */
const least = 10

interface Passwords {
  oldPassword: string
  newPassword: string
  newPassword1: string
}

const empty: Passwords = { oldPassword: '', newPassword: '', newPassword1: '' }

type Problems = Partial<Record<keyof Passwords, string>>

/** What is wrong with a wish to change the password, as keys of words, by field. */
export function passwordProblems(wish: Passwords, account: string): Problems {
  const problems: Problems = {}
  if (!wish.oldPassword) problems.oldPassword = 'info.oldEmpty'
  if ([...wish.newPassword].length < least) problems.newPassword = 'info.tooShort'
  else if (new Set(wish.newPassword).size < 4) problems.newPassword = 'info.tooPlain'
  else if (wish.newPassword.toLowerCase() === account.toLowerCase()) problems.newPassword = 'info.isAccount'
  else if (wish.newPassword === wish.oldPassword) problems.newPassword = 'info.sameAsOld'
  if (wish.newPassword !== wish.newPassword1) problems.newPassword1 = 'spec.passwordsDiffer'
  return problems
}

/** Change password: the rule is shown before typing; afterwards the other sessions of the user end. */
export function PasswordForm({ session }: { session: Session }) {
  const t = useT()
  const [wish, setWish] = useState(empty)
  const [shown, setShown] = useState(false)
  const [checked, setChecked] = useState(false)
  const [busy, setBusy] = useState(false)
  const problems = checked ? passwordProblems(wish, session.account) : {}
  const words = (key: string | undefined) => key && t(key, { least })

  const save = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setChecked(true)
    const found = passwordProblems(wish, session.account)
    const first = Object.keys(found)[0]
    if (first) {
      event.currentTarget.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus()
      return
    }
    setBusy(true)
    try {
      const form = new URLSearchParams(Object.entries(wish).map(([name, value]) => [name, md5(value)]))
      await post('blade-user/update-password', { form })
      setWish(empty)
      setChecked(false)
      toast.success(t('spec.updated'))
      if (session.mustChange) {
        keepSession({ ...session, mustChange: false })
        await loadSession()
        go('/wel/index', { replace: true })
      }
    } catch (problem) {
      // The client has said what went wrong; anything else is a defect and goes up.
      if (!(problem instanceof HttpProblem)) throw problem
    } finally {
      setBusy(false)
    }
  }

  const field = (name: keyof Passwords, autoComplete: string, help?: string) => (
    <Field
      label={t(`info.${name}`)}
      name={name}
      required
      type={shown ? 'text' : 'password'}
      autoComplete={autoComplete}
      value={wish[name]}
      help={help}
      error={words(problems[name])}
      onChange={(event) => setWish((now) => ({ ...now, [name]: event.target.value }))}
    />
  )

  return (
    <form className="form" noValidate onSubmit={(event) => void save(event)}>
      {session.mustChange && (
        <p className="alert" role="status">
          {t('info.mustChange')}
        </p>
      )}
      {/* Password managers file the new password under this name. */}
      <input
        className="sr-only"
        type="text"
        autoComplete="username"
        value={session.account}
        readOnly
        tabIndex={-1}
        aria-hidden="true"
      />
      {field('oldPassword', 'current-password')}
      {field('newPassword', 'new-password', t('info.policy', { least }))}
      {field('newPassword1', 'new-password')}
      <label className="check">
        <input type="checkbox" checked={shown} onChange={(event) => setShown(event.target.checked)} />
        {t('info.show')}
      </label>
      <div className="form-foot">
        <button type="submit" className="button primary" disabled={busy}>
          {t('common.save')}
        </button>
      </div>
    </form>
  )
}
