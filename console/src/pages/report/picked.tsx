import { Select } from 'antd'
import type { ReactNode } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { useT } from '../../ui/words.ts'

export interface Option {
  readonly value: string
  readonly label: string
}

interface PickedProps<T> {
  readonly label: string
  /** The words that ask for another one. */
  readonly add: string
  readonly items: readonly T[]
  readonly options: readonly Option[]
  readonly most: number
  readonly nameOf: (item: T) => string
  readonly onChange: (items: readonly T[]) => void
  readonly parts: {
    /** An item of what was chosen. */
    make(value: string): T
    /** What stands behind the name of an item. */
    beside?(item: T, change: (item: T) => void): ReactNode
  }
}

/** Some of many, in an order: chosen by their names, moved and taken out by keys as by mouse. */
export function Picked<T>({ label, add, items, options, most, nameOf, onChange, parts }: PickedProps<T>) {
  const t = useT()
  const swap = (at: number, other: number) =>
    onChange(items.map((item, i) => (i === at ? items[other]! : i === other ? items[at]! : item)))
  return (
    <fieldset className="report-picked">
      <legend>{label}</legend>
      {items.length > 0 && (
        <ol>
          {items.map((item, at) => {
            const name = nameOf(item)
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: the place is what an item is known by
              <li key={at}>
                <span className="report-picked-name">{name}</span>
                {parts.beside?.(item, (next) => onChange(items.map((other, i) => (i === at ? next : other))))}
                <button
                  type="button"
                  className="icon-button small"
                  aria-label={t('report.earlier', { name })}
                  disabled={at === 0}
                  onClick={() => swap(at, at - 1)}
                >
                  <Icon name="arrow-up" size={16} />
                </button>
                <button
                  type="button"
                  className="icon-button small"
                  aria-label={t('report.later', { name })}
                  disabled={at === items.length - 1}
                  onClick={() => swap(at, at + 1)}
                >
                  <Icon name="arrow-down" size={16} />
                </button>
                <button
                  type="button"
                  className="icon-button small"
                  aria-label={t('report.remove', { name })}
                  onClick={() => onChange(items.filter((_, i) => i !== at))}
                >
                  <Icon name="trash-2" size={16} />
                </button>
              </li>
            )
          })}
        </ol>
      )}
      {items.length < most && options.length > 0 && (
        <Select
          className="report-add"
          aria-label={add}
          placeholder={add}
          showSearch={{ optionFilterProp: 'label' }}
          value={null}
          options={[...options]}
          onChange={(value: string | null) => value && onChange([...items, parts.make(value)])}
        />
      )}
    </fieldset>
  )
}
