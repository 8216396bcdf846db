import type { ReactNode } from 'react'
import { Link } from '../../ui/place.ts'
import { useT } from '../../ui/words.ts'
import '../../ui/later-words.ts'

type Code = 403 | 404 | 500

const line = { stroke: 'var(--line)', strokeWidth: 3, strokeLinecap: 'round', fill: 'none' } as const
const sign = {
  stroke: 'var(--card)',
  strokeWidth: 3,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
  fill: 'none',
} as const

/** What stands at the corner of the drawn page: a lock, a question, a warning. */
const marks: Readonly<Record<Code, ReactNode>> = {
  403: (
    <>
      <circle cx="92" cy="60" r="15" fill="var(--warning)" />
      <path d="M86 59h12v8H86zM88.500 59v-3a3.500 3.500 0 0 1 7 0v3" {...sign} strokeWidth={2.5} />
    </>
  ),
  404: (
    <>
      <circle cx="86" cy="54" r="16" fill="var(--card)" stroke="var(--s1)" strokeWidth={4} />
      <path d="m98 66 11 11" stroke="var(--s1)" strokeWidth={6} strokeLinecap="round" />
      <path d="m81 49 10 10M91 49 81 59" {...line} />
    </>
  ),
  500: (
    <>
      <circle cx="92" cy="60" r="15" fill="var(--error)" />
      <path d="M92 52v9M92 67v.1" {...sign} />
    </>
  ),
}

/** The frame of the error pages: a drawing, one sentence, and where to go from there. */
export function ErrorPage({ code, children }: { code: Code; children?: ReactNode }) {
  const t = useT()
  return (
    <div className="page notice-page">
      <svg className="drawing" viewBox="0 0 120 84" width={160} height={112} aria-hidden="true">
        <rect x="20" y="14" width="68" height="58" rx="8" fill="var(--tint)" />
        <rect x="30" y="6" width="68" height="58" rx="8" fill="var(--card)" stroke="var(--line)" strokeWidth={1.5} />
        <path d="M40 21h28M40 32h40M40 43h24" {...line} />
        {marks[code]}
      </svg>
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
      <p className="error-code">{code}</p>
    </div>
  )
}
