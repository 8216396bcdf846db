import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ChangeEvent, type FormEvent, useRef, useState } from 'react'
import { get, HttpProblem, post } from '../../http/client.ts'
import { keepSession, type Session } from '../../session/session.ts'
import { Field } from '../../ui/field.tsx'
import { useTab } from '../../ui/place.ts'
import { toast } from '../../ui/toast.ts'
import { useT } from '../../ui/words.ts'

interface Profile {
  id: string
  avatar: string | null
  realName: string | null
  name: string | null
  phone: string | null
  email: string | null
}

type Draft = Pick<Profile, 'realName' | 'phone' | 'email' | 'avatar'>

const avatarBytes = 500 * 1024
const avatarKinds = ['image/jpeg', 'image/png']
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
    queryFn: ({ signal }) => get<Profile>('blade-user/info', undefined, { signal, silent: true }),
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

/** The avatar: checked here by kind and size, and by content on the server. */
function AvatarField({ src, onUploaded }: { src: string; onUploaded: (link: string) => void }) {
  const t = useT()
  const input = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  const upload = async (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0]
    event.target.value = ''
    if (!file) return
    if (!avatarKinds.includes(file.type) || file.size > avatarBytes) return toast.warning(t('spec.avatarHint'))
    const form = new FormData()
    form.set('file', file)
    setBusy(true)
    try {
      onUploaded((await post<{ link: string }>('blade-resource/oss/endpoint/put-file', { form, timeout: 60_000 })).link)
    } catch (problem) {
      // The client has said what went wrong; anything else is a defect and goes up.
      if (!(problem instanceof HttpProblem)) throw problem
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="field avatar-field">
      <img className="avatar" src={src || '/avatar.svg'} alt={t('info.avatar')} width={72} height={72} />
      <div>
        <button type="button" className="button" disabled={busy} onClick={() => input.current?.click()}>
          {t('info.upload')}
        </button>
        <input
          ref={input}
          type="file"
          hidden
          accept={avatarKinds.join(',')}
          aria-label={t('info.avatar')}
          onChange={(event) => void upload(event)}
        />
        <p className="field-help">{t('spec.avatarHint')}</p>
      </div>
    </div>
  )
}

function Form({ session, profile }: { session: Session; profile: Profile }) {
  const t = useT()
  const client = useQueryClient()
  const { setDirty } = useTab()
  const [draft, setDraft] = useState<Draft>({
    avatar: profile.avatar,
    realName: profile.realName,
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
      await post('blade-user/update-info', { body: { id: session.userId, ...changed } })
      setDirty(false)
      keepSession({ ...session, realName: draft.realName ?? '', avatar: draft.avatar ?? '' })
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
      <AvatarField src={draft.avatar ?? ''} onUploaded={(avatar) => set({ avatar })} />
      <Field
        label={t('info.realName')}
        required
        maxLength={20}
        autoComplete="name"
        value={draft.realName ?? ''}
        error={checked ? problems.realName : undefined}
        onChange={(event) => set({ realName: event.target.value })}
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
