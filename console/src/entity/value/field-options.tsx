import type { FieldOptionDraft } from '@data-brain/contract/rules/field-options'
import { Input } from 'antd'
import { useEffect, useRef } from 'react'
import { onLeave } from '../../ui/form/leave.ts'
import { useValue } from '../../ui/form/store.ts'
import { Icon } from '../../ui/icon.tsx'
import { useT } from '../../ui/words.ts'
import type { ControlProps } from '../fields/control.tsx'

const none: readonly FieldOptionDraft[] = []
const empty: FieldOptionDraft = { key: '', label: '', labelEn: '', retired: false }

/** The options of a choice of the tenant's own: their names, their order, and which are offered no more. */
export function FieldOptions({ form, name, label: heading, ties, disabled, onChange, onBlur }: ControlProps) {
  const t = useT()
  const list = (useValue(form, name) as readonly FieldOptionDraft[] | null) ?? none
  const box = useRef<HTMLOListElement>(null)
  const grown = useRef(false)
  useEffect(() => {
    // The option that was just added is the one to name.
    if (grown.current) box.current?.querySelector<HTMLElement>(':scope > li:last-of-type input')?.focus()
    grown.current = false
  })
  const put = (next: readonly FieldOptionDraft[]) => onChange(next.length > 0 ? next : null)
  const change = (row: number, patch: Partial<FieldOptionDraft>) =>
    put(list.map((option, at) => (at === row ? { ...option, ...patch } : option)))
  const add = () => {
    grown.current = true
    put([...list, empty])
  }
  return (
    <fieldset
      id={ties.id}
      aria-label={heading}
      tabIndex={-1}
      className="lines"
      aria-describedby={ties['aria-describedby']}
      onBlur={onLeave(onBlur)}
    >
      <ol ref={box} className="field-options">
        {list.map(({ key, label, labelEn, retired }, at) => {
          const number = at + 1
          return (
            <li key={key || `new ${at}`} aria-label={t('value.option', { number })}>
              <Input
                aria-label={t('value.optionLabel', { number })}
                placeholder={t('value.optionPlaceholder')}
                maxLength={50}
                disabled={disabled}
                value={label}
                onChange={(event) => change(at, { label: event.target.value })}
                onPressEnter={(event) => {
                  // The last one that has a name is followed by the next; anywhere else the form is sent.
                  if (number !== list.length || label.trim() === '' || event.ctrlKey || event.metaKey) return
                  event.preventDefault()
                  event.stopPropagation()
                  add()
                }}
              />
              <Input
                aria-label={t('value.optionLabelEn', { number })}
                placeholder={t('value.optionPlaceholderEn')}
                maxLength={50}
                disabled={disabled}
                value={labelEn}
                onChange={(event) => change(at, { labelEn: event.target.value })}
              />
              <label className="check">
                <input
                  type="checkbox"
                  aria-label={t('value.optionRetiredOf', { number })}
                  disabled={disabled}
                  checked={retired}
                  onChange={(event) => change(at, { retired: event.target.checked })}
                />
                {t('value.optionRetired')}
              </label>
              <button
                type="button"
                className="tool"
                aria-label={t('value.optionUp', { number })}
                title={t('value.optionUp', { number })}
                disabled={disabled || at === 0}
                onClick={() => put([...list.slice(0, at - 1), list[at]!, list[at - 1]!, ...list.slice(at + 1)])}
              >
                <Icon name="arrow-up" size={16} />
              </button>
              <button
                type="button"
                className="tool"
                aria-label={t('value.optionDrop', { number })}
                title={t('value.optionDrop', { number })}
                disabled={disabled}
                onClick={() => put(list.filter((_, row) => row !== at))}
              >
                <Icon name="trash-2" size={16} />
              </button>
            </li>
          )
        })}
      </ol>
      <button type="button" className="button" disabled={disabled} onClick={add}>
        <Icon name="plus" size={16} />
        {t('value.optionAdd')}
      </button>
    </fieldset>
  )
}
