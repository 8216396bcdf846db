import { DateEntry } from '../../ui/date/entry.tsx'
import { useT } from '../../ui/words.ts'

interface MomentProps {
  readonly label: string
  readonly value: string
  readonly onChange: (moment: string) => void
}

/** A moment that a list of logs begins or ends at; what is not understood is not filtered by. */
export default function Moment({ label, value, onChange }: MomentProps) {
  const t = useT()
  return (
    <DateEntry
      kind="instant"
      className="log-when"
      label={label}
      placeholder={label}
      value={value || null}
      faults={{ say: (fault) => t('date.notApplied', { fault }) }}
      onValue={(moment) => onChange(moment ?? '')}
    />
  )
}
