import { entityOf } from '@data-brain/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { demo, makeDemoWorld } from './demo-world.ts'
import type { Person, World } from './world.ts'

interface Figure {
  key: string
  code: string
  query: Record<string, string>
  count: number
}
interface Summary {
  kind: string | null
  kinds: string[]
  term: { week: number } | null
  week: { day: number }[] | null
  teacher: {
    id: string
    name: string
    classes: { id: string }[]
    pupils: { id: string; birthday: string | null }[]
    gaps: Figure[]
  } | null
  office: {
    figures: Figure[]
    gaps: Figure[]
    grades: { id: string; total: number; boys: number; girls: number }[]
    schools: { id: string; total: number }[]
    full: { id: string; count: number; maxSize: number }[]
    sizes: { name: string; classes: { id: string; count: number; maxSize: number }[] }[]
    imports: { id: string; fileName: string; state: string; added: number; bad: number; time: string }[] | null
  } | null
  bureau: {
    grades: { id: string; total: number }[]
    full: { id: string; count: number; maxSize: number }[]
    figures: Figure[]
    gaps: Figure[]
    schools: { id: string; pupils: number; noClass: number; classes: number; overdue: number }[]
    notices: { id: string; read: number; unread: number }[] | null
  } | null
  admin: {
    figures: Figure[]
    locked: { id: string; account: string; minutes: number }[] | null
    signIns: { day: string; good: number; failed: number }[] | null
  } | null
  changes: { entity: string; rowId: string; rowName: string; userName: string; action: string }[] | null
}

let world: World
let teacher: Person
let registrar: Person
let admin: Person
beforeAll(async () => {
  world = await makeDemoWorld()
  teacher = await world.as(demo, 'banzhuren')
  registrar = await world.as(demo, 'jiaowu')
  admin = await world.as(demo, 'admin')
}, 120_000)
afterAll(() => world.close())

const home = async (who: Person, query: Record<string, string> = {}): Promise<Summary> => {
  const answer = await who.get<Summary>('blade-desk/home', query)
  if (answer.code !== 200) throw new Error(answer.msg)
  return answer.data
}
const rows = async <T extends object>(text: string): Promise<T[]> => (await world.owner.query<T>(text)).rows
const n = async (text: string): Promise<number> =>
  Number((await rows<{ n: string }>(`select count(*) as n from ${text}`))[0]!.n)

/** Each figure leads to a list of exactly as many rows. */
async function leadRight(who: Person, figures: readonly Figure[]): Promise<void> {
  expect(figures.length).toBeGreaterThan(0)
  for (const { key, code, query, count } of figures) {
    const list = await who.get<{ total: number }>(`${entityOf(code).path}/list`, query)
    expect(list.data.total, key).toBe(count)
  }
}

describe('R-ROUTE-4 the first page, by what somebody may and has', () => {
  it('shows a class teacher the own class, every pupil of it and no other', async () => {
    const found = await home(teacher)
    expect(found.kinds).toEqual(['teacher'])
    const [own] = await rows<{ id: string }>(
      `select c.id::text as id from schoolclass c join app_user u on u.id = c.head_teacher_id where u.tenant_id = '${demo}' and u.account = 'banzhuren'`,
    )
    expect(found.teacher?.id).toBe(own!.id)
    const pupils = await rows<{ id: string }>(
      `select id::text as id from student where tenant_id = '${demo}' and class_id = ${own!.id} and status = 1`,
    )
    expect(found.teacher!.pupils.map(({ id }) => id).sort()).toEqual(pupils.map(({ id }) => id).sort())
    // What is missing is what the list finds, the national form's gaps included, and of this class alone.
    expect(found.teacher!.gaps.map(({ key }) => key)).toEqual(
      ['noGuardian', 'noPhoto', 'national'].slice(0, found.teacher!.gaps.length),
    )
    for (const { query } of found.teacher!.gaps) expect(query.classId).toBe(own!.id)
    await leadRight(teacher, found.teacher!.gaps)
    expect(found.teacher!.gaps.find(({ key }) => key === 'noPhoto')!.count).toBe(
      await n(`student where tenant_id = '${demo}' and class_id = ${own!.id} and status = 1 and photo is null`),
    )
    expect(found.office).toBeNull()
    expect(found.admin).toBeNull()
    expect(JSON.stringify(found).length).toBeLessThan(12_000)
    // What is asked for and is not one's own is not given.
    expect((await home(teacher, { kind: 'office' })).office).toBeNull()
  })

  it('shows each class of somebody who heads one and helps in another, and no third', async () => {
    const [mine, other, third] = await rows<{ id: string }>(
      `select c.id::text as id from schoolclass c left join app_user u on u.id = c.head_teacher_id where c.tenant_id = '${demo}'
       order by (u.account = 'banzhuren') desc nulls last, c.id limit 3`,
    )
    await world.owner.query(
      `insert into schoolclass_deputy_teacher (tenant_id, owner_id, target_id, ord)
       select '${demo}', ${other!.id}, id, 1 from app_user where tenant_id = '${demo}' and account = 'banzhuren'`,
    )
    try {
      expect((await home(teacher)).teacher!.classes.map(({ id }) => id)).toEqual([mine!.id, other!.id])
      expect((await home(teacher, { classId: other!.id })).teacher!.id).toBe(other!.id)
      expect((await home(teacher, { classId: third!.id })).teacher!.id).toBe(mine!.id)
    } finally {
      await world.owner.query(
        `delete from schoolclass_deputy_teacher where tenant_id = '${demo}' and owner_id = ${other!.id}`,
      )
    }
  })

  it('shows the teacher the lessons of today, as the timetable has them', async () => {
    const found = await home(teacher)
    const weekday = await rows<{ day: string }>(
      `select extract(isodow from now() at time zone 'Asia/Shanghai')::int::text as day`,
    )
    expect(found.week?.filter(({ day }) => String(day) === weekday[0]!.day).length).toBe(
      await n(
        `classschedule l join app_user u on u.id = l.teacher_id join schoolsemester m on m.id = l.semester_id where u.tenant_id = '${demo}'
         and u.account = 'banzhuren' and m.is_current = 1 and l.weekday = '${weekday[0]!.day}'
         and (now() at time zone 'Asia/Shanghai')::date between m.begin_date and m.end_date`,
      ),
    )
  })

  it('counts for a registrar what the lists that it leads to show', async () => {
    const found = await home(registrar)
    expect(found.kind).toBe('office')
    await leadRight(registrar, found.office!.figures)
    await leadRight(registrar, found.office!.gaps)
    const enrolled = await n(`student where tenant_id = '${demo}' and status = 1`)
    expect(found.office!.schools.reduce((sum, { total }) => sum + total, 0)).toBe(enrolled)
    expect(found.office!.grades.reduce((sum, { total }) => sum + total, 0)).toBe(
      await n(`student where tenant_id = '${demo}' and status = 1 and grade_id is not null`),
    )
    for (const { boys, girls, total } of found.office!.grades) expect(boys + girls).toBe(total)
    expect(JSON.stringify(found).length).toBeLessThan(12_000)
  })

  it('gives an administrator each of them, one at a time', async () => {
    const first = await home(admin)
    expect(first.kinds).toEqual(['office', 'bureau', 'admin'])
    // The log of the day, and another tenant's.
    for (const [at, [tenant, event]] of [
      [demo, 'login'],
      [demo, 'login'],
      [demo, 'lock'],
      [demo, 'login_failed'],
      [demo, 'logout'],
      ['000000', 'login'],
    ].entries())
      await world.owner.query(
        `insert into log_usual (tenant_id, create_time, id, log_id, log_level, title) values ('${tenant}', now(), ${at + 1}, '${event}', 'info', 'x')`,
      )
    const second = await home(admin, { kind: 'admin' })
    expect(second.kind).toBe('admin')
    expect(second.office).toBeNull()
    const counted = Object.fromEntries(second.admin!.figures.map(({ key, count }) => [key, count]))
    await leadRight(
      admin,
      second.admin!.figures.filter(({ code }) => code === 'user'),
    )
    expect(counted.neverUsed).toBe(
      await n(
        `app_user u where u.tenant_id = '${demo}' and u.status = 1 and not exists (select 1 from session s where s.tenant_id = u.tenant_id and s.user_id = u.id)`,
      ),
    )
    const today = `tenant_id = '${demo}' and (create_time at time zone 'Asia/Shanghai')::date = (now() at time zone 'Asia/Shanghai')::date`
    expect(counted.signIns).toBe(await n(`log_usual where ${today} and log_id = 'login'`))
    expect(counted.signIns).toBeGreaterThanOrEqual(2)
    expect(counted.locked).toBe(1)
    // Day by day, in the days of the school; those of other tenants and older ones are none of them.
    await world.owner.query(
      `insert into log_usual (tenant_id, create_time, id, log_id, log_level, title)
       values ('${demo}', now() - interval '3 days', 91, 'login', 'info', 'x'), ('${demo}', now() - interval '20 days', 92, 'login', 'info', 'x'),
              ('000000', now() - interval '3 days', 93, 'login', 'info', 'x')`,
    )
    const days = (await home(admin, { kind: 'admin' })).admin!.signIns!
    expect(days).toHaveLength(14)
    expect(days.at(-1)).toEqual({
      day: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
      good: await n(`log_usual where ${today} and log_id = 'login'`),
      failed: 2,
    })
    expect(days.slice(0, 13).map(({ good, failed }) => good + failed)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0])
    // Who is locked out at present, of this tenant alone; a lock that is over, or of nobody, is none.
    const [one, two] = await rows<{ id: string; account: string }>(
      `select id::text as id, account from app_user where tenant_id = '${demo}' and account in ('banzhuren', 'jiaowu') order by account`,
    )
    const [far] = await rows<{ id: string }>(`select id::text as id from app_user where tenant_id <> '${demo}' limit 1`)
    for (const [at, [tenant, id, minutes]] of [
      [demo, one!.id, 10],
      [demo, two!.id, -1],
      [demo, null, 10],
      ['000000', far!.id, 10],
    ].entries())
      await world.owner.query(
        `insert into login_failure (tenant_id, account_hash, failures, locked_until, user_id)
         values ('${tenant}', '\\x0${at}', 5, now() + ${minutes} * interval '1 minute', ${id})`,
      )
    const third = (await home(admin, { kind: 'admin' })).admin!
    expect(third.locked).toEqual([{ id: one!.id, name: expect.any(String), account: one!.account, minutes: 10 }])
    expect(third.figures.find(({ key }) => key === 'lockedNow')?.count).toBe(1)
    await leadRight(
      admin,
      third.figures.filter(({ code }) => code === 'user'),
    )
    await world.owner.query(`delete from login_failure where failures = 5`)
    expect(counted.storage).toBe(
      Number(
        (
          await rows<{ n: string }>(`select coalesce(sum(attach_size), 0) as n from attach where tenant_id = '${demo}'`)
        )[0]!.n,
      ),
    )
    expect(second.changes).not.toBeNull()
  })

  it('lists as newest changes what people did, by their names, and not what the product seeded', async () => {
    expect(await n(`history where tenant_id = '${demo}' and user_id is null`)).toBeGreaterThan(1000)
    const [before] = await rows<{ id: string; name: string }>(
      `select s.id::text as id, s.name || '（' || c.class_name || '，' || s.student_no || '）' as name
         from student s join schoolclass c on c.id = s.class_id where s.tenant_id = '${demo}' and s.status = 1 order by s.id limit 1`,
    )
    const done = await registrar.post('blade-user/student/submit', { id: before!.id, remark: '转学材料待补' })
    expect(done.status, done.msg).toBe(200)
    const { changes } = await home(admin)
    const person = await rows<{ name: string }>(
      `select real_name as name from app_user where tenant_id = '${demo}' and account = 'jiaowu'`,
    )
    expect(changes![0]).toMatchObject({
      ...{ entity: 'student', rowId: before!.id, rowName: before!.name, action: 'edit' },
      userName: person[0]!.name,
    })
    for (const { userName } of changes!) expect(userName).not.toBe('demo')
  })

  it('leads who runs the platform to accounts and rights, not to pupils that the platform has none of', async () => {
    const platform = await world.as('000000', 'admin')
    const found = await home(platform)
    expect([found.kinds, found.office]).toEqual([['admin'], null])
    expect(found.admin!.figures.length).toBeGreaterThan(3)
  })

  it('R-TEN-1 names other tenants among the newest changes of the platform, and to nobody else', async () => {
    const platform = await world.as('000000', 'admin')
    const made = await platform.post<{ id: string }>('blade-system/tenant/submit', {
      tenantName: '城北教育集团',
      linkman: '李明',
      contactNumber: '13800138000',
      account: 'admin',
    })
    expect(made.status, made.msg).toBe(200)
    const first = async (who: Person) => (await home(who, { kind: 'admin' })).changes!
    expect((await first(platform))[0]).toMatchObject({ entity: 'tenant', rowName: '城北教育集团', action: 'add' })
    const list = await platform.get<{ records: { rowName: string }[] }>('blade-log/history/list', { entity: 'tenant' })
    expect(list.data.records[0]!.rowName).toBe('城北教育集团')
    expect(JSON.stringify(await first(admin))).not.toContain('城北教育集团')
  })

  it('tells a bureau of every school what it has, what is missing there, and whose semester is over', async () => {
    /** Whole weeks, so that the first week still begins on a Monday. */
    const by = (days: number) =>
      ['begin_date', 'end_date', 'first_week_monday'].map((column) => `${column} = ${column} + (${days})`).join(', ')
    const late = await rows<{ id: string }>(
      `update schoolsemester set ${by(-1001)} where id = (
         select min(id) from schoolsemester where tenant_id = '${demo}' and is_current = 1) returning school_id::text as id`,
    )
    try {
      const { bureau } = await home(admin, { kind: 'bureau' })
      await leadRight(admin, bureau!.figures)
      await leadRight(admin, bureau!.gaps)
      const schools = await rows<{ id: string }>(
        `select id::text as id from school where tenant_id = '${demo}' and status = 1`,
      )
      expect(schools.length).toBeGreaterThan(1)
      expect(bureau!.schools.map(({ id }) => id).sort()).toEqual(schools.map(({ id }) => id).sort())
      for (const each of bureau!.schools) {
        const of = `tenant_id = '${demo}' and school_id = ${each.id} and status = 1`
        expect(each).toMatchObject({
          pupils: await n(`student where ${of}`),
          noClass: await n(`student where ${of} and class_id is null`),
          noPhoto: await n(`student where ${of} and photo is null`),
          classes: await n(`schoolclass where ${of}`),
          noTeacher: await n(`schoolclass where ${of} and head_teacher_id is null`),
          overdue: each.id === late[0]!.id ? 1 : 0,
        })
      }
      expect(bureau!.grades.reduce((sum, { total }) => sum + total, 0)).toBe(
        await n(`student where tenant_id = '${demo}' and status = 1 and grade_id is not null`),
      )
      expect(bureau!.full.map(({ count, maxSize }) => count - maxSize)).toEqual(
        (
          await rows<{ over: number }>(
            `select student_count - max_size as over from schoolclass where tenant_id = '${demo}' and status = 1 order by 1 desc limit 6`,
          )
        ).map(({ over }) => over),
      )
      for (const { id, read, unread } of bureau!.notices ?? []) {
        expect(read).toBe(await n(`notice_read where tenant_id = '${demo}' and notice_id = ${id}`))
        expect(unread).toBeGreaterThanOrEqual(0)
      }
      expect(bureau!.notices?.length).toBe(Math.min(4, await n(`notice where tenant_id = '${demo}' and status = 1`)))
    } finally {
      await world.owner.query(
        `update schoolsemester set ${by(1001)} where tenant_id = '${demo}' and school_id = ${late[0]!.id} and is_current = 1`,
      )
    }
  })

  it('shows an office how the newest imports ended, newest first, and an only school every class of it', async () => {
    const batch = (tenant: string, id: number, state: string, hours: number, entity = 'student') =>
      world.owner.query(
        `insert into import_batch (tenant_id, id, entity, template, file_name, state, counts, user_name, create_time)
         values ('${tenant}', ${id}, '${entity}', 'national', '花名册${id}.xlsx', '${state}', '{"add": 3, "bad": ${id}}', '谢雪敏', now() - ${hours} * interval '1 hour')`,
      )
    await batch(demo, 1, 'done', 3)
    await batch(demo, 2, 'checked', 1)
    await batch(demo, 3, 'done', 1, 'user')
    await batch('000000', 4, 'done', 1)
    const found = (await home(registrar)).office!
    expect(found.imports!.map(({ fileName, state, added, bad }) => [fileName, state, added, bad])).toEqual([
      ['花名册2.xlsx', 'checked', 3, 2],
      ['花名册1.xlsx', 'done', 3, 1],
    ])
    expect(found.imports![0]!.time).toMatch(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/)
    expect(found.sizes).toEqual([])
    await world.owner.query(`delete from import_batch where id <= 4`)
    // Who may import nothing is shown no imports; who sees one school alone, its classes.
    const [school] = await rows<{ id: string }>(`select id::text as id from school where tenant_id = '${demo}' limit 1`)
    const principal = await world.colleague(admin, ['school_view', 'schoolclass_view', 'student_view'])
    const roleId = String(
      (await admin.get<{ roleId: string }>('blade-user/detail', { id: principal.userId })).data.roleId,
    )
    const scopes: string[] = []
    for (const entity of ['school', 'student', 'schoolclass'] as const) {
      const made = await admin.post<{ id: string }>(`${entityOf('datascope').path}/submit`, {
        ...{ scopeName: `一校${entity}`, resourceCode: `one-${entity}`, scopeClass: entity, scopeType: '5' },
        scopeValue: { all: [{ field: entity === 'school' ? 'id' : 'schoolId', op: 'in', value: [school!.id] }] },
      })
      expect(made.code, made.msg).toBe(200)
      scopes.push(made.data.id)
    }
    const keys = await admin.get<{ menu: string[] }>('blade-system/menu/role-tree-keys', { roleIds: roleId })
    await admin.post('blade-system/role/grant', {
      ...{ roleIds: [roleId], menuIds: keys.data.menu, dataScopeIds: scopes },
    })
    const own = (await home(principal)).office!
    expect(own.imports).toBeNull()
    expect(own.full).toEqual([])
    expect(own.sizes.flatMap(({ classes }) => classes.map(({ id, count }) => `${id} ${count}`)).sort()).toEqual(
      (
        await rows<{ line: string }>(
          `select c.id || ' ' || (select count(*) from student s where s.class_id = c.id and s.status = 1) as line from schoolclass c
           where c.tenant_id = '${demo}' and c.school_id = ${school!.id} and c.status = 1`,
        )
      )
        .map(({ line }) => line)
        .sort(),
    )
  })

  it('holds data scopes, tells a stranger nothing, and shows nothing to somebody without rights', async () => {
    const stranger = await world.tenant()
    const empty = await home(stranger)
    expect(empty.office!.schools).toEqual([])
    expect(empty.office!.figures.find(({ key }) => key === 'pupils')?.count).toBe(0)
    const nobody = await home(await world.colleague(stranger, []))
    expect(nobody).toMatchObject({
      kind: null,
      kinds: [],
      week: null,
      teacher: null,
      office: null,
      bureau: null,
      admin: null,
    })
    // A registrar whose role works with one grade and its class only counts these.
    const [own] = await rows<{ id: string; grade_id: string }>(
      `select c.id::text as id, c.grade_id from schoolclass c where c.tenant_id = '${demo}' order by c.id limit 1`,
    )
    const clerk = await world.colleague(admin, ['student_view', 'student_edit'])
    const scope = await admin.post<{ id: string }>(`${entityOf('datascope').path}/submit`, {
      scopeName: '一个班',
      resourceCode: 'home-one-class',
      scopeClass: 'student',
      scopeType: '5',
      scopeValue: { all: [{ field: 'classId', op: 'in', value: [own!.id] }] },
    })
    expect(scope.code, scope.msg).toBe(200)
    const roleId = String((await admin.get<{ roleId: string }>('blade-user/detail', { id: clerk.userId })).data.roleId)
    const keys = await admin.get<{ menu: string[] }>('blade-system/menu/role-tree-keys', { roleIds: roleId })
    await admin.post('blade-system/role/grant', {
      roleIds: [roleId],
      menuIds: keys.data.menu,
      dataScopeIds: [scope.data.id],
    })
    const part = await home(clerk)
    const mine = await n(`student where tenant_id = '${demo}' and class_id = ${own!.id} and status = 1`)
    expect(mine).toBeGreaterThan(0)
    expect(part.office!.schools.map(({ total }) => total)).toEqual([mine])
    expect(part.office!.grades.map(({ total }) => total)).toEqual([mine])
    expect(part.office!.figures.find(({ key }) => key === 'pupils')?.count).toBe(mine)
    expect(part.office!.full).toEqual([])
  })

  it('counts for a bureau only the schools in its scope; with one alone it is a school’s office', async () => {
    const two = (
      await rows<{ id: string }>(
        `select id::text as id from school where tenant_id = '${demo}' order by sort, id limit 2`,
      )
    ).map(({ id }) => id)
    const viewer = await world.colleague(admin, ['student_view', 'school_view', 'schoolclass_view'])
    expect((await home(viewer)).kinds).toEqual(['bureau', 'office'])
    const scopes: string[] = []
    for (const [scopeClass, field] of [
      ['school', 'id'],
      ['student', 'schoolId'],
      ['schoolclass', 'schoolId'],
    ] as const) {
      const scope = await admin.post<{ id: string }>(`${entityOf('datascope').path}/submit`, {
        ...{
          scopeName: `一所学校 ${scopeClass}`,
          resourceCode: `home-one-school-${scopeClass}`,
          scopeClass,
          scopeType: '5',
        },
        scopeValue: { all: [{ field, op: 'in', value: two }] },
      })
      expect(scope.code, scope.msg).toBe(200)
      scopes.push(scope.data.id)
    }
    const roleId = String((await admin.get<{ roleId: string }>('blade-user/detail', { id: viewer.userId })).data.roleId)
    const keys = await admin.get<{ menu: string[] }>('blade-system/menu/role-tree-keys', { roleIds: roleId })
    await admin.post('blade-system/role/grant', { roleIds: [roleId], menuIds: keys.data.menu, dataScopeIds: scopes })
    const { bureau } = await home(viewer, { kind: 'bureau' })
    expect(bureau!.schools.map(({ id }) => id)).toEqual(two)
    for (const { id, pupils } of bureau!.schools)
      expect(pupils).toBe(await n(`student where tenant_id = '${demo}' and school_id = ${id} and status = 1`))
    expect(bureau!.notices).toBeNull()
    await leadRight(viewer, bureau!.figures)

    const narrowed = await admin.post(`${entityOf('datascope').path}/submit`, {
      id: scopes[0],
      scopeValue: { all: [{ field: 'id', op: 'in', value: two.slice(0, 1) }] },
    })
    expect(narrowed.code, narrowed.msg).toBe(200)
    expect((await home(viewer)).kinds).toEqual(['office'])
  })
})
