import { entityOf } from '@data-brain/contract'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useChoices } from '../../entity/client.ts'
import type { ControlProps } from '../../entity/control.tsx'
import { type FormStore, useValue } from '../../ui/form/store.ts'
import { Icon } from '../../ui/icon.tsx'
import { timeOf } from '../../ui/instant.ts'
import { useLanguage, useT } from '../../ui/words.ts'
import { readAudience } from './calls.ts'

const Picker = lazy(() => import('./picker.tsx'))

/** The entity that each kind of target names; everybody needs none. */
export const targets: Readonly<Record<string, string>> = {
  '2': 'dept',
  '3': 'role',
  '4': 'school',
  '5': 'sysgrade',
  '6': 'schoolclass',
  '7': 'user',
}

/** Ids as the form keeps them: a JSON text. */
export function idsIn(value: unknown): string[] {
  try {
    const ids: unknown = typeof value === 'string' ? JSON.parse(value) : value
    return Array.isArray(ids) ? ids.map(String) : []
  } catch {
    return []
  }
}

/** How many people targets reach; undefined while that is not known, or nobody is named yet. */
export function useAudience(kind: string, ids: readonly string[]) {
  const named = ids.length > 0 || !(kind in targets)
  return useQuery({
    queryKey: ['notice', 'audience', kind, ids.toSorted()],
    queryFn: ({ signal }) => readAudience({ targetType: kind, targetIds: ids }, signal),
    enabled: kind !== '' && named,
    staleTime: 30_000,
    retry: false,
  })
}

export const useNumber = (): ((count: number) => string) => {
  const locale = useLanguage() === 'zh' ? 'zh-CN' : 'en-GB'
  return (count) => count.toLocaleString(locale)
}

/** Names that stand in the form before the rest is only counted. */
const shownNames = 8

/** Whom a notice is for, by what its kind of target names; another kind begins anew. */
export function Targets({ form, name, label: field, ties, disabled, onChange }: ControlProps) {
  const t = useT()
  const number = useNumber()
  const kind = String(useValue(form, 'targetType') ?? '')
  const ids = idsIn(useValue(form, name))
  const [open, setOpen] = useState(false)
  const before = useRef(kind)
  const change = useRef(onChange)
  change.current = onChange
  useEffect(() => {
    if (
      before.current !== '' &&
      kind !== '' &&
      before.current !== kind &&
      form.value('targetType') !== form.initial('targetType')
    )
      change.current(null)
    before.current = kind
  }, [kind, form])
  const to = targets[kind]
  const target = entityOf(to ?? 'dept')
  const named = useChoices(target.name, target.path, { ids }, to !== undefined && ids.length > 0)
  if (!to) return null
  const names = ids.slice(0, shownNames).map((id) => named.data?.find((choice) => choice.id === id)?.name ?? '…')
  const rest = ids.length - names.length
  const label = t(`notice.pick.${to}`)
  const text = ids.length === 0 ? label : t('notice.picked', { count: number(ids.length) })
  return (
    <div className="notice-targets">
      <button
        {...ties}
        type="button"
        className="button"
        disabled={disabled}
        aria-haspopup="dialog"
        aria-label={`${field} ${text}`}
        onClick={() => setOpen(true)}
      >
        <Icon name="users-round" size={16} />
        {text}
      </button>
      {ids.length > 0 && (
        <span className="notice-target-names">
          {names.join(t('notice.listComma'))}
          {rest > 0 && t('notice.andMore', { count: number(rest) })}
        </span>
      )}
      {open && (
        <Suspense fallback={null}>
          <Picker
            to={to}
            kind={kind}
            title={label}
            value={ids}
            known={named.data ?? []}
            onClose={() => setOpen(false)}
            onDone={(next) => {
              setOpen(false)
              onChange(next.length > 0 ? JSON.stringify(next) : null)
            }}
          />
        </Suspense>
      )}
    </div>
  )
}

/** How many people it reaches, and when: stands beside the button that sends it. */
export function Reach({ form }: { form: FormStore }) {
  const t = useT()
  const number = useNumber()
  const kind = String(useValue(form, 'targetType') ?? '')
  const ids = idsIn(useValue(form, 'targetIds'))
  const release = String(useValue(form, 'releaseTime') ?? '')
  const found = useAudience(kind, ids)
  if (kind in targets && ids.length === 0) return <span className="notice-reach muted">{t('notice.reachWhom')}</span>
  if (found.isError) return <span className="notice-reach late">{t('notice.reachFailed')}</span>
  if (!found.data) return <span className="notice-reach muted">{t('notice.reachCounting')}</span>
  const { people } = found.data
  if (people === 0) return <span className="notice-reach late">{t('notice.reachNobody')}</span>
  const later = /^\d{4}-\d\d-\d\d \d\d:\d\d/.test(release) && timeOf(release) > Date.now()
  return (
    <span className="notice-reach" role="status">
      {later
        ? t('notice.reachLater', { count: number(people), time: release.slice(0, 16) })
        : t('notice.reach', { count: number(people) })}
    </span>
  )
}
