import type { ReportContent, ReportResult } from '@data-brain/contract/report'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { demo, makeDemoWorld } from './demo-world.ts'
import { dayOf, dice, momentOf, moveTo, run, saved, Writer } from './report-past-parts.ts'
import type { Person, Row, World } from './world.ts'

let world: World
const people = new Map<string, Person>()
const days = 3
const seed = Number(process.env.SEED ?? 20_261_129)

const blank: ReportContent = {
  ...{ entity: 'student', columns: [], filter: null, parameters: [], groups: [], cross: null },
  ...{ measures: [{ of: 'count', field: null }], sort: null, chart: 'none', hideBelow: 0 },
}
const by = (...paths: string[]) => paths.map((field) => ({ field, by: null }))
const reports: Record<string, ReportContent> = {
  classes: {
    ...blank,
    groups: by('classId'),
    measures: [
      { of: 'count', field: null },
      { of: 'sum', field: 'seatNo' },
    ],
  },
  cross: { ...blank, groups: by('schoolId', 'gradeId'), cross: { field: 'sex', by: null } },
  'a filter on what is referred to': {
    ...blank,
    groups: by('classId.gradeId', 'classId.status', 'status'),
    filter: {
      all: [
        { field: 'studyWay', op: 'equal', value: '2' },
        { field: 'classId', op: 'notnull' },
      ],
    },
  },
  list: {
    ...blank,
    columns: ['name', 'classId', 'classId.className', 'seatNo', 'studyWay'],
    measures: [],
    sort: { by: 0, down: false },
  },
  hidden: { ...blank, groups: by('classId'), cross: { field: 'studyWay', by: null }, hideBelow: 3 },
  'class rows': { ...blank, entity: 'schoolclass', groups: by('gradeId'), cross: { field: 'status', by: null } },
  cells: {
    ...{ ...blank, groups: by('schoolId', 'classId'), cross: { field: 'sex', by: null } },
    measures: [
      { of: 'count', field: null },
      { of: 'sum', field: 'seatNo' },
    ],
  },
  guardians: { ...blank, entity: 'studentparents', groups: by('studentId.classId') },
}
/** What is shown, without the moment and the lists that it leads to. */
const told = ({ heads, rows, total, hidden }: ReportResult) => ({
  heads: heads.map(({ text, over }) => [text, over]),
  rows: rows.map(({ level, cells }) => [level, cells]),
  total,
  hidden,
})
const answered = async (who: Person, report: string | ReportContent, asOf?: string) => {
  const { data, msg } = await run(who, report, asOf)
  expect(msg).toBe('操作成功')
  return data
}

/** By plain SQL over the tables of a moment: pupils and their numbers in class, by school, class and sex. */
const snapshot = async (schema: string, condition: string) =>
  (
    await world.owner.query<{ school: string; class: string | null; sex: string; n: number; seats: number | null }>(
      `select c.class_name as class, o.school_name as school, s.sex, count(*)::int as n, sum(s.seat_no)::int as seats
       from ${schema}.student s join ${schema}.school o on o.tenant_id = s.tenant_id and o.id = s.school_id
         left join ${schema}.schoolclass c on c.tenant_id = s.tenant_id and c.id = s.class_id
       where s.tenant_id = $1 and ${condition} group by 1, 2, 3`,
      [demo],
    )
  ).rows

const conditions = new Map<string, string>()
const seen = new Map<string, ReturnType<typeof told>>()
let writer: Writer
let ids: Map<string, string>

beforeAll(async () => {
  world = await makeDemoWorld()
  const admin = await world.as(demo, 'admin')
  people.set('administrator', admin)
  people.set('class teacher', await world.as(demo, 'banzhuren'))
  const custom = await world.colleague(admin, [
    'student_view',
    'studentparents_view',
    'report_view',
    'report_add',
    'schoolclass_view',
    'sysgrade_view',
    'school_view',
  ])
  const scope = {
    ...{ scopeName: '走读女生', resourceCode: 'report-past', scopeClass: 'student', scopeType: '5' },
    scopeValue: {
      all: [
        { field: 'sex', op: 'equal', value: '2' },
        { field: 'studyWay', op: 'equal', value: '1' },
      ],
    },
  }
  const made = await admin.post<Row>('blade-system/data-scope/submit', scope)
  await world.owner.query(
    `insert into role_data_scope (tenant_id, role_id, scope_id) select $1, r.target_id, $3 from app_user_role r where r.tenant_id = $1 and r.owner_id = $2`,
    [demo, custom.userId, made.data.id],
  )
  people.set('custom scope', custom)
  const { rows } = await world.owner.query<{ id: string }>(
    `with me as (select id from app_user where tenant_id = $1 and account = 'banzhuren')
     select c.id::text as id from schoolclass c, me where c.tenant_id = $1 and c.head_teacher_id = me.id
     union select d.owner_id::text from schoolclass_deputy_teacher d, me where d.tenant_id = $1 and d.target_id = me.id
     union select a.class_id::text from teacherclass a join schoolsemester m on m.tenant_id = a.tenant_id and m.id = a.semester_id, me
       where a.tenant_id = $1 and a.user_id = me.id and m.end_date >= current_date and a.class_id is not null`,
    [demo],
  )
  conditions.set('administrator', 'true')
  conditions.set('class teacher', `s.class_id in (${rows.map(({ id }) => id).join()})`)
  conditions.set('custom scope', `s.sex = '2' and s.study_way = '1'`)

  ids = await saved(world, admin, reports)

  const roll = dice(seed)
  writer = new Writer(world, admin, roll)
  const other = await world.tenant()
  const beside = new Writer(world, other, dice(seed + 1))
  await beside.import()
  await moveTo(world, demo, '2000-01-01', days + 1)
  await moveTo(world, other.tenantId, '2000-01-01', days + 1)
  for (let day = days; day > 0; day -= 1) {
    const since = await momentOf(world)
    for (let at = 0; at < 25; at += 1) {
      await writer.write()
      if (at % 5 === 0) await beside.write()
    }
    if (day % 2 === 0) await writer.import()
    await world.owner.query(`create schema past_${day}`)
    for (const table of ['student', 'schoolclass', 'school'])
      await world.owner.query(`create table past_${day}.${table} as select * from ${table}`)
    for (const [name, who] of people)
      for (const [report, id] of ids) seen.set(`${day} ${name} ${report}`, told(await answered(who, id)))
    await moveTo(world, demo, since, day)
  }
  // Of today, nothing has been looked at.
  for (let at = 0; at < 25; at += 1) await writer.write()
  await writer.empty()
}, 300_000)
afterAll(() => world.close())

describe('R-DEV-5 a report as of a past day', () => {
  it('has every way of writing behind it', () => {
    expect([...writer.done.keys()].sort()).toEqual([
      'add',
      'bulk',
      'import',
      'remove',
      'rename',
      'restore',
      'save',
      'undo',
    ])
  })

  it('says what it said on that day, for an administrator, a class teacher and a custom scope', async () => {
    let different = 0
    const now = new Map<string, string>()
    for (const [name, who] of people)
      for (const [report, id] of ids) now.set(`${name} ${report}`, JSON.stringify(told(await answered(who, id))))
    for (let day = days; day > 0; day -= 1)
      for (const [name, who] of people)
        for (const [report, id] of ids) {
          const key = `${day} ${name} ${report}`
          const past = told(await answered(who, id, await dayOf(world, day)))
          expect([key, past]).toEqual([key, seen.get(key)])
          if (JSON.stringify(past) !== now.get(`${name} ${report}`)) different += 1
        }
    expect(different).toBeGreaterThan(20)
  }, 120_000)

  it('is what plain SQL counted in the tables of that day', async () => {
    const id = ids.get('cells')!
    for (let day = days; day > 0; day -= 1)
      for (const [name, who] of people) {
        const rows = await snapshot(`past_${day}`, conditions.get(name)!)
        const result = await answered(who, id, await dayOf(world, day))
        const sum = (of: typeof rows) => of.reduce((all, { n }) => all + n, 0)
        expect(result.total).toBe(sum(rows))
        expect(rows.length).toBeGreaterThan(0)
        const sexes = result.heads.flatMap(({ over, text }, at) => (text === '数量' ? [[over!, at] as const] : []))
        for (const { level, cells } of result.rows.filter((row) => row.level === 2)) {
          const [school, called] = cells as string[]
          const inClass = rows.filter((row) => row.school === school && called!.startsWith(row.class ?? '（空）'))
          for (const [over, at] of sexes) {
            const some = inClass.filter(({ sex }) => over === '合计' || { 1: '男', 2: '女' }[sex] === over)
            const seats = some.flatMap(({ seats: each }) => each ?? [])
            expect([day, name, level, cells, over, cells[at], cells[at + 1]]).toEqual([
              ...[day, name, level, cells, over, sum(some)],
              seats.length === 0 ? null : seats.reduce((a, b) => a + b, 0),
            ])
          }
        }
      }
  }, 60_000)
})

describe('R-DEV-5 the change since a day', () => {
  const changing = (since: string, more: Partial<ReportContent> = {}): ReportContent => ({
    ...{ ...blank, groups: by('schoolId', 'classId'), cross: { field: 'studyWay', by: null }, ...more },
    measures: [
      { of: 'count', field: null },
      { of: 'change', field: null, since },
      { of: 'growth', field: null, since },
      { of: 'change', field: 'seatNo', since },
    ],
  })
  const admin = (): Person => people.get('administrator')!
  type Cells = (string | number | null)[]
  /** The cells of lines by the names of their groups, and by those of the cross table’s columns. */
  const cellsOf = ({ heads, rows }: ReportResult, measures: number): Map<string, Cells> => {
    const found = new Map<string, Cells>()
    for (const { cells } of rows)
      for (let at = 2; at < heads.length; at += measures)
        found.set(JSON.stringify([cells[0], cells[1], heads[at]!.over]), cells.slice(at, at + measures) as Cells)
    return found
  }
  /** A difference as a cell tells it. */
  const told = (now: number, was: number, rows = now, had = was) =>
    had === 0 && rows > 0 ? `0 → ${now}` : rows === 0 && had > 0 ? `${was} → 0` : now - was

  it('is the difference of the two reports, in every cell, subtotal and total', async () => {
    let [moved, made, gone] = [0, 0, 0]
    for (const [from, until] of [
      [days, 1],
      [days - 1, 0],
    ] as const) {
      const since = await dayOf(world, from)
      const asOf = await dayOf(world, until)
      const plain = {
        ...changing(since),
        measures: [
          { of: 'count' as const, field: null },
          { of: 'sum' as const, field: 'seatNo' },
        ],
      }
      const now = cellsOf(await answered(admin(), plain, asOf), 2)
      const was = cellsOf(await answered(admin(), plain, since), 2)
      const result = await answered(admin(), changing(since), asOf)
      expect(result.heads.map(({ text }) => text)).toContain(`数量变化（较${since}）`)
      for (const [key, [count, change, growth, seats]] of cellsOf(result, 4)) {
        // Names are those of the later day; of what is gone, of the earlier.
        const name = JSON.parse(key)[1] as string
        const [n, b] = [Number(now.get(key)?.[0] ?? 0), Number(was.get(key)?.[0] ?? 0)]
        if (!now.has(key) || !was.has(key)) {
          if (name === '' || /小计/.test(name)) continue
          if (/[东西南北]\d+班/.test(name)) continue
        }
        expect([key, count, change]).toEqual([key, n, told(n, b)])
        expect([key, growth]).toEqual([key, b === 0 ? null : Math.round(((n - b) * 1000) / b) / 10])
        if (typeof seats === 'number')
          expect([key, seats]).toEqual([key, Number(now.get(key)?.[1] ?? 0) - Number(was.get(key)?.[1] ?? 0)])
        if (typeof change === 'number' && change !== 0) moved += 1
        if (String(change).startsWith('0 →')) made += 1
        if (String(change).endsWith('→ 0')) gone += 1
      }
      const [, whole] = [...cellsOf(result, 4)].at(-1)!
      expect(whole[1]).toBe(result.total - (await answered(admin(), plain, since)).total)
    }
    expect([moved > 10, made > 0, gone > 0]).toEqual([true, true, true])
  }, 60_000)

  it('tells nothing where there are, or were, too few to be shown', async () => {
    const since = await dayOf(world, days)
    const result = await answered(admin(), changing(since, { hideBelow: 20 }))
    const open = await answered(admin(), { ...changing(since), measures: [{ of: 'count', field: null }] }, since)
    const was = cellsOf(open, 1)
    let hidden = 0
    for (const [key, [count, change]] of cellsOf(result, 4)) {
      const before = Number(was.get(key)?.[0] ?? 0)
      if (before > 0 && before < 20 && !key.includes('小计') && !key.includes('合计')) {
        expect([key, count === '*' || change === '*' || count === 0]).toEqual([key, true])
        hidden += 1
      }
    }
    expect(hidden).toBeGreaterThan(0)
  })

  it('is counted since a day that comes before, by name or by a word', async () => {
    const [today, first] = [await dayOf(world, 0), await dayOf(world, days + 1)]
    expect((await run(admin(), changing(today))).msg).toBe(`变化应与更早的日期比较：${today}不早于${today}`)
    expect((await run(admin(), changing('soon'))).msg).toBe('统计值：“soon”不是日期')
    const none = { ...changing(first), measures: [{ of: 'change' as const, field: null }] }
    expect((await run(admin(), none)).msg).toBe('统计值：请选择与哪一天比较')
    const year = (await run(admin(), changing('year'))).msg
    expect(year).toMatch(new RegExp(`变更记录只能回溯到${first}，无法得知${Number(today.slice(0, 4)) - 1}-.*的数据`))
    const semester = (await run(admin(), changing('semester'))).msg
    const begin = await world.owner.query<{ day: string }>(
      'select max(begin_date)::text as day from schoolsemester where tenant_id = $1 and $2::date between begin_date and end_date',
      [demo, today],
    )
    expect(semester).toContain(`无法得知${begin.rows[0]!.day}的数据`)
  })
})

describe('R-DEV-5 a past day that nobody can tell of', () => {
  const classes = (): string => ids.get('classes')!
  const refused = async (who: Person, report: string | ReportContent, asOf: string) => {
    const answer = await run(who, report, asOf)
    expect(answer.status).toBe(400)
    return answer.msg
  }
  const admin = (): Person => people.get('administrator')!

  it('is refused where it has not come, and today is as it is', async () => {
    const tomorrow = await dayOf(world, -1)
    expect(await refused(admin(), classes(), tomorrow)).toBe(`截至日期${tomorrow}还没有到，请选择今天或更早的日期`)
    const today = await answered(admin(), classes(), await dayOf(world, 0))
    expect(today.asOf).toBeNull()
    expect(today.rows[0]!.query).not.toBeNull()
    expect((await run(admin(), classes(), '2026-02-30')).status).toBe(400)
  })

  it('is refused before the record of changes begins, with the day on which it does, in both languages', async () => {
    const [first, before] = [await dayOf(world, days + 1), await dayOf(world, days + 2)]
    expect(await refused(admin(), classes(), before)).toBe(
      `变更记录只能回溯到${first}，无法得知${before}的数据：请选择${first}或之后的日期`,
    )
    expect((await answered(admin(), classes(), first)).asOf).toBe(first)
    const english = await admin().post(
      'blade-report/report/rest/run',
      { id: classes(), asOf: before },
      { language: 'en' },
    )
    expect(english.msg).toBe(
      `The record of changes reaches back to ${first} only, so nobody knows what there was on ${before}: choose ${first} or a later day`,
    )
  })

  it('is refused for rows whose changes are not recorded', async () => {
    const instances = { ...blank, entity: 'flowinstance', groups: by('state') }
    expect(await refused(admin(), instances, await dayOf(world, 1))).toBe(
      '“流程实例”不保存变更记录，只能按今天的数据统计，不能选择截至日期',
    )
  })

  it('leads to no list of today, and shows numbers masked as ever', async () => {
    const numbers = { ...blank, columns: ['name', 'idNo'], measures: [] }
    const past = await answered(admin(), numbers, await dayOf(world, 2))
    expect(past.rows.some(({ cells }) => /\*{4}/.test(String(cells[1])))).toBe(true)
    expect(past.rows.filter(({ query }) => query !== null)).toEqual([])
    expect(past.query).toBeNull()
  })

  it('is refused up to the newest entry that is missing', async () => {
    const { owner } = world
    const { rows } = await owner.query<{ id: string; row: string; day: string }>(
      `select h.id::text, (h.at at time zone 'Asia/Shanghai')::date::text as day from history h
       where h.tenant_id = $1 and h.entity = 'student' and h.version > 1 and h.at > now() - interval '3 days'
         and exists (select from history n where n.tenant_id = h.tenant_id and n.entity = h.entity and n.row_id = h.row_id and n.id > h.id)
       order by h.id limit 1`,
      [demo],
    )
    expect(rows.length).toBe(1)
    const day = await dayOf(world, days)
    expect((await run(admin(), classes(), day)).status).toBe(200)
    await owner.query(`delete from history where tenant_id = $1 and id = $2`, [demo, rows[0]!.id])
    expect(await refused(admin(), classes(), day)).toContain('变更记录只能回溯到')
  })
})
