import { storageUsage } from '@data-brain/contract/calls/attach'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../http/call.ts'
import { sizeText } from '../../ui/size.ts'
import { useT } from '../../ui/words.ts'

const MB = 1024 ** 2
const NEARLY = 0.9

/** How much room the tenant's files take up, of how much. */
export function QuotaBar() {
  const t = useT()
  const { data } = useQuery({
    queryKey: ['attach', 'usage'],
    queryFn: ({ signal }) => call(storageUsage, {}, { signal }),
    retry: false,
    meta: { reads: ['attach', 'oss', 'tenant'] },
  })
  if (!data) return null
  const { usedBytes, files, quotaMb, place } = data
  const limited = quotaMb >= 0
  const part = limited ? Math.min(1, usedBytes / Math.max(1, quotaMb * MB)) : 0
  const near = limited && part >= NEARLY
  return (
    <div className="attach-quota">
      <span>{t('attach.used', { files, count: files, used: sizeText(usedBytes) })}</span>
      {limited ? (
        <>
          <meter
            min={0}
            max={1}
            high={NEARLY}
            optimum={0}
            value={part}
            aria-label={t('attach.quota')}
            aria-valuetext={`${sizeText(usedBytes)} ${t('attach.ofQuota', { quota: sizeText(quotaMb * MB) })}`}
          />
          <span>{t('attach.ofQuota', { quota: sizeText(quotaMb * MB) })}</span>
          {near && <strong className="attach-near">{t('attach.nearlyFull')}</strong>}
        </>
      ) : (
        <span className="muted">{t('attach.noQuota')}</span>
      )}
      <span className="muted">{t('attach.place', { place: place ?? t('attach.folder') })}</span>
    </div>
  )
}
