import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../src/database/statement.ts'
import { foreign } from './oneroster-foreign.ts'
import { batchOf, checked, commit, packed, small } from './oneroster-parts.ts'
import { jobsEnded, makeWorld, type Person, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world?.close())

const enrolledOf = (person: Person): Promise<unknown[]> =>
  world.inTenant(person.tenantId, (tx) =>
    tx.run(
      sql`select student_no as no, enroll_date as day from student where tenant_id = ${person.tenantId} order by 1`,
    ),
  )

describe('issue 13, B7: what cannot be made up', () => {
  it('when new pupils enrolled is asked once, and answered by their grades or with a day', async () => {
    for (const [answer, day] of [
      // Pupils of grade 2 in the year of 2026 began in 2025.
      ['grade', '2025-09-01'],
      ['2026-02-15', '2026-02-15'],
    ] as const) {
      const person = await world.tenant()
      const { id, report } = await checked(world, person, packed(small()))
      expect(report.asks).toEqual({ enrolled: 2, byGrade: true })
      for (const wrong of [null, 'soon', '2026-02-30']) {
        const refused = await commit(person, id, false, wrong)
        expect(refused, `${wrong}`).toMatchObject({ status: 400, msg: '请选择2名新增学生的入学年月' })
      }
      expect((await commit(person, id, false, answer)).status).toBe(200)
      await jobsEnded()
      expect(await batchOf(person, id)).toMatchObject({ state: 'done', failure: null })
      expect(await enrolledOf(person)).toEqual([
        { no: 'S001', day },
        { no: 'S002', day },
      ])
      // Who is here is not asked about again.
      expect((await checked(world, person, packed(small()))).report.asks).toBeNull()
    }
  })

  it('is not asked where the first day of a role as a pupil tells it', async () => {
    const person = await world.tenant()
    const { id, report } = await checked(world, person, packed(foreign('v1p2p1')))
    expect(report.asks).toBeNull()
    expect((await commit(person, id, false, null)).status).toBe(200)
    await jobsEnded()
    expect(await enrolledOf(person)).toEqual([
      { no: 'S-1', day: '2025-09-01' },
      { no: 'S-2', day: '2026-09-01' },
    ])
  })

  it('a day that cannot be is told by the line, and nothing is written', async () => {
    const person = await world.tenant()
    const { id } = await checked(world, person, packed(small()))
    await commit(person, id, false, '2010-09-01')
    await jobsEnded()
    const after = await batchOf(person, id)
    expect(after).toMatchObject({
      state: 'checked',
      failure: expect.stringContaining('发现问题'),
      report: { faults: [{ file: 'users.csv', count: 2 }] },
    })
    expect(await enrolledOf(person)).toEqual([])
  })
})
