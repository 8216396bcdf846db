import { beforeEach, describe, expect, it } from 'vitest'
import { countVisit, mostVisited } from '../src/session/visits.ts'

const day = 24 * 60 * 60 * 1000

beforeEach(() => localStorage.clear())

describe('R-ROUTE-2 the pages that somebody opens most', () => {
  it('come first, and what was opened often long ago falls behind what is opened now', () => {
    const now = Date.UTC(2026, 8, 1)
    for (let nth = 0; nth < 5; nth += 1) countVisit('/system/user', now)
    countVisit('/student/student', now)
    expect(mostVisited(now)).toEqual(['/system/user', '/student/student'])
    // Five visits are worth a third of one after eight weeks.
    countVisit('/student/student', now + 56 * day)
    expect(mostVisited(now + 56 * day)).toEqual(['/student/student', '/system/user'])
  })

  it('are at most forty, and nothing but their paths is kept', () => {
    for (let nth = 0; nth < 60; nth += 1) countVisit(`/page/${nth}`, nth)
    expect(mostVisited(60)).toHaveLength(40)
    expect(mostVisited(60)[0]).toBe('/page/59')
    expect(Object.keys(localStorage)).toEqual(['databrain-visits-'])
  })
})
