import { owner } from '@data-brain/contract'
import { type ReactNode, Suspense, useEffect, useId, useMemo, useState } from 'react'
import { addDays, endOfMonth, startOfMonth, startOfWeek } from '../../ui/date/days.ts'
import { DateEntry, type Days } from '../../ui/date/entry.tsx'
import type { Preset } from '../../ui/date/range-calendar.tsx'
import { todayDay } from '../../ui/date/read.ts'
import { Icon } from '../../ui/icon.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { prefetch } from '../../ui/prefetch.ts'
import { screenClass } from '../../ui/screen.ts'
import { useT } from '../../ui/words.ts'
import { boundsOf, type RangeProps } from './filter-bar.tsx'
import { useNamedSpans } from './named-spans.ts'

const loadCalendar = () => import('../../ui/date/range-calendar.tsx')
const RangeCalendar = lazyPart(loadCalendar)

/**
 * A range of days, or of instants from the first moment of one day to the last of another: two boxes to type in, and one
 * calendar with the ranges in use. What is not understood stays in its box and is not filtered by.
 */
export default function RangeFilter({
  name,
  label,
  filters,
  patch,
  kind,
  opened,
  past,
}: RangeProps & { opened: boolean; past?: boolean | undefined }): ReactNode {
  const t = useT()
  const help = useId()
  const [from, to] = boundsOf(name, kind)
  // Understood, and not to be filtered by: the last day is before the first.
  const [turned, setTurned] = useState<{ readonly begin: string; readonly end: string } | null>(null)
  const begin = turned?.begin ?? filters[from]?.slice(0, 10) ?? null
  const end = turned?.end ?? filters[to]?.slice(0, 10) ?? null
  // A finger comes for the calendar, a keyboard for the boxes.
  const [open, setOpen] = useState(() => opened && screenClass() === 0)
  const presets = usePresets(filters[owner.field])
  const inForce = `${filters[from]} ${filters[to]}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: a range put in force from elsewhere is the one shown
  useEffect(() => setTurned(null), [inForce])
  const put = (first: string | null, last: string | null) => {
    if (first !== null && last !== null && first > last) return setTurned({ begin: first, end: last })
    setTurned(null)
    const at = (day: string | null, time: string) => (day === null ? null : kind === 'date' ? day : `${day} ${time}`)
    patch({ [from]: at(first, '00:00:00'), [to]: at(last, '23:59:59') })
  }
  /** A month or a year is both ends, and so is a day that Enter says is all; what is given as the end already stays it. */
  const putFirst = (day: string | null, days?: Days) => {
    const isLong = days !== undefined && days.first !== days.last
    if (days && (end === null ? isLong || days.isEnter : isLong && days.isEnter)) put(day, days.last)
    else if (day !== begin) put(day, end)
  }
  const notApplied = (fault: string) => t('date.notApplied', { fault })
  return (
    <fieldset className="date-range filter-range" aria-label={label} aria-describedby={help}>
      <DateEntry
        kind="date"
        meant={{ end: 'first', past }}
        label={t('entity.from', { label })}
        placeholder={t('entity.from', { label })}
        autoFocus={opened && !open}
        value={begin}
        faults={{ say: notApplied }}
        onOpen={() => setOpen(true)}
        onValue={putFirst}
      />
      <span aria-hidden="true">–</span>
      <DateEntry
        kind="date"
        meant={{ end: 'last', past }}
        label={t('entity.to', { label })}
        placeholder={t('entity.to', { label })}
        value={end}
        faults={{ wrong: turned ? notApplied(t('date.endBefore')) : undefined, say: notApplied }}
        onOpen={() => setOpen(true)}
        onValue={(day) => put(begin, day)}
      />
      <button
        type="button"
        className="date-open"
        aria-haspopup="dialog"
        aria-label={t('date.open', { label })}
        onPointerEnter={() => prefetch(loadCalendar)}
        onClick={() => setOpen(true)}
      >
        <Icon name="calendar-days" size={16} />
      </button>
      <p id={help} className="filter-range-help">
        {t('date.rangeHelp')}
      </p>
      {open && (
        <Suspense fallback={null}>
          <RangeCalendar
            label={label}
            begin={begin}
            end={end}
            presets={presets}
            onChoose={put}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </fieldset>
  )
}

/** Ranges that are asked for again and again: the usual ones, and those that the tenant has named. */
function usePresets(of: string | undefined): readonly Preset[] {
  const t = useT()
  const spans = useNamedSpans(of)
  return useMemo(() => {
    const today = todayDay()
    const week = startOfWeek(today)
    return [
      { label: t('entity.today'), begin: today, end: today },
      { label: t('entity.thisWeek'), begin: week, end: addDays(week, 6) },
      { label: t('entity.thisMonth'), begin: startOfMonth(today), end: endOfMonth(today) },
      ...spans,
    ]
  }, [t, spans])
}
