import { Select, type SelectProps } from 'antd'
import { type ComponentRef, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

type Value = string | readonly string[] | null

interface Option {
  readonly value: string
  readonly label: React.ReactNode
  readonly title?: string
  readonly disabled?: boolean
}

type Passed = Omit<
  SelectProps<string | string[], Option>,
  'mode' | 'open' | 'options' | 'value' | 'onChange' | 'showSearch' | 'onOpenChange'
>

/** What is typed, and what that comes to. */
interface Search {
  readonly typed: string
  readonly onTyped: (text: string) => void
  /** The options that what is typed leaves, the best one first. */
  readonly matches: readonly string[]
  /** The one of them that is called just as it was typed, where there is only one. */
  readonly exact?: string | undefined
  /** Whether they are those of what is typed, and not of the letters before. */
  readonly isSettled: boolean
  /** Asks for them at once: somebody waits. */
  readonly onHurry?: () => void
  /** Something was typed that is none of the options, or is `several`, and left: what is chosen is what it was. */
  readonly onMissed?: (typed: string, several: boolean) => void
  /** What was typed before the list was left, where it is to be looked for once more. */
  readonly onBack?: (() => string | undefined) | undefined
}

interface SearchSelectProps extends Passed {
  readonly multiple: boolean | undefined
  readonly search: Search
  /** Without it, options are chosen by arrows and the mouse only. */
  readonly isSearched?: boolean
  readonly options: readonly Option[]
  readonly value: Value
  readonly onOpenChange?: (open: boolean) => void
  readonly onChange: (value: string | string[] | null) => void
}

/**
 * A list that is searched by typing. Enter and Tab choose what was typed, also where the answer is still on its way, and
 * never what only stood under the cursor of the list; what is chosen already stays chosen. Of several that are all meant
 * nothing is taken unseen: Enter takes the one that is marked once they are on the screen.
 */
export function SearchSelect(props: SearchSelectProps) {
  const { multiple, search, isSearched = true, options, value, onOpenChange, onChange, ...rest } = props
  const { typed, onTyped, matches, isSettled } = search
  const select = useRef<ComponentRef<typeof Select>>(null)
  const [open, setOpen] = useState(rest.defaultOpen === true)
  /** Somebody has pressed Enter or Tab before it was known what they typed. */
  const waits = useRef<'Enter' | 'Tab' | null>(null)
  /** Something was chosen since the last letter: what is typed is done with. */
  const chose = useRef(false)
  const present = { ...search, multiple, value, onChange, open }
  const now = useRef(present)
  now.current = present

  const turn = (next: boolean) => {
    setOpen(next)
    onOpenChange?.(next)
  }
  /** Chooses what was typed, if there is such a thing. */
  const take = () => {
    const { matches, exact, typed, value, multiple, onChange, onTyped, onMissed } = now.current
    const key = waits.current
    waits.current = null
    const first = exact ?? (matches.length === 1 ? matches[0] : undefined)
    // The list, still open, says that there is no such thing, or shows which of them are meant.
    if (first === undefined && key === 'Enter') return
    onTyped('')
    if (first === undefined) return onMissed?.(typed.trim(), matches.length > 1)
    const chosen = Array.isArray(value) ? (value as readonly string[]) : value === null ? [] : [value as string]
    if (!multiple) turn(false)
    if (!chosen.includes(first)) onChange(multiple ? [...chosen, first] : first)
  }
  const takeSoon = (key: 'Enter' | 'Tab') => {
    waits.current = key
    if (now.current.isSettled) return take()
    now.current.onHurry?.()
  }
  const latest = useRef({ take, takeSoon, turn })
  latest.current = { take, takeSoon, turn }

  // biome-ignore lint/correctness/useExhaustiveDependencies: an answer may bring the same rows
  useEffect(() => {
    if (waits.current && isSettled) latest.current.take()
  }, [isSettled, matches])

  useLayoutEffect(() => {
    const root = select.current?.nativeElement
    if (!root) return
    const hear = (event: KeyboardEvent) => {
      const { typed, open, isSettled, matches, value, multiple } = now.current
      if (!open || event.isComposing || event.keyCode === 229) return
      if (event.key === 'Tab') {
        if (typed !== '') latest.current.takeSoon('Tab')
        // Before the list hears it, which would choose whatever its cursor is at.
        flushSync(() => latest.current.turn(false))
      } else if (event.key === 'Enter' && typed !== '') {
        const isChosen = multiple && Array.isArray(value) && value.includes(matches[0])
        if (isSettled && !isChosen) return
        event.preventDefault()
        event.stopPropagation()
        latest.current.takeSoon('Enter')
      }
    }
    root.addEventListener('keydown', hear, true)
    return () => root.removeEventListener('keydown', hear, true)
  }, [])

  return (
    <Select<string | string[], Option>
      {...rest}
      ref={select}
      mode={multiple ? 'multiple' : undefined}
      open={open}
      onOpenChange={turn}
      showSearch={
        isSearched && {
          filterOption: false,
          searchValue: typed,
          onSearch: (text) => {
            // Leaving the list empties it; whoever waits for the answer still has typed it.
            chose.current = false
            if (text !== '' || waits.current === null) onTyped(text)
          },
        }
      }
      options={options as Option[]}
      value={(value ?? (multiple ? undefined : null)) as string | string[] | undefined}
      onChange={(next) => {
        chose.current = true
        onChange(next ?? null)
      }}
      onFocus={() => {
        const text = now.current.onBack?.()
        if (text === undefined) return
        chose.current = false
        onTyped(text)
        turn(true)
      }}
      onBlur={(event) => {
        const { typed, onMissed } = now.current
        if (typed.trim() !== '' && waits.current === null && !chose.current) onMissed?.(typed.trim(), false)
        rest.onBlur?.(event)
      }}
    />
  )
}
