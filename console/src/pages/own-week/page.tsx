import { ownClasses } from '@data-brain/contract/calls/school'
import { ownSubstitutions } from '@data-brain/contract/calls/substitution'
import { calendarDay, ownTimetable } from '@data-brain/contract/calls/timetable'
import { addDays, todayInChina } from '@data-brain/contract/rules/school-year'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect, useState } from 'react'
import { LoadFailed } from '../../entity/list/index.ts'
import { call } from '../../http/call.ts'
import { entityWords } from '../../locales/entity.ts'
import { ownWeekWords } from '../../locales/own-week.ts'
import { ownWeekPath } from '../../session/paths.ts'
import { useTimetableNews } from '../../session/timetable-news.ts'
import { clockOf } from '../../ui/instant.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { go, usePlace } from '../../ui/place.ts'
import { useScreenClass } from '../../ui/screen.ts'
import { Segments } from '../../ui/segments.tsx'
import { addWords, useT } from '../../ui/words.ts'
import { PendingAnswers } from './answer.tsx'
import { Days } from './days.tsx'
import { type DayFact, daysOf, dayWord, elsewhere, goneOf, mondayOf, nowAndNext } from './week.ts'
import './page.css'

addWords({ ...entityWords, ...ownWeekWords })

const Feeds = lazyPart(() => import('./feeds.tsx'))

type As = 'teacher' | 'class'
const kinds: readonly As[] = ['teacher', 'class']
const noFacts: ReadonlyMap<string, DayFact> = new Map()

/** The time of the school's clock, told anew as it goes on. */
function useTime(): string {
  const [time, setTime] = useState(() => clockOf(Date.now()))
  useEffect(() => {
    const timer = setInterval(() => setTime(clockOf(Date.now())), 20_000)
    return () => clearInterval(timer)
  }, [])
  return time
}

/** The caller's week: lessons, what the calendar says of its days, and the substitutions that concern the caller. */
function useWeek(monday: string, as: As | undefined) {
  const days = daysOf(monday)
  const queries = useQueryClient()
  useTimetableNews(() => void queries.invalidateQueries({ queryKey: ['plan', 'own'] }))
  const lessons = useQuery({
    queryKey: ['plan', 'own', monday, as],
    queryFn: ({ signal }) => call(ownTimetable, { date: monday, as }, { signal, silent: true }),
    placeholderData: (before) => before,
    retry: false,
  })
  const own = useQuery({
    queryKey: ['plan', 'own', 'substitutions', monday],
    queryFn: ({ signal }) => call(ownSubstitutions, { from: monday, to: addDays(monday, 6) }, { signal, silent: true }),
    retry: false,
  })
  const ahead = useQuery({
    queryKey: ['plan', 'own', 'ahead'],
    queryFn: ({ signal }) => call(ownSubstitutions, {}, { signal, silent: true }),
    retry: false,
  })
  const classes = useQuery({
    queryKey: ['plan', 'classes'],
    queryFn: ({ signal }) => call(ownClasses, {}, { signal, silent: true }),
    retry: false,
  })
  const schoolId = classes.data?.[0]?.schoolId
  const facts = useQuery({
    queryKey: ['plan', 'own', 'days', schoolId, monday],
    queryFn: async ({ signal }) => {
      const found = await Promise.all(
        days.map((date) => call(calendarDay, { schoolId: schoolId ?? '', date }, { signal, silent: true })),
      )
      return new Map(found.map((each): [string, DayFact] => [each.date, each]))
    },
    enabled: schoolId !== undefined,
    retry: false,
  })
  return { days, lessons, own: own.data ?? [], ahead: ahead.data ?? [], facts: facts.data ?? noFacts }
}

/** The caller's week as the calendar has it: each lesson on its day, with its times; on a telephone a day at a time. */
export default function OwnWeekPage() {
  const t = useT()
  const { query } = usePlace()
  const isNarrow = useScreenClass() === 0
  const [feeds, setFeeds] = useState(false)
  const today = todayInChina()
  const time = useTime()
  const day = /^\d{4}-\d{2}-\d{2}$/.test(query.get('date') ?? '') ? query.get('date')! : today
  const as = kinds.find((each) => each === query.get('as'))
  const monday = mondayOf(day)
  const { days, lessons, own, ahead, facts } = useWeek(monday, as)
  const look = (date: string, whose: As | undefined) =>
    go(`${ownWeekPath}?${new URLSearchParams({ date, ...(whose ? { as: whose } : {}) })}`, { replace: true })
  const given = lessons.data ?? []
  // Without a choice it is what fits first: the lessons that one gives, or else those of the class that one heads.
  const shownAs = as ?? (lessons.data && (given.some(({ isOwn }) => !isOwn) ? 'class' : 'teacher'))
  // Of a class's week it is no matter which of the caller's own lessons have left.
  const gone = as === 'class' ? [] : goneOf(own, given, days)
  const isUsed = (each: string, at: number) =>
    at < 5 ||
    given.some(({ date }) => date === each) ||
    gone.some((left) => left.day === each) ||
    dayWord(each, facts.get(each)) !== undefined
  const shown = isNarrow ? [day] : days.filter(isUsed)
  const step = isNarrow ? 1 : 7
  const isEmpty = given.length === 0 && gone.length === 0 && !days.some((each) => dayWord(each, facts.get(each)))
  return (
    <div className="page own-week">
      <div className="page-head">
        <h1 tabIndex={-1}>{t('ownWeek.title')}</h1>
        <p className="muted" aria-live="polite">
          {isNarrow ? day : t('ownWeek.days', { from: monday, to: addDays(monday, 6) })}
        </p>
        <div className="own-week-acts">
          <Segments
            label={t('ownWeek.as')}
            options={kinds.map((key) => ({ key, label: t(`ownWeek.${key}`) }))}
            value={shownAs}
            onChange={(key) => look(day, key)}
          />
          <button type="button" className="button small" onClick={() => look(addDays(day, -step), as)}>
            {t(isNarrow ? 'ownWeek.dayBefore' : 'ownWeek.before')}
          </button>
          <button type="button" className="button small" onClick={() => look(today, as)}>
            {t(isNarrow ? 'ownWeek.toToday' : 'ownWeek.now')}
          </button>
          <button type="button" className="button small" onClick={() => look(addDays(day, step), as)}>
            {t(isNarrow ? 'ownWeek.dayAfter' : 'ownWeek.after')}
          </button>
          <button type="button" className="button small" onClick={() => setFeeds(true)}>
            {t('ownWeek.subscribe')}
          </button>
        </div>
      </div>
      <PendingAnswers waiting={elsewhere(ahead, given, shown)} onLook={(date) => look(date, 'teacher')} />
      {lessons.isError && <LoadFailed problem={lessons.error} onRetry={() => void lessons.refetch()} />}
      {lessons.isPending && (
        <p className="muted" aria-busy="true">
          {t('common.loading')}
        </p>
      )}
      {lessons.data && isEmpty && <p className="muted">{t('ownWeek.none')}</p>}
      {lessons.data && !isEmpty && (
        <Days
          days={shown}
          today={today}
          lessons={given}
          gone={gone}
          facts={facts}
          waiting={new Set(own.filter(({ awaitsMe }) => awaitsMe).map(({ id }) => id))}
          marks={nowAndNext(given, today, time)}
        />
      )}
      {feeds && (
        <Suspense fallback={null}>
          <Feeds onClose={() => setFeeds(false)} />
        </Suspense>
      )}
    </div>
  )
}
