import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeTerm, publish, setWeekNow, type Term } from './timetable-parts.ts'
import { makeWorld, type Person, type Row, type World } from './world.ts'

/* Of which plan somebody sees lessons: whoever makes timetables of all, everybody else of the published one. */

let world: World
let admin: Person
let term: Term
/** Lessons of a plan that is archived, of the published one, and of a draft. */
let lessons: { readonly archived: string; readonly published: string; readonly draft: string }
let draftPlan: string

beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  term = await makeTerm(admin)
  const [old, now] = [await term.plan(), await term.plan()]
  draftPlan = await term.plan()
  const archived = await term.lesson(old, { weekday: '2' })
  await publish(admin, old)
  const published = await term.lesson(now, { weekday: '3' })
  expect((await publish(admin, now)).code).toBe(200)
  const draft = await term.lesson(draftPlan, { weekday: '4' })
  lessons = { archived: archived.id, published: published.id, draft: draft.id }
}, 60_000)
afterAll(() => world.close())

const path = 'blade-user/classschedule'
const listed = async (who: Person, query: Record<string, string> = {}): Promise<string[]> =>
  (await who.get<{ records: Row[] }>(`${path}/list`, query)).data.records.map(({ id }) => id).toSorted()

describe('ISSUE-15-2 who may not write lessons', () => {
  const reads = ['classschedule_view', 'classschedule_export', 'timetableplan_view', 'history_view', 'job_view']

  it('sees those of the published timetable alone: in lists and their counts, by id, in choices, histories and exports', async () => {
    const reader = await world.colleague(admin, reads)
    const page = await reader.get<{ records: Row[]; total: number }>(`${path}/list`)
    expect([page.data.records.map(({ id }) => id), page.data.total]).toEqual([[lessons.published], 1])
    expect(await listed(reader, { planId_equal: draftPlan })).toEqual([])
    for (const [id, status] of [
      [lessons.published, 200],
      [lessons.draft, 404],
      [lessons.archived, 404],
    ] as const) {
      expect((await reader.get(`${path}/detail`, { id })).status).toBe(status)
      expect((await reader.get(`${path}/history`, { id })).status).toBe(status)
    }
    const choices = await reader.get<Row[]>(`${path}/select`)
    expect(choices.data.map(({ id }) => id)).toEqual([lessons.published])
    const changes = await reader.get<{ records: { entity: string; rowId: string }[] }>('blade-log/history/list', {
      entity: 'classschedule',
    })
    expect(new Set(changes.data.records.map(({ rowId }) => rowId))).toEqual(new Set([lessons.published]))
    const file = await world.http.inject({
      url: `/api/${path}/export?format=csv`,
      headers: { 'blade-auth': `bearer ${reader.token}` },
    })
    expect(file.payload.trim().split('\n')).toHaveLength(2)
  })

  it('is not told of a draft itself: its name, its board, its check, its history, and what publishing it would change', async () => {
    const reader = await world.colleague(admin, reads)
    const plans = 'blade-user/timetableplan'
    const all = await admin.get<{ records: Row[] }>(`${plans}/list`, { schoolId_equal: term.schoolId })
    const { records } = (await reader.get<{ records: Row[] }>(`${plans}/list`, { schoolId_equal: term.schoolId })).data
    expect(records.map(({ status }) => status).toSorted()).toEqual([2, 3])
    expect(all.data.records).toHaveLength(3)
    const choices = (await reader.get<Row[]>(`${plans}/select`)).data.map(({ id }) => id)
    expect(choices.toSorted()).toEqual(records.map(({ id }) => id).toSorted())
    for (const call of ['board', 'check', 'changes', 'detail', 'history'])
      expect([call, (await reader.get(`${plans}/${call}`, { id: draftPlan, by: 'school' })).status]).toEqual([
        call,
        404,
      ])
    const changes = await reader.get<{ records: Row[] }>('blade-log/history/list', { entity: 'timetableplan' })
    expect(changes.data.records.filter(({ rowId }) => rowId === draftPlan)).toEqual([])
  })

  it('is offered no plan at all where it works with no timetable', async () => {
    const other = await world.colleague(admin, ['notice_view'])
    expect((await other.get<Row[]>('blade-user/timetableplan/select')).data ?? []).toEqual([])
  })

  it('is not told which draft a published timetable was made from, and whoever works at drafts is', async () => {
    const at = await makeTerm(admin)
    const from = await at.plan()
    await at.lesson(from)
    const copied = await admin.post<Row>(`blade-user/timetableplan/copy?id=${from}&planName=定稿`)
    const { id } = copied.data
    expect((await publish(admin, id)).code).toBe(200)
    const parent = async (who: Person) =>
      (await who.get<Row>('blade-user/timetableplan/detail', { id })).data.parentPlanId ?? null
    expect(await parent(await world.colleague(admin, reads))).toBeNull()
    for (const code of ['classschedule_edit', 'timetableplan_publish', 'timetableplan_edit'])
      expect(await parent(await world.colleague(admin, [...reads, code]))).toBe(from)
  })

  it('is counted anew once a draft is published', async () => {
    const at = await makeTerm(admin)
    const reader = await world.colleague(admin, reads)
    const ofSchool = { schoolId_equal: at.schoolId }
    const id = await at.plan()
    await at.lesson(id)
    const total = async () => (await reader.get<{ total: number }>(`${path}/list`, ofSchool)).data.total
    expect(await total()).toBe(0)
    expect((await publish(admin, id)).code).toBe(200)
    expect(await total()).toBe(1)
  })

  it('is narrowed by data scopes besides, and whoever may write some classes sees the drafts of these', async () => {
    const scoped = async (codes: readonly string[], id: number): Promise<Person> => {
      const who = await world.colleague(admin, codes)
      const menu = (await world.menuIds(['classschedule']))[0]
      await world.owner.query(
        `insert into data_scope (tenant_id, id, menu_id, scope_name, resource_code, scope_class, scope_type, scope_value)
         values ($1, $2, $3, $4, $4, 'classschedule', '5', $5)`,
        [
          ...[admin.tenantId, id, menu, `二班${id}`],
          JSON.stringify({ any: [{ field: 'classId', op: 'in', value: [term.classes[1]] }] }),
        ],
      )
      await world.owner.query(
        `insert into role_data_scope (tenant_id, role_id, scope_id)
         select tenant_id, target_id, $3 from app_user_role where tenant_id = $1 and owner_id = $2`,
        [admin.tenantId, who.userId, id],
      )
      return who
    }
    const second = await term.lesson(draftPlan, { classId: term.classes[1], weekday: '5' })
    expect(await listed(await scoped(['classschedule_view'], 881))).toEqual([])
    const clerk = await scoped(['classschedule_view', 'classschedule_edit'], 882)
    expect(await listed(clerk)).toEqual([second.id])
  })

  it('is not kept from drafts by it: whoever may edit lessons sees all of them', async () => {
    const clerk = await world.colleague(admin, ['classschedule_view', 'classschedule_edit'])
    const ofSchool = { schoolId_equal: term.schoolId }
    expect(await listed(clerk, ofSchool)).toEqual(expect.arrayContaining(Object.values(lessons)))
  })
})

describe('ISSUE-15-6 getUserClassSchedule without a week', () => {
  it('names each lesson once where the timetable changes in mid-term, by the plan of the week that it is', async () => {
    const at = await makeTerm(admin)
    await setWeekNow(world, at, 10)
    const first = await at.plan()
    const [kept, gone] = [await at.lesson(first), await at.lesson(first, { weekday: '2' })]
    expect((await publish(admin, first)).code).toBe(200)
    const second = await at.plan()
    const again = await at.lesson(second)
    expect((await publish(admin, second, 9)).code).toBe(200)
    await world.owner.query('update credential set must_change = 0 where user_id = $1', [at.teachers[0]])
    const { account } = (await admin.get<Row>('blade-user/detail', { id: at.teachers[0] })).data
    const teacher = await world.as(admin.tenantId, String(account))
    const ids = async (query: Record<string, string | number>) =>
      (await teacher.get<Row[]>(`${path}/getUserClassSchedule`, { semesterId: at.semesterId, ...query })).data.map(
        ({ id }) => id,
      )
    expect(await ids({})).toEqual([again.id])
    expect(await ids({ week: 8 })).toEqual([kept.id, gone.id])
    await setWeekNow(world, at, 8)
    expect(await ids({})).toEqual([kept.id, gone.id])
  })
})
