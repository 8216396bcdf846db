import { normalizeText } from '@data-brain/contract'
import { Input, type InputProps } from 'antd'
import { type KeyboardEvent, useState } from 'react'

/** A number, or, until it is one, what was typed. */
export type TypedNumber = number | string | null

interface NumberBoxProps extends Omit<InputProps, 'value' | 'onChange' | 'min' | 'max' | 'type'> {
  readonly value: TypedNumber
  readonly min?: number | undefined
  readonly max?: number | undefined
  readonly onChange: (value: TypedNumber) => void
}

/** What somebody typed, as a number: also in full-width digits, and in groups. What is none stays as it was typed. */
export function readNumber(text: string): TypedNumber {
  const plain = normalizeText(text)
    .replace(/\s/g, '')
    .replace(/(?<=\d),(?=\d{3}(?!\d))/g, '')
  if (plain === '') return null
  const number = /^[+-]?\d+(\.\d*)?$/.test(plain) ? Number(plain) : Number.NaN
  // Beyond that a number is no longer the one that was typed.
  return Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : text
}

/**
 * A number that is typed; arrows count. The value is what was typed where that is no number, so that it stands there to be
 * put right, and is neither dropped nor stored as nothing.
 */
export function NumberBox({ value, min, max, onChange, onKeyDown, onBlur, ...look }: NumberBoxProps) {
  const [typed, setTyped] = useState<{ readonly text: string; readonly value: TypedNumber }>()
  // What is being typed stays as it is typed until it is left, or something else takes its place.
  const text = typed && typed.value === value ? typed.text : value === null ? '' : String(value)
  const count = (event: KeyboardEvent<HTMLInputElement>) => {
    onKeyDown?.(event)
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key]
    const isPlain = !event.altKey && !event.ctrlKey && !event.metaKey && !event.nativeEvent.isComposing
    if (by === undefined || !isPlain || typeof value === 'string' || event.defaultPrevented) return
    event.preventDefault()
    const next = (value ?? 0) + by
    onChange(Math.min(max ?? next, Math.max(min ?? next, next)))
  }
  return (
    <Input
      {...look}
      type="text"
      role="spinbutton"
      inputMode="decimal"
      autoComplete="off"
      aria-valuemin={min}
      aria-valuemax={max}
      aria-valuenow={typeof value === 'number' ? value : undefined}
      value={text}
      onChange={({ target }) => {
        const next = readNumber(target.value)
        setTyped({ text: target.value, value: next })
        onChange(next)
      }}
      onKeyDown={count}
      onBlur={(event) => {
        setTyped(undefined)
        onBlur?.(event)
      }}
    />
  )
}
