import { useEffect, useRef, useState } from 'react'
import { TextInput } from '../../ui/form/text-input.tsx'

/** Milliseconds without a key after which a text is searched for. */
const PAUSE = 250

interface SearchTextProps {
  readonly label: string
  /** What stands in it while it is empty, where that is not its name. */
  readonly hint?: string
  readonly value: string
  readonly className: string
  /** The text that `/` leads to. */
  readonly quick?: boolean
  /** Whether a text is worth a search before somebody asks for it with Enter. */
  readonly enough?: (text: string) => boolean
  /** The text to search for; null for none. */
  readonly onText: (text: string | null) => void
  /** Enter was pressed, and the text is the one that is searched for already. */
  readonly onAgain?: () => void
}

/** A text that is searched for when the typing pauses, at Enter or when it is left, and never in the middle of a composition. */
export function SearchText({ label, hint = label, value, className, quick, enough, onText, onAgain }: SearchTextProps) {
  const [text, setText] = useState(value)
  const sent = useRef(value)
  const composing = useRef(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const tell = useRef(onText)
  tell.current = onText
  useEffect(() => {
    // The address was changed from elsewhere: a reset, Back, a link.
    if (value === sent.current) return
    clearTimeout(timer.current)
    sent.current = value
    setText(value)
  }, [value])
  useEffect(() => () => clearTimeout(timer.current), [])
  const send = (typed: string) => {
    clearTimeout(timer.current)
    const wanted = typed.trim()
    if (wanted === sent.current) return
    sent.current = wanted
    tell.current(wanted || null)
  }
  const later = (typed: string) => {
    clearTimeout(timer.current)
    if (composing.current || enough?.(typed.trim()) === false) return
    timer.current = setTimeout(() => send(typed), PAUSE)
  }
  return (
    <TextInput
      className={className}
      data-quick={quick ? '' : undefined}
      icon={quick ? 'search' : undefined}
      aria-label={label}
      placeholder={hint}
      value={text}
      onClear={() => {
        setText('')
        send('')
      }}
      onCompositionStart={() => {
        composing.current = true
        clearTimeout(timer.current)
      }}
      onCompositionEnd={(event) => {
        composing.current = false
        later(event.currentTarget.value)
      }}
      onChange={(event) => {
        setText(event.target.value)
        if (event.target.value === '') send('')
        else later(event.target.value)
      }}
      // Left before the pause is over, such as by the button that closes the filters: what was typed is meant.
      onBlur={(event) => {
        const typed = event.target.value.trim()
        if (typed === '' || enough?.(typed) !== false) send(typed)
      }}
      onKeyDown={(event) => {
        const isDone = !event.nativeEvent.isComposing && event.keyCode !== 229
        // Whoever came by a key goes back to the list's keys by one; what was typed stays, and is searched for.
        if (event.key === 'Escape' && isDone && quick) event.currentTarget.blur()
        if (event.key !== 'Enter' || !isDone) return
        if (event.currentTarget.value.trim() === sent.current) onAgain?.()
        else send(event.currentTarget.value)
      }}
    />
  )
}
