import { timeOf } from '../../ui/instant.ts'
import type { Translate } from '../../ui/words.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** How long something took or has lasted, in the largest unit that it fills. */
export function spanText(t: Translate, span: number): string {
  if (span < minute) return t('flow.moment')
  if (span < hour) return t('flow.minutes', { count: Math.floor(span / minute) })
  if (span < day) return t('flow.hours', { count: Math.floor(span / hour) })
  return t('flow.days', { count: Math.floor(span / day) })
}

/** Between two moments as they travel; until now where the second has not come yet. */
export const spanBetween = (from: string, to: string | null, now: number = Date.now()): number =>
  Math.max(0, (to ? timeOf(to) : now) - timeOf(from))

/** Tasks that wait so long are marked. */
const long = 2 * day

export interface Waiting {
  readonly text: string
  /** Of what is out of the ordinary: its words and its colour. */
  readonly pill?: { readonly tone: 'warn' | 'bad'; readonly text: string }
}

/** How long a task has waited, and whether that is out of the ordinary. */
export function waitingOf(
  t: Translate,
  task: { readonly createTime: string | null; readonly startTime: string; readonly isOverdue: boolean },
  now: number = Date.now(),
): Waiting {
  const span = spanBetween(task.createTime ?? task.startTime, null, now)
  const text = spanText(t, span)
  if (task.isOverdue) return { text, pill: { tone: 'bad', text: t('flow.overdue') } }
  if (span >= long) return { text, pill: { tone: 'warn', text: t('flow.waitsLong', { span: text }) } }
  return { text }
}

/** How long a process usually takes, from hours: 1.3 days. */
export const usualText = (t: Translate, hours: number): string =>
  hours < 24
    ? t('flow.usualHours', { count: Math.max(1, Math.round(hours)) })
    : t('flow.usualDays', { count: String(Math.round((hours / 24) * 10) / 10) })
