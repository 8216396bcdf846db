import { useEffect, useRef } from 'react'
import { progressWords } from '../../locales/import.ts'
import { announce } from '../../ui/announce.tsx'
import { addWords, useLanguage, useT } from '../../ui/words.ts'
import type { BatchView } from './calls.ts'
import './progress.css'

addWords(progressWords)

interface ProgressProps {
  /** What is being done, in words. */
  label: string
  done: number
  /** Of how much; 0 while nobody knows. */
  total: number
  /** The figures in words. */
  figures: string
}

/** How far the server is. It is said aloud at every quarter; the bar tells the rest to whoever looks at it. */
export function Progress({ label, done, total, figures }: ProgressProps) {
  const t = useT()
  const known = total > 0
  const reached = Math.min(done, total)
  const quarter = known ? Math.floor((reached / total) * 4) : 0
  const said = useRef(-1)
  useEffect(() => {
    if (said.current === quarter) return
    said.current = quarter
    announce(quarter === 0 ? label : t('import.percent', { what: label, percent: quarter * 25 }))
  }, [quarter, label, t])
  return (
    <>
      <progress aria-label={`${label}…`} max={known ? total : undefined} value={known ? reached : undefined} />
      <p className="mono">{figures}</p>
      <p className="muted">{t('import.progressNote')}</p>
    </>
  )
}

/** What the server is doing with a batch of students, and how far it is. */
export function BatchProgress({ batch, what }: { batch: BatchView; what: string }) {
  const t = useT()
  const number = new Intl.NumberFormat(useLanguage())
  const total = what === 'import.reading' ? 0 : batch.total
  const done = Math.min(batch.progress, total)
  const figures =
    total > 0 ? t('import.progress', { done: number.format(done), total: number.format(total) }) : batch.fileName
  return (
    <section className="card import-working" aria-labelledby="import-working">
      <h2 id="import-working">{t(what)}…</h2>
      <Progress label={t(what)} done={done} total={total} figures={figures} />
    </section>
  )
}
