import { type Question, type QuestionKind, questionKinds } from '@data-brain/contract/rules/questions'
import { Input, Select } from 'antd'
import { useEffect, useRef } from 'react'
import { onLeave } from '../../ui/form/leave.ts'
import { useValue } from '../../ui/form/store.ts'
import { Icon } from '../../ui/icon.tsx'
import { useT } from '../../ui/words.ts'
import type { ControlProps } from '../fields/control.tsx'

const none: readonly Question[] = []

/** The questions of a form: their words, how they are answered, and what may be chosen. */
export function Questions({ form, name, label: heading, ties, disabled, onChange, onBlur }: ControlProps) {
  const t = useT()
  const list = (useValue(form, name) as readonly Question[] | null) ?? none
  const box = useRef<HTMLOListElement>(null)
  const grown = useRef(false)
  useEffect(() => {
    // The question that was just added is the one to write.
    if (grown.current) box.current?.querySelector<HTMLElement>(':scope > li:last-of-type input')?.focus()
    grown.current = false
  })
  const put = (next: readonly Question[]) => onChange(next.length > 0 ? next : null)
  const change = (row: number, patch: Partial<Question>) =>
    put(list.map((question, at) => (at === row ? { ...question, ...patch } : question)))
  const kinds = Object.keys(questionKinds).map((kind) => ({ value: kind, label: t(`value.kind.${kind}`) }))
  return (
    <fieldset
      id={ties.id}
      aria-label={heading}
      tabIndex={-1}
      className="lines"
      aria-describedby={ties['aria-describedby']}
      onBlur={onLeave(onBlur)}
    >
      <ol ref={box} className="questions">
        {list.map(({ label, kind, required, choices = [] }, at) => {
          const number = at + 1
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: questions have no name of their own
            <li key={at} aria-label={t('value.question', { number })}>
              <div className="question">
                <span className="question-no" aria-hidden="true">
                  {number}.
                </span>
                <Input
                  aria-label={t('value.questionLabel', { number })}
                  placeholder={t('value.questionPlaceholder')}
                  maxLength={100}
                  disabled={disabled}
                  value={label}
                  onChange={(event) => change(at, { label: event.target.value })}
                />
                <Select
                  aria-label={t('value.questionKind', { number })}
                  disabled={disabled}
                  options={kinds}
                  value={kind}
                  onChange={(next: QuestionKind) => change(at, { kind: next })}
                />
                <label className="check">
                  <input
                    type="checkbox"
                    aria-label={t('value.requiredOf', { number })}
                    disabled={disabled}
                    checked={required}
                    onChange={(event) => change(at, { required: event.target.checked })}
                  />
                  {t('value.required')}
                </label>
                <button
                  type="button"
                  className="tool"
                  aria-label={t('value.questionUp', { number })}
                  title={t('value.questionUp', { number })}
                  disabled={disabled || at === 0}
                  onClick={() => put([...list.slice(0, at - 1), list[at]!, list[at - 1]!, ...list.slice(at + 1)])}
                >
                  <Icon name="arrow-up" size={16} />
                </button>
                <button
                  type="button"
                  className="tool"
                  aria-label={t('value.questionDrop', { number })}
                  title={t('value.questionDrop', { number })}
                  disabled={disabled}
                  onClick={() => put(list.filter((_, row) => row !== at))}
                >
                  <Icon name="trash-2" size={16} />
                </button>
              </div>
              {kind !== 'text' && (
                <Input.TextArea
                  aria-label={t('value.choicesOf', { number })}
                  placeholder={t('value.choices')}
                  autoSize={{ minRows: 2, maxRows: 8 }}
                  disabled={disabled}
                  value={choices.join('\n')}
                  onChange={(event) => change(at, { choices: event.target.value.split('\n') })}
                />
              )}
            </li>
          )
        })}
      </ol>
      <button
        type="button"
        className="button"
        disabled={disabled}
        onClick={() => {
          grown.current = true
          put([...list, { label: '', kind: 'choice', required: true, choices: [] }])
        }}
      >
        <Icon name="plus" size={16} />
        {t('value.questionAdd')}
      </button>
    </fieldset>
  )
}
