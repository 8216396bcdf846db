import { periodsMost, slots, tidySlots, type WeekSlot } from '@data-brain/contract/rules/slots'
import { dayOfWeek } from '@data-brain/contract/rules/value-parts'
import { type KeyboardEvent, useRef, useState } from 'react'
import { onLeave } from '../../ui/form/leave.ts'
import { useValue } from '../../ui/form/store.ts'
import { Icon } from '../../ui/icon.tsx'
import { useLanguage, useT } from '../../ui/words.ts'
import type { ControlProps } from '../fields/control.tsx'

const days = [1, 2, 3, 4, 5, 6, 7]
/** As many periods are shown where none later is taken. */
const USUAL = 8
const none: readonly WeekSlot[] = []

/**
 * Periods of the week, ticked in a table of days and periods; the head of a row or column ticks all of it. One stop of Tab,
 * in which the arrows walk.
 */
export function Slots({ form, name, label, ties, disabled, onChange, onBlur }: ControlProps) {
  const t = useT()
  const language = useLanguage()
  const value = (useValue(form, name) as readonly WeekSlot[] | null) ?? none
  const [all, setAll] = useState(false)
  const [at, setAt] = useState<WeekSlot>({ weekday: 1, periodNo: 1 })
  const table = useRef<HTMLTableElement>(null)
  const last = all ? periodsMost : Math.max(USUAL, ...value.map(({ periodNo }) => periodNo))
  const periods = Array.from({ length: last }, (_, index) => index + 1)
  const has = ({ weekday, periodNo }: WeekSlot): boolean =>
    value.some((slot) => slot.weekday === weekday && slot.periodNo === periodNo)
  const put = (changed: readonly WeekSlot[], on: boolean) => {
    const rest = value.filter(
      (slot) => !changed.some(({ weekday, periodNo }) => slot.weekday === weekday && slot.periodNo === periodNo),
    )
    const next = tidySlots(on ? [...rest, ...changed] : rest)
    onChange(next.length > 0 ? next : null)
  }
  const flip = (changed: readonly WeekSlot[]) => put(changed, !changed.every(has))
  const walk = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, readonly [number, number]>> = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, -1],
      ArrowDown: [0, 1],
    }
    const step = steps[event.key]
    if (!step) return
    event.preventDefault()
    const weekday = Math.min(7, Math.max(1, at.weekday + step[0]))
    const periodNo = Math.min(last, Math.max(1, at.periodNo + step[1]))
    setAt({ weekday, periodNo })
    table.current?.querySelector<HTMLElement>(`[data-slot="${weekday}-${periodNo}"]`)?.focus()
  }
  const textOf = (slot: WeekSlot): string => slots.text([slot], { language, name: () => undefined }, undefined)
  const dayText = (weekday: number): string =>
    language === 'zh' ? dayOfWeek(weekday, language) : dayOfWeek(weekday, language).slice(0, 3)
  return (
    <fieldset id={ties.id} aria-label={label} className="slots" onBlur={onLeave(onBlur)}>
      <table ref={table} aria-label={label} aria-describedby={ties['aria-describedby']} onKeyDown={walk}>
        <thead>
          <tr>
            <td />
            {days.map((weekday) => (
              <th key={weekday} scope="col">
                <button
                  type="button"
                  tabIndex={-1}
                  disabled={disabled}
                  aria-label={t('value.slotDay', { day: dayText(weekday) })}
                  onClick={() => flip(periods.map((periodNo) => ({ weekday, periodNo })))}
                >
                  {dayText(weekday)}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {periods.map((periodNo) => (
            <tr key={periodNo}>
              <th scope="row">
                <button
                  type="button"
                  tabIndex={-1}
                  disabled={disabled}
                  aria-label={t('value.slotPeriod', { number: periodNo })}
                  onClick={() => flip(days.map((weekday) => ({ weekday, periodNo })))}
                >
                  {periodNo}
                </button>
              </th>
              {days.map((weekday) => {
                const slot = { weekday, periodNo }
                const on = has(slot)
                return (
                  <td key={weekday}>
                    <button
                      type="button"
                      data-slot={`${weekday}-${periodNo}`}
                      className="slot"
                      aria-pressed={on}
                      aria-label={textOf(slot)}
                      disabled={disabled}
                      tabIndex={at.weekday === weekday && at.periodNo === periodNo ? 0 : -1}
                      onFocus={() => setAt(slot)}
                      onClick={() => put([slot], !on)}
                    >
                      {on && <Icon name="x" size={14} />}
                    </button>
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="slots-text" aria-live="polite">
        {value.length === 0
          ? t('value.slotsNone', { label })
          : t('value.slotsTaken', { label, text: slots.text(value, { language, name: () => undefined }, undefined) })}
        {last < periodsMost && (
          <button type="button" className="link-button" onClick={() => setAll(true)}>
            {t('value.slotsMore', { from: last + 1, to: periodsMost })}
          </button>
        )}
      </p>
    </fieldset>
  )
}
