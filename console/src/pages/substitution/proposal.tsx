import type { Candidate, UncoveredLesson } from '@data-brain/contract/calls/substitution'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { QueryStates } from '../../entity/list/index.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { useT, useWords } from '../../ui/words.ts'
import { candidatesOf, type Terms, useArranging } from './calls.ts'
import { TermsLine } from './lesson-choices.tsx'
import { type Chosen, coversOf, keyOf, openFor, propose } from './work.ts'

/** As many as one call takes. */
const most = 60
/** Questions that are on their way at once. */
const atOnce = 4

interface Props {
  readonly lessons: readonly UncoveredLesson[]
  readonly nameOf: (lesson: UncoveredLesson) => string
  readonly terms: Terms
  readonly onTerms: (terms: Terms) => void
  readonly onClose: () => void
}

/** The best teacher for every lesson, to be changed and then assigned in one step. */
export function Proposal({ lessons: all, nameOf, terms, onTerms, onClose }: Props) {
  const t = useT()
  const pick = useWords()
  const id = useId()
  const queries = useQueryClient()
  const lessons = all.slice(0, most)
  const { busy, failure, cover } = useArranging()
  const [changed, setChanged] = useState<Chosen>(new Map())
  const found = useQuery({
    queryKey: ['cover', 'proposal', lessons.map(keyOf)],
    queryFn: async () => {
      const asked = new Map<string, readonly Candidate[]>()
      for (let from = 0; from < lessons.length; from += atOnce)
        await Promise.all(
          lessons.slice(from, from + atOnce).map(async (lesson) => {
            asked.set(keyOf(lesson), await queries.fetchQuery(candidatesOf(lesson)))
          }),
        )
      return { candidates: asked, best: propose(lessons, asked) }
    },
    retry: false,
    gcTime: 0,
  })
  const chosen: Chosen = new Map([...(found.data?.best ?? []), ...changed])
  const covers = coversOf(lessons, chosen)
  const assign = async () => {
    if (covers.length === 0) return
    if (await cover(covers, terms, t('cover.bestDone', { count: covers.length }))) onClose()
  }
  return (
    <Dialog
      title={t('cover.bestOf', { count: lessons.length })}
      width={720}
      okText={t('cover.bestOk', { count: covers.length })}
      onOk={() => void assign()}
      busy={busy || found.isPending}
      failure={failure}
      onClose={onClose}
    >
      <p className="muted">{t('cover.bestHelp')}</p>
      {all.length > most && <p className="alert">{t('cover.bestMore', { count: most })}</p>}
      <QueryStates query={found}>
        {({ candidates }) => (
          <ul className="cover-proposal">
            {lessons.map((lesson, at) => {
              const key = keyOf(lesson)
              const open = openFor(lesson, lessons, candidates.get(key) ?? [], chosen)
              const now = open.find(({ teacherId }) => teacherId === chosen.get(key))
              return (
                <li key={key}>
                  <label htmlFor={`${id}-${at}`}>
                    {nameOf(lesson)} <span className="muted">{lesson.teacherName}</span>
                  </label>
                  <select
                    id={`${id}-${at}`}
                    className="input"
                    value={now?.teacherId ?? ''}
                    aria-describedby={`${id}-${at}-why`}
                    onChange={({ target }) => setChanged(new Map([...changed, [key, target.value || null]]))}
                  >
                    <option value="">{t('cover.nobodyYet')}</option>
                    {open.map(({ teacherId, teacherName }) => (
                      <option key={teacherId} value={teacherId}>
                        {teacherName}
                      </option>
                    ))}
                  </select>
                  <span id={`${id}-${at}-why`} className="muted">
                    {now ? now.reasons.map(pick).join(t('entity.separator')) : t('cover.nobodyYet')}
                  </span>
                </li>
              )
            })}
          </ul>
        )}
      </QueryStates>
      <TermsLine terms={terms} onTerms={onTerms} />
    </Dialog>
  )
}
