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
import { useT } from '../../ui/words.ts'
import type { useArranging } from './calls.ts'

/** A class has fewer lessons in a week. */
const most = 200

interface Props {
  readonly lesson: UncoveredLesson
  readonly name: string
  readonly work: Pick<ReturnType<typeof useArranging>, 'busy' | 'failure' | 'arrange'>
  /** It holds at once. */
  readonly confirmed: boolean
  readonly onClose: () => void
}

/** Chooses another lesson of the same class, on a day, that a lesson changes places with. */
export function SwapDialog({ lesson, name, work, confirmed, onClose }: Props) {
  const t = useT()
  const lessonField = useId()
  const client = useEntity(classschedule)
  const [day, setDay] = useState<string | null>(lesson.date)
  const doubts = useDoubts()
  const [asked, setAsked] = useState(false)
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
  const swap = async () => {
    setAsked(true)
    // The lessons that stand there are of the day before, which is not meant any more.
    if (!chosen || day === null || doubts.any) return
    const pair = {
      first: { scheduleId: lesson.scheduleId, day: lesson.day },
      second: { scheduleId: String(chosen.id), day },
    }
    const done = await work.arrange(
      (options) => call(swapLessons, { pairs: [pair], confirmed }, options),
      t('cover.swapDone'),
    )
    if (done) onClose()
  }
  return (
    <Dialog
      title={t('cover.swapOf', { lesson: name })}
      okText={t('cover.swapOk')}
      onOk={() => void swap()}
      busy={work.busy}
      failure={work.failure || (asked && doubts.any ? t('date.unclear') : '')}
      onClose={onClose}
    >
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
          {others.map(({ id, periodNo, subjectName, teacherName }) => (
            <option key={id} value={id}>
              {`${t('cover.period', { no: periodNo })} ${subjectName} ${teacherName}`}
            </option>
          ))}
        </select>
        {week.data && calendar.data && others.length === 0 && (
          <p className="field-help">{t(calendar.data.weekday === null ? 'cover.swapNoDay' : 'cover.swapNone')}</p>
        )}
      </div>
    </Dialog>
  )
}
