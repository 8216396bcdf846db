import type { AnswerOf } from '@data-brain/contract/call'
import { changeOwnProfile, ownProfile } from '@data-brain/contract/calls/account'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { call } from '../../http/call.ts'
import { HttpProblem } from '../../http/client.ts'
import { keepSession, type Session } from '../../session/session.ts'
import { Field } from '../../ui/field.tsx'
import { useTab } from '../../ui/place.ts'
import { toast } from '../../ui/toast.ts'
import { useT } from '../../ui/words.ts'
import { AvatarField } from './avatar.tsx'
import '../../ui/later-words.ts'

const shownNames = ['avatar', 'realName', 'name', 'phone', 'email'] as const
type Profile = Readonly<Record<(typeof shownNames)[number], string | null>>

const profileOf = (row: AnswerOf<typeof ownProfile>): Profile =>
  Object.fromEntries(shownNames.map((name) => [name, typeof row[name] === 'string' ? row[name] : null])) as Profile
type Draft = Profile

const emailForm = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

/** The words for a phone that is given and is no mainland mobile number; a personal phone may be left out. */
export function phoneProblem(phone: string): 'spec.phoneLength' | 'spec.phoneFormat' | undefined {
  if (phone === '') return undefined
  if (phone.length !== 11) return 'spec.phoneLength'
  return /^1[3-9]\d{9}$/.test(phone) ? undefined : 'spec.phoneFormat'
}

const infoKey = ['info'] as const

/** Account info: what a person may change about themselves. */
export function AccountForm({ session }: { session: Session }) {
  const t = useT()
  const { data, error, refetch } = useQuery({
    queryKey: infoKey,
    queryFn: async ({ signal }) => profileOf(await call(ownProfile, undefined, { signal, silent: true })),
  })
  if (error) {
    return (
      <p role="alert">
        {error.message}{' '}
        <button type="button" className="link-button" onClick={() => void refetch()}>
          {t('common.retry')}
        </button>
      </p>
    )
  }
  return data ? <Form session={session} profile={data} /> : <p aria-busy="true">{t('common.loading')}</p>
}

function Form({ session, profile }: { session: Session; profile: Profile }) {
  const t = useT()
  const client = useQueryClient()
  const { setDirty } = useTab()
  const [draft, setDraft] = useState<Draft>({
    avatar: profile.avatar,
    realName: profile.realName,
    name: profile.name,
    phone: profile.phone,
    email: profile.email,
  })
  const [checked, setChecked] = useState(false)
  const [busy, setBusy] = useState(false)

  const set = (patch: Partial<Draft>) => {
    setDraft((now) => ({ ...now, ...patch }))
    setDirty(true)
  }
  // What came masked and was not touched is not sent: it would store the mask.
  const changed = Object.fromEntries(
    Object.entries(draft).filter(([key, value]) => value !== profile[key as keyof Draft]),
  )
  const phone = 'phone' in changed ? phoneProblem(draft.phone ?? '') : undefined
  const problems = {
    realName: draft.realName?.trim() ? undefined : t('info.realNameEmpty'),
    phone: phone && t(phone),
    email: !draft.email || emailForm.test(draft.email) ? undefined : t('info.emailFormat'),
  }

  const save = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setChecked(true)
    if (Object.values(problems).some(Boolean)) {
      event.currentTarget.querySelector<HTMLElement>('[aria-invalid]')?.focus()
      return
    }
    setBusy(true)
    try {
      await call(changeOwnProfile, changed)
      setDirty(false)
      keepSession({
        ...session,
        realName: draft.realName ?? '',
        nickName: draft.name || draft.realName || '',
        avatar: draft.avatar ?? '',
      })
      void client.invalidateQueries({ queryKey: infoKey })
      toast.success(t('spec.updated'))
    } catch (problem) {
      if (!(problem instanceof HttpProblem)) throw problem
    } finally {
      setBusy(false)
    }
  }

  return (
    <form className="form" noValidate onSubmit={(event) => void save(event)}>
      <AvatarField src={draft.avatar ?? ''} onChange={(avatar) => set({ avatar })} />
      <Field
        label={t('info.realName')}
        required
        maxLength={50}
        autoComplete="name"
        value={draft.realName ?? ''}
        error={checked ? problems.realName : undefined}
        onChange={(event) => set({ realName: event.target.value })}
      />
      <Field
        label={t('info.nickName')}
        maxLength={20}
        autoComplete="nickname"
        value={draft.name ?? ''}
        onChange={(event) => set({ name: event.target.value })}
      />
      <Field label={t('info.username')} value={session.account} readOnly autoComplete="username" />
      <Field
        label={t('info.phone')}
        inputMode="tel"
        autoComplete="tel-national"
        value={draft.phone ?? ''}
        error={checked ? problems.phone : undefined}
        onChange={(event) => set({ phone: event.target.value.replace(/\s|^\+86/g, '') })}
      />
      <Field
        label={t('info.email')}
        type="email"
        autoComplete="email"
        maxLength={100}
        value={draft.email ?? ''}
        error={checked ? problems.email : undefined}
        onChange={(event) => set({ email: event.target.value.trim() })}
      />
      <div className="form-foot">
        <button
          type="submit"
          className="button primary"
          aria-disabled={busy}
          disabled={busy || Object.keys(changed).length === 0}
        >
          {t('common.save')}
        </button>
      </div>
    </form>
  )
}
