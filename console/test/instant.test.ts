import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { boundsOf } from '../src/pages/log/range.ts'
import { todayDay } from '../src/ui/date/read.ts'
import { clockOf, minuteOf, momentOf, timeOf, zone } from '../src/ui/instant.ts'

/** Moments are told by the school's clocks wherever the browser is. */

const { env } = (globalThis as unknown as { process: { env: Record<string, string | undefined> } }).process
const before = env.TZ
beforeAll(() => {
  env.TZ = 'America/New_York'
})
afterAll(() => {
  if (before === undefined) delete env.TZ
  else env.TZ = before
})

const code = Object.entries(
  import.meta.glob<string>('../src/**/*.{ts,tsx}', { query: '?raw', import: 'default', eager: true }),
)

describe('a moment in a browser far away', () => {
  const at = Date.UTC(2026, 10, 21, 23, 5, 7)

  it('is what the clocks of the school say, as in every list', () => {
    // The browser itself would say otherwise.
    expect(new Date(at).getHours()).toBe(18)
    expect(momentOf(at)).toBe('2026-11-22 07:05:07')
    expect(minuteOf(at)).toBe('2026-11-22 07:05')
    expect(clockOf(at)).toBe('07:05')
    expect(timeOf(momentOf(at))).toBe(at)
    expect(new Date(at).toLocaleTimeString('en-GB', { timeZone: zone })).toBe('07:05:07')
    expect(boundsOf({ range: 'hour', from: '', to: '' }, at)).toEqual({ createTime_datege: '2026-11-22 06:05:07' })
  })

  it('and calendars begin with the day of the school', () => {
    vi.useFakeTimers({ now: at })
    expect(todayDay()).toBe('2026-11-22')
    vi.useRealTimers()
  })

  it('has one formatter: nothing else reads the clock of the browser or knows the zone', () => {
    const own = /toTimeString\(|getTimezoneOffset|\.getHours\(|\.getDate\(|\+08:00|8 \* 3_600_000|timeStyle|dateStyle/
    const other = code
      .filter(([path, text]) => own.test(text) && !path.endsWith('/ui/instant.ts'))
      .map(([path]) => path)
    expect(other).toEqual([])
    for (const [path, text] of code)
      for (const [, options] of text.matchAll(/toLocale(?:Time|Date)String\(([^)]*)\)/g))
        expect([path, options]).toEqual([path, expect.stringContaining('timeZone: zone')])
  })
})
