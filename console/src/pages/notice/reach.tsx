import { notice } from '@data-brain/contract'
import { noticeAudience } from '@data-brain/contract/calls/notice'
import { useQuery } from '@tanstack/react-query'
import type { ControlProps } from '../../entity/fields/index.ts'
import { idsIn, TargetsInput, useNumber } from '../../entity/value/index.ts'
import { call } from '../../http/call.ts'
import { type FormStore, useValue } from '../../ui/form/store.ts'
import { timeOf } from '../../ui/instant.ts'
import { useT } from '../../ui/words.ts'

const named = notice.fields.targetIds.of.is

/** How many people targets reach; undefined while that is not known, or nobody is named yet. */
function useAudience(kind: string, ids: readonly string[]) {
  return useQuery({
    queryKey: ['notice', 'audience', kind, ids.toSorted()],
    queryFn: ({ signal }) =>
      call(noticeAudience, { targetType: kind, ...(ids.length > 0 && { targetIds: ids }) }, { signal, silent: true }),
    enabled: kind !== '' && (ids.length > 0 || !(kind in named)),
    staleTime: 30_000,
    retry: false,
  })
}

function useReached(kind: string, ids: readonly string[]) {
  const { data } = useAudience(kind, ids)
  return data && { each: {}, ...data }
}

/** Whom a notice is for, with the people that it reaches. */
export function Readers(props: ControlProps) {
  return <TargetsInput {...props} useReach={useReached} />
}

/** How many people it reaches, and when: stands beside the button that sends it. */
export function Reach({ form }: { form: FormStore }) {
  const t = useT()
  const number = useNumber()
  const kind = String(useValue(form, 'targetType') ?? '')
  const ids = idsIn(useValue(form, 'targetIds'))
  const release = String(useValue(form, 'releaseTime') ?? '')
  const found = useAudience(kind, ids)
  if (kind in named && ids.length === 0) return <span className="notice-reach muted">{t('notice.reachWhom')}</span>
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
