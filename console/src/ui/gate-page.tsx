import type { ReactNode } from 'react'
import { useT } from './words.ts'
import './gate.css'

/** The page at the door: the product, whose it is, one card, and the drawn school at the foot; log-in, first password, lock. */
export function Gate({ tenant, corner, children }: { tenant: string; corner?: ReactNode; children: ReactNode }) {
  const t = useT()
  return (
    <div className="gate">
      <div className="gate-corner">{corner}</div>
      <div className="gate-who">
        <img src="/logo.svg" alt="" width={48} height={48} />
        <b>{tenant || t('common.product')}</b>
        {tenant && <p>{t('common.product')}</p>}
      </div>
      <div className="gate-card">{children}</div>
      <svg className="gate-school" aria-hidden="true">
        <use href="/school.svg#s" />
      </svg>
    </div>
  )
}
