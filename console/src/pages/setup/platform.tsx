import type { Page, Row, tenant } from '@data-brain/contract'
import { useQuery } from '@tanstack/react-query'
import { get } from '../../http/client.ts'
import { platformStartWords } from '../../locales/platform-start.ts'
import { callsOf, pathOf } from '../../session/paths.ts'
import { Link } from '../../ui/place.ts'
import { addWords, useT } from '../../ui/words.ts'

addWords(platformStartWords)

const shown = 6

/** The tenants that came last, and until when each may be used. */
function Newest({ to }: { to: string }) {
  const t = useT()
  const { data } = useQuery({
    queryKey: ['tenant', 'newest'],
    queryFn: ({ signal }) =>
      get<Page<Row<typeof tenant>>>(
        `${callsOf('tenant')}/list`,
        { size: shown, descs: 'createTime' },
        { signal, silent: true },
      ),
    meta: { reads: ['tenant'] },
  })
  if (!data?.records.length) return null
  return (
    <ul className="facts">
      {data.records.map(({ id, tenantId, tenantName, expireTime }) => (
        <li key={id}>
          <Link to={`${to}?id=${id}`}>{tenantName}</Link>
          <span className="muted">
            {tenantId} ·{' '}
            {expireTime ? t('setUp.tenantUntil', { day: expireTime.slice(0, 10) }) : t('setUp.tenantAlways')}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** Who runs the platform is led to its tenants: schools are registered there. */
export default function PlatformStart() {
  const t = useT()
  const to = pathOf('tenant')
  return (
    <section className="card" aria-labelledby="set-up">
      <div className="card-head">
        <h2 id="set-up">{t('setUp.platform')}</h2>
        {to && <Link to={to}>{t('setUp.tenants')}</Link>}
      </div>
      <p className="muted">{t('setUp.platformText')}</p>
      {to && (
        <>
          <p className="home-acts">
            <Link className="button primary" to={`${to}?edit=new`}>
              {t('setUp.platformAct')}
            </Link>
          </p>
          <Newest to={to} />
        </>
      )}
    </section>
  )
}
