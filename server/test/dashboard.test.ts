import { entityOf } from '@data-brain/contract'
import type { Dashboard, DashboardLayout } from '@data-brain/contract/calls/dashboard'
import { cellList } from '@data-brain/contract/dashboard'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTenant } from '../src/database/transaction.ts'
import { countSeveral } from '../src/entity/count-several.ts'
import { system } from '../src/kernel/actor.ts'
import { demo, makeDemoWorld } from './demo-world.ts'
import { makeSchool, narrowAll } from './import-parts.ts'
import type { Person, World } from './world.ts'

const accounts = ['admin', 'jiaowu', 'banzhuren', 'xiaozhang', 'jiaoyuju'] as const
let world: World
let people: Record<(typeof accounts)[number], Person>
beforeAll(async () => {
  world = await makeDemoWorld()
  people = Object.fromEntries(
    await Promise.all(accounts.map(async (account) => [account, await world.as(demo, account)])),
  ) as typeof people
}, 120_000)
afterAll(() => world.close())

const ask = async (who: Person, query: Record<string, string> = {}): Promise<Dashboard> => {
  const answer = await who.get<Dashboard>('blade-desk/dashboard/summary', query)
  if (answer.code !== 200) throw new Error(answer.msg)
  return answer.data
}
const totalOf = async (who: Person, code: string, query: Record<string, string>): Promise<number> => {
  const answer = await who.get<{ total: number }>(`${entityOf(code).path}/list`, { ...query, size: '10' })
  if (answer.code !== 200) throw new Error(`${code} ${JSON.stringify(query)}: ${answer.msg}`)
  return answer.data.total
}

/** Every figure and every cell beside the total of the list that it opens. */
async function compare(who: Person, shown: Dashboard): Promise<{ told: unknown[]; listed: unknown[] }> {
  const told: unknown[] = []
  const listed: unknown[] = []
  const add = async (name: string, value: number, code: string, query: Record<string, string>) => {
    told.push([name, value])
    listed.push([name, await totalOf(who, code, query)])
  }
  for (const { key, value, code, query } of [...shown.figures, ...shown.gaps])
    if (!code.startsWith('work')) await add(key, value, code, query)
  for (const tile of shown.tiles)
    for (const row of tile.rows)
      for (const [at, value] of row.values.entries()) {
        const { code, query } = cellList(tile, row, at)
        await add(`${tile.key} ${row.name || row.id} ${tile.columns[at]!.key}`, value, code, query)
      }
  return { told, listed }
}

describe('R-DEV-2 every figure of the dashboard is the total of the list that it opens', () => {
  for (const account of accounts)
    it(`for ${account}, within the own data scope`, async () => {
      const who = people[account]
      const shown = await ask(who)
      const { told, listed } = await compare(who, shown)
      expect(told.length).toBeGreaterThan(10)
      expect(told).toEqual(listed)
      expect(Buffer.byteLength(JSON.stringify(shown))).toBeLessThan(12_000)
    }, 60_000)

  it('of one school of several, whoever looks', async () => {
    const [school] = (
      await world.owner.query<{ id: string }>(
        `select id::text as id from school where tenant_id = '${demo}' and status = 1 order by sort, id limit 1`,
      )
    ).rows
    const shown = await ask(people.admin, { schoolId: school!.id })
    expect(shown.school?.id).toBe(school!.id)
    expect(shown.semester).not.toBeNull()
    // Of a school there are its lessons, and no other school beside it.
    expect(shown.tiles.map(({ key }) => key)).toEqual(['grades', 'sizes', 'leave', 'periods', 'loads', 'rooms'])
    const { told, listed } = await compare(people.admin, shown)
    expect(told).toEqual(listed)
    const whole = await ask(people.admin)
    expect(whole.tiles.map(({ key }) => key)).toEqual(['schools', 'grades', 'sizes', 'decided'])
    const of = (one: Dashboard, name: string) => one.figures.find(({ key }) => key === name)?.value ?? 0
    expect(of(shown, 'pupils')).toBeGreaterThan(0)
    expect(of(shown, 'pupils')).toBeLessThan(of(whole, 'pupils'))
  }, 60_000)

  it('of a district of hundreds of schools, whichever one is chosen', async () => {
    const bureau = await world.tenant()
    const { schoolId } = await makeSchool(bureau)
    await world.owner.query(
      `insert into dept select (jsonb_populate_record(d, jsonb_build_object('id', d.id + n, 'dept_name', d.dept_name || '分' || n))).*
       from school s join dept d on d.tenant_id = s.tenant_id and d.id = s.dept_id, generate_series(701, 950) n where s.id = $1`,
      [schoolId],
    )
    await world.owner.query(
      `insert into school select (jsonb_populate_record(s, jsonb_build_object('id', s.id + n, 'sort', n, 'dept_id', s.dept_id + n,
         'school_code', left(s.school_code, -3) || lpad(n::text, 3, '0'), 'school_name', s.school_name || '分' || n))).*
       from school s, generate_series(701, 950) n where s.id = $1`,
      [schoolId],
    )
    const whole = await ask(bureau)
    expect(whole.figures.find(({ key }) => key === 'schools')!.value).toBe(251)
    const beside = whole.tiles.find(({ key }) => key === 'schools')!
    expect([beside.rows.length, beside.more]).toEqual([50, 201])
    const last = String(BigInt(schoolId) + 950n)
    const one = await ask(bureau, { schoolId: last })
    expect([one.school?.id, one.tiles.some(({ key }) => key === 'schools')]).toEqual([last, false])
    // Whose processes run and who works there is not said of one school: neither stands in one.
    const ofTenant = ['staff', 'running', 'ended', 'incidents', 'schools']
    expect(one.figures.map(({ key }) => key).filter((key) => ofTenant.includes(key) && key !== 'schools')).toEqual([])
    expect(whole.figures.map(({ key }) => key).filter((key) => ofTenant.includes(key))).toHaveLength(5)
  }, 60_000)

  it('in the moment after pupils were changed', async () => {
    const who = people.admin
    const pupils = async () => (await ask(who)).figures.find(({ key }) => key === 'pupils')!.value
    const before = await pupils()
    const { data } = await who.get<{ records: { id: string }[] }>('blade-user/student/list', {
      status: '1',
      size: '10',
    })
    for (const { id } of data.records.slice(0, 3)) {
      const found = await who.get<Record<string, unknown>>('blade-user/student/detail', { id })
      const saved = await who.post('blade-user/student/submit', { ...found.data, status: 2 })
      expect(saved.code).toBe(200)
    }
    expect(await pupils()).toBe(before - 3)
    const shown = await ask(who)
    const { told, listed } = await compare(who, shown)
    expect(told).toEqual(listed)
  }, 60_000)

  it('keeps for nobody what was counted under another scope, though no row was written', async () => {
    const clerk = await world.colleague(people.admin, ['student_view', 'schoolclass_view'])
    const pupils = async () => (await ask(clerk)).figures.find(({ key }) => key === 'pupils')!.value
    const all = await pupils()
    expect(await pupils()).toBe(all)
    await narrowAll(people.admin, clerk, [['student', 'name', '王']])
    const few = await ask(clerk)
    expect(few.figures.find(({ key }) => key === 'pupils')!.value).toBeLessThan(all)
    const { told, listed } = await compare(clerk, few)
    expect(told).toEqual(listed)
    // Somebody else of the same tenant is told their own.
    expect((await ask(people.admin)).figures.find(({ key }) => key === 'pupils')!.value).toBe(all)
  }, 60_000)
})

describe('R-DEV-1 R-DEV-2 rooms by floor and files by type', () => {
  const tileOf = async (who: Person, key: string, query: Record<string, string> = {}) =>
    (await ask(who, query)).tiles.find((tile) => tile.key === key)
  const file = (id: string, extension: string, size: number, by = '1') =>
    world.owner.query(
      `insert into attach (tenant_id, id, original_name, extension, attach_size, ref_count, create_user) values ($1, $2, $3, $4, $5, 0, $6)`,
      [demo, id, `dashboard-${id}.${extension}`, extension, size, by],
    )

  it('are those of a full count, each cell the list that it opens, largest files first', async () => {
    const ids = ['991', '992', '993', '994']
    await file('991', 'pdf', 2_000_000_000)
    await file('992', 'pdf', 2_000_000_000)
    await file('993', 'mp4', 2_000_000_000)
    await file('994', 'txt', 7)
    // Written past the product, no stamp was moved: another session counts for itself.
    const files = (await tileOf(await world.as(demo, 'admin'), 'files'))!
    const { rows: byType } = await world.owner.query<{ id: string; files: number; bytes: string }>(
      `select extension as id, count(*)::int as files, sum(attach_size)::text as bytes from attach
       where tenant_id = $1 and extension is not null group by 1 order by sum(attach_size) desc, 1 limit 10`,
      [demo],
    )
    expect(files.rows.map(({ id, values, bytes }) => ({ id, files: values[0], bytes: String(bytes) }))).toEqual(byType)
    expect(files.rows[0]).toMatchObject({ id: 'pdf', name: 'pdf' })
    expect(Number(files.rows[0]!.bytes)).toBeGreaterThanOrEqual(4_000_000_000)

    const { rows: schools } = await world.owner.query<{ id: string }>(
      `select school_id::text as id from schoolclassroom where tenant_id = $1 group by 1 order by count(*) desc limit 1`,
      [demo],
    )
    const schoolId = schools[0]!.id
    const setStatus = async (id: string, status: number) => {
      const found = await people.admin.get<Record<string, unknown>>('blade-user/schoolclassroom/detail', { id })
      const saved = await people.admin.post('blade-user/schoolclassroom/submit', { ...found.data, status })
      expect(saved.code).toBe(200)
    }
    const { rows: shut } = await world.owner.query<{ id: string }>(
      `select id::text from schoolclassroom where tenant_id = $1 and school_id = $2 and status = 1 order by id limit 2`,
      [demo, schoolId],
    )
    for (const { id } of shut) await setStatus(id, 2)
    const { rows: floors } = await world.owner.query<{ id: string; values: number[] }>(
      `select floor_id::text as id, array[count(*) filter (where status = 1), count(*) filter (where status = 2)]::int[] as values
       from schoolclassroom where tenant_id = $1 and school_id = $2 group by 1 order by 1`,
      [demo, schoolId],
    )
    const again = await world.as(demo, 'admin')
    const rooms = (await tileOf(again, 'rooms', { schoolId }))!
    expect(rooms.columns.map(({ key }) => key)).toEqual(['usable', 'repair'])
    expect(rooms.rows.map(({ id, values }) => ({ id, values })).toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(
      floors,
    )
    expect(rooms.rows.every(({ name }) => name.length > 0)).toBe(true)
    for (const shown of [await ask(again), await ask(again, { schoolId })]) {
      const { told, listed } = await compare(again, { ...shown, figures: [], gaps: [] })
      expect(told).toEqual(listed)
    }
    // Files stand in no school, and rooms are told of one.
    expect([await tileOf(again, 'files', { schoolId }), await tileOf(again, 'rooms')]).toEqual([undefined, undefined])
    for (const { id } of shut) await setStatus(id, 1)
    await world.owner.query(`delete from attach where tenant_id = $1 and id = any($2)`, [demo, ids])
  }, 60_000)

  it('beside the middle time of processes that were decided in the last 30 days, counted by hand', async () => {
    // One, four and nine hours: the middle one is neither their mean nor the longest.
    await world.owner.query(
      `update flowinstance f set start_time = f.end_time - x.n * x.n * interval '1 hour' from (
         select id, row_number() over (order by id) as n from flowinstance where tenant_id = $1 and state in ('2', '3')) x
       where f.tenant_id = $1 and f.id = x.id`,
      [demo],
    )
    const { rows } = await world.owner.query<{ process: string; minutes: number; old: boolean }>(
      `select process_definition_id::text as process, extract(epoch from end_time - start_time)::float8 / 60 as minutes,
         end_time < ((now() at time zone 'Asia/Shanghai')::date - 30)::timestamp at time zone 'Asia/Shanghai' as old
       from flowinstance where tenant_id = $1 and state in ('2', '3')`,
      [demo],
    )
    const recent = rows.filter(({ old }) => !old)
    const median = (all: number[]): number => {
      const sorted = all.toSorted((a, b) => a - b)
      return (sorted[Math.floor((sorted.length - 1) / 2)]! + sorted[Math.ceil((sorted.length - 1) / 2)]!) / 2
    }
    const expected = [...Map.groupBy(recent, ({ process }) => process)].map(([id, all]) => ({
      id,
      decided: all.length,
      minutes: Math.round(median(all.map(({ minutes }) => minutes))),
    }))
    expect(expected.length).toBeGreaterThan(0)
    const decided = (await tileOf(await world.as(demo, 'admin'), 'decided'))!
    const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)
    expect(decided.rows.map(({ id, values, minutes }) => ({ id, decided: values[0], minutes })).toSorted(byId)).toEqual(
      expected.toSorted(byId),
    )
    expect(decided.rows.map(({ minutes }) => minutes)).toEqual(
      decided.rows.map(({ minutes }) => minutes!).toSorted((a, b) => b - a),
    )
    // Of what was decided before, nothing: ten days later than the window lets through.
    const [first] = decided.rows
    await world.owner.query(
      `update flowinstance set start_time = start_time - interval '40 days', end_time = end_time - interval '40 days'
       where tenant_id = $1 and process_definition_id = $2 and state in ('2', '3')`,
      [demo, first!.id],
    )
    const fewer = await tileOf(await world.as(demo, 'admin'), 'decided')
    expect(fewer?.rows.some(({ id }) => id === first!.id) ?? false).toBe(false)
    await world.owner.query(
      `update flowinstance set start_time = start_time + interval '40 days', end_time = end_time + interval '40 days'
       where tenant_id = $1 and process_definition_id = $2 and state in ('2', '3')`,
      [demo, first!.id],
    )
  }, 60_000)

  it('are told at once of a file that was just uploaded', async () => {
    const texts = async () => (await tileOf(people.admin, 'files'))?.rows.find(({ id }) => id === 'txt')
    expect(await texts()).toBeUndefined()
    const head =
      '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\n'
    const put = await world.call('POST', 'blade-resource/oss/endpoint/put-file', people.admin.token, {
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      body: Buffer.from(`${head}seven b\r\n--x--\r\n`),
    })
    expect(put.code).toBe(200)
    expect(await texts()).toEqual({ id: 'txt', name: 'txt', values: [1], bytes: 7 })
  }, 60_000)

  it('are absent without the right, and no more than the own scope with it', async () => {
    const none = await world.colleague(people.admin, ['student_view'])
    expect((await ask(none)).tiles.filter(({ key }) => ['rooms', 'files', 'decided'].includes(key))).toEqual([])
    await file('995', 'pdf', 10)
    await file('996', 'zip', 20)
    const clerk = await world.colleague(people.admin, ['student_view', 'attach_view'])
    await narrowAll(people.admin, clerk, [['attach', 'extension', 'zip']])
    const few = await ask(clerk)
    expect(few.tiles.find(({ key }) => key === 'files')!.rows.map(({ id }) => id)).toEqual(['zip'])
    const { told, listed } = await compare(clerk, few)
    expect(told).toEqual(listed)
    await world.owner.query(`delete from attach where tenant_id = $1 and id = any($2)`, [demo, ['995', '996']])
  }, 60_000)
})

describe('R-DEV-2 counts of several lists in one look', () => {
  it('are those of each list, with filters of their own, in common, by keyword and of rows elsewhere', async () => {
    const lists: readonly Record<string, string>[] = [
      { status: '1' },
      { status: '1', guardians_null: '1' },
      { status: '1', national_notnull: '1', sex: '1' },
      { status: '2' },
      { keyword: '王' },
      { name_like: '王', birthDate_datege: '2012-01-01' },
      { sex_in: '0,9' },
    ]
    const asked = (some: readonly Record<string, string>[]) =>
      inTenant(world.services.pool, demo, (tx) =>
        countSeveral(
          entityOf('student'),
          {
            ...{ tx, actor: system('test', demo), cipher: world.services.cipher },
            circumstance: { requestId: '0', language: 'zh' },
          },
          some,
        ),
      )
    const totals = await Promise.all(lists.map((query) => totalOf(people.admin, 'student', query)))
    expect(await asked(lists)).toEqual(totals)
    // By twos, so that more is asked in common.
    for (const [at, list] of lists.entries()) expect(await asked([lists[0]!, list])).toEqual([totals[0], totals[at]])
    expect(new Set(totals).size).toBeGreaterThan(4)
  }, 60_000)
})

describe('R-DEV-1 what a dashboard tells and keeps from whom', () => {
  it('tells nobody of another tenant, nor of a school out of reach', async () => {
    const stranger = await world.tenant()
    const [school] = (
      await world.owner.query<{ id: string }>(`select id::text as id from school where tenant_id = '${demo}' limit 1`)
    ).rows
    const shown = await ask(stranger)
    expect(shown.tiles.flatMap(({ rows }) => rows)).toEqual([])
    for (const { key, value } of shown.figures)
      expect([key, key === 'staff' ? 1 : value]).toEqual([key, key === 'staff' ? 1 : 0])
    expect((await stranger.get('blade-desk/dashboard/summary', { schoolId: school!.id })).code).toBe(404)
    for (const query of [{ schoolId: 'x' }, { schoolId: '1', semesterId: '2' }, { semesterId: '99' }])
      expect((await people.admin.get('blade-desk/dashboard/summary', query)).code).not.toBe(500)
  })

  it('leaves out what somebody may not list, and never says zero for it', async () => {
    const bare = await world.colleague(people.admin, ['schoolclass_view'])
    const shown = await ask(bare)
    expect(shown.figures.map(({ key }) => key)).toEqual(['classes', 'todo', 'claim'])
    expect(shown.tiles).toEqual([])
    expect(shown.gaps.map(({ key }) => key)).toEqual(['noTeacher'])
    expect((await world.http.inject({ url: '/api/blade-desk/dashboard/summary' })).statusCode).toBe(401)
  })

  it('keeps for each person how the tiles are arranged, and begins with what suits their work', async () => {
    const layout = async (who: Person) => (await who.get<DashboardLayout>('blade-desk/dashboard/layout')).data
    const first = Object.fromEntries(
      await Promise.all(accounts.map(async (account) => [account, (await layout(people[account])).order.slice(0, 3)])),
    )
    expect(first).toEqual({
      admin: ['figures', 'schools', 'grades'],
      jiaowu: ['figures', 'gaps', 'sizes'],
      banzhuren: ['figures', 'sizes', 'gaps'],
      xiaozhang: ['figures', 'grades', 'sizes'],
      jiaoyuju: ['figures', 'schools', 'gaps'],
    })
    const usual = await layout(people.xiaozhang)
    expect(usual.own).toBe(0)
    const kept = { order: ['leave', 'grades', 'figures'], hidden: ['loads'] }
    expect((await people.xiaozhang.post('blade-desk/dashboard/layout', kept)).code).toBe(200)
    expect(await layout(people.xiaozhang)).toEqual({ ...kept, own: 1 })
    expect((await layout(people.jiaowu)).own).toBe(0)
    const wrong = await people.xiaozhang.post('blade-desk/dashboard/layout', { order: ['nothing'], hidden: [] })
    expect(wrong.code).toBe(400)
    expect(await layout(people.xiaozhang)).toEqual({ ...kept, own: 1 })
    expect((await people.xiaozhang.post('blade-desk/dashboard/layout', { order: [], hidden: [] })).code).toBe(200)
    expect(await layout(people.xiaozhang)).toEqual(usual)
  })
})
