import type { Words } from '@data-brain/contract'
import { type InputHTMLAttributes, type ReactNode, useEffect, useEffectEvent, useId, useState } from 'react'
import { useWords } from '../words.ts'
import { DateBox } from './box.tsx'
import { type DateKind, readDays, readTyped } from './read.ts'

/** What was typed where a month or a year is all of its days, and whether Enter said that it is all. */
export interface Days {
  readonly first: string
  readonly last: string
  readonly isEnter: boolean
}

type Read =
  | { readonly value: string | null; readonly days?: Omit<Days, 'isEnter'> }
  | { readonly fault: Words; readonly value?: never }

/** How a text is read. */
interface Meant {
  /** It lies behind us: no year is guessed. */
  readonly past?: boolean | undefined
  /** The end of a range that it is: a month or a year is taken as well, and means its first or its last day. */
  readonly end?: 'first' | 'last'
}

/** What is told of a value. */
interface Faults {
  /** What is wrong with the value itself. */
  readonly wrong?: string | undefined
  /** What else there is to say of one that is not understood. */
  readonly say?: (fault: string) => string
}

type Standing = Pick<InputHTMLAttributes<HTMLInputElement>, 'className' | 'placeholder' | 'autoFocus'>

interface DateEntryProps extends Standing {
  readonly kind: DateKind
  readonly label: string
  /** As it is stored; what is typed and not understood never leaves the box. */
  readonly value: string | null
  readonly onValue: (value: string | null, days?: Days) => void
  readonly meant?: Meant
  readonly faults?: Faults
  /** Whether the box holds what is not understood: whoever saves must not do so while it does. */
  readonly onDoubt?: (isDoubtful: boolean) => void
  readonly onOpen?: () => void
}

/** A date box that stands alone: it hands on what it understood, and keeps what it did not, in red, with the reason. */
export function DateEntry(props: DateEntryProps): ReactNode {
  const { kind, label, value, onValue, meant = {}, faults = {}, onDoubt, ...box } = props
  const { past, end } = meant
  const { wrong, say } = faults
  const pick = useWords()
  const id = useId()
  const [text, setText] = useState<string | null>(value)
  const [fault, setFault] = useState<Words | null>(null)
  const clear = useEffectEvent(() => onDoubt?.(false))
  useEffect(() => {
    setText(value)
    setFault(null)
    clear()
  }, [value])
  const readIt = (typed: string): Read => {
    if (!end) return readTyped(kind, typed, past ? { past } : {})
    const days = readDays(typed, past)
    return 'fault' in days ? days : { value: days[end], days }
  }
  const isUnderstood = (next: string | null) => next === null || next.trim() === '' || 'value' in readIt(next)
  const show = (next: string | null) => {
    setText(next)
    onDoubt?.(!isUnderstood(next))
  }
  const take = (next: string | null, isEnter = false) => {
    const read: Read = next === null || next.trim() === '' ? { value: null } : readIt(next)
    if ('fault' in read) return setFault(read.fault)
    setFault(null)
    setText(read.value)
    const days = read.days && { ...read.days, isEnter }
    if (read.value !== value || (days && isEnter)) onValue(read.value, days)
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
        onBlur={(isEnter) => take(text, isEnter)}
      />
      {note && (
        <span id={`${id}-note`} role="alert" className="date-note">
          {note}
        </span>
      )}
    </span>
  )
}
