import { entityOf } from '@data-brain/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { demo, makeDemoWorld } from './demo-world.ts'
import type { Person, World } from './world.ts'

/*
 * The first page of a teacher, figure by figure: beside the two classes of one's own there are a third of the same grade,
 * one of another school, one of an earlier year, one that was closed, and another tenant with rows of the very same ids.
 * What is expected is asked of the database, past the product's own conditions.
 */

interface Figure {
  key: string
  code: string
  query: Record<string, string>
  count: number
}
interface Summary {
  kinds: string[]
  week: { id: string; day: number }[] | null
  taught: { id: string; grouped: number; subjects: string; hours: number }[] | null
  teacher: {
    id: string
    classes: { id: string }[]
    pupils: { id: string; alone: number }[]
    gaps: Figure[]
    week: { day: number; periodNo: number; subjectName: string; teacherName: string }[] | null
  } | null
}
interface Id {
  id: string
}

let world: World
let admin: Person
let teacher: Person
/** Headed by the teacher, helped in, of the same grade, of another school. */
let own: string
let helped: string
let beside: string
let elsewhere: string

const rows = async <T extends object = Id>(text: string): Promise<T[]> => (await world.owner.query<T>(text)).rows
const ids = async (text: string): Promise<string[]> => (await rows(text)).map(({ id }) => id).sort()
const n = async (text: string): Promise<number> =>
  (await rows<{ n: number }>(`select count(*)::int as n from ${text}`))[0]!.n
const home = async (who: Person, query: Record<string, string> = {}): Promise<Summary> => {
  const answer = await who.get<Summary>('blade-desk/home', query)
  if (answer.code !== 200) throw new Error(answer.msg)
  return answer.data
}
const sorted = (found: readonly Id[] | null | undefined): string[] => (found ?? []).map(({ id }) => id).sort()

/** A row of a table once more, with other values in some of its columns. */
const again = (table: string, id: string, other: Record<string, unknown>): Promise<unknown> =>
  world.owner.query(
    `insert into ${table} select (jsonb_populate_record(t, $1)).* from ${table} t where t.tenant_id = '${demo}' and t.id = ${id}`,
    [JSON.stringify(other)],
  )

const weekday = `(extract(isodow from now() at time zone 'Asia/Shanghai')::int::text)`

beforeAll(async () => {
  world = await makeDemoWorld()
  admin = await world.as(demo, 'admin')
  teacher = await world.as(demo, 'banzhuren')
  const [headed] = await rows<Id & { school_id: string; grade_id: string; year_id: string }>(
    `select id::text as id, school_id::text, grade_id::text, year_id::text from schoolclass
     where tenant_id = '${demo}' and head_teacher_id = ${teacher.userId}`,
  )
  own = headed!.id
  const near = await ids(
    `select id::text as id from schoolclass where tenant_id = '${demo}' and grade_id = ${headed!.grade_id} and school_id = ${headed!.school_id} and id <> ${own} limit 2`,
  )
  helped = near[0]!
  beside = near[1]!
  elsewhere = (
    await ids(
      `select id::text as id from schoolclass where tenant_id = '${demo}' and school_id <> ${headed!.school_id} limit 1`,
    )
  )[0]!
  await world.owner.query(
    `insert into schoolclass_deputy_teacher (tenant_id, owner_id, target_id, ord) values ('${demo}', ${helped}, ${teacher.userId}, 1)`,
  )
  // The class beside has somebody else who helps.
  await world.owner.query(
    `insert into schoolclass_deputy_teacher (tenant_id, owner_id, target_id, ord) values ('${demo}', ${beside}, ${admin.userId}, 1)`,
  )
  // An earlier year and its class, and one of this year that was closed: headed by the same teacher.
  await again('schoolyear', headed!.year_id, {
    ...{ id: 901, year_name: '2020-2021学年', start_year: 2020, begin_date: '2020-09-01', end_date: '2021-07-15' },
    is_current: 0,
    ext_id: null,
  })
  await again('schoolclass', own, { id: 902, year_id: 901, class_name: '往年班', class_code: 'old-902', ext_id: null })
  await again('schoolclass', own, {
    ...{
      id: 903,
      class_no: 20,
      class_name: '已撤班',
      class_code: 'gone-903',
      status: 2,
      classroom_id: null,
      ext_id: null,
    },
  })
  // Leave of the demo names who fetches a child.
  await world.owner.query(`update leave set pickup_parent_id = null where tenant_id = '${demo}'`)
  // Guardians are missing: of one child here, of two there, of three beside and in the other school.
  for (const [classId, count] of [
    [own, 1],
    [helped, 2],
    [beside, 3],
    [elsewhere, 3],
  ] as const)
    await world.owner.query(
      `delete from studentparents where tenant_id = '${demo}' and student_id in (
         select id from student where tenant_id = '${demo}' and class_id = ${classId} and status = 1 order by id limit ${count})`,
    )
  // On a day without school, Monday's lessons are given.
  if ((await n(`classschedule where tenant_id = '${demo}' and weekday = ${weekday}`)) === 0)
    await world.owner.query(
      `update classschedule set weekday = ${weekday} where tenant_id = '${demo}' and weekday = '1'`,
    )
  // Another tenant with the same ids: its class is headed by somebody of the teacher's id.
  const stranger = await world.tenant()
  await world.owner.query(`set session_replication_role = replica`)
  try {
    for (const table of ['schoolclass', 'schoolyear', 'schoolsemester', 'student', 'classschedule', 'teacherclass'])
      await world.owner.query(
        `insert into ${table} select (jsonb_populate_record(t, '{"tenant_id": "${stranger.tenantId}"}')).* from ${table} t where t.tenant_id = '${demo}'`,
      )
  } finally {
    await world.owner.query(`set session_replication_role = origin`)
  }
}, 120_000)
afterAll(() => world?.close())

describe('R-ROUTE-4 a teacher’s first page', () => {
  it('names the two classes of the teacher, and none of another year, grade, school or tenant', async () => {
    const found = await home(teacher)
    expect(found.kinds).toEqual(['teacher'])
    expect(found.teacher!.classes.map(({ id }) => id)).toEqual([own, helped])
    for (const classId of [beside, elsewhere, '902', '903'])
      expect((await home(teacher, { classId })).teacher!.id, classId).toBe(own)
  })

  it('shows of each every pupil and no other, and counts what is missing of them alone', async () => {
    for (const [classId, without] of [
      [own, 1],
      [helped, 2],
    ] as const) {
      const { teacher: found } = await home(teacher, { classId })
      const of = `student where tenant_id = '${demo}' and class_id = ${classId} and status = 1`
      expect(found!.id).toBe(classId)
      expect(sorted(found!.pupils)).toEqual(await ids(`select id::text as id from ${of}`))
      expect(sorted(found!.pupils.filter(({ alone }) => alone === 1))).toEqual(
        await ids(
          `select s.id::text as id from (select * from ${of}) s where not exists (select 1 from studentparents p where p.tenant_id = '${demo}' and p.student_id = s.id)`,
        ),
      )
      const counted = Object.fromEntries(found!.gaps.map(({ key, count }) => [key, count]))
      expect(counted.noGuardian).toBe(without)
      expect(counted.noPhoto).toBe(await n(`${of} and photo is null`))
      for (const { key, code, query, count } of found!.gaps) {
        expect(query.classId, key).toBe(classId)
        const list = await teacher.get<{ total: number }>(`${entityOf(code).path}/list`, query)
        expect(list.data.total, key).toBe(count)
      }
    }
  })

  it('shows the teacher’s own lessons of the week, and beside them those of the own class, whoever gives them', async () => {
    const week = `classschedule l join schoolsemester m on m.tenant_id = l.tenant_id and m.id = l.semester_id
      where l.tenant_id = '${demo}' and m.is_current = 1`
    const today = `${week} and l.weekday = ${weekday}`
    // Lessons of every week, so that it does not matter which week it is.
    await world.owner.query(`update classschedule set week_type = '0' where tenant_id = '${demo}' and week_type <> '3'`)
    const mine = await ids(`select l.id::text as id from ${today} and l.teacher_id = ${teacher.userId}`)
    expect(await n(`${today} and l.class_id = ${own} and l.teacher_id <> ${teacher.userId}`)).toBeGreaterThan(0)
    if (mine.length === 0) {
      // None on this day: one of a colleague's in the same class becomes the teacher's.
      const [given] = await ids(`select l.id::text as id from ${today} and l.class_id = ${own} limit 1`)
      await world.owner.query(
        `update classschedule set teacher_id = ${teacher.userId} where tenant_id = '${demo}' and id = ${given}`,
      )
      mine.push(given!)
    }
    const found = await home(teacher)
    const day = Number((await rows<{ day: string }>(`select ${weekday} as day`))[0]!.day)
    expect(sorted(found.week!.filter((each) => each.day === day))).toEqual(mine)
    expect(sorted(found.week)).toEqual(
      await ids(`select l.id::text as id from ${week} and l.week_type = '0' and l.teacher_id = ${teacher.userId}`),
    )
    const slots = (lessons: readonly object[]) => lessons.map((each) => JSON.stringify(each)).sort()
    for (const classId of [own, helped]) {
      const { week: given } = (await home(teacher, { classId })).teacher!
      const wanted = await rows<object>(
        `select l.weekday::int as day, l.period_no as "periodNo", b.subject_name as "subjectName", u.real_name as "teacherName"
         from ${week.replace('where', 'join schoolsubject b on b.tenant_id = l.tenant_id and b.id = l.subject_id join app_user u on u.tenant_id = l.tenant_id and u.id = l.teacher_id where')}
           and l.week_type = '0' and l.class_id = ${classId}`,
      )
      expect(wanted.length).toBeGreaterThan(5)
      expect(
        slots(
          given!.map(({ day, periodNo, subjectName, teacherName }) => ({ day, periodNo, subjectName, teacherName })),
        ),
      ).toEqual(slots(wanted))
    }
  })

  it('keeps to the data scope of who sees a part of the class only', async () => {
    const half = await world.colleague(admin, ['student_view', 'schoolclass_view', 'studentparents_view'])
    await world.owner.query(
      `insert into schoolclass_deputy_teacher (tenant_id, owner_id, target_id, ord) values ('${demo}', ${own}, ${half.userId}, 2)`,
    )
    const scope = await admin.post<Id>(`${entityOf('datascope').path}/submit`, {
      ...{ scopeName: '男生', resourceCode: 'home-boys', scopeClass: 'student', scopeType: '5' },
      scopeValue: { all: [{ field: 'sex', op: 'in', value: ['1'] }] },
    })
    expect(scope.code, scope.msg).toBe(200)
    const roleId = String((await admin.get<{ roleId: string }>('blade-user/detail', { id: half.userId })).data.roleId)
    const keys = await admin.get<{ menu: string[] }>('blade-system/menu/role-tree-keys', { roleIds: roleId })
    await admin.post('blade-system/role/grant', {
      ...{ roleIds: [roleId], menuIds: keys.data.menu, dataScopeIds: [scope.data.id] },
    })
    const found = (await home(half)).teacher!
    const boys = `student where tenant_id = '${demo}' and class_id = ${own} and status = 1 and sex = '1'`
    expect(sorted(found.pupils)).toEqual(await ids(`select id::text as id from ${boys}`))
    expect(found.gaps.find(({ key }) => key === 'noPhoto')?.count).toBe(await n(`${boys} and photo is null`))
    expect(found.gaps.find(({ key }) => key === 'noGuardian')?.count).toBe(
      await n(`${boys} and not exists (select 1 from studentparents p where p.student_id = student.id)`),
    )
  })

  it('names to who teaches and heads no class what is taught now, and nobody else’s', async () => {
    const subject = await world.colleague(admin, ['teacherclass_view', 'classschedule_view'])
    const now = `(now() at time zone 'Asia/Shanghai')::date`
    const given = await ids(
      `select distinct on (a.class_id) a.id::text as id from teacherclass a where a.tenant_id = '${demo}' and a.class_id in (${own}, ${helped}, ${elsewhere})
       and ${now} between a.begin_date and a.end_date`,
    )
    expect(given).toHaveLength(3)
    // No published lesson rests on them any more.
    await world.owner.query(`update timetableplan set status = 3 where tenant_id = '${demo}'`)
    await world.owner.query(
      `update teacherclass set user_id = ${subject.userId} where tenant_id = '${demo}' and id in (${given.join()})`,
    )
    // One of them is over: who had it teaches it no longer.
    await world.owner.query(
      `update teacherclass set begin_date = ${now} - 9, end_date = ${now} - 1 where tenant_id = '${demo}' and id = ${given[2]}`,
    )
    const found = await home(subject)
    expect([found.kinds, found.teacher]).toEqual([[], null])
    expect(sorted(found.taught)).toEqual(
      await ids(
        `select class_id::text as id from teacherclass where tenant_id = '${demo}' and id in (${given[0]}, ${given[1]})`,
      ),
    )
    for (const { grouped, subjects, hours } of found.taught!) {
      expect([grouped, subjects.length > 1]).toEqual([0, true])
      expect(hours).toBeGreaterThan(0)
    }
    expect((await home(teacher)).taught).toBeNull()
  })
})
