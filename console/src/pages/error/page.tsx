import type { ReactNode } from 'react'
import { Link } from '../../ui/place.ts'
import { useT } from '../../ui/words.ts'

/** The frame of the error pages: the number, one sentence, and where to go from there. */
export function ErrorPage({ code, children }: { code: 403 | 404 | 500; children?: ReactNode }) {
  const t = useT()
  return (
    <div className="page notice-page">
      <p className="big-number" aria-hidden="true">
        {code}
      </p>
      <h1 tabIndex={-1}>{t(`error.${code}`)}</h1>
      <p>{t(`error.${code}.text`)}</p>
      {children}
      <p className="actions">
        <Link className="button primary" to="/wel/index">
          {t('error.home')}
        </Link>
        <button type="button" className="button" onClick={() => window.history.back()}>
          {t('error.back')}
        </button>
      </p>
    </div>
  )
}
