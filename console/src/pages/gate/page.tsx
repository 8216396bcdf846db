import { leavePass } from '@data-brain/contract/calls/leave'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { call } from '../../http/call.ts'
import { gateWords } from '../../locales/gate.ts'
import { Icon } from '../../ui/icon.tsx'
import { setQuery, usePlace } from '../../ui/place.ts'
import { addWords, useT, useWords } from '../../ui/words.ts'
import './page.css'

addWords(gateWords)

/** The gate looks at a pass: whether it holds at this moment, whose it is, and who fetches the pupil. */
export default function GatePage() {
  const t = useT()
  const pick = useWords()
  const id = useId()
  const { query } = usePlace()
  const code = query.get('code') ?? ''
  const [typed, setTyped] = useState(code)
  const found = useQuery({
    queryKey: ['gate', code],
    queryFn: ({ signal }) => call(leavePass, { code }, { signal, silent: true }),
    enabled: code !== '',
    // What held a minute ago may hold no more.
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  const check = (event: FormEvent) => {
    event.preventDefault()
    const next = typed.trim().toUpperCase()
    if (next === code) void found.refetch()
    else setQuery({ code: next || null })
  }
  const pass = found.data
  return (
    <div className="page gate">
      <div className="page-head">
        <h1 tabIndex={-1}>{t('gate.title')}</h1>
      </div>
      <form className="card gate-ask" onSubmit={check}>
        <label htmlFor={id}>{t('gate.code')}</label>
        <input
          id={id}
          className="input"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={16}
          aria-describedby={`${id}-hint`}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        <button type="submit" className="button primary" aria-busy={found.isFetching || undefined}>
          {t('gate.check')}
        </button>
        <p id={`${id}-hint`} className="muted">
          {t('gate.hint')}
        </p>
      </form>
      <div role="status">
        {found.isError && (
          <p className="card gate-answer" data-holds="no">
            {t('gate.none')}
          </p>
        )}
        {pass && (
          <section className="card gate-answer" data-holds={pass.isValid ? 'yes' : 'no'} aria-labelledby={`${id}-said`}>
            <h2 id={`${id}-said`}>
              <Icon name={pass.isValid ? 'circle-check' : 'circle-x'} size={28} />
              {t(pass.isValid ? 'gate.holds' : 'gate.refused')}
            </h2>
            <p>{pick(pass.message)}</p>
            <dl>
              <dt>{t('gate.student')}</dt>
              <dd>{pass.studentName}</dd>
              <dt>{t('gate.class')}</dt>
              <dd>{pass.className ?? '—'}</dd>
              <dt>{t('gate.time')}</dt>
              <dd>{t('gate.until', { from: pass.startTime.slice(0, 16), until: pass.endTime.slice(0, 16) })}</dd>
              <dt>{t('gate.pickup')}</dt>
              <dd>{pass.pickupName ?? t('gate.alone')}</dd>
            </dl>
          </section>
        )}
      </div>
    </div>
  )
}
