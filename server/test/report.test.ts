import { entityOf } from '@data-brain/contract'
import { joinFilters, type ReportContent, type ReportResult } from '@data-brain/contract/report'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { demo, makeDemoWorld } from './demo-world.ts'
import { answered, expected, type Pupil, pupilsOf, type Way, ways } from './report-parts.ts'
import type { Person, Row, World } from './world.ts'

const path = 'blade-report/report/rest'
let world: World
let admin: Person
let registrar: Person
let teacher: Person
let pupils: Pupil[]

/** The ids of the classes that the teacher heads, or teaches in a term that has not ended. */
async function classesOf(account: string): Promise<Set<string>> {
  const { rows } = await world.owner.query<{ id: string }>(
    `with me as (select id from app_user where tenant_id = $1 and account = $2)
     select c.id::text as id from schoolclass c, me where c.tenant_id = $1 and c.head_teacher_id = me.id
     union select d.owner_id::text from schoolclass_deputy_teacher d, me where d.tenant_id = $1 and d.target_id = me.id
     union select a.class_id::text from teacherclass a join schoolsemester m on m.tenant_id = a.tenant_id and m.id = a.semester_id, me
       where a.tenant_id = $1 and a.user_id = me.id and m.end_date >= current_date and a.class_id is not null`,
    [demo, account],
  )
  return new Set(rows.map(({ id }) => id))
}

beforeAll(async () => {
  world = await makeDemoWorld()
  admin = await world.as(demo, 'admin')
  registrar = await world.as(demo, 'jiaowu')
  teacher = await world.as(demo, 'banzhuren')
  pupils = await pupilsOf(world, demo)
}, 120_000)
afterAll(() => world.close())

const blank: ReportContent = {
  ...{ entity: 'student', columns: [], filter: null, parameters: [], groups: [], cross: null },
  ...{ measures: [{ of: 'count', field: null }], sort: null, chart: 'none', hideBelow: 0 },
}
const counting = (...paths: string[]): ReportContent => ({
  ...blank,
  groups: paths.map((field) => ({ field, by: null })),
})

async function preview(who: Person, content: ReportContent, parameters = {}): Promise<ReportResult> {
  const answer = await who.post<ReportResult>(`${path}/run`, { content, parameters })
  if (answer.code !== 200) throw new Error(`${answer.msg} ${JSON.stringify(content)}`)
  return answer.data
}
const save = (who: Person, draft: Record<string, unknown>) => who.post<Row>(`${path}/submit`, draft)

/** Numbers that come in the same order each time. */
function dice(seed: number): (sides: number) => number {
  let state = seed
  return (sides) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * sides)
  }
}

interface Tried {
  readonly content: ReportContent
  readonly groups: readonly Way[]
  readonly cross: Way | undefined
  readonly keeps: (pupil: Pupil) => boolean
}

/** Some report over pupils. */
function someReport(roll: (sides: number) => number): Tried {
  const free = [...ways]
  const take = (): Way => {
    const way = free.splice(roll(free.length), 1)[0]!
    for (const other of free.filter(({ path: same }) => same === way.path)) free.splice(free.indexOf(other), 1)
    return way
  }
  const groups = Array.from({ length: 1 + roll(3) }, take)
  // Lines are told apart by the list that they lead to: what no list can say stands alone, behind the others.
  const plain = groups.filter((way) => way.asked('x') !== undefined)
  const crossed = roll(2) === 0 ? take() : undefined
  const cross = crossed?.asked('x') === undefined ? undefined : crossed
  const measures: ReportContent['measures'] = [
    { of: 'count', field: null },
    ...(['share', 'sum', 'average', 'min', 'max'] as const)
      .filter(() => roll(3) === 0)
      .map((of) => ({ of, field: of === 'share' ? null : 'seatNo' })),
  ]
  const filters = [
    { said: null, keeps: () => true },
    { said: { all: [{ field: 'sex', op: 'equal', value: '2' }] }, keeps: ({ sex }: Pupil) => sex === '2' },
    {
      said: {
        any: [
          { field: 'seatNo', op: 'le', value: 3 },
          { field: 'classId', op: 'null' },
        ],
      },
      keeps: ({ seatNo, classId }: Pupil) => (seatNo !== null && seatNo <= 3) || classId === null,
    },
    {
      said: {
        all: [
          { field: 'birthDate', op: 'ge', value: '2014-01-01' },
          { field: 'sex', op: 'notequal', value: '1' },
        ],
      },
      keeps: ({ birthDate, sex }: Pupil) => birthDate >= '2014-01-01' && sex !== '1',
    },
  ]
  const filter = filters[roll(filters.length)]!
  const used = plain.length > 0 ? plain : [ways[1]!]
  return {
    groups: used,
    cross: cross && used.every(({ path: same }) => same !== cross.path) ? cross : undefined,
    keeps: filter.keeps,
    content: {
      ...blank,
      groups: used.map(({ path: field, by }) => ({ field, by: by ?? null })),
      cross:
        cross && used.every(({ path: same }) => same !== cross.path)
          ? { field: cross.path, by: cross.by ?? null }
          : null,
      measures,
      filter: filter.said,
      sort: roll(2) === 0 ? { by: roll(measures.length), down: roll(2) === 0 } : null,
      hideBelow: [0, 0, 2, 5][roll(4)]!,
    },
  }
}

/** Who sees which pupils, known by hand. */
async function viewers(): Promise<Record<string, { who: Person; sees: (pupil: Pupil) => boolean }>> {
  const taught = await classesOf('banzhuren')
  const custom = await world.colleague(admin, [
    'student_view',
    'report_view',
    'report_add',
    'schoolclass_view',
    'sysgrade_view',
  ])
  const grades = [...new Set(pupils.map(({ gradeId }) => gradeId!))].sort().slice(0, 2)
  const [school] = [...new Set(pupils.map(({ schoolId }) => schoolId))].sort()
  const scope = {
    ...{ scopeName: '两个年级', resourceCode: 'report-two-grades', scopeClass: 'student', scopeType: '5' },
    scopeValue: {
      all: [
        { field: 'gradeId', op: 'in', value: grades },
        { field: 'schoolId', op: 'equal', value: school },
      ],
    },
  }
  const made = await admin.post<Row>('blade-system/data-scope/submit', scope)
  expect(made.msg).toBe('操作成功')
  await world.owner.query(
    `insert into role_data_scope (tenant_id, role_id, scope_id) select $1, r.target_id, $3 from app_user_role r where r.tenant_id = $1 and r.owner_id = $2`,
    [demo, custom.userId, made.data.id],
  )
  await world.owner.query(`update grant_stamp set stamp = stamp + 1 where tenant_id = $1`, [demo]).catch(() => {})
  return {
    administrator: { who: admin, sees: () => true },
    registrar: { who: registrar, sees: () => true },
    'class teacher': { who: teacher, sees: ({ classId }) => classId !== null && taught.has(classId) },
    'custom scope': {
      who: custom,
      sees: ({ gradeId, schoolId }) => gradeId !== null && grades.includes(gradeId) && schoolId === school,
    },
  }
}

describe('R-DEV-5 the reports of the demo', () => {
  it('answer everybody whom they are shared with', async () => {
    const names = async (who: Person) => (await who.get<{ records: Row[] }>(`${path}/list`, { size: 50 })).data.records
    const all = await names(registrar)
    expect(new Set(all.map(({ name }) => name))).toEqual(
      new Set(['各班人数', '各学科周课时', '行政班名册', '在校生年级与性别']),
    )
    const own = await names(teacher)
    expect(new Set(own.map(({ name }) => name))).toEqual(new Set(['各班人数', '在校生年级与性别']))
    for (const [who, rows] of [
      [registrar, all],
      [teacher, own],
    ] as const)
      for (const { id, name } of rows) {
        const { data, msg } = await who.post<ReportResult>(`${path}/run`, { id })
        expect([name, msg]).toEqual([name, '操作成功'])
        expect([name, data.rows.length > 1]).toEqual([name, true])
      }
  })
})

describe('R-DEV-5 what a report counts', () => {
  it('is what the rows come to, for an administrator, a registrar, a class teacher and a custom scope', async () => {
    const roll = dice(20_261_127)
    let compared = 0
    // A class teacher tries nothing: the report is saved by somebody else, and shared.
    const people = Object.entries(await viewers())
    const roles = (await admin.get<{ records: Row[] }>('blade-system/role/list', { size: 50 })).data.records
    for (let turn = 0; turn < 25; turn += 1) {
      const { content, groups, cross, keeps } = someReport(roll)
      const saved = await save(admin, { name: `试${turn}`, content, roleIds: roles.map(({ id }) => id) })
      expect(saved.msg).toBe('操作成功')
      for (const [name, { who, sees }] of people) {
        const { data, msg } = await who.post<ReportResult>(`${path}/run`, { id: saved.data.id })
        expect([name, msg]).toEqual([name, '操作成功'])
        const wanted = expected(
          pupils.filter((pupil) => sees(pupil) && keeps(pupil)),
          groups,
          cross,
          content,
        )
        const got = answered(data, groups, cross, pupils)
        expect(got.columns, `${name} ${JSON.stringify(content)}`).toEqual(wanted.columns)
        expect([...got.lines].sort(), `${name} ${JSON.stringify(content)}`).toEqual([...wanted.lines].sort())
        expect([data.total, data.hidden]).toEqual([wanted.total, wanted.hidden])
        // What is hidden is not counted by the list that a sum would lead to, either.
        const canLink = groups.every((way) => way.asked(way.of(pupils[0]!)))
        if (canLink) expect(got.linked, JSON.stringify(content)).toEqual(wanted.linked)
        const acrossAll = data.heads.at(-1)!.query
        expect(acrossAll === null, JSON.stringify(content)).toBe(cross !== undefined && wanted.hidden > 0)
        compared += wanted.lines.size
      }
    }
    expect(compared).toBeGreaterThan(1_000)
  }, 240_000)

  it('leads from each cell to a list of as many rows', async () => {
    const content: ReportContent = {
      ...counting('gradeId', 'classId'),
      cross: { field: 'sex', by: null },
      filter: { all: [{ field: 'status', op: 'equal', value: 1 }] },
    }
    for (const who of [registrar, teacher]) {
      const saved = await save(admin, { name: `去${who.userId}`, content, roleIds: await rolesOf(who) })
      const { data } = await who.post<ReportResult>(`${path}/run`, { id: saved.data.id })
      let seen = 0
      for (const row of data.rows.filter((_, at) => at % 7 === 0 || at >= data.rows.length - 2))
        for (const [at, head] of data.heads.entries()) {
          if (head.measure === null) continue
          const query = joinFilters(data.query, row.query, head.query)
          expect(query).toBeDefined()
          const list = await who.get<{ total: number }>(`${entityOf('student').path}/list`, { ...query, size: 10 })
          expect([query, row.cells[at]]).toEqual([query, list.data.total])
          seen += 1
        }
      expect(seen).toBeGreaterThan(5)
    }
  }, 60_000)

  it('groups by what rows refer to, and by what that refers to', async () => {
    const result = await preview(admin, counting('classId.gradeId.stage'))
    const counts = new Map<string, number>()
    const { rows } = await world.owner.query<{ stage: string | null }>(
      `select coalesce(g.stage, h.stage) as stage from student s left join schoolclass c on c.tenant_id = s.tenant_id and c.id = s.class_id
         left join sysgrade g on g.tenant_id = c.tenant_id and g.id = c.grade_id left join sysgrade_shared h on h.id = c.grade_id where s.tenant_id = $1`,
      [demo],
    )
    for (const { stage } of rows) counts.set(String(stage), (counts.get(String(stage)) ?? 0) + 1)
    const leaves = result.rows.filter(({ level }) => level === 1)
    expect(leaves.map(({ cells }) => cells[1]).sort()).toEqual([...counts.values()].sort())
    expect(leaves.length).toBeGreaterThan(1)
    expect(result.rows.at(-1)).toMatchObject({ level: 0, cells: ['合计', rows.length], query: {} })
  })

  it('counts what is asked for when it is run, and asks for nothing else', async () => {
    const content = { ...counting('sex'), parameters: ['gradeId', 'birthDate'] }
    const gradeId = pupils.find((pupil) => pupil.gradeId !== null)!.gradeId!
    const { total } = await preview(admin, content, { gradeId, birthDate_datege: '2015-01-01' })
    expect(total).toBe(pupils.filter((pupil) => pupil.gradeId === gradeId && pupil.birthDate >= '2015-01-01').length)
    expect((await preview(admin, content, { gradeId: '' })).total).toBe(pupils.length)
    const refused = await admin.post(`${path}/run`, { content, parameters: { sex: '1' } })
    expect([refused.code, refused.msg]).toEqual([400, '没有名为 sex 的字段'])
    const wrong = await admin.post(`${path}/run`, { content, parameters: { birthDate_datege: '昨天' } })
    expect(wrong.code).toBe(400)
  })
})

const rolesOf = async (who: Person): Promise<string[]> =>
  (
    await world.owner.query<{ id: string }>(
      `select target_id::text as id from app_user_role where tenant_id = $1 and owner_id = $2`,
      [who.tenantId, who.userId],
    )
  ).rows.map(({ id }) => id)
