import { classschedule, substitution } from '@data-brain/contract'
import { acceptSubstitutions, cancelSubstitutions, declineSubstitutions } from '@data-brain/contract/calls/substitution'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { type ShownRow, useEntity } from '../../entity/data/index.ts'
import { StatusTag, useCellWords } from '../../entity/display/index.ts'
import { QueryStates } from '../../entity/list/index.ts'
import { call } from '../../http/call.ts'
import { useCan } from '../../session/session.ts'
import { type Translate, useLanguage, useT } from '../../ui/words.ts'
import { type Days, useArranging } from './calls.ts'
import { dayText } from './work.ts'

type Made = ShownRow<typeof substitution>

/** A day of a large school has fewer; the list of substitutions has all of them. */
const most = 100

const acts = {
  accept: { send: acceptSubstitutions, said: 'cover.accepted' },
  decline: { send: declineSubstitutions, said: 'cover.declined' },
  cancel: { send: cancelSubstitutions, said: 'cover.cancelled' },
} as const

/** What may be done with one in a state: one that waits is answered, one that holds is cancelled. */
const actsIn = (status: number): readonly (keyof typeof acts)[] =>
  status === 0 ? ['accept', 'decline', 'cancel'] : status <= 2 ? ['cancel'] : []

/** What a substitution says, in a line. */
function lineOf(
  { kind, teacherName, newTeacherName, newDay, newPeriodNo, newClassroomName }: Made,
  t: Translate,
): string {
  const teacher = teacherName ?? ''
  if (kind === '2')
    return newTeacherName
      ? t('cover.movedBy', { name: newTeacherName, day: newDay ?? '', no: newPeriodNo ?? '' })
      : t('cover.movedTo', { teacher, day: newDay ?? '', no: newPeriodNo ?? '' })
  if (kind === '3') return t('cover.outOf', { teacher })
  if (kind === '4') return t('cover.roomOf', { teacher, room: newClassroomName ?? '' })
  return t('cover.by', { name: newTeacherName ?? '', teacher })
}

/** What is arranged for these days, each with its state and what may be done with it. */
export function Arranged({ days: { schoolId, from, to } }: { readonly days: Days }) {
  const t = useT()
  const language = useLanguage()
  const titleId = useId()
  const can = useCan()
  const words = useCellWords(substitution)
  const { list } = useEntity(substitution)
  const found = useQuery(list({ schoolId, day_ge: from, day_le: to, current: 1, size: most, sort: 'status' }))
  // A subject alone does not say whose lesson it is.
  const ids = [...new Set((found.data?.records ?? []).map(({ scheduleId }) => scheduleId))]
  const lessons = useQuery({
    ...useEntity(classschedule).list({ ids: ids.join(','), current: 1, size: most }),
    enabled: ids.length > 0,
  })
  const given = new Map(lessons.data?.records.map((each) => [each.id, each]))
  const periodOf = ({ scheduleId }: Made) => {
    const lesson = given.get(scheduleId)
    return lesson && t('cover.period', { no: lesson.periodNo })
  }
  const nameOf = ({ scheduleId, scheduleName }: Made) =>
    [given.get(scheduleId)?.className ?? given.get(scheduleId)?.teachClassName, scheduleName].filter(Boolean).join(' ')
  const { busy, failure, arrange } = useArranging()
  return (
    <section className="cover-arranged card" aria-labelledby={titleId}>
      <h2 id={titleId}>{t('cover.arranged')}</h2>
      {failure && (
        <p className="alert alert-wrong" role="alert">
          {failure}
        </p>
      )}
      <QueryStates query={found}>
        {({ records, total = records.length }) => (
          <>
            {records.length === 0 && <p className="muted">{t('cover.arrangedNone')}</p>}
            <ul>
              {records.map((made) => (
                <li key={made.id}>
                  <span>
                    {from !== to && `${dayText(made.day, language)} `}
                    {periodOf(made)} <strong>{nameOf(made)}</strong>
                  </span>
                  <span>{lineOf(made, t)}</span>
                  {substitution.status && <StatusTag value={made.status} status={substitution.status} words={words} />}
                  {can('substitution_decide') && (
                    <span className="cover-acts">
                      {actsIn(Number(made.status)).map((act) => (
                        <button
                          key={act}
                          type="button"
                          className="button small"
                          aria-label={t('cover.actOn', { act: t(`cover.${act}`), name: nameOf(made) })}
                          aria-disabled={busy || undefined}
                          onClick={() =>
                            !busy &&
                            void arrange(
                              (options) => call(acts[act].send, { ids: [made.id] }, options),
                              t(acts[act].said),
                            )
                          }
                        >
                          {t(`cover.${act}`)}
                        </button>
                      ))}
                    </span>
                  )}
                </li>
              ))}
            </ul>
            {total > records.length && (
              <p className="muted">{t('cover.arrangedMore', { count: total - records.length })}</p>
            )}
          </>
        )}
      </QueryStates>
    </section>
  )
}
