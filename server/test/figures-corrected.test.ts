import type { Dashboard } from '@data-brain/contract/calls/dashboard'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { figuresDaily } from '../src/modules/insight/index.ts'
import { makeSchool, type Place } from './import-parts.ts'
import { dayOf, moveTo } from './report-past-parts.ts'
import { makeWorld, type Person, type Row, type World } from './world.ts'

/** Figures of past days stay as they were seen; what is dated back later is told beside them. */

let world: World
let admin: Person
let place: Place
const pupils: Row[] = []
const path = 'blade-user/student'

const keep = () => figuresDaily.run(world.services, { tenantId: admin.tenantId, signal: new AbortController().signal })
/** Makes what was kept today the figures of a day so many days ago, and every day since then the same. */
async function keptOn(from: number): Promise<void> {
  await world.owner.query(
    `insert into figure_daily (tenant_id, day, school_id, figure, count, kept_at)
     select tenant_id, d.day::date, school_id, figure, count, d.day + time '02:50' from figure_daily f,
       generate_series(f.day - $2::int, f.day - 1, interval '1 day') d(day) where f.tenant_id = $1 and f.day = (select max(day) from figure_daily where tenant_id = $1)`,
    [admin.tenantId, from],
  )
  await world.owner.query(
    `delete from figure_daily where tenant_id = $1 and day = (now() at time zone 'Asia/Shanghai')::date`,
    [admin.tenantId],
  )
}
const corrections = async () =>
  (
    await world.owner.query<{ day: string; school_id: string; difference: number }>(
      `select day::text, school_id::text, sum(difference)::int as difference from figure_correction where tenant_id = $1 group by 1, 2 order by 1`,
      [admin.tenantId],
    )
  ).rows
const ok = async <T>(answer: Promise<{ msg: string; data: T }>): Promise<T> => {
  const { msg, data } = await answer
  expect(msg).toBe('操作成功')
  return data
}
const classRow = async (studentId: string): Promise<Row> =>
  (await ok(admin.get<{ records: Row[] }>('blade-user/studentclass/list', { studentId }))).records[0]!
const endOn = async (row: Row, days: number) =>
  ok(
    admin.post('blade-user/studentclass/submit', {
      id: row.id,
      version: row.version,
      endDate: await dayOf(world, days),
    }),
  )
/** A night: what was written so far is of yesterday, and the figures of today are kept. */
async function night(): Promise<void> {
  await world.owner.query(
    `delete from figure_daily where tenant_id = $1 and day = (now() at time zone 'Asia/Shanghai')::date`,
    [admin.tenantId],
  )
  await keep()
}

beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  place = await makeSchool(admin)
  for (const at of [0, 1, 2, 3]) {
    const draft = {
      ...{
        schoolId: place.schoolId,
        classId: place.classIds[0],
        studentNo: `K${at}`,
        name: '在读生',
        idType: 'Z',
        sex: '1',
      },
      ...{ birthDate: '2014-02-03', enrollDate: '2026-09-01' },
    }
    pupils.push(await ok(admin.post<Row>(`${path}/submit`, draft)))
  }
  // They came forty days ago.
  for (const { id } of pupils) {
    const row = await classRow(id)
    await ok(
      admin.post('blade-user/studentclass/submit', {
        id: row.id,
        version: row.version,
        beginDate: await dayOf(world, 40),
      }),
    )
  }
  await moveTo(world, admin.tenantId, '2000-01-01', 40)
  await keep()
  await keptOn(39)
}, 60_000)
afterAll(() => world.close())

describe('R-DEV-2 what is corrected later', () => {
  it('leaves the figures as they were seen, and tells of a leaving that is dated back on each day since', async () => {
    const kept = async () =>
      (
        await world.owner.query(`select * from figure_daily where tenant_id = $1 and day < $2 order by day, figure`, [
          admin.tenantId,
          await dayOf(world, 0),
        ])
      ).rows
    const before = await kept()
    const [one] = pupils
    const row = await ok(admin.get<Row>(`${path}/detail`, { id: one!.id }))
    await ok(admin.post(`${path}/submit`, { id: one!.id, version: row.version, classId: null, status: 2 }))
    await endOn(await classRow(one!.id), 14)
    await night()
    const found = await corrections()
    expect(found.map(({ day }) => day)).toEqual(
      await Promise.all(Array.from({ length: 13 }, (_, at) => dayOf(world, 13 - at))),
    )
    expect(new Set(found.map(({ difference, school_id }) => `${difference} ${school_id}`))).toEqual(
      new Set([`-1 ${place.schoolId}`]),
    )
    expect(await kept()).toEqual(before)
  })

  it('is noted once, and nothing of a leaving of today', async () => {
    const before = await corrections()
    await night()
    expect(await corrections()).toEqual(before)
    const [, two] = pupils
    const row = await ok(admin.get<Row>(`${path}/detail`, { id: two!.id }))
    await ok(admin.post(`${path}/submit`, { id: two!.id, version: row.version, classId: null, status: 3 }))
    await night()
    expect(await corrections()).toEqual(before)
  })

  it('tells of a pupil who is entered late, from the day of the class', async () => {
    const before = await corrections()
    const draft = {
      ...{
        schoolId: place.schoolId,
        classId: place.classIds[1],
        studentNo: 'K9',
        name: '补录生',
        idType: 'Z',
        sex: '2',
      },
      ...{ birthDate: '2014-02-03', enrollDate: '2026-09-01' },
    }
    const made = await ok(admin.post<Row>(`${path}/submit`, draft))
    const row = await classRow(made.id)
    await ok(
      admin.post('blade-user/studentclass/submit', {
        id: row.id,
        version: row.version,
        beginDate: await dayOf(world, 5),
      }),
    )
    await world.owner.query(
      `delete from figure_correction where tenant_id = $1 and noted_on = (now() at time zone 'Asia/Shanghai')::date`,
      [admin.tenantId],
    )
    await night()
    const sum = new Map(before.map(({ day, difference }) => [day, difference]))
    for (let days = 5; days > 0; days -= 1) {
      const day = await dayOf(world, days)
      sum.set(day, (sum.get(day) ?? 0) + 1)
    }
    const found = await corrections()
    expect(new Map(found.map(({ day, difference }) => [day, difference]))).toEqual(
      new Map([...sum].filter(([, difference]) => difference !== 0)),
    )
  })

  it('stands beside the trend, as what was seen and by how much it was another', async () => {
    await world.owner.query(`delete from figure_daily where tenant_id = $1`, [admin.tenantId])
    await world.owner.query(
      `insert into figure_daily select $1, (date_trunc('month', now() at time zone 'Asia/Shanghai') - make_interval(months => m) - interval '1 day')::date, $2, 'pupils', 100 + m from generate_series(0, 1) m`,
      [admin.tenantId, place.schoolId],
    )
    await world.owner.query(
      `insert into figure_correction select tenant_id, day, school_id, figure, day + 20, -3 from figure_daily where tenant_id = $1 and count = 100`,
      [admin.tenantId],
    )
    await world.owner.query('update entity_stamp set stamp = stamp + 1 where tenant_id = $1', [admin.tenantId])
    const { data } = await admin.get<Dashboard>('blade-desk/dashboard/summary')
    const { past } = data.figures.find(({ key }) => key === 'pupils')!
    expect(past).toEqual({ day: past!.day, values: [101, 100], corrected: [{ at: 1, day: past!.day, difference: -3 }] })
  })
})
