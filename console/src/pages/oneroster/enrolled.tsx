import { useState } from 'react'
import { DateEntry } from '../../ui/date/entry.tsx'
import { useT } from '../../ui/words.ts'
import type { Report } from './calls.ts'

interface EnrolledProps {
  asks: NonNullable<Report['asks']>
  /** `grade`, a day, or null while nothing is said. */
  value: string | null
  onValue: (value: string | null) => void
  /** Whether the day that is typed is not understood. */
  onDoubt: (isDoubtful: boolean) => void
}

/** Asks what no archive tells and nobody can make up: when the new pupils enrolled. */
export function EnrolmentQuestion({ asks, value, onValue, onDoubt }: EnrolledProps) {
  const t = useT()
  const [isDay, setDay] = useState(false)
  return (
    <fieldset className="roster-enrolled">
      <legend>{t('oneroster.enrolled', { count: asks.enrolled })}</legend>
      {asks.byGrade && (
        <label className="check">
          <input
            type="radio"
            name="enrolled"
            checked={value === 'grade'}
            onChange={() => {
              setDay(false)
              onDoubt(false)
              onValue('grade')
            }}
          />
          {t('oneroster.enrolledByGrade')}
        </label>
      )}
      <label className="check">
        <input
          type="radio"
          name="enrolled"
          checked={isDay}
          onChange={() => {
            setDay(true)
            onValue(null)
          }}
        />
        {t('oneroster.enrolledOn')}
      </label>
      {isDay && (
        <DateEntry
          kind="date"
          label={t('oneroster.enrolledDay')}
          value={value}
          onValue={onValue}
          onDoubt={onDoubt}
          meant={{ past: true }}
        />
      )}
    </fieldset>
  )
}
