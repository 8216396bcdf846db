import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dayOf, makeStaffed, path, type Staffed } from './substitution-parts.ts'
import { makeWorld, type Person, type Row, type World } from './world.ts'

/* Many substitutions of one school that are arranged and decided at once, beside which others go on working. */

let world: World
let admin: Person
let term: Staffed

beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  term = await makeStaffed(world, admin)
}, 60_000)
afterAll(() => world.close())

/** Has somebody arrange substitutions of the school until the transaction ends. */
async function hold() {
  await world.owner.query('begin')
  await world.owner.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `substitution|${admin.tenantId}|${term.schoolId}`,
  ])
  return world.owner
}

/** Whether a call waits for that. */
const waiting = async (held: World['owner']): Promise<boolean> =>
  (await held.query(`select 1 from pg_locks where locktype = 'advisory' and not granted limit 1`)).rowCount! > 0

describe('ISSUE-15-6 fifty covers of one desk at once', () => {
  it('are all stored, and a list beside them is answered', { timeout: 60_000 }, async () => {
    const { mon1, mon2, mon3, tue1 } = term.lessons
    const named = Array.from({ length: 13 }, (_, at) => at + 2).flatMap((week) => [
      ...[mon1, mon2, mon3].map((scheduleId) => ({ scheduleId, day: dayOf(term, week) })),
      { scheduleId: tue1, day: dayOf(term, week, 2) },
    ])
    const fifty = named.slice(0, 50).map((lesson) => ({ ...lesson, teacherId: term.third }))
    // While somebody else arranges something of the school, none of them can go on.
    const held = await hold()
    const covers = fifty.map((each) => admin.post<Row[]>(`${path}/cover`, { covers: [each], confirmed: true }))
    while (!(await waiting(held))) await new Promise((done) => setTimeout(done, 5))
    const beside = await admin.get(`${path}/list`)
    expect(beside.status).toBe(200)
    await held.query('rollback')
    const answers = await Promise.all(covers)
    expect(
      Map.groupBy(answers, ({ status, msg }) => `${status} ${msg}`)
        .keys()
        .toArray(),
    ).toEqual(['200 操作成功'])
    const cancelled = await Promise.all(answers.map(({ data }) => admin.post(`${path}/cancel?ids=${data[0]!.id}`)))
    expect(cancelled.every(({ status }) => status === 200)).toBe(true)
  })

  it('wait for a long change of the school by somebody else no longer than a moment, and are told of it', {
    timeout: 60_000,
  }, async () => {
    const held = await hold()
    const answer = await admin.post(`${path}/cover`, {
      covers: [{ scheduleId: term.lessons.mon1, day: dayOf(term, 15), teacherId: term.third }],
    })
    await held.query('rollback')
    expect([answer.status, answer.msg]).toEqual([400, expect.stringContaining('有人正在安排该校的调代课')])
  })
})
