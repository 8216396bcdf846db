import { changePassword } from '@data-brain/contract/calls/account'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { call } from '../../http/call.ts'
import { HttpProblem } from '../../http/client.ts'
import { loadSession } from '../../session/load.ts'
import { md5 } from '../../session/md5.ts'
import { keepSession, type Session } from '../../session/session.ts'
import { Field } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { toast } from '../../ui/toast.ts'
import { useT } from '../../ui/words.ts'
import { goBack } from './go-back.ts'
import { keptRules, lengthLeast, type Owner, type RuleName, strengthOf } from './policy.ts'
import '../../ui/later-words.ts'
import './page.css'

interface Passwords {
  oldPassword: string
  newPassword: string
  newPassword1: string
}

const empty: Passwords = { oldPassword: '', newPassword: '', newPassword1: '' }

type Problems = Partial<Record<keyof Passwords, string>>

/** What to say of the first rule that is not kept, in the order in which they are shown. */
const broken: readonly [RuleName, string][] = [
  ['length', 'info.tooShort'],
  ['different', 'info.tooPlain'],
  ['own', 'info.isAccount'],
  ['common', 'info.tooCommon'],
  ['old', 'info.sameAsOld'],
]

/** What is wrong with a wish to change the password, as keys of words, by field. */
export function passwordProblems(wish: Passwords, owner: Owner): Problems {
  const problems: Problems = {}
  if (!wish.oldPassword) problems.oldPassword = 'info.oldEmpty'
  const kept = keptRules(wish.newPassword, owner, wish.oldPassword)
  const first = broken.find(([rule]) => !kept[rule])
  if (first) problems.newPassword = first[1]
  if (wish.newPassword !== wish.newPassword1) problems.newPassword1 = 'spec.passwordsDiffer'
  return problems
}

/** The rules, each with a tick as soon as it is kept, and the strength in words. */
function Rules({ id, wish, owner }: { id: string; wish: Passwords; owner: Owner }) {
  const t = useT()
  const typed = wish.newPassword !== ''
  const kept = keptRules(wish.newPassword, owner, wish.oldPassword)
  const equal = typed && wish.newPassword === wish.newPassword1
  const lines = [...broken.map(([rule]) => [rule, kept[rule]] as const), ['equal', equal] as const]
  return (
    <div className="rules" id={id}>
      <ul>
        {lines.map(([rule, done]) => (
          <li key={rule} className={done ? 'rule kept' : 'rule'}>
            <Icon name={done ? 'check' : 'circle'} size={16} />
            {t(`info.rule.${rule}`, { least: lengthLeast })}
            <span className="sr-only">{t(done ? 'info.ruleKept' : 'info.ruleOpen')}</span>
          </li>
        ))}
      </ul>
      <p role="status">
        {typed && t('info.strength', { strength: t(`info.strength.${strengthOf(wish.newPassword, owner)}`) })}
      </p>
    </div>
  )
}

/** Change password: the rules are shown before and while typing; afterwards the other sessions of the user end. */
export function PasswordForm({ session }: { session: Session }) {
  const t = useT()
  const rules = useId()
  const [wish, setWish] = useState(empty)
  const [shown, setShown] = useState(false)
  const [checked, setChecked] = useState(false)
  const [busy, setBusy] = useState(false)
  const shape = useRef<HTMLFormElement>(null)
  useEffect(() => {
    // Nothing else can be done on that page, and the focus has gone with the log-in page.
    if (session.mustChange) shape.current?.querySelector<HTMLInputElement>('[name=oldPassword]')?.focus()
  }, [session.mustChange])
  /** What the server said of a field, until that field is changed. */
  const [judged, setJudged] = useState<Problems>({})
  const problems = checked ? passwordProblems(wish, session) : {}
  const words = (key: string | undefined) => key && t(key, { least: lengthLeast })

  const save = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (busy) return
    const form = event.currentTarget
    const focus = (name: string | undefined) => form.querySelector<HTMLInputElement>(`[name="${name}"]`)?.focus()
    setChecked(true)
    const first = Object.keys(passwordProblems(wish, session))[0]
    if (first) return focus(first)
    setBusy(true)
    try {
      const sent = {
        oldPassword: md5(wish.oldPassword),
        newPassword: md5(wish.newPassword),
        newPassword1: md5(wish.newPassword1),
      }
      await call(changePassword, sent, { silent: true })
      setWish(empty)
      setChecked(false)
      setJudged({})
      // Whoever has just been given a first password has no other session to be told of, and goes on to another page.
      toast.success(t('spec.updated'), t(session.mustChange ? 'info.passwordChanged' : 'info.othersEnded'))
      if (session.mustChange) {
        keepSession({ ...session, mustChange: false })
        await loadSession()
        goBack()
      }
    } catch (problem) {
      if (!(problem instanceof HttpProblem)) throw problem
      const field = (problem.data as { field?: string } | null | undefined)?.field
      if (field === undefined || !Object.hasOwn(wish, field)) toast.error(problem.message)
      else {
        setJudged({ [field]: problem.message })
        focus(field)
      }
    } finally {
      setBusy(false)
    }
  }

  const field = (name: keyof Passwords, autoComplete: string, described?: string) => (
    <Field
      label={t(`info.${name}`)}
      name={name}
      required
      type={shown ? 'text' : 'password'}
      autoComplete={autoComplete}
      maxLength={128}
      value={wish[name]}
      aria-details={described}
      error={words(problems[name]) ?? judged[name]}
      onChange={(event) => {
        const { value } = event.target
        setWish((now) => ({ ...now, [name]: value }))
        setJudged(({ [name]: _, ...others }) => others)
      }}
    />
  )

  return (
    <form ref={shape} className="form" noValidate onSubmit={(event) => void save(event)}>
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
      {field('newPassword', 'new-password', rules)}
      {field('newPassword1', 'new-password')}
      <Rules id={rules} wish={wish} owner={session} />
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
