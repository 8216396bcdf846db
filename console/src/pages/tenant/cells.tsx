import type { tenant } from '@data-brain/contract'
import type { ShownRow } from '../../entity/data/index.ts'
import { type CellWords, dictText } from '../../entity/display/index.ts'
import type { Cells } from '../../entity/list/index.ts'
import { stateOf, tenantStates } from './state.ts'

/** The state of a tenant in words: 正常, 试用 · 剩 12 天, 已过期, 待清除 · 剩 29 天. */
export function TenantState({ record, words }: { record: ShownRow<typeof tenant>; words: CellWords }) {
  const { state, days, tone } = stateOf(record, Date.now())
  const { t } = words
  const text = state === tenantStates.expired ? t('tenant.expired') : dictText(words, 'tenant_state', state)
  const shown =
    days === null
      ? text
      : days === 0
        ? t('tenant.stateToday', { state: text })
        : t('tenant.stateDays', { state: text, count: days })
  return <span className={`tag tag-${tone}`}>{shown}</span>
}

/** The columns of a tenant that need more than their kind's words. */
export const tenantCells: Cells<typeof tenant> = {
  status: (record, words) => <TenantState record={record} words={words} />,
  expireTime: ({ expireTime }, { t }) => (expireTime ? undefined : t('tenant.never')),
}
