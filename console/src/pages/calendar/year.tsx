import { codeOf, schoolcalendarday, schoolsemester, schoolyear } from '@data-brain/contract'
import type { AnswerOf } from '@data-brain/contract/call'
import { calendarYear } from '@data-brain/contract/calls/timetable'
import { daysBetween, weekdayOf } from '@data-brain/contract/rules/school-year'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, Suspense, useMemo, useRef, useState } from 'react'
import { refresh, useCurrent } from '../../entity/data/index.ts'
import { dictText, useCellWords } from '../../entity/display/index.ts'
import { ReferenceSelect } from '../../entity/fields/index.ts'
import { LoadFailed, NoRight } from '../../entity/list/index.ts'
import { call } from '../../http/call.ts'
import { calendarWords } from '../../locales/calendar.ts'
import { entityWords } from '../../locales/entity.ts'
import { pathOf } from '../../session/paths.ts'
import { useCan } from '../../session/session.ts'
import { addDays, addMonths, dayInWords, namesIn, startOfMonth, weeksOf } from '../../ui/date/days.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Link, setQuery, usePlace } from '../../ui/place.ts'
import { addWords, useLanguage, useT, useWords } from '../../ui/words.ts'
import './year.css'

addWords({ ...entityWords, ...calendarWords })

const EntityForm = lazyPart(() => import('../../entity/form/form.tsx'))
const NONE: Readonly<Record<string, string>> = {}
const still = () => {}

type Year = AnswerOf<typeof calendarYear>
type Marked = Year['days'][number]

/** The days of a school year, month by month: weeks of the semesters, and each day that is otherwise than its weekday says. */
export default function CalendarYearPage() {
  const can = useCan()
  // Without years there is none to choose.
  return [schoolcalendarday, schoolyear].every((entity) => can(codeOf(entity, 'view'))) ? <CalendarYear /> : <NoRight />
}

function CalendarYear() {
  const t = useT()
  const pick = useWords()
  const { query } = usePlace()
  const current = useCurrent(schoolyear)
  const yearId = query.get('year') ?? current
  const found = useQuery({
    queryKey: ['calendarYear', yearId],
    queryFn: ({ signal }) => call(calendarYear, { yearId: yearId ?? '' }, { signal, silent: true }),
    enabled: yearId !== null,
    retry: false,
    meta: { reads: [schoolcalendarday.name, schoolyear.name, schoolsemester.name] },
  })
  const list = pathOf(schoolcalendarday.name)
  return (
    <div className="page calendar-year">
      <div className="page-head">
        <h1 tabIndex={-1}>{t('calendar.yearTitle')}</h1>
        <ReferenceSelect
          className="calendar-year-of"
          to={schoolyear.name}
          label={pick(schoolyear.label)}
          placeholder={t('calendar.chooseYear')}
          value={yearId}
          names={NONE}
          onChange={(next) => setQuery({ year: typeof next === 'string' ? next : null })}
        />
        {list && <Link to={list}>{t('calendar.list')}</Link>}
      </div>
      {found.isError && <LoadFailed problem={found.error} onRetry={() => void found.refetch()} />}
      {found.data && <Months key={found.data.yearId} year={found.data} />}
      {!found.data && !found.isError && (
        <p className="muted" aria-busy={yearId !== null}>
          {t(yearId === null ? 'calendar.chooseYear' : 'entity.searching')}
        </p>
      )}
    </div>
  )
}

/** The week of a semester that a Monday begins; undefined outside all of them. */
function weekOf(year: Year, monday: string): number | undefined {
  for (const { firstWeekMonday, weekCount } of year.semesters) {
    const no = daysBetween(firstWeekMonday, monday) / 7 + 1
    if (no >= 1 && no <= weekCount) return no
  }
  return undefined
}

function Months({ year }: { year: Year }) {
  const t = useT()
  const language = useLanguage()
  const can = useCan()
  const queries = useQueryClient()
  const words = useCellWords(schoolcalendarday)
  const marked = useMemo(() => new Map(year.days.map((each) => [each.day, each])), [year.days])
  const [at, setAt] = useState(year.beginDate)
  const [editing, setEditing] = useState<string | null>(null)
  const root = useRef<HTMLDivElement>(null)
  const months = useMemo(() => {
    const found: string[] = []
    for (let month = startOfMonth(year.beginDate); month <= year.endDate; month = addMonths(month, 1)) found.push(month)
    return found
  }, [year.beginDate, year.endDate])
  const names = namesIn(language)
  const mayEdit = can('schoolcalendarday_edit') && can('schoolcalendarday_add')
  const inTerm = (day: string) => year.semesters.some(({ beginDate, endDate }) => day >= beginDate && day <= endDate)
  const toldOf = (day: string, mark: Marked | undefined): string => {
    if (!mark)
      return t(
        !inTerm(day)
          ? 'calendar.outside'
          : year.teachDays.includes(weekdayOf(day))
            ? 'calendar.usual'
            : 'calendar.free',
      )
    const kind = dictText(words, schoolcalendarday.fields.dayType.dict, mark.dayType)
    const as = mark.useWeekday ? t('calendar.as', { day: names.weekdays[mark.useWeekday - 1] ?? '' }) : ''
    return [mark.name, kind, as].filter(Boolean).join(' ')
  }
  const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key]
    const day = step === undefined ? undefined : addDays(at, step)
    if (day === undefined || day < year.beginDate || day > year.endDate) return
    event.preventDefault()
    setAt(day)
    root.current?.querySelector<HTMLElement>(`[data-day="${day}"]`)?.focus()
  }
  const row = editing === null ? undefined : marked.get(editing)
  const parts = useMemo(
    () => ({ single: true, begin: editing === null ? {} : { schoolId: year.schoolId, day: editing } }),
    [editing, year.schoolId],
  )
  return (
    <>
      {mayEdit && <p className="muted calendar-year-keys">{t('calendar.keys')}</p>}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the days within */}
      <div ref={root} className="calendar-year-months" onKeyDown={onKeyDown}>
        {months.map((month) => (
          <table key={month}>
            <caption>
              {t('calendar.month', {
                year: month.slice(0, 4),
                month: names.months[Number(month.slice(5, 7)) - 1] ?? '',
              })}
            </caption>
            <thead>
              <tr>
                <th scope="col">{t('calendar.week')}</th>
                {names.weekdays.map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {weeksOf(month)
                .filter((week) => week.some((day) => day.startsWith(month.slice(0, 8))))
                .map((week) => (
                  <tr key={week[0]}>
                    <WeekHead no={weekOf(year, week[0]!)} />
                    {week.map((day) => {
                      if (!day.startsWith(month.slice(0, 8)) || day < year.beginDate || day > year.endDate)
                        return <td key={day} />
                      const mark = marked.get(day)
                      const told = toldOf(day, mark)
                      return (
                        <td key={day}>
                          <button
                            type="button"
                            data-day={day}
                            data-kind={
                              mark?.dayType ?? (inTerm(day) && year.teachDays.includes(weekdayOf(day)) ? '' : 'free')
                            }
                            tabIndex={day === at ? 0 : -1}
                            aria-label={`${dayInWords(day, language)} ${told}`}
                            title={told}
                            onFocus={() => setAt(day)}
                            onClick={() => mayEdit && setEditing(day)}
                          >
                            {Number(day.slice(8))}
                            {/* Drawn, not read: the button's name says it in full. */}
                            {mark && <span aria-hidden data-mark={markOf(told)} />}
                          </button>
                        </td>
                      )
                    })}
                  </tr>
                ))}
            </tbody>
          </table>
        ))}
      </div>
      {editing !== null && (
        <Suspense fallback={null}>
          <EntityForm
            entity={schoolcalendarday}
            open
            id={row?.id ?? null}
            preset={NONE}
            parts={parts}
            onClose={() => setEditing(null)}
            onSaved={() => void refresh(queries, schoolcalendarday.name)}
            onDirty={still}
          />
        </Suspense>
      )}
    </>
  )
}

/** The number of a week; nothing is headed outside the semesters. */
const WeekHead = ({ no }: { no: number | undefined }) => (no === undefined ? <td /> : <th scope="row">{no}</th>)

/** As much of what a day is as stands beneath its number. */
const markOf = (told: string): string => {
  const [first = ''] = told.split(' ')
  return first.length > 4 ? `${first.slice(0, 3)}…` : first
}
