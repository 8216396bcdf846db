import { type InputHTMLAttributes, type KeyboardEvent, type ReactNode, Suspense, useRef, useState } from 'react'
import { dateWords } from '../../locales/date.ts'
import type { InputTies } from '../form/field.tsx'
import { Icon } from '../icon.tsx'
import { addWords, useT } from '../words.ts'
import { type DateKind, shownOf } from './read.ts'
import './date.css'
import { lazyPart } from '../lazy-part.tsx'
import { prefetch } from '../prefetch.ts'

addWords(dateWords)

const loadCalendar = () => import('./calendar.tsx')
const Calendar = lazyPart(loadCalendar)

type Standing = Pick<
  InputHTMLAttributes<HTMLInputElement>,
  'disabled' | 'className' | 'placeholder' | 'autoFocus' | 'aria-label'
>

interface DateBoxProps extends Partial<InputTies>, Standing {
  readonly kind: DateKind
  /** What the calendar and the buttons call it. */
  readonly label: string
  /** As it is stored, or, until it is understood, as it was typed. */
  readonly value: string | null
  readonly onChange: (value: string | null) => void
  /** Chosen in the calendar or emptied by the button, where that is to be told apart from what is being typed. */
  readonly onChoose?: (value: string | null) => void
  /** It was left, or Enter pressed: what was typed is to be read. */
  readonly onBlur?: (isEnter: boolean) => void
  /** Opens a calendar that the box shares with another, in the place of its own. */
  readonly onOpen?: () => void
}

/**
 * A day, a time or both, typed in any usual way; a calendar comes on demand. The value is what was typed, letter by
 * letter, so that nothing is lost that is not understood; who holds the value reads it (`tidyTyped`) when it is left.
 */
export function DateBox(props: DateBoxProps): ReactNode {
  const { kind, label, value, onChange, onChoose = onChange, onBlur, onOpen, ...look } = props
  const { className, disabled, placeholder, ...ties } = look
  const t = useT()
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState<{ readonly text: string; readonly value: string | null }>()
  const [open, setOpen] = useState(false)
  // What is being typed stays as it is typed until it is left, or something else takes its place.
  const text = typed && typed.value === value ? typed.text : shownOf(kind, value)
  const put = (next: string) => {
    const meant = next === '' ? null : next
    setTyped({ text: next, value: meant })
    onChange(meant)
  }
  const read = (isEnter = false) => {
    setTyped(undefined)
    onBlur?.(isEnter)
  }
  const keys = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.keyCode === 229) return
    if (event.key === 'Enter') return read(true)
    if (event.key !== 'ArrowDown' || !event.altKey) return
    event.preventDefault()
    event.stopPropagation()
    read()
    if (onOpen) onOpen()
    else setOpen(true)
  }
  const close = () => {
    setOpen(false)
    input.current?.focus()
  }
  return (
    <span className={`text-input date-box${ties['aria-invalid'] ? ' date-wrong' : ''} ${className ?? ''}`}>
      <input
        {...ties}
        ref={input}
        type="text"
        autoComplete="off"
        spellCheck={false}
        disabled={disabled}
        placeholder={placeholder ?? t(kind === 'date' ? 'date.day' : `date.${kind}`)}
        aria-keyshortcuts="Alt+ArrowDown"
        value={text}
        onChange={(event) => put(event.target.value)}
        onBlur={() => read()}
        onKeyDown={keys}
      />
      {text !== '' && !disabled && (
        <button
          type="button"
          className="date-clear"
          tabIndex={-1}
          aria-label={t('date.clear', { label })}
          onClick={() => {
            setTyped(undefined)
            onChoose(null)
            input.current?.focus()
          }}
        >
          <Icon name="x" size={14} />
        </button>
      )}
      {!onOpen && (
        <button
          type="button"
          // The box opens it as well: who goes through the form by Tab comes to the next field.
          tabIndex={-1}
          disabled={disabled}
          aria-haspopup="dialog"
          aria-label={t('date.open', { label })}
          onPointerEnter={() => prefetch(loadCalendar)}
          onClick={() => setOpen(true)}
        >
          <Icon name="calendar-days" size={16} />
        </button>
      )}
      {open && (
        <Suspense fallback={null}>
          <Calendar
            kind={kind}
            label={label}
            value={value}
            onChoose={(next) => {
              setTyped(undefined)
              onChoose(next)
            }}
            onClose={close}
          />
        </Suspense>
      )}
    </span>
  )
}
