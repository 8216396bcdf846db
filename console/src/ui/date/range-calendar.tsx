import { type ReactNode, useState } from 'react'
import { useT } from '../words.ts'
import { Month } from './month.tsx'
import { Popup } from './popup.tsx'
import { todayDay } from './read.ts'

export interface Preset {
  readonly label: string
  readonly begin: string
  readonly end: string
}

interface RangeCalendarProps {
  readonly label: string
  readonly begin: string | null
  readonly end: string | null
  readonly presets: readonly Preset[]
  readonly onChoose: (begin: string, end: string) => void
  readonly onClose: () => void
}

/** A range of days: one of those in use, or its first and then its last day in one calendar. */
export default function RangeCalendar({
  label,
  begin,
  end,
  presets,
  onChoose,
  onClose,
}: RangeCalendarProps): ReactNode {
  const t = useT()
  const [first, setFirst] = useState<string | null>(null)
  const choose = (from: string, to: string) => {
    onChoose(from, to)
    onClose()
  }
  const [from, to] = first === null ? [begin, end] : [first, null]
  return (
    <Popup label={t('date.open', { label })} onClose={onClose}>
      {presets.length > 0 && (
        <fieldset className="cal-presets" aria-label={t('date.presets')}>
          {presets.map((preset) => (
            <button key={preset.label} type="button" onClick={() => choose(preset.begin, preset.end)}>
              {preset.label}
            </button>
          ))}
        </fieldset>
      )}
      <Month
        begin={begin ?? end ?? todayDay()}
        isChosen={(day) => day === from || day === to}
        isBetween={(day) => from !== null && to !== null && day > from && day < to}
        onPick={(day) => {
          if (first === null) setFirst(day)
          else choose(day < first ? day : first, day < first ? first : day)
        }}
      >
        <p className="cal-note" role="status">
          {first !== null && t('date.chooseEnd')}
        </p>
      </Month>
    </Popup>
  )
}
