import { platformStartWords } from '../../locales/platform-start.ts'
import { pathOf } from '../../session/paths.ts'
import { Link } from '../../ui/place.ts'
import { addWords, useT } from '../../ui/words.ts'

addWords(platformStartWords)

/** Who runs the platform is led to its tenants: schools are registered there. */
export default function PlatformStart() {
  const t = useT()
  const to = pathOf('tenant')
  return (
    <section className="card" aria-labelledby="set-up">
      <div className="card-head">
        <h2 id="set-up">{t('setUp.platform')}</h2>
      </div>
      <p className="muted">{t('setUp.platformText')}</p>
      {to && (
        <p className="home-acts">
          <Link className="button primary" to={`${to}?edit=new`}>
            {t('setUp.platformAct')}
          </Link>
          <Link className="button" to={to}>
            {t('setUp.tenants')}
          </Link>
        </p>
      )}
    </section>
  )
}
