import { useEffect, useRef } from 'react'
import { announce } from '../../ui/announce.tsx'
import { useLanguage, useT } from '../../ui/words.ts'
import type { BatchView } from './calls.ts'

/** How far the server is. It is said aloud at every quarter; the bar tells the rest to whoever looks at it. */
export function Working({ batch, what }: { batch: BatchView; what: string }) {
  const t = useT()
  const number = new Intl.NumberFormat(useLanguage())
  const { progress, total } = batch
  const known = total > 0 && what !== 'import.reading'
  const done = Math.min(progress, total)
  const quarter = known ? Math.floor((done / total) * 4) : 0
  const said = useRef(-1)
  useEffect(() => {
    if (said.current === quarter) return
    said.current = quarter
    announce(quarter === 0 ? t(what) : t('import.percent', { what: t(what), percent: quarter * 25 }))
  }, [quarter, what, t])
  return (
    <section className="card import-working" aria-labelledby="import-working">
      <h2 id="import-working">{t(what)}…</h2>
      <progress aria-labelledby="import-working" max={known ? total : undefined} value={known ? done : undefined} />
      <p className="mono">
        {known ? t('import.progress', { done: number.format(done), total: number.format(total) }) : batch.fileName}
      </p>
      <p className="muted">{t('import.progressNote')}</p>
    </section>
  )
}
