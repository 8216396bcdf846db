import type { InputHTMLAttributes } from 'react'
import { Icon } from '../icon.tsx'
import { useT } from '../words.ts'
import './form.css'

interface TextInputProps extends InputHTMLAttributes<HTMLInputElement> {
  readonly value: string
  /** Shown before the text. */
  readonly icon?: string
  readonly onClear: () => void
}

/** A line of text over a list, with a button that empties it. Native: it must cost nothing to open a list. */
export function TextInput({ icon, className, onClear, value, ...rest }: TextInputProps) {
  const t = useT()
  return (
    <span className={`text-input ${className ?? ''}`}>
      {icon && <Icon name={icon} size={16} />}
      <input {...rest} type="text" value={value} autoComplete="off" />
      {value !== '' && (
        <button type="button" aria-label={t('entity.clear')} onClick={onClear}>
          <Icon name="x" size={14} />
        </button>
      )}
    </span>
  )
}
