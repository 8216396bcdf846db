import type { Candidate, UncoveredLesson } from '@data-brain/contract/calls/substitution'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import { QueryStates } from '../../entity/list/index.ts'
import { useT, useWords } from '../../ui/words.ts'
import { candidatesOf } from './calls.ts'
import { stepTo } from './work.ts'

interface Props {
  readonly lesson: UncoveredLesson
  readonly title: string
  readonly busy: boolean
  readonly failure: string
  readonly acts: {
    readonly assign: (candidate: Candidate) => void
    /** Esc: to the lesson that this is about. */
    readonly back: () => void
  }
  readonly children: ReactNode
}

/** Who could give a lesson, the most suitable first, with the reasons; one press assigns. */
export function Candidates({ lesson, title, busy, failure, acts, children }: Props) {
  const t = useT()
  const titleId = useId()
  const found = useQuery(candidatesOf(lesson))
  const root = useRef<HTMLElement>(null)
  const free = found.data?.filter(({ isFree }) => isFree) ?? []
  const others = found.data?.filter(({ isFree }) => !isFree) ?? []
  const isThere = found.data !== undefined
  // Whoever has chosen a lesson goes on with its candidates, unless something else was turned to meanwhile.
  useEffect(() => {
    if (!isThere || !document.activeElement?.closest('.cover-lessons')) return
    root.current?.querySelector<HTMLElement>('[data-candidate]')?.focus()
  }, [isThere])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      return acts.back()
    }
    const here = event.target as HTMLElement
    if (!here.matches('[data-candidate]')) return
    const all = [...(root.current?.querySelectorAll<HTMLElement>('[data-candidate]') ?? [])]
    const next = stepTo(event.key, all.indexOf(here), all.length)
    if (next === undefined) return
    event.preventDefault()
    all[next]?.focus()
  }
  return (
    <section ref={root} className="cover-candidates card" aria-labelledby={titleId} onKeyDown={onKeyDown}>
      <h2 id={titleId}>{title}</h2>
      {failure && (
        <p className="alert alert-wrong" role="alert">
          {failure}
        </p>
      )}
      <h3>{t('cover.candidates')}</h3>
      <QueryStates query={found}>
        {() => (
          <>
            {free.length === 0 && <p>{t('cover.nobody')}</p>}
            <ol>
              {free.map((each) => (
                <li key={each.teacherId}>
                  <button
                    type="button"
                    data-candidate={each.teacherId}
                    aria-disabled={busy || undefined}
                    onClick={() => !busy && acts.assign(each)}
                  >
                    <strong>{each.teacherName}</strong>
                    <span className="cover-assign">{t('cover.assign')}</span>
                    <Reasons candidate={each} />
                  </button>
                </li>
              ))}
            </ol>
            {others.length > 0 && (
              <details>
                <summary>{t('cover.busy', { count: others.length })}</summary>
                <ul>
                  {others.map((each) => (
                    <li key={each.teacherId}>
                      {each.teacherName}
                      <Reasons candidate={each} />
                    </li>
                  ))}
                </ul>
              </details>
            )}
          </>
        )}
      </QueryStates>
      {children}
    </section>
  )
}

function Reasons({ candidate }: { readonly candidate: Candidate }) {
  const t = useT()
  const pick = useWords()
  return <span className="muted cover-reasons">{candidate.reasons.map(pick).join(t('entity.separator'))}</span>
}
