import type { GradeHours as Line } from '@data-brain/contract/rules/grade-hours'
import { InputNumber } from 'antd'
import { useEffect, useRef } from 'react'
import { type ControlProps, ReferenceSelect, useRecord } from '../../entity/fields/index.ts'
import { useSeveral } from '../../entity/form/index.ts'
import { entityWords } from '../../locales/entity.ts'
import { valueWords } from '../../locales/value.ts'
import { onLeave } from '../../ui/form/leave.ts'
import { readNumber } from '../../ui/form/number-box.tsx'
import { useValue } from '../../ui/form/store.ts'
import { Icon } from '../../ui/icon.tsx'
import { addWords, useT } from '../../ui/words.ts'

// It comes by itself, after a form whose words these are.
addWords(entityWords)
addWords(valueWords)

const none: readonly Line[] = []
const school = ['schoolId']

/** Full-width digits are digits, and a word is no reason to empty the box. */
const numberText = (text = ''): number => readNumber(text) as number

/** Lessons a week by grade: a line for each grade. */
export default function GradeHours({ field, form, name, label, ties, disabled, onChange, onBlur }: ControlProps) {
  const { names } = useRecord()
  const t = useT()
  const lines = (useValue(form, name) as readonly Line[] | null) ?? none
  const within = useSeveral(form, school)
  const list = useRef<HTMLUListElement>(null)
  const grown = useRef(false)
  useEffect(() => {
    // The line that was just added is the one to fill in.
    if (grown.current) list.current?.querySelector<HTMLElement>('li:last-of-type input')?.focus()
    grown.current = false
  })
  const put = (next: readonly Line[]) => onChange(next.length > 0 ? next : null)
  const change = (row: number, patch: Partial<Line>) =>
    put(lines.map((line, at) => (at === row ? { ...line, ...patch } : line)))
  return (
    <fieldset
      id={ties.id}
      aria-label={label}
      tabIndex={-1}
      className="lines"
      aria-describedby={ties['aria-describedby']}
      onBlur={onLeave(onBlur)}
    >
      {lines.length > 0 && (
        <div className="line line-head" aria-hidden="true">
          <span>{t('value.grade')}</span>
          <span>{t('value.hours')}</span>
          <span>{t('value.doubles')}</span>
        </div>
      )}
      <ul ref={list}>
        {lines.map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no name until a grade is chosen
          <li key={at} className="line">
            <ReferenceSelect
              label={t('value.gradeOf', { number: at + 1 })}
              className="ff-full"
              placeholder={t('form.choose')}
              to={typeof field.of === 'string' ? field.of : 'sysgrade'}
              scope={{ within }}
              names={names}
              disabled={disabled}
              value={line.gradeId || null}
              onChange={(next) => change(at, { gradeId: String(next ?? '') })}
            />
            <InputNumber<number>
              aria-label={t('value.hoursOf', { number: at + 1 })}
              className="ff-full"
              disabled={disabled}
              parser={numberText}
              value={line.hours}
              onChange={(hours) => change(at, { hours: hours as number })}
            />
            <InputNumber<number>
              aria-label={t('value.doublesOf', { number: at + 1 })}
              className="ff-full"
              disabled={disabled}
              parser={numberText}
              value={line.doubleCount}
              onChange={(doubleCount) => change(at, { doubleCount: doubleCount ?? 0 })}
            />
            <button
              type="button"
              className="tool"
              aria-label={t('value.lineDrop', { number: at + 1 })}
              disabled={disabled}
              onClick={() => put(lines.filter((_, row) => row !== at))}
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
          put([...lines, { gradeId: '', hours: lines.at(-1)?.hours ?? 1, doubleCount: 0 }])
        }}
      >
        <Icon name="plus" size={16} />
        {t('value.gradeAdd')}
      </button>
    </fieldset>
  )
}
