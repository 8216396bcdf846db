import type { MissedLesson } from '@data-brain/contract/calls/leave'
import { leaveWords } from '../../../locales/leave.ts'
import { addWords, useT } from '../../../ui/words.ts'
import './leave.css'

addWords(leaveWords)

interface MissedProps {
  readonly lessons: readonly MissedLesson[]
  /** Of staff: who gives each instead is told too. */
  readonly withCover?: boolean
}

/** Lessons that somebody misses, in their order. */
export function Missed({ lessons, withCover }: MissedProps) {
  const t = useT()
  return (
    <ul className="leave-lessons" aria-label={t('leave.missed')}>
      {lessons.map(({ scheduleId, date, periodNo, subjectName, className, teacherName, isCovered }) => (
        <li key={`${scheduleId} ${date} ${periodNo}`}>
          <span className="mono">{date.slice(5)}</span> {t('leave.period', { no: periodNo })} {className} {subjectName}
          {withCover && (
            <span className={isCovered ? 'muted' : 'pill warn'}>
              {isCovered ? t('leave.covered', { name: teacherName }) : t('leave.bare')}
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}
