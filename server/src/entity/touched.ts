import type { Words } from '@data-brain/contract'
import { Problem } from '../kernel/problem.ts'

/** A row that somebody has touched. */
export interface TouchedRow {
  readonly name: string
  /** The name of what it belongs to. */
  readonly of: string | null
  readonly how: 'changed' | 'removed' | 'added' | 'used'
  /** Who did it last. */
  readonly by: string | null
}

/** What stands in the way of taking something back: rows of an entity that somebody has touched since. */
export interface Touched {
  readonly entity: string
  readonly label: string
  /** Chinese measure word of those rows, where it is not the usual one. */
  readonly unit?: string | undefined
  readonly count: number
  readonly sample: string[]
  /** The same rows, each with what was done to it; where only names are known, none. */
  readonly rows?: readonly TouchedRow[]
  /** Rows of the work itself, changed since: whoever takes it back may do so all the same, knowing which they are. */
  readonly own: boolean
}

/** Names in one message, of each entity. */
const namesMost = 5

/**
 * Refuses to take back what somebody has touched since, with the names of the rows; `after` says since when. With
 * `changed`, rows of the work itself that were only changed go along: their later values stay in the history.
 */
export function refuseTouched(
  found: readonly Touched[],
  changed: boolean,
  { after, labels }: { after: Words; labels: (entity: string) => Words },
): void {
  const touched = found.filter((each) => !(changed && each.own))
  if (touched.length === 0) return
  const list = (language: 'zh' | 'en'): string =>
    touched
      .map((each) => {
        const names = each.sample.filter(Boolean).slice(0, namesMost)
        const among = language === 'zh' ? `（${names.join('、')}）` : ` (${names.join(', ')})`
        return `${labels(each.entity)[language]} ${each.count}${names.length > 0 ? among : ''}`
      })
      .join(language === 'zh' ? '；' : '; ')
  throw new Problem(
    'rule_broken',
    {
      reason: {
        zh: `${after.zh}已有改动，不能撤销：${list('zh')}`,
        en: `Changed since ${after.en}, so it cannot be undone: ${list('en')}`,
      },
    },
    { blockers: touched, own: touched.every((each) => each.own) },
  )
}
