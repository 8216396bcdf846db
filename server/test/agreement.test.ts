import { entityOf } from '@data-brain/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { spelledConstraints } from '../src/entity/agreement.ts'
import { checked, imported, packed, small, textsOf } from './oneroster-parts.ts'
import { sample } from './sample.ts'
import { makeWorld, type Person, type Row, type World } from './world.ts'

/** What the help of a field says cannot be: by a form, by many at once, by a file of another system and by bare SQL. */

let world: World
let admin: Person
const made = new Map<string, string>()

const draftOf = async (entity: string, changed: object = {}): Promise<Record<string, unknown>> => ({
  ...(await sample(admin, entityOf(entity), made)).draft,
  ...changed,
})
const submit = (entity: string, draft: object, language: 'zh' | 'en' = 'zh', fails = false) =>
  admin.post<Row & { field: string }>(`${entityOf(entity).path}/submit`, draft, { language, fails })
const add = async (entity: string, changed: object = {}): Promise<Row> => {
  const answer = await submit(entity, await draftOf(entity, changed))
  if (answer.code !== 200) throw new Error(`${entity}: ${answer.msg}`)
  return answer.data
}

/** The same values for many rows at once. */
const bulk = (entity: string, id: string, values: object) =>
  admin.post<{ failed: number; rows: { msg: string }[] }>(
    `${entityOf(entity).path}/bulk`,
    { values },
    { query: { ids: id } },
  )

beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
})
afterAll(() => world.close())

/** Days of a term that are in order, and what puts each out of order. */
const term = { beginDate: '2026-09-01', endDate: '2027-01-20', firstWeekMonday: '2026-08-31', weekCount: 20 }
const year = { yearName: '2026-2027学年', startYear: 2026, beginDate: '2026-09-01', endDate: '2027-08-31' }
const cases: readonly {
  entity: string
  right: Readonly<Record<string, unknown>>
  wrong: Readonly<Record<string, unknown>>
  field: string
  zh: string
  constraint: string
  set: string
}[] = [
  {
    entity: 'schoolsemester',
    right: term,
    wrong: { firstWeekMonday: '2026-09-01' },
    field: 'firstWeekMonday',
    zh: '教学第1周周一：须为星期一，请选择该周的周一',
    constraint: 'schoolsemester_first_week_is_monday',
    set: `first_week_monday = '2026-09-01'`,
  },
  {
    entity: 'schoolsemester',
    right: term,
    wrong: { firstWeekMonday: '2026-09-14' },
    field: 'firstWeekMonday',
    zh: '教学第1周周一：与开始日期相差不能超过7天，请改这个日期或开始日期',
    constraint: 'schoolsemester_first_week_at_begin',
    set: `first_week_monday = '2026-08-24', week_count = 1`,
  },
  {
    entity: 'schoolsemester',
    right: term,
    wrong: { weekCount: 22 },
    field: 'weekCount',
    zh: '教学周数：超出学期：最后一个教学周须在结束日期前开始，请减少周数或推后结束日期',
    constraint: 'schoolsemester_weeks_fit',
    set: 'week_count = 22',
  },
  {
    entity: 'schoolyear',
    right: year,
    wrong: { yearName: '2025-2026学年' },
    field: 'yearName',
    zh: '学年名称：名称中的年份应以起始年份开头，如起始年份为2026：2026-2027学年',
    constraint: 'schoolyear_named_by_start',
    set: `year_name = '2025-2026学年'`,
  },
  {
    entity: 'school',
    right: { schoolCode: '2111000777', schoolType: '21' },
    wrong: { schoolType: '31' },
    field: 'schoolType',
    zh: '办学类型：与学校标识码的前两位不一致，请核对两者',
    constraint: 'school_type_of_code',
    set: `school_type = '31'`,
  },
  {
    entity: 'student',
    right: { birthDate: '2015-05-05', enrollDate: '2021-09-01', idNo: null, nationalCode: null },
    wrong: { enrollDate: '2015-05-04' },
    field: 'enrollDate',
    zh: '入学年月：必须不早于出生日期',
    constraint: 'student_birth_date_order',
    set: `enroll_date = '2015-05-04'`,
  },
  {
    entity: 'schoolteachclass',
    right: { minSize: 10, maxSize: 40 },
    wrong: { maxSize: 9 },
    field: 'maxSize',
    zh: '人数上限：不能小于人数下限',
    constraint: 'schoolteachclass_sizes_order',
    set: 'max_size = 9',
  },
  {
    entity: 'sysgrade',
    right: { minAge: 6, maxAge: 7 },
    wrong: { maxAge: 5 },
    field: 'maxAge',
    zh: '最大年龄：不能小于最小年龄',
    constraint: 'sysgrade_ages_order',
    set: 'max_age = 5',
  },
]

describe('R-ERR-5 what a field says of itself holds by every way in', () => {
  it.each(cases)('$constraint', async ({ entity, right, wrong, field, zh, constraint, set }) => {
    if (entity === 'schoolsemester' && !made.has('schoolyear'))
      made.set('schoolyear', (await add('schoolyear', year)).id)
    if (entity === 'schoolsemester' || entity === 'schoolteachclass')
      await world.owner.query('delete from schoolsemester where tenant_id = $1', [admin.tenantId])
    const draft = await draftOf(entity, right)
    const refused = await submit(entity, { ...draft, ...wrong })
    expect([refused.status, refused.data.field, refused.msg]).toEqual([400, field, zh])
    const english = await submit(entity, { ...draft, ...wrong }, 'en')
    expect(english.msg).toMatch(/^[\x20-\x7e]+$/)

    const { id, version } = await (async () => {
      const known = entity === 'schoolyear' ? made.get('schoolyear') : undefined
      const answer = known ? await submit(entity, { id: known, ...year }) : await submit(entity, draft)
      expect(answer.msg).toBe('操作成功')
      return answer.data
    })()
    const edited = await submit(entity, { id, version, ...wrong })
    expect([edited.status, edited.data.field, edited.msg]).toEqual([400, field, zh])
    const many = await bulk(entity, id, wrong)
    expect([many.data.failed, many.data.rows[0]?.msg]).toEqual([1, zh])
    await expect(
      world.owner.query(`update ${entity} set ${set} where tenant_id = $1 and id = $2`, [admin.tenantId, id]),
    ).rejects.toMatchObject({ constraint })
  })

  it('every agreement that is judged in words stands in the database under its name', async () => {
    const { rows } = await world.owner.query<{ name: string }>(
      `select conname as name from pg_constraint where contype = 'c' and convalidated`,
    )
    const names = rows.map(({ name }) => name)
    const judged = [...spelledConstraints()].filter(([, meaning]) => 'holds' in meaning)
    expect(judged.length).toBeGreaterThan(10)
    for (const [name] of judged) expect(names).toContain(name)
  })

  it('a file of another system is told the line', async () => {
    const owner = await world.tenant()
    await imported(world, owner, packed(small()))
    const { rows } = await world.owner.query<{ id: string }>('select id from schoolsemester where tenant_id = $1', [
      owner.tenantId,
    ])
    expect(rows.length).toBeGreaterThan(0)
    const answer = await world.http.inject({
      method: 'GET',
      url: '/api/blade-user/oneroster/export',
      headers: { 'blade-auth': `bearer ${owner.token}` },
    })
    const texts = textsOf(answer.rawPayload)
    const before = texts['academicSessions.csv']!
    const header = before.split('\r\n')[0]!.split(',')
    const at = header.indexOf('metadata.firstWeekMonday')
    expect(at).toBeGreaterThan(0)
    const lines = before.split('\r\n').map((line) => line.split(','))
    const line = lines.findIndex((cells, index) => index > 0 && /^\d{4}-/.test(cells[at] ?? ''))
    lines[line]![at] = '2020-01-07'
    const { report } = await checked(
      world,
      owner,
      packed({ ...texts, 'academicSessions.csv': lines.map((cells) => cells.join(',')).join('\r\n') }),
    )
    expect(report.faults).toEqual([
      expect.objectContaining({
        file: 'academicSessions.csv',
        line: line + 1,
        column: 'metadata.firstWeekMonday',
        message: expect.stringContaining('须为星期一'),
      }),
    ])
  })
})

describe('schools, campuses, floors', () => {
  it('a school lies in a county, or in a city that has none', async () => {
    const draft = await draftOf('school', { schoolName: '区划小学' })
    const refused = await submit('school', { ...draft, regionCode: '110000' })
    expect([refused.status, refused.data.field, refused.msg]).toEqual([
      400,
      'regionCode',
      '所属区划：请选到县（区）一级',
    ])
    expect((await submit('school', { ...draft, regionCode: '320100' }, 'en')).msg).toMatch(/county or district/)
    const whole = await submit('school', { ...draft, regionCode: '441900' })
    expect(whole.msg).toBe('操作成功')
    expect((await submit('school', { id: whole.data.id, regionCode: '440000' })).data.field).toBe('regionCode')
  })

  it('a floor without a name is called by its building and number, and follows them', async () => {
    const floor = await add('schoolfloor', { buildingName: '实验楼', floorNo: 3, floorName: '' })
    expect(floor.floorName).toBe('实验楼3层')
    const moved = await submit('schoolfloor', { id: floor.id, floorNo: -1 })
    expect(moved.data.floorName).toBe('实验楼-1层')
    const named = await submit('schoolfloor', { id: floor.id, floorName: '地下车库' })
    expect(named.data.floorName).toBe('地下车库')
    expect((await submit('schoolfloor', { id: floor.id, floorNo: -2 })).data.floorName).toBe('地下车库')
    expect((await submit('schoolfloor', { id: floor.id, floorName: null })).data.floorName).toBe('实验楼-2层')
  })

  const mainsOf = async (schoolId: unknown): Promise<string[]> =>
    (
      await world.owner.query<{ name: string }>(
        'select campus_name as name from schoolcampus where tenant_id = $1 and school_id = $2 and is_main = 1',
        [admin.tenantId, schoolId],
      )
    ).rows.map(({ name }) => name)

  it('R-SCHOOL-10 a school has exactly one main campus, moved in one step, also when ten are made it at once', async () => {
    const { id: schoolId } = await add('school', { schoolName: '多校区学校' })
    expect(await mainsOf(schoolId)).toEqual(['校本部'])
    const campus = (campusName: string, isMain: number) =>
      add('schoolcampus', { schoolId, campusName, campusCode: campusName, isMain })
    const east = await campus('E', 0)
    const west = await campus('W', 1)
    expect(await mainsOf(schoolId)).toEqual(['W'])
    const given = await submit('schoolcampus', { id: west.id, isMain: 0 })
    expect([given.status, given.data.field, given.msg]).toEqual([
      400,
      'isMain',
      '主校区：学校须有一个主校区，请直接把另一个校区设为主校区',
    ])
    const gone = await admin.remove('blade-user/schoolcampus', west.id)
    expect([gone.status, gone.msg]).toEqual([400, '主校区：主校区不能删除，请先把另一个校区设为主校区'])
    const many = await bulk('schoolcampus', west.id, { isMain: 0 })
    expect(many.data.failed).toBe(1)
    const others = await Promise.all(Array.from({ length: 8 }, (_, nth) => campus(`C${nth}`, 0)))
    for (let round = 0; round < 5; round += 1) {
      const answers = await Promise.all(
        [east, west, ...others].map(({ id }) => submit('schoolcampus', { id, isMain: 1 }, 'zh', true)),
      )
      expect(answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 503)).toEqual([])
      expect(await mainsOf(schoolId)).toHaveLength(1)
    }
    await expect(
      world.owner.query('update schoolcampus set is_main = 1 where tenant_id = $1 and school_id = $2', [
        admin.tenantId,
        schoolId,
      ]),
    ).rejects.toMatchObject({ constraint: 'schoolcampus_is_main_single' })
  })

  it('A2 a version put back and a change taken back leave exactly one main campus, and no size beyond another', async () => {
    const { id: schoolId } = await add('school', { schoolName: '恢复的学校' })
    const campus = (campusName: string, isMain: number) =>
      add('schoolcampus', { schoolId, campusName, campusCode: campusName, isMain })
    const east = await campus('RE', 1)
    await submit('schoolcampus', { id: east.id, remark: '主' })
    const west = await campus('RW', 1)
    expect(await mainsOf(schoolId)).toEqual(['RW'])
    const [first] = (await admin.get<{ id: string }[]>('blade-user/schoolcampus/history', { id: east.id })).data.slice(
      -1,
    )
    const back = await admin.post<Row>('blade-user/schoolcampus/restore', undefined, {
      query: { id: east.id, historyId: first!.id },
    })
    expect([back.status, await mainsOf(schoolId)]).toEqual([200, ['RE']])
    const { rows } = await world.owner.query<{ request_id: string }>(
      'select request_id from history where tenant_id = $1 and row_id = $2 order by id limit 1',
      [admin.tenantId, west.id],
    )
    await admin.post('blade-log/history/undo', undefined, { query: { requestId: rows[0]!.request_id, changed: 1 } })
    expect(await mainsOf(schoolId)).toHaveLength(1)

    // Each size was right in its time; an older upper one beside a newer lower one is not.
    const sized = await add('schoolteachclass', { minSize: 1, maxSize: 10 })
    const undone = await submit('schoolteachclass', { id: sized.id, maxSize: 40 })
    await submit('schoolteachclass', { id: sized.id, minSize: 20 })
    const { rows: entries } = await world.owner.query<{ request_id: string }>(
      'select request_id from history where tenant_id = $1 and row_id = $2 and version = $3',
      [admin.tenantId, sized.id, undone.data.version],
    )
    const taken = await admin.post('blade-log/history/undo', undefined, {
      query: { requestId: entries[0]!.request_id, changed: 1 },
    })
    expect(taken.status).toBeLessThan(500)
    const { data } = await admin.get<Row>('blade-user/schoolteachclass/detail', { id: sized.id })
    expect(Number(data.minSize)).toBeLessThanOrEqual(Number(data.maxSize))
  })

  it('a closed school has no campus in use, and none is added or taken into use', async () => {
    const school = await add('school', { schoolName: '撤销小学' })
    const campus = await add('schoolcampus', { schoolId: school.id, isMain: 0 })
    const closed = await submit('school', { id: school.id, status: 3 })
    expect(closed.msg).toBe('操作成功')
    const { rows } = await world.owner.query(
      'select distinct status from schoolcampus where tenant_id = $1 and school_id = $2',
      [admin.tenantId, school.id],
    )
    expect(rows).toEqual([{ status: 0 }])
    for (const draft of [await draftOf('schoolcampus', { schoolId: school.id }), { id: campus.id, status: 1 }]) {
      const refused = await submit('schoolcampus', draft)
      expect([refused.status, refused.data.field, refused.msg]).toEqual([
        400,
        'schoolId',
        '学校：已撤销，不能新增或启用校区',
      ])
    }
    const many = await bulk('schoolcampus', campus.id, { status: 1 })
    expect(many.data.failed).toBe(1)
  })
})

describe('ISSUE-13-A2 what the database judges, whoever writes', () => {
  /** What the role of requests runs by itself, in one transaction of the tenant that is kept. */
  const run = (...texts: string[]): Promise<unknown> =>
    world.inTenant(admin.tenantId, async (tx) => {
      for (const text of texts) await tx.run({ text, values: [] })
    })
  const refuses = (constraint: string, ...texts: string[]): Promise<void> =>
    expect(run(...texts), texts.join()).rejects.toMatchObject({ code: '23514', constraint })

  it('a school is not founded, and nobody born, after today; a school lies in a county', async () => {
    const school = await add('school', { schoolName: '未来小学', schoolCode: '2111000942' })
    await refuses('school_founded_on_past', `update school set founded_on = current_date + 1 where id = ${school.id}`)
    await run(`update school set founded_on = current_date where id = ${school.id}`)
    await refuses('school_region_is_county', `update school set region_code = '110000' where id = ${school.id}`)
    const copy = (set: object): string =>
      `insert into school select r.* from school s, jsonb_populate_record(s, '${JSON.stringify({
        ...{ id: '77', school_code: '2111000943', school_name: '抄来小学', uscc: null },
        ...set,
      })}') r where s.id = ${school.id}`
    await refuses('school_region_is_county', copy({ region_code: '320100' }))
    await refuses('school_founded_on_past', copy({ founded_on: '2999-01-01' }))
    // What stood before is no hindrance to what is written beside it.
    await world.owner.query(`alter table school disable trigger school_founded_on_past`)
    await world.owner.query(`update school set founded_on = '2999-01-01' where id = $1`, [school.id])
    await world.owner.query(`alter table school enable trigger school_founded_on_past`)
    await run(`update school set founded_on = '2999-01-01', remark = '原有' where id = ${school.id}`)
    const student = await add('student', {})
    await refuses(
      'student_birth_date_past',
      `update student set birth_date = current_date + 1, enroll_date = null where id = ${student.id}`,
    )
    await refuses('app_user_birthday_past', `update app_user set birthday = current_date + 1`)
  })

  it('a school that has campuses has a main one when all is done', async () => {
    const school = await add('school', { schoolName: '校区小学', schoolCode: '2111000944' })
    const other = await add('schoolcampus', { schoolId: school.id, campusCode: 'B', campusName: '东校区', isMain: 0 })
    const ofSchool = `school_id = ${school.id}`
    await refuses('schoolcampus_has_main', `update schoolcampus set is_main = 0 where ${ofSchool}`)
    await refuses('schoolcampus_has_main', `delete from schoolcampus where ${ofSchool} and is_main = 1`)
    await run(
      `update schoolcampus set is_main = 0 where ${ofSchool} and is_main = 1`,
      `update schoolcampus set is_main = 1 where id = ${other.id}`,
    )
    await refuses('schoolcampus_has_main', `delete from schoolcampus where ${ofSchool}`)
    // With its school it may go.
    await run(
      `update dept set school_id = null where ${ofSchool}`,
      `delete from schoolcampus where ${ofSchool}`,
      `delete from school where id = ${school.id}`,
    )
  })

  it('a floor without a name is called by its building and number, and a class counts those who are in it', async () => {
    const floor = await add('schoolfloor', { buildingName: '综合楼', floorNo: 4, floorName: '顶层' })
    await run(`update schoolfloor set floor_name = '' where id = ${floor.id}`)
    const { rows } = await world.owner.query('select floor_name from schoolfloor where id = $1', [floor.id])
    expect(rows).toEqual([{ floor_name: '综合楼4层' }])
    const { id: classId } = await add('schoolclass', {})
    await add('student', { classId })
    const counted = async (): Promise<unknown> =>
      (await world.owner.query('select student_count from schoolclass where id = $1', [classId])).rows[0].student_count
    const before = await counted()
    await run(`update schoolclass set student_count = 99 where id = ${classId}`)
    expect([before, await counted()]).toEqual([1, 1])
  })
})

describe('groups and counts', () => {
  it('a group takes no more members than its limit, also when ten come at once, and is not made smaller than it is', async () => {
    const group = await add('studentgroup', { maxSize: 3, yearId: null, isDynamic: 0, rule: null })
    const pupils = []
    for (let nth = 0; nth < 10; nth += 1)
      pupils.push(await add('student', { schoolId: group.schoolId, classId: null, gradeId: null, seatNo: null }))
    const answers = await Promise.all(
      pupils.map(({ id }) =>
        submit('studentgrouprelevance', { groupId: group.id, studentId: id, beginDate: '2026-09-01', role: '2' }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
    expect(answers.find(({ status }) => status !== 200)!.msg).toBe(
      '分组：已有3名成员，达到人数上限，请先提高上限或移出成员',
    )
    const refused = await submit('studentgroup', { id: group.id, maxSize: 2 })
    expect([refused.data.field, refused.msg]).toEqual(['maxSize', '人数上限：不能小于现有成员数3'])
  })

  it('a class counts those who are enrolled', async () => {
    const place = await add('schoolclass', {})
    const like = { schoolId: place.schoolId, gradeId: place.gradeId, classId: place.id, seatNo: null }
    const [one] = [await add('student', like), await add('student', like)]
    const shown = async () =>
      (await admin.get<Row>('blade-user/schoolclass/detail', { id: place.id })).data.studentCount
    expect(await shown()).toBe(2)
    await submit('student', { id: one!.id, status: 2 })
    expect(await shown()).toBe(1)
    expect((await bulk('student', one!.id, { status: 1 })).data.failed).toBe(0)
    expect(await shown()).toBe(2)
    await submit('student', { id: one!.id, status: 10 })
    expect(await shown()).toBe(1)
  })
})
