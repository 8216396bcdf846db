import { Suspense, useState } from 'react'
import { calendarWords } from '../../locales/calendar.ts'
import { calendarYearPath } from '../../session/paths.ts'
import { useCan } from '../../session/session.ts'
import { Icon } from '../../ui/icon.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Link } from '../../ui/place.ts'
import { addWords, useT } from '../../ui/words.ts'

addWords(calendarWords)

const Prefill = lazyPart(() => import('./prefill.tsx'))

/** Before the add button of the calendar: the year as months, and its public holidays and make-up days put in at once. */
export default function CalendarBar() {
  const t = useT()
  const can = useCan()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Link className="button" to={calendarYearPath}>
        <Icon name="calendar-range" size={16} />
        {t('calendar.asYear')}
      </Link>
      {can('schoolcalendarday_add') && (
        <button type="button" className="button" onClick={() => setOpen(true)}>
          <Icon name="calendar-days" size={16} />
          {t('calendar.prefill')}
        </button>
      )}
      {isOpen && (
        <Suspense fallback={null}>
          <Prefill onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
