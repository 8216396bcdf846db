import { useState } from 'react'
import { teacherHomeWords } from '../../locales/home-teacher.ts'
import { ownWeekPath } from '../../session/paths.ts'
import { Link } from '../../ui/place.ts'
import { subjectEdge } from '../../ui/subject-edge.ts'
import { addWords, useLanguage, useT } from '../../ui/words.ts'
import type { ClassLesson, Lesson, OwnLesson } from './summary.ts'

addWords(teacherHomeWords)

/** 1 is Monday. */
const weekdayOf = (today: string): number => new Date(`${today}T00:00:00Z`).getUTCDay() || 7

function Timetable() {
  const t = useT()
  return <Link to={ownWeekPath}>{t('home.timetable')}</Link>
}

/** The caller's lessons of the day, in the order of the periods. */
export function Lessons({ week, today }: { week: readonly OwnLesson[]; today: string }) {
  const t = useT()
  const lessons = week.filter(({ day }) => day === weekdayOf(today))
  return (
    <section className="card" aria-labelledby="home-lessons">
      <div className="card-head">
        <h2 id="home-lessons">
          {lessons.length > 0 ? t('home.lessons', { count: lessons.length }) : t('home.noLessons')}
        </h2>
        <Timetable />
      </div>
      {lessons.length > 0 && (
        <ol className="lessons">
          {lessons.map((lesson) => (
            <li key={lesson.id} style={subjectEdge(lesson.color)}>
              <span className="muted">
                {lesson.span > 1
                  ? t('home.periods', { no: lesson.periodNo, to: lesson.periodNo + lesson.span - 1 })
                  : t('home.period', { no: lesson.periodNo })}
              </span>
              <strong>{lesson.subjectName}</strong>
              <span>{[lesson.className, lesson.roomName].filter(Boolean).join(' ')}</span>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

/** A school day has as many periods; that one is free says something too. */
const usualPeriods = 8

interface Shown extends Lesson {
  /** For whom it is, or who gives it. */
  readonly beside: string | null
}

/** A week as a table: periods down, days across; Saturday and Sunday where somebody has lessons then. */
function WeekTable({ lessons, today, labelled }: { lessons: readonly Shown[]; today: string; labelled: string }) {
  const t = useT()
  const locale = useLanguage() === 'zh' ? 'zh-CN' : 'en-GB'
  const names = new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' })
  const days = Array.from({ length: Math.max(5, ...lessons.map(({ day }) => day)) }, (_, at) => at + 1)
  const last = Math.max(usualPeriods, ...lessons.map(({ periodNo, span }) => periodNo + span - 1))
  const periods = Array.from({ length: last }, (_, at) => at + 1)
  const now = weekdayOf(today)
  const isIn = (lesson: Shown, day: number, period: number) =>
    lesson.day === day && lesson.periodNo <= period && period < lesson.periodNo + lesson.span
  return (
    <table className="week" aria-labelledby={labelled}>
      <thead>
        <tr>
          <th scope="col">
            <span className="sr-only">{t('home.periodOf')}</span>
          </th>
          {days.map((day) => (
            <th key={day} scope="col" className={day === now ? 'now' : undefined}>
              {/* The first of January 2024 was a Monday. */}
              {names.format(Date.UTC(2024, 0, day))}
              {day === now && <span className="sr-only">{t('home.today.day')}</span>}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {periods.map((period) => (
          <tr key={period}>
            <th scope="row">{period}</th>
            {days.map((day) => (
              <td key={day} className={day === now ? 'now' : undefined}>
                {lessons
                  .filter((lesson) => isIn(lesson, day, period))
                  .map((lesson) => (
                    <div
                      key={`${lesson.subjectName}|${lesson.beside}`}
                      className="week-lesson"
                      style={subjectEdge(lesson.color)}
                      title={[lesson.subjectName, lesson.beside].filter(Boolean).join(' ')}
                    >
                      <span>{lesson.subjectName}</span>
                      {lesson.beside && <span className="muted">{lesson.beside}</span>}
                    </div>
                  ))}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface WeekProps {
  readonly own: readonly OwnLesson[]
  /** Those of the class that the person heads. */
  readonly ofClass?: readonly ClassLesson[] | null
  readonly today: string
}

/** The week's lessons: the person's own and, for a class teacher, those of the class. */
export function Week({ own, ofClass, today }: WeekProps) {
  const t = useT()
  const [chosen, setChosen] = useState<'own' | 'class'>()
  const shown = chosen ?? (own.length > 0 || !ofClass?.length ? 'own' : 'class')
  const lessons: readonly Shown[] =
    shown === 'own'
      ? own.map((lesson) => ({ ...lesson, beside: lesson.className }))
      : (ofClass ?? []).map((lesson) => ({ ...lesson, beside: lesson.teacherName }))
  return (
    <section className="card" aria-labelledby="home-week">
      <div className="card-head">
        <h2 id="home-week">{t('home.week.title')}</h2>
        {ofClass && (
          <fieldset className="home-kinds">
            <legend className="sr-only">{t('home.week.title')}</legend>
            {(['own', 'class'] as const).map((each) => (
              <button
                key={each}
                type="button"
                className="button small"
                aria-pressed={each === shown}
                onClick={() => setChosen(each)}
              >
                {t(`home.week.${each}`)}
              </button>
            ))}
          </fieldset>
        )}
        {!ofClass && <Timetable />}
      </div>
      {lessons.length === 0 ? (
        <p className="muted">{t('home.week.none')}</p>
      ) : (
        <WeekTable lessons={lessons} today={today} labelled="home-week" />
      )}
    </section>
  )
}
