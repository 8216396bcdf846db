import { DatePicker } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import { type ComponentProps, useMemo } from 'react'
import { useT } from '../ui/words.ts'
import { boundsOf, type RangeProps } from './filters.tsx'

const day = 'YYYY-MM-DD'
const instant = 'YYYY-MM-DD HH:mm:ss'

type RangeValue = ComponentProps<typeof DatePicker.RangePicker>['value']

/** A range of days, or of instants from the first moment of one day to the last of another. */
export default function RangeFilter({ name, label, filters, patch, kind, opened }: RangeProps & { opened: boolean }) {
  const t = useT()
  const [from, to] = boundsOf(name, kind)
  const [begin, end] = [filters[from], filters[to]]
  const value: RangeValue = begin || end ? [begin ? dayjs(begin) : null, end ? dayjs(end) : null] : null
  const presets = useMemo(() => {
    const now = dayjs()
    const week = now.startOf('day').subtract((now.day() + 6) % 7, 'day')
    return [
      { label: t('entity.today'), value: [now.startOf('day'), now.endOf('day')] as [Dayjs, Dayjs] },
      { label: t('entity.thisWeek'), value: [week, week.add(6, 'day').endOf('day')] as [Dayjs, Dayjs] },
      { label: t('entity.thisMonth'), value: [now.startOf('month'), now.endOf('month')] as [Dayjs, Dayjs] },
      { label: t('entity.thisYear'), value: [now.startOf('year'), now.endOf('year')] as [Dayjs, Dayjs] },
    ]
  }, [t])
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
