import type { TimerPlan } from '@data-brain/contract/flow/plan'
import { namesIn } from '../../../ui/date/days.ts'
import { useLanguage, useT } from '../../../ui/words.ts'
import { useDesign } from './context.ts'
import { Choice, Labelled, NumberField, TextField } from './parts.tsx'
import { durationOf, fieldOfTimer, type Round, roundDays, roundOf, roundTimer, timerOf, timeUnits } from './timer.ts'

type Way = 'none' | 'duration' | 'round' | 'field' | 'written'

interface TimerProps {
  readonly label: string
  readonly timer: TimerPlan | undefined
  /** Whether there may be none. */
  readonly optional?: boolean
  /** Whether it may repeat. */
  readonly cycle?: boolean
  /** Whether the clock starts the process: no form is filled in by then, and no school known whose days would count. */
  readonly begins?: boolean
  readonly onChange: (timer: TimerPlan | undefined) => void
}

const oneDay: TimerPlan = { kind: 'duration', value: 'P1D', by: 'clock' }

function wayOf(timer: TimerPlan | undefined): Way {
  if (!timer) return 'none'
  if (durationOf(timer)) return 'duration'
  if (roundOf(timer)) return 'round'
  return fieldOfTimer(timer) === undefined ? 'written' : 'field'
}

/** When something comes due: after so many days or hours, on a day that the form says, or as ISO 8601 writes it. */
export function TimerInput({ label, timer, optional = false, cycle = false, begins = false, onChange }: TimerProps) {
  const t = useT()
  const { form } = useDesign()
  const days = form.filter(({ kind }) => kind === 'date' || kind === 'instant')
  const way = wayOf(timer)
  const round = timer && roundOf(timer)
  const duration = timer && durationOf(timer)
  const ways: readonly Way[] = [
    ...(optional ? (['none'] as const) : []),
    'duration',
    ...(begins || way === 'round' ? (['round'] as const) : []),
    ...((days.length > 0 && !begins) || way === 'field' ? (['field'] as const) : []),
    'written',
  ]
  const begin: Readonly<Record<Way, TimerPlan | undefined>> = {
    none: undefined,
    duration: oneDay,
    round: roundTimer({ on: '1', at: '08:00' }),
    field: { kind: 'date', value: `field:${days[0]?.name ?? ''}`, by: 'clock' },
    written: { kind: cycle ? 'cycle' : 'duration', value: cycle ? 'R3/PT1H' : 'P1DT12H', by: 'clock' },
  }
  return (
    <>
      <Choice
        label={label}
        value={way}
        options={ways.map((each) => ({ value: each, label: t(`design.timer.${each}`) }))}
        onChange={(next) => onChange(begin[next])}
      />
      {duration && (
        <div className="design-pair">
          <NumberField
            label={t('design.timer.count')}
            min={1}
            max={3650}
            value={duration.count}
            onChange={(count) =>
              count !== undefined && count >= 1 && onChange(timerOf({ ...duration, count: Math.trunc(count) }))
            }
          />
          <Choice
            label={t('design.timer.unit')}
            value={duration.unit}
            options={timeUnits
              .filter((unit) => !begins || !unit.startsWith('school') || unit === duration.unit)
              .map((unit) => ({ value: unit, label: t(`design.timer.${unit}`) }))}
            onChange={(unit) => onChange(timerOf({ ...duration, unit }))}
          />
        </div>
      )}
      {round && <RoundInput round={round} onChange={onChange} />}
      {way === 'field' && timer && (
        <Choice
          label={t('design.field')}
          value={fieldOfTimer(timer) ?? ''}
          options={days.map((each) => ({ value: each.name, label: each.label || each.name }))}
          onChange={(field) => onChange({ ...timer, value: `field:${field}` })}
        />
      )}
      {way === 'written' && timer && (
        <>
          <Choice
            label={t('design.timer.kind')}
            value={timer.kind}
            options={(cycle ? (['duration', 'date', 'cycle'] as const) : (['duration', 'date'] as const)).map(
              (kind) => ({
                value: kind,
                label: t(`design.timer.is.${kind}`),
              }),
            )}
            onChange={(kind) => onChange({ ...timer, kind })}
          />
          <TextField
            label={t('design.timer.value')}
            help={t(begins ? 'design.timer.beginHelp' : 'design.timer.valueHelp')}
            value={timer.value}
            onChange={(value) => onChange({ ...timer, value })}
          />
          {(!begins || timer.by !== 'clock') && (
            <Choice
              label={t('design.timer.by')}
              value={timer.by}
              options={(['clock', 'schoolDays', 'schoolHours'] as const).map((each) => ({
                value: each,
                label: t(`design.timer.by.${each}`),
              }))}
              onChange={(by) => onChange({ ...timer, by })}
            />
          )}
        </>
      )}
    </>
  )
}

interface RoundProps {
  readonly round: Round
  readonly onChange: (timer: TimerPlan) => void
}

/** Every day, or every Monday, and at what time. */
function RoundInput({ round, onChange }: RoundProps) {
  const t = useT()
  const { weekdays } = namesIn(useLanguage())
  return (
    <div className="design-pair">
      <Choice
        label={t('design.timer.on')}
        value={round.on}
        options={roundDays.map((on) => ({
          value: on,
          label:
            on === 'day'
              ? t('design.timer.everyDay')
              : t('design.timer.every', { day: weekdays[Number(on) - 1] ?? '' }),
        }))}
        onChange={(on) => onChange(roundTimer({ ...round, on }))}
      />
      <Labelled label={t('design.timer.at')}>
        {(ties) => (
          <input
            {...ties}
            className="input"
            type="time"
            value={round.at}
            onChange={({ target }) => target.value && onChange(roundTimer({ ...round, at: target.value.slice(0, 5) }))}
          />
        )}
      </Labelled>
    </div>
  )
}
