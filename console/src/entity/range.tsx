import { DatePicker } from 'antd'
import { type ComponentProps, useMemo } from 'react'
import { type Dayjs, dayjs, today } from '../ui/days.ts'
import { useT } from '../ui/words.ts'
import { boundsOf, type RangeProps } from './filters.tsx'
import { useTerms } from './terms.ts'

const day = 'YYYY-MM-DD'
const instant = 'YYYY-MM-DD HH:mm:ss'

type RangeValue = ComponentProps<typeof DatePicker.RangePicker>['value']

/** A range of days, or of instants from the first moment of one day to the last of another. */
export default function RangeFilter({ name, label, filters, patch, kind, opened }: RangeProps & { opened: boolean }) {
  const t = useT()
  const [from, to] = boundsOf(name, kind)
  const [begin, end] = [filters[from], filters[to]]
  const value: RangeValue = begin || end ? [begin ? dayjs(begin) : null, end ? dayjs(end) : null] : null
  const terms = useTerms(filters.schoolId)
  const presets = useMemo(() => {
    const now = today()
    const week = now.startOf('day').subtract((now.day() + 6) % 7, 'day')
    const span = (label: string, begin: Dayjs, end: Dayjs) => ({
      label: t(label),
      value: [begin, end] as [Dayjs, Dayjs],
    })
    return [
      span('entity.today', now.startOf('day'), now.endOf('day')),
      span('entity.thisWeek', week, week.add(6, 'day').endOf('day')),
      span('entity.thisMonth', now.startOf('month'), now.endOf('month')),
      ...terms.map(({ label, begin, end }) => span(label, dayjs(begin), dayjs(end).endOf('day'))),
    ]
  }, [t, terms])
  const write = (moment: Dayjs | null | undefined, edge: 'startOf' | 'endOf') =>
    moment ? (kind === 'date' ? moment.format(day) : moment[edge]('day').format(instant)) : null
  return (
    <DatePicker.RangePicker
      className="filter-range"
      autoFocus={opened}
      defaultOpen={opened}
      aria-label={label}
      value={value}
      allowEmpty={[true, true]}
      placeholder={[t('entity.from', { label }), t('entity.to', { label })]}
      presets={presets}
      onChange={(range) => patch({ [from]: write(range?.[0], 'startOf'), [to]: write(range?.[1], 'endOf') })}
    />
  )
}
