import type { Dashboard } from '@data-brain/contract/calls/dashboard'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { figuresDaily } from '../src/modules/insight/index.ts'
import { demo, makeDemoWorld } from './demo-world.ts'
import type { Person, World } from './world.ts'

let world: World
let admin: Person
let teacher: Person
beforeAll(async () => {
  world = await makeDemoWorld()
  admin = await world.as(demo, 'admin')
  teacher = await world.as(demo, 'banzhuren')
}, 120_000)
afterAll(() => world.close())

const keep = () => figuresDaily.run(world.services, { tenantId: demo, signal: new AbortController().signal })
const kept = async () =>
  (await world.owner.query('select * from figure_daily where tenant_id = $1 order by day, school_id, figure', [demo]))
    .rows
const ask = async (who: Person, query: Record<string, string> = {}): Promise<Dashboard> =>
  (await who.get<Dashboard>('blade-desk/dashboard/summary', query)).data
const pastOf = (shown: Dashboard, key: string) => shown.figures.find((each) => each.key === key)?.past

describe('R-DEV-2 figures of past days', () => {
  it('are kept once a day as they are counted, and never rewritten', async () => {
    await keep()
    const first = await kept()
    const { rows } = await world.owner.query(
      'select school_id, count(*)::int as n from student where tenant_id = $1 and status = 1 group by 1 order by 1',
      [demo],
    )
    expect(first.filter(({ figure }) => figure === 'pupils').map(({ school_id, count }) => [school_id, count])).toEqual(
      rows.map(({ school_id, n }) => [school_id, n]),
    )
    expect(rows.length).toBeGreaterThan(1)
    const shown = await ask(admin)
    for (const key of ['pupils', 'classes', 'staff']) {
      const sum = first.reduce((all, { figure, count }) => (figure === key ? all + count : all), 0)
      expect([key, sum]).toEqual([key, shown.figures.find((each) => each.key === key)!.value])
    }
    await world.owner.query('update student set status = 2 where tenant_id = $1 and seat_no = 1', [demo])
    await keep()
    expect(await kept()).toEqual(first)
    await world.owner.query('update student set status = 1 where tenant_id = $1 and seat_no = 1', [demo])
  })

  it('stand beside the figure of today, the last of each month before this one, of all schools and of one', async () => {
    // Nothing of this month is the past.
    expect(pastOf(await ask(admin), 'pupils')).toBeUndefined()
    for (const [months, day, count] of [
      [2, 3, 10],
      [2, 20, 11],
      [1, 5, 12],
      [14, 1, 1],
    ] as const)
      await world.owner.query(
        `insert into figure_daily select tenant_id, (date_trunc('month', day) - make_interval(months => $2))::date + $3::int, school_id, figure, $4
         from figure_daily where tenant_id = $1 and day = (select max(day) from figure_daily)`,
        [demo, months, day, count],
      )
    const schools = (
      await world.owner.query('select distinct school_id from figure_daily where tenant_id = $1 and figure = $2', [
        demo,
        'pupils',
      ])
    ).rows
    await world.owner.query('update entity_stamp set stamp = stamp + 1 where tenant_id = $1', [demo])
    const past = pastOf(await ask(admin), 'pupils')!
    expect(past.values).toEqual([1, 11, 12].map((each) => each * schools.length))
    expect(past.day.slice(8)).toBe('06')
    expect(pastOf(await ask(admin), 'staff')!.values).toEqual([1, 11, 12])
    const one = await ask(admin, { schoolId: schools[0]!.school_id })
    expect(pastOf(one, 'pupils')!.values).toEqual([1, 11, 12])
  })

  it('are told to nobody of a part of the rows, and to no other tenant', async () => {
    const shown = await ask(teacher)
    expect(shown.figures.map(({ key }) => key)).toContain('pupils')
    expect(shown.figures.filter(({ past }) => past)).toEqual([])
    const other = await world.tenant()
    expect((await ask(other)).figures.filter(({ past }) => past)).toEqual([])
  })
})
