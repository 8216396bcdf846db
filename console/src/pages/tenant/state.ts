import type { tenant } from '@data-brain/contract'
import type { ShownRow } from '../../entity/data/index.ts'
import { timeOf } from '../../ui/instant.ts'

/** What `status` says of a tenant. */
export const tenantStates = { disabled: 0, normal: 1, trial: 2, expired: 3, purging: 9 } as const

/** The tenant that the platform's administrators belong to: never disabled, never deleted. */
export const platformTenant = '000000'

const DAY = 86_400_000

/** Whole days until a moment of the wire, `yyyy-MM-dd HH:mm:ss`; 0 within the last day, below that when it is over. */
export function daysUntil(moment: string | null | undefined, now: number): number | null {
  if (!moment) return null
  const at = timeOf(moment)
  return Number.isNaN(at) ? null : Math.floor((at - now) / DAY)
}

/** What the tag of a tenant says: its state, and the days that are left where they are few. */
export interface State {
  readonly state: number
  /** Days until it expires or is purged, where that is worth saying. */
  readonly days: number | null
  readonly tone: 'good' | 'warn' | 'off'
}

/** Days before the expiry from which the list says how many are left. */
const SOON = 30

/** The state of a tenant as it is now: one whose time is over has expired, whatever its stored state. */
export function stateOf(
  record: Pick<ShownRow<typeof tenant>, 'status' | 'purgeAfter' | 'expireTime'>,
  now: number,
): State {
  if (record.status === tenantStates.purging) {
    const days = daysUntil(record.purgeAfter, now)
    return { state: tenantStates.purging, days: days === null ? null : Math.max(0, days), tone: 'warn' }
  }
  if (record.status === tenantStates.disabled) return { state: tenantStates.disabled, days: null, tone: 'off' }
  const left = daysUntil(record.expireTime, now)
  if (record.status === tenantStates.expired || (left !== null && left < 0))
    return { state: tenantStates.expired, days: null, tone: 'off' }
  const days = left !== null && left <= SOON ? left : null
  return { state: record.status, days, tone: record.status === tenantStates.trial || days !== null ? 'warn' : 'good' }
}
