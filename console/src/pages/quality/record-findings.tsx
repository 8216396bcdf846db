import { qualityList } from '@data-brain/contract/calls/quality'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../http/call.ts'
import { qualityWords } from '../../locales/quality.ts'
import { qualityCheckWords } from '../../locales/quality-checks.ts'
import { menuStore } from '../../session/menus.ts'
import { pathOf } from '../../session/paths.ts'
import { Link } from '../../ui/place.ts'
import { useStore } from '../../ui/store.ts'
import { addWords, useT } from '../../ui/words.ts'
import './quality.css'

addWords({ ...qualityWords, ...qualityCheckWords })

interface Props {
  /** The name of the record’s entity. */
  readonly code: string
  readonly id: string
}

/** What checks of the data find in one record, counted anew after each change: for whoever works with findings. */
export default function RecordFindings({ code, id }: Props) {
  const t = useT()
  useStore(menuStore)
  const page = pathOf('quality')
  const { data } = useQuery({
    queryKey: ['quality', 'record', code, id],
    queryFn: ({ signal }) => call(qualityList, { code, id, size: 50 }, { signal, silent: true }),
    enabled: page !== undefined,
    staleTime: 0,
    retry: false,
    meta: { reads: [code, 'studentparents', 'studentdetail', 'studentclass'] },
  })
  if (!page || !data || data.total === 0) return null
  return (
    <details className="quality-record">
      <summary>{t('quality.ofRecord', { count: data.total })}</summary>
      <ul>
        {data.records.map(({ check, owner }) => (
          <li key={check}>
            <Link to={`${page}?check=${check}`}>{t(`quality.check.${check}`)}</Link>{' '}
            {owner && <span className="muted">{t('quality.ownedBy', { name: owner })}</span>}
          </li>
        ))}
      </ul>
    </details>
  )
}
