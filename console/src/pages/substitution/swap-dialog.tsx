import { classschedule } from '@data-brain/contract'
import { swapLessons, type UncoveredLesson } from '@data-brain/contract/calls/substitution'
import { calendarDay } from '@data-brain/contract/calls/timetable'
import { weekSet } from '@data-brain/contract/rules/timetable'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useEntity } from '../../entity/data/index.ts'
import { call } from '../../http/call.ts'
import { useDoubts } from '../../ui/date/doubts.ts'
import { DateEntry } from '../../ui/date/entry.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { type Translate, useT } from '../../ui/words.ts'
import type { useArranging } from './calls.ts'
import { keyOf } from './work.ts'

/** A class has fewer lessons in a week. */
const most = 200

/** A lesson without cover, and the one that it changes places with. */
interface Pair {
  readonly first: UncoveredLesson
  readonly second: { readonly scheduleId: string; readonly day: string }
  /** How it is told. */
  readonly said: string
}

interface Props {
  readonly lesson: UncoveredLesson
  /** All without cover, which may be swapped in the same step. */
  readonly lessons: readonly UncoveredLesson[]
  readonly nameOf: (lesson: UncoveredLesson) => string
  readonly work: Pick<ReturnType<typeof useArranging>, 'busy' | 'failure' | 'arrange'>
  /** It holds at once. */
  readonly confirmed: boolean
  readonly onClose: () => void
}

/** Chooses another lesson of the same class, on a day, that a lesson changes places with; several pairs change in one step. */
export function SwapDialog({ lesson: asked, lessons, nameOf, work, confirmed, onClose }: Props) {
  const t = useT()
  const firstField = useId()
  const [pairs, setPairs] = useState<readonly Pair[]>([])
  const [key, setKey] = useState(keyOf(asked))
  const paired = new Set(pairs.map(({ first }) => keyOf(first)))
  const unpaired = lessons.filter((each) => each.substitutionId === null && !paired.has(keyOf(each)))
  const lesson = unpaired.find((each) => keyOf(each) === key) ?? unpaired[0] ?? asked
  const lessonField = useId()
  const client = useEntity(classschedule)
  const [day, setDay] = useState<string | null>(asked.date)
  const doubts = useDoubts()
  const [isAsked, setAsked] = useState(false)
  const [otherId, setOtherId] = useState('')
  const own = useQuery(client.detail(lesson.scheduleId))
  const classId = String(own.data?.classId ?? '')
  const planId = String(own.data?.planId ?? '')
  const schoolId = String(own.data?.schoolId ?? '')
  const week = useQuery({
    ...client.list({ classId, planId, current: 1, size: most, sort: 'periodNo' }),
    enabled: classId !== '' && planId !== '',
  })
  // A make-up day has the timetable of another weekday, and a lesson of odd weeks is not given in an even one.
  const calendar = useQuery({
    queryKey: ['cover', 'calendar', schoolId, day],
    queryFn: ({ signal }) => call(calendarDay, { schoolId, date: day ?? '' }, { signal, silent: true }),
    enabled: schoolId !== '' && day !== null,
  })
  const isGiven = ({ weekday, weekType, weeks }: NonNullable<typeof week.data>['records'][number]): boolean => {
    const { weekday: taught = null, week: no = null } = calendar.data ?? {}
    return (
      taught !== null &&
      no !== null &&
      Number(weekday) === taught &&
      weekSet(weekType, Array.isArray(weeks) ? weeks.map(Number) : null, no, no) !== 0
    )
  }
  // Whoever is away then gives nothing in its place.
  const others = (week.data?.records ?? []).filter(
    (each) => String(each.id) !== lesson.scheduleId && String(each.teacherId) !== lesson.teacherId && isGiven(each),
  )
  const chosen = others.find(({ id }) => String(id) === otherId) ?? others[0]
  // Of what is in no pair yet the next one is chosen, and has its place in the last pair.
  const isOpen = unpaired.some((each) => keyOf(each) === keyOf(lesson))
  const chosenPair: Pair | undefined =
    isOpen && chosen && day !== null && !doubts.any
      ? {
          first: lesson,
          second: { scheduleId: String(chosen.id), day },
          said: t('cover.swapPair', { first: nameOf(lesson), day, second: lessonText(chosen, t) }),
        }
      : undefined
  const all = [...pairs, ...(chosenPair ? [chosenPair] : [])]
  const swap = async () => {
    setAsked(true)
    // The lessons that stand there are of the day before, which is not meant any more.
    if (all.length === 0 || doubts.any) return
    const sent = all.map(({ first: { scheduleId, day: on }, second }) => ({ first: { scheduleId, day: on }, second }))
    const done = await work.arrange(
      (options) => call(swapLessons, { pairs: sent, confirmed }, options),
      all.length > 1 ? t('cover.swapSeveral', { count: all.length }) : t('cover.swapDone'),
    )
    if (done) onClose()
  }
  const more = () => {
    if (!chosenPair) return
    const next = unpaired.find((each) => each.teacherId === lesson.teacherId && keyOf(each) !== keyOf(lesson))
    setPairs([...pairs, chosenPair])
    if (next) setKey(keyOf(next))
  }
  return (
    <Dialog
      title={t('cover.swapOf', { lesson: nameOf(asked) })}
      okText={all.length > 1 ? t('cover.swapOkSeveral', { count: all.length }) : t('cover.swapOk')}
      onOk={() => void swap()}
      busy={work.busy}
      failure={work.failure || (isAsked && doubts.any ? t('date.unclear') : '')}
      onClose={onClose}
    >
      {pairs.length > 0 && (
        <ul className="cover-pairs">
          {pairs.map((pair) => (
            <li key={keyOf(pair.first)}>
              {pair.said}
              <button
                type="button"
                className="icon-button small"
                aria-label={t('cover.swapDrop', { pair: pair.said })}
                onClick={() => setPairs(pairs.filter((each) => each !== pair))}
              >
                <Icon name="x" size={16} />
              </button>
            </li>
          ))}
        </ul>
      )}
      {pairs.length > 0 && isOpen && (
        <div className="field">
          <label htmlFor={firstField}>{t('cover.swapFirst')}</label>
          <select
            id={firstField}
            className="input"
            value={keyOf(lesson)}
            onChange={({ target }) => setKey(target.value)}
          >
            {unpaired.map((each) => (
              <option key={keyOf(each)} value={keyOf(each)}>
                {`${nameOf(each)} ${each.teacherName}`}
              </option>
            ))}
          </select>
        </div>
      )}
      <div className="field">
        <span className="cover-name">{t('cover.swapDay')}</span>
        <DateEntry kind="date" label={t('cover.swapDay')} value={day} onDoubt={doubts.of('day')} onValue={setDay} />
      </div>
      <div className="field">
        <label htmlFor={lessonField}>{t('cover.swapLesson')}</label>
        <select
          id={lessonField}
          className="input"
          value={chosen ? String(chosen.id) : ''}
          disabled={others.length === 0}
          onChange={({ target }) => setOtherId(target.value)}
        >
          {others.map((each) => (
            <option key={each.id} value={each.id}>
              {lessonText(each, t)}
            </option>
          ))}
        </select>
        {week.data && calendar.data && others.length === 0 && (
          <p className="field-help">{t(calendar.data.weekday === null ? 'cover.swapNoDay' : 'cover.swapNone')}</p>
        )}
      </div>
      {unpaired.length > 1 && (
        <button type="button" className="button small" aria-disabled={!chosenPair || undefined} onClick={more}>
          {t('cover.swapMore')}
        </button>
      )}
    </Dialog>
  )
}

interface NamedLesson {
  readonly periodNo: number
  readonly subjectName?: string | null | undefined
  readonly teacherName?: string | null | undefined
}

const lessonText = ({ periodNo, subjectName, teacherName }: NamedLesson, t: Translate): string =>
  [t('cover.period', { no: periodNo }), subjectName, teacherName].filter(Boolean).join(' ')
