import { smslog } from '@data-brain/contract'
import { smsOutbox } from '@data-brain/contract/calls/sms'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useDictionaries } from '../../entity/data/index.ts'
import { dictText } from '../../entity/display/index.ts'
import { LoadFailed } from '../../entity/list/index.ts'
import { call } from '../../http/call.ts'
import { Icon } from '../../ui/icon.tsx'
import { useTab } from '../../ui/place.ts'
import { useLanguage, useT } from '../../ui/words.ts'

/** While somebody looks, new texts appear by themselves. */
const EVERY = 5_000

/** The texts that the development service was given, newest first. */
export function Outbox({ above }: { above: ReactNode }) {
  const t = useT()
  const language = useLanguage()
  const { active } = useTab()
  const dictionaries = useDictionaries(smslog)
  const found = useQuery({
    queryKey: ['sms', 'outbox'],
    queryFn: ({ signal }) => call(smsOutbox, {}, { signal }),
    refetchInterval: active ? EVERY : false,
    staleTime: 0,
    retry: false,
  })
  const words = { t, language, dictionaries, regions: {} }
  return (
    <div className="page entity">
      <header className="entity-head">
        <h1 tabIndex={-1}>{t('sms.outbox')}</h1>
        <span className="entity-buttons">
          <button type="button" className="button" onClick={() => void found.refetch()}>
            <Icon name="refresh-cw" size={16} />
            {t('sms.refresh')}
          </button>
        </span>
      </header>
      {above}
      <p className="sms-note">{t('sms.outboxNote')}</p>
      {found.isError && !found.data ? (
        <LoadFailed problem={found.error} onRetry={() => void found.refetch()} />
      ) : (
        <ul className="sms-outbox" aria-label={t('sms.outbox')} aria-busy={found.isPending}>
          {found.data?.map((one) => (
            <li key={one.id}>
              <p className="sms-line">
                <time>{one.sentAt}</time>
                <span className="mono">{one.phone}</span>
                <span>{dictText(words, 'sms_purpose', one.purpose)}</span>
                <span>{one.smsCode}</span>
              </p>
              <p className="sms-text">{one.text}</p>
            </li>
          ))}
          {found.data?.length === 0 && <li className="sms-empty">{t('sms.outboxEmpty')}</li>}
        </ul>
      )}
    </div>
  )
}
