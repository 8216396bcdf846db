import type { Words } from '@data-brain/contract'
import type { TouchedRows } from '@data-brain/contract/generic'
import { Problem } from '../kernel/problem.ts'

/** Names in one message, of each entity. */
const namesMost = 5

/**
 * Refuses to take back what somebody has touched since, with the names of the rows; `after` says since when. With
 * `changed`, rows of the work itself that were only changed go along: their later values stay in the history.
 */
export function refuseTouched(
  found: readonly TouchedRows[],
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
