import { type ReactNode, useState } from 'react'
import { useT } from '../words.ts'
import { Month } from './month.tsx'
import { Popup } from './popup.tsx'
import { type DateKind, readTyped, todayDay } from './read.ts'

interface CalendarProps {
  readonly kind: DateKind
  readonly label: string
  /** As it is stored, or as it was typed. */
  readonly value: string | null
  readonly onChoose: (value: string) => void
  readonly onClose: () => void
}

const two = (part: number): string => String(part).padStart(2, '0')

/** A day, or a moment of one, chosen by pointing: over the page, beside its box or at the lower edge of a phone. */
export default function Calendar({ kind, label, value, onChoose, onClose }: CalendarProps): ReactNode {
  const t = useT()
  const read = value === null ? undefined : readTyped(kind, value)
  const now = read && 'value' in read ? read.value : ''
  const [clock, setClock] = useState(now.slice(11, 16) || '00:00')
  const day = now.slice(0, 10)
  const take = (chosenDay: string, chosenClock: string) => {
    // Seconds that the value had stay with the same minute.
    const seconds = now.slice(11, 16) === chosenClock ? now.slice(16) : ':00'
    onChoose(kind === 'date' ? chosenDay : `${chosenDay} ${chosenClock}${seconds || ':00'}`)
  }
  const change = (next: string) => {
    setClock(next)
    if (day !== '') take(day, next)
  }
  return (
    <Popup label={t('date.open', { label })} onClose={onClose}>
      <Month
        begin={day || todayDay()}
        isChosen={(other) => other === day}
        onPick={(chosen) => {
          take(chosen, clock)
          onClose()
        }}
      />
      {kind !== 'date' && (
        <div className="cal-clock">
          <ClockPart
            label={t('date.hour')}
            most={23}
            step={1}
            value={clock.slice(0, 2)}
            onChange={(hour) => change(`${hour}:${clock.slice(3)}`)}
          />
          <span aria-hidden="true">:</span>
          <ClockPart
            label={t('date.minute')}
            most={59}
            step={5}
            value={clock.slice(3)}
            onChange={(minute) => change(`${clock.slice(0, 2)}:${minute}`)}
          />
          {day !== '' && (
            <button
              type="button"
              className="button primary cal-ok"
              onClick={() => {
                take(day, clock)
                onClose()
              }}
            >
              {t('date.ok')}
            </button>
          )}
        </div>
      )}
    </Popup>
  )
}

interface ClockPartProps {
  readonly label: string
  readonly most: number
  readonly step: number
  readonly value: string
  readonly onChange: (value: string) => void
}

function ClockPart({ label, most, step, value, onChange }: ClockPartProps) {
  const offered = Array.from({ length: Math.floor(most / step) + 1 }, (_, at) => two(at * step))
  return (
    <select aria-label={label} value={value} onChange={(event) => onChange(event.target.value)}>
      {[...new Set([...offered, value])].sort().map((part) => (
        <option key={part}>{part}</option>
      ))}
    </select>
  )
}
