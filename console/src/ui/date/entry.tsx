import type { Words } from '@data-brain/contract'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { useWords } from '../words.ts'
import { DateBox } from './box.tsx'
import { type DateKind, readTyped } from './read.ts'

interface DateEntryProps {
  readonly kind: DateKind
  readonly label: string
  /** As it is stored; what is typed and not understood never leaves the box. */
  readonly value: string | null
  readonly onValue: (value: string | null) => void
  /** What is wrong with the value itself, or what else there is to say of one that is not understood. */
  readonly wrong?: string
  readonly say?: (fault: string) => string
  /** Whether the box holds what is not understood: whoever saves must not do so while it does. */
  readonly onDoubt?: (isDoubtful: boolean) => void
  readonly onOpen?: () => void
  readonly className?: string
  readonly placeholder?: string
  readonly autoFocus?: boolean
}

/** A date box that stands alone: it hands on what it understood, and keeps what it did not, in red, with the reason. */
export function DateEntry({ kind, label, value, onValue, wrong, say, onDoubt, ...box }: DateEntryProps): ReactNode {
  const pick = useWords()
  const id = useId()
  const [text, setText] = useState<string | null>(value)
  const [fault, setFault] = useState<Words | null>(null)
  useEffect(() => {
    setText(value)
    setFault(null)
  }, [value])
  const isUnderstood = (next: string | null) => next === null || next.trim() === '' || 'value' in readTyped(kind, next)
  const show = (next: string | null) => {
    setText(next)
    onDoubt?.(!isUnderstood(next))
  }
  const take = (next: string | null) => {
    const read = next === null || next.trim() === '' ? { value: null } : readTyped(kind, next)
    if ('fault' in read) return setFault(read.fault)
    setFault(null)
    setText(read.value)
    if (read.value !== value) onValue(read.value)
  }
  const note = fault ? (say?.(pick(fault)) ?? pick(fault)) : wrong
  return (
    <span className="date-entry">
      <DateBox
        {...box}
        id={id}
        kind={kind}
        label={label}
        value={text}
        aria-label={label}
        aria-invalid={note ? true : undefined}
        aria-describedby={note ? `${id}-note` : undefined}
        onChange={(next) => {
          show(next)
          if (fault && isUnderstood(next)) setFault(null)
        }}
        onChoose={(next) => {
          show(next)
          take(next)
        }}
        onBlur={() => take(text)}
      />
      {note && (
        <span id={`${id}-note`} role="alert" className="date-note">
          {note}
        </span>
      )}
    </span>
  )
}
