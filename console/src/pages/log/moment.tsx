import { DatePicker } from 'antd'
import { dayjs } from '../../ui/days.ts'

interface MomentProps {
  readonly label: string
  readonly value: string
  readonly onChange: (moment: string) => void
}

const travelling = 'YYYY-MM-DD HH:mm:ss'

/** A moment to the minute, in the words of the language shown (the browser's own input speaks the browser's). */
export default function Moment({ label, value, onChange }: MomentProps) {
  return (
    <DatePicker
      className="log-when"
      aria-label={label}
      title={label}
      placeholder={label}
      showTime={{ format: 'HH:mm' }}
      format="YYYY-MM-DD HH:mm"
      value={value ? dayjs(value) : null}
      onChange={(next) => onChange(next ? next.second(0).format(travelling) : '')}
    />
  )
}
