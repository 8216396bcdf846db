import { useEffect, useRef } from 'react'
import { onLeave } from '../../ui/form/leave.ts'
import { useValue } from '../../ui/form/store.ts'
import { Icon } from '../../ui/icon.tsx'
import { useLanguage, useT } from '../../ui/words.ts'
import type { ControlProps } from '../fields/control.tsx'
import { isPairs, isWhole, type Pair, shownOf, wrongKeys } from './pairs.ts'
import './words.ts'
import './value.css'

interface PairListProps {
  readonly pairs: readonly Pair[]
  /** Rows that are shown as wrong. */
  readonly wrong: ReadonlySet<number>
  readonly disabled?: boolean
  readonly onChange: (pairs: readonly Pair[]) => void
}

/** Names with their values, a line for each. */
export function PairList({ pairs, wrong, disabled = false, onChange }: PairListProps) {
  const t = useT()
  const language = useLanguage()
  const list = useRef<HTMLUListElement>(null)
  const grown = useRef(false)
  useEffect(() => {
    // The line that was just added is the one to type in.
    if (grown.current) list.current?.querySelector<HTMLElement>('li:last-of-type input')?.focus()
    grown.current = false
  })
  const change = (row: number, patch: Partial<Pair>) =>
    onChange(pairs.map((pair, at) => (at === row ? { ...pair, ...patch } : pair)))
  return (
    <>
      <ul className="pairs" ref={list}>
        {pairs.map((pair, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no name until one is typed
          <li key={at}>
            <input
              className="input"
              aria-label={t('value.pairNameOf', { number: at + 1 })}
              placeholder={t('value.pairName')}
              aria-invalid={wrong.has(at) ? true : undefined}
              maxLength={64}
              disabled={disabled}
              value={pair.key}
              onChange={(event) => change(at, { key: event.target.value })}
            />
            <input
              className="input"
              aria-label={t('value.pairValueOf', { number: at + 1 })}
              placeholder={t('value.pairValue')}
              disabled={disabled || isWhole(pair.stored)}
              value={shownOf(pair, language)}
              onChange={(event) => change(at, { text: event.target.value })}
            />
            <button
              type="button"
              className="tool"
              aria-label={t('value.pairDrop', { number: at + 1 })}
              disabled={disabled}
              onClick={() => onChange(pairs.filter((_, row) => row !== at))}
            >
              <Icon name="trash-2" size={16} />
            </button>
          </li>
        ))}
      </ul>
      <button
        type="button"
        className="button"
        disabled={disabled}
        onClick={() => {
          grown.current = true
          onChange([...pairs, { key: '', text: '', stored: undefined }])
        }}
      >
        <Icon name="plus" size={16} />
        {t('value.pairAdd')}
      </button>
    </>
  )
}

const none: readonly Pair[] = []
const fine: ReadonlySet<number> = new Set()

/** Fields of somebody's own: names with their values. */
export function Pairs({ form, name, label, ties, disabled, onChange, onBlur }: ControlProps) {
  const value = useValue(form, name)
  const pairs = isPairs(value) ? value : none
  return (
    <fieldset
      id={ties.id}
      aria-label={label}
      tabIndex={-1}
      className="lines"
      aria-describedby={ties['aria-describedby']}
      onBlur={onLeave(onBlur)}
    >
      <PairList
        pairs={pairs}
        wrong={ties['aria-invalid'] ? wrongKeys(pairs) : fine}
        disabled={disabled}
        onChange={(next) => onChange(next.length > 0 ? next : null)}
      />
    </fieldset>
  )
}
