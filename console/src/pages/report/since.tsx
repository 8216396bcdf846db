import { type ReportMeasure, sinceKinds, sinceWords } from '@data-brain/contract/report'
import { Select } from 'antd'
import { addDays } from '../../ui/date/days.ts'
import { DateEntry } from '../../ui/date/entry.tsx'
import { todayDay } from '../../ui/date/read.ts'
import { useT, useWords } from '../../ui/words.ts'
import type { Option } from './picked.tsx'

/** A day of its own, in place of a word. */
const NAMED = 'day'

interface ChangeProps {
  readonly measure: ReportMeasure
  readonly numbers: readonly Option[]
  readonly onChange: (measure: ReportMeasure) => void
}

/** Of a change: of what it is, and since when. */
export function Change({ measure, numbers, onChange }: ChangeProps) {
  const t = useT()
  const pick = useWords()
  const since = measure.since ?? 'month'
  const isNamed = !sinceKinds.some((kind) => kind === since)
  return (
    <span className="report-change">
      <Select
        className="report-number"
        aria-label={t('report.changeOf')}
        showSearch={{ optionFilterProp: 'label' }}
        value={measure.field ?? ''}
        options={[{ value: '', label: t('report.rowCount') }, ...numbers]}
        onChange={(field: string) => onChange({ ...measure, field: field || null })}
      />
      <Select
        className="report-number"
        aria-label={t('report.since')}
        value={isNamed ? NAMED : since}
        options={[
          ...sinceKinds.map((kind) => ({ value: kind as string, label: pick(sinceWords[kind]) })),
          { value: NAMED, label: t('report.sinceDay') },
        ]}
        onChange={(kind: string) => onChange({ ...measure, since: kind === NAMED ? yesterday() : kind })}
      />
      {isNamed && (
        <DateEntry
          kind="date"
          className="report-number"
          label={t('report.sinceDay')}
          value={since}
          meant={{ past: true }}
          onValue={(day) => onChange({ ...measure, since: day ?? yesterday() })}
        />
      )}
    </span>
  )
}

const yesterday = (): string => addDays(todayDay(), -1)
