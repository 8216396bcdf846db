import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { Icon } from '../icon.tsx'
import { useLanguage, useT } from '../words.ts'
import { addDays, addMonths, dayInWords, namesIn, startOfMonth, startOfWeek, weeksOf } from './days.ts'
import { todayDay } from './read.ts'

interface MonthProps {
  /** The day it opens at. */
  readonly begin: string
  readonly isChosen: (day: string) => boolean
  readonly isBetween?: (day: string) => boolean
  readonly onPick: (day: string) => void
  /** What stands beneath the days. */
  readonly children?: ReactNode
}

const FIRST = 1900
/** As far as a school plans ahead. */
const AHEAD = 30

/** Where a key of the calendar leads from a day. */
const steps: Readonly<Record<string, (day: string) => string>> = {
  ArrowLeft: (day) => addDays(day, -1),
  ArrowRight: (day) => addDays(day, 1),
  ArrowUp: (day) => addDays(day, -7),
  ArrowDown: (day) => addDays(day, 7),
  PageUp: (day) => addMonths(day, -1),
  PageDown: (day) => addMonths(day, 1),
  'Shift+PageUp': (day) => addMonths(day, -12),
  'Shift+PageDown': (day) => addMonths(day, 12),
  Home: startOfWeek,
  End: (day) => addDays(startOfWeek(day), 6),
}

/** The days of one month, with the ways to every other. */
export function Month({ begin, isChosen, isBetween, onPick, children }: MonthProps): ReactNode {
  const t = useT()
  const language = useLanguage()
  const [at, setAt] = useState(begin)
  const grid = useRef<HTMLTableElement>(null)
  const byKey = useRef(false)
  const { months, weekdays } = useMemo(() => namesIn(language), [language])
  const today = todayDay()
  const [year, month] = [Number(at.slice(0, 4)), Number(at.slice(5, 7))]
  const last = Math.max(Number(today.slice(0, 4)) + AHEAD, year)
  const first = Math.min(FIRST, year)
  useEffect(() => {
    if (byKey.current) grid.current?.querySelector<HTMLElement>(`[data-day="${at}"]`)?.focus()
    byKey.current = false
  }, [at])
  const keys = (event: KeyboardEvent) => {
    const step = steps[`${event.shiftKey ? 'Shift+' : ''}${event.key}`]
    if (!step || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    byKey.current = true
    setAt(step(at))
  }
  return (
    <div className="cal-month">
      <div className="cal-head">
        <button type="button" aria-label={t('date.previousMonth')} onClick={() => setAt(addMonths(at, -1))}>
          <Icon name="chevron-left" size={16} />
        </button>
        <select
          aria-label={t('date.year')}
          value={year}
          onChange={(event) => setAt(addMonths(at, (Number(event.target.value) - year) * 12))}
        >
          {Array.from({ length: last - first + 1 }, (_, i) => last - i).map((other) => (
            <option key={other} value={other}>
              {t('date.yearOf', { year: other })}
            </option>
          ))}
        </select>
        <select
          aria-label={t('date.month')}
          value={month}
          onChange={(event) => setAt(addMonths(at, Number(event.target.value) - month))}
        >
          {months.map((name, i) => (
            <option key={name} value={i + 1}>
              {name}
            </option>
          ))}
        </select>
        <button type="button" aria-label={t('date.nextMonth')} onClick={() => setAt(addMonths(at, 1))}>
          <Icon name="chevron-right" size={16} />
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: days of a calendar are a grid that arrows walk */}
      <table ref={grid} role="grid" className="cal-days" onKeyDown={keys}>
        <thead>
          <tr>
            {weekdays.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(at).map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <td key={day} className={isBetween?.(day) ? 'cal-between' : undefined}>
                  <button
                    type="button"
                    data-day={day}
                    tabIndex={day === at ? 0 : -1}
                    aria-label={dayInWords(day, language)}
                    aria-pressed={isChosen(day)}
                    aria-current={day === today ? 'date' : undefined}
                    className={startOfMonth(day) === startOfMonth(at) ? undefined : 'cal-other'}
                    onClick={() => onPick(day)}
                  >
                    {Number(day.slice(8))}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <div className="cal-foot">
        {children ?? (
          <button type="button" className="button plain" onClick={() => onPick(today)}>
            {t('date.today')}
          </button>
        )}
      </div>
    </div>
  )
}
