import type { OwnSubstitution } from '@data-brain/contract/calls/substitution'
import type { OwnLesson } from '@data-brain/contract/calls/timetable'
import { weekdayOf } from '@data-brain/contract/rules/school-year'
import { subjectEdge } from '../../ui/subject-edge.ts'
import { type Translate, useLanguage, useT } from '../../ui/words.ts'
import { Answer } from './answer.tsx'
import { type DayFact, dayWord, kinds, lessonKey } from './week.ts'

/** What is shown of some days. */
export interface Week {
  readonly days: readonly string[]
  readonly today: string
  readonly lessons: readonly OwnLesson[]
  readonly gone: readonly OwnSubstitution[]
  readonly facts: ReadonlyMap<string, DayFact>
  /** The substitutions that wait for the caller's own answer. */
  readonly waiting: ReadonlySet<string>
  readonly marks: { readonly now?: string; readonly next?: string }
}

const weekday = (language: string) =>
  new Intl.DateTimeFormat(language === 'zh' ? 'zh-CN' : 'en-GB', { weekday: 'short', timeZone: 'UTC' })

/** Days with their lessons, and in words whatever is otherwise on them. */
export function Days({ days, ...week }: Week) {
  return (
    <div className="own-week-days">
      {days.map((day) => (
        <Day key={day} day={day} {...week} />
      ))}
    </div>
  )
}

function Day({ day, today, lessons, gone, facts, waiting, marks }: Omit<Week, 'days'> & { readonly day: string }) {
  const t = useT()
  const names = weekday(useLanguage())
  const fact = facts.get(day)
  const word = dayWord(day, fact)
  const here = lessons.filter(({ date }) => date === day).toSorted((a, b) => a.periodNo - b.periodNo)
  const left = gone.filter((each) => each.day === day)
  return (
    <section className={day === today ? 'now' : undefined} aria-label={day}>
      <h2>
        {names.format(Date.parse(`${day}T00:00:00Z`))} <span className="muted">{day.slice(5)}</span>
        {day === today && <span className="own-week-today">{t('ownWeek.today')}</span>}
      </h2>
      {word && (
        <p className="own-week-fact">
          <span className="pill in">{t(`ownWeek.${word}`)}</span>{' '}
          {word === 'madeUp' && fact?.weekday && fact.weekday !== weekdayOf(day)
            ? // The first of January 2024 was a Monday.
              t('ownWeek.madeUpFor', { day: names.format(Date.UTC(2024, 0, fact.weekday)) })
            : fact?.name}
        </p>
      )}
      {here.length === 0 && left.length === 0 && !word && <p className="muted">{t('ownWeek.free')}</p>}
      <ol>
        {here.map((lesson) => (
          <Lesson key={lessonKey(lesson)} lesson={lesson} marks={marks} waiting={waiting} />
        ))}
        {left.map((each) => (
          <li key={each.id} className="gone">
            <span>
              <span className="pill warn">{t(each.kind === kinds.out ? 'ownWeek.out' : 'ownWeek.away')}</span>
            </span>
            <s>{`${each.className} ${each.subjectName}`}</s>
            <span className="muted">{goneText(each, t)}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** Why a lesson is not where the timetable has it. */
function goneText({ kind, date, periodNo, newTeacherName, reason }: OwnSubstitution, t: Translate): string {
  if (kind === kinds.moved) return t('ownWeek.goneTo', { day: date.slice(5), no: periodNo })
  const place = t('ownWeek.period', { no: periodNo })
  if (kind === kinds.cover) return `${place} ${t('ownWeek.goneBy', { name: newTeacherName ?? '' })}`
  return reason ? `${place} ${reason}` : place
}

interface LessonProps extends Pick<Week, 'marks' | 'waiting'> {
  readonly lesson: OwnLesson
}

function Lesson({ lesson, marks, waiting }: LessonProps) {
  const t = useT()
  const { change, periodNo, span } = lesson
  const key = lessonKey(lesson)
  const name = lesson.className ?? lesson.teachClassName ?? ''
  const mark = key === marks.now ? 'current' : key === marks.next ? 'next' : undefined
  return (
    <li className={mark} aria-current={mark === 'current' ? 'time' : undefined} style={subjectEdge(lesson.color)}>
      {mark && (
        <span>
          <span className={mark === 'current' ? 'pill ok' : 'pill in'}>{t(`ownWeek.${mark}`)}</span>
        </span>
      )}
      <span className="muted">
        {t('ownWeek.period', { no: span > 1 ? `${periodNo}–${periodNo + span - 1}` : periodNo })}
        {lesson.beginTime && ` ${lesson.beginTime}–${lesson.endTime ?? ''}`}
      </span>
      <strong>{lesson.subjectName}</strong>
      <span>{[name, lesson.isOwn ? null : lesson.teacherName, lesson.classroomName].filter(Boolean).join(' ')}</span>
      {change && (
        <span>
          <span className="pill warn">{changeText(change, t)}</span>
          {change.status === 0 && <span className="muted"> {t('ownWeek.waiting')}</span>}
        </span>
      )}
      {change && waiting.has(change.id) && <Answer id={change.id} name={`${name} ${lesson.subjectName}`} />}
    </li>
  )
}

/** What is otherwise with a lesson that is given. */
function changeText(change: NonNullable<OwnLesson['change']>, t: Translate): string {
  if (change.kind === kinds.moved) return t('ownWeek.movedFrom', { day: change.day.slice(5), no: change.periodNo })
  if (change.kind === kinds.room) return t('ownWeek.otherRoom')
  return t('ownWeek.coverFor', { name: change.teacherName })
}
