import { schoolyear } from '@data-brain/contract'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { addRules, type Rules } from '../src/entity/rules.ts'
import { sample } from './sample.ts'
import { makeWorld, type Person, type Row, type World } from './world.ts'

/** Whoever changes a row, a save or an undo, does so by one function, which asks the rules that there are. */

let world: World
let admin: Person
let asked: string[] = []

/** Rules that only say that they were asked. */
const listening = (name: string): Rules<typeof schoolyear> => {
  const say = (what: string) => async (): Promise<void> => {
    asked.push(`${name} ${what}`)
  }
  return {
    beforeSave: ({ before }) => say(before ? 'before change' : 'before insert')(),
    afterSave: ({ before }) => say(before ? 'after change' : 'after insert')(),
    beforeRemove: say('before removal'),
    afterRemove: say('after removal'),
  }
}

beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  addRules(schoolyear, listening('judge'))
  addRules(schoolyear, { ...listening('follower'), skippedByUndo: true })
})
afterAll(() => world.close())
beforeEach(() => {
  asked = []
})

/** What was asked since the last time. */
const told = (): string[] => asked.splice(0)
const all = (what: string): string[] => [
  `judge before ${what}`,
  `follower before ${what}`,
  `judge after ${what}`,
  `follower after ${what}`,
]
const judged = (what: string): string[] => [`judge before ${what}`, `judge after ${what}`]

/** Takes back what last happened to a row. */
async function undo(rowId: string): Promise<void> {
  const { rows } = await world.owner.query<{ request_id: string }>(
    'select request_id from history where tenant_id = $1 and row_id = $2 order by id desc limit 1',
    [admin.tenantId, rowId],
  )
  const answer = await admin.post('blade-log/history/undo', undefined, { query: { requestId: rows[0]!.request_id } })
  expect(answer.msg).toBe('操作成功')
}

it('ISSUE-4-6: asks every rule of a save and a removal, and of an undo all but those that say so', async () => {
  const { path } = schoolyear
  const { data: row } = await admin.post<Row>(`${path}/submit`, (await sample(admin, schoolyear)).draft)
  expect(told()).toEqual(all('insert'))
  await admin.post(`${path}/submit`, { id: row.id, yearName: '改名' })
  expect(told()).toEqual(all('change'))
  // Nothing changes, so nothing follows.
  await admin.post(`${path}/submit`, { id: row.id, yearName: '改名' })
  expect(told()).toEqual(all('change').slice(0, 2))

  await undo(row.id)
  expect(told()).toEqual(judged('change'))
  await admin.remove(path, row.id)
  expect(told()).toEqual(all('removal'))
  await undo(row.id)
  expect(told()).toEqual(judged('insert'))
  const { data: other } = await admin.post<Row>(`${path}/submit`, (await sample(admin, schoolyear)).draft)
  told()
  await undo(other.id)
  expect(told()).toEqual(judged('removal'))
})
