import { entityOf } from '@data-brain/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../src/database/statement.ts'
import { inPlatform } from '../src/database/transaction.ts'
import { seedDemo } from '../src/seed/demo/index.ts'
import { makeWorld, type Person, type World } from './world.ts'

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
  lessons: unknown[] | null
  teacher: { id: string; name: string; pupils: { id: string; noPhone: number; noPhoto: number }[] } | null
  office: {
    figures: Figure[]
    gaps: Figure[]
    grades: { id: string; total: number; boys: number; girls: number }[]
    schools: { id: string; total: number }[]
    full: { id: string; count: number; maxSize: number }[]
  } | null
  admin: { figures: Figure[] } | null
  changes: unknown[] | null
}

const demo = '000001'
let world: World
let teacher: Person
let registrar: Person
let admin: Person
beforeAll(async () => {
  world = await makeWorld()
  await inPlatform(world.services.platform, (tx) => tx.run(sql`delete from seed_mark where name = 'demo'`))
  await seedDemo(world.services)
  await world.owner.query(`update credential set must_change = 0, expires_at = null where tenant_id = '${demo}'`)
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
    const pupils = await rows<{ id: string; photo: string | null }>(
      `select id::text as id, photo from student where tenant_id = '${demo}' and class_id = ${own!.id} and status = 1`,
    )
    expect(found.teacher!.pupils.map(({ id }) => id).sort()).toEqual(pupils.map(({ id }) => id).sort())
    expect(found.teacher!.pupils.filter(({ noPhoto }) => noPhoto === 1).length).toBe(
      pupils.filter(({ photo }) => photo === null).length,
    )
    expect(found.office).toBeNull()
    expect(found.admin).toBeNull()
    expect(JSON.stringify(found).length).toBeLessThan(12_000)
    // What is asked for and is not one's own is not given.
    expect((await home(teacher, { kind: 'office' })).office).toBeNull()
  })

  it('shows the teacher the lessons of today, as the timetable has them', async () => {
    const found = await home(teacher)
    const weekday = await rows<{ day: string }>(
      `select extract(isodow from now() at time zone 'Asia/Shanghai')::int::text as day`,
    )
    expect(found.lessons?.length).toBe(
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

  it('gives an administrator both, one at a time', async () => {
    const first = await home(admin)
    expect(first.kinds).toEqual(['office', 'admin'])
    const second = await home(admin, { kind: 'admin' })
    expect(second.kind).toBe('admin')
    expect(second.office).toBeNull()
    await leadRight(admin, second.admin!.figures)
    expect(second.changes).not.toBeNull()
  })

  it('holds data scopes, tells a stranger nothing, and shows nothing to somebody without rights', async () => {
    const stranger = await world.tenant()
    const empty = await home(stranger)
    expect(empty.office!.schools).toEqual([])
    expect(empty.office!.figures.find(({ key }) => key === 'pupils')?.count).toBe(0)
    const nobody = await home(await world.colleague(stranger, []))
    expect(nobody).toMatchObject({ kind: null, kinds: [], lessons: null, teacher: null, office: null, admin: null })
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
})
