import { useState } from 'react'
import { testWords } from '../../locales/test.ts'
import { askConfirmation } from '../../ui/confirm.tsx'
import { toast } from '../../ui/toast.ts'
import { addWords, useT } from '../../ui/words.ts'

addWords(testWords)

const kinds = ['success', 'warning', 'error'] as const

/** The parts of the console with mock data, for whoever builds it (R-ROUTE-4). */
export default function TestPage() {
  const t = useT()
  const [broken, setBroken] = useState(false)
  if (broken) throw new Error(t('test.thrown'))
  return (
    <div className="page">
      <div className="page-head">
        <h1 tabIndex={-1}>{t('shell.test')}</h1>
      </div>
      <p className="muted">{t('test.text')}</p>
      <section className="card">
        <h2>{t('test.toasts')}</h2>
        <p className="actions">
          {kinds.map((kind) => (
            <button key={kind} type="button" className="button" onClick={() => toast[kind](t(`test.${kind}`))}>
              {t(`test.${kind}`)}
            </button>
          ))}
        </p>
      </section>
      <section className="card">
        <h2>{t('test.buttons')}</h2>
        <p className="actions">
          <button
            type="button"
            className="button primary"
            onClick={() => void askConfirmation({ title: t('test.ask'), okText: t('test.success') })}
          >
            {t('test.ask')}
          </button>
          <button type="button" className="button" onClick={() => setBroken(true)}>
            {t('test.throw')}
          </button>
        </p>
      </section>
    </div>
  )
}
