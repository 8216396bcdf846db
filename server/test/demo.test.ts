import { checkDocumentNo, type Entity, entities, entityOf, idNoFacts, type Page, rules } from '@data-brain/contract'
import { schoolYearOf, weekdayOf } from '@data-brain/contract/rules/school-year'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { changeAddress } from '../src/database/address.ts'
import { makePool } from '../src/database/connect.ts'
import { tableOf } from '../src/database/name.ts'
import { sql } from '../src/database/statement.ts'
import { inPlatform, inTenant } from '../src/database/transaction.ts'
import { checkDraft } from '../src/entity/check.ts'
import { Repository } from '../src/entity/repository.ts'
import { system } from '../src/kernel/actor.ts'
import { checkPassword, wireMd5 } from '../src/kernel/password.ts'
import { dayShapeOf } from '../src/modules/timetable/board.ts'
import { Judge } from '../src/modules/timetable/judge.ts'
import { circumstancesOf, lessonsOfPlan, planFacts } from '../src/modules/timetable/lessons.ts'
import type { KnownRows } from '../src/seed/demo/book.ts'
import { buildDemo, demoTenant, removeDemo, seedDemo } from '../src/seed/demo/index.ts'
import type { SeededAccount } from '../src/seed/index.ts'
import { makeWorld, type Person, type Row, type World } from './world.ts'

const day = '2026-11-21'
let world: World
let told: SeededAccount[]
/** Of processor time, which nothing beside it lengthens. */
let seconds: number

beforeAll(async () => {
  world = await makeWorld()
  // The template was begun without a demo, and keeps to that until told otherwise.
  expect(await seedDemo(world.services, day)).toEqual([])
  await inPlatform(world.services.platform, (tx) => tx.run(sql`delete from seed_mark where name = 'demo'`))
  const begun = process.cpuUsage()
  told = await seedDemo(world.services, day)
  const { user, system } = process.cpuUsage(begun)
  seconds = (user + system) / 1_000_000
})
afterAll(() => world?.close())

const rows = async <T = Record<string, unknown>>(query: string): Promise<T[]> =>
  (await world.owner.query({ text: query })).rows as T[]
const number = async (query: string): Promise<number> => Number((await rows<{ n: string }>(query))[0]!.n)
const count = (table: string, where = 'true'): Promise<number> =>
  number(`select count(*) as n from ${table} where tenant_id = '${demoTenant}' and ${where}`)

describe('the demo tenant', () => {
  it('issue 2, point 9: looks like a real school district, and is laid in a few seconds', async () => {
    expect(seconds).toBeLessThan(20)
    expect(await count('school')).toBe(3)
    expect(await count('schoolcampus')).toBe(4)
    expect(await count('schoolsemester')).toBe(6)
    expect(await count('schoolclass')).toBe(42)
    const students = await count('student', 'status = 1')
    expect(students).toBeGreaterThan(1_950)
    expect(students).toBeLessThan(2_050)
    const staff = await count('app_user', 'staff_no is not null')
    expect(staff).toBeGreaterThan(135)
    expect(staff).toBeLessThan(165)
    expect(await count('studentdetail')).toBe(await count('student'))
    expect(await count('studentparents')).toBeGreaterThan(students * 1.7)
    expect(
      await count(
        'student s',
        `not exists (select 1 from studentparents p where p.tenant_id = s.tenant_id and p.student_id = s.id and p.is_guardian = 1)`,
      ),
    ).toBe(0)
    for (const table of [
      'studentresume',
      'studentgroup',
      'studentgrouprelevance',
      'studentmessage',
      'schoolteachclass',
      'schoolclassroom',
      'schoolfloor',
    ])
      expect(await count(table), table).toBeGreaterThan(5)
    expect(await count('schoolclass', 'head_teacher_id is null or classroom_id is null')).toBe(0)
  })

  it('issue 16, R-FLOW-9: has requests for leave in several states, made and decided by the engine', async () => {
    const leaves = await rows<{ status: number; steps: number; passes: number }>(
      `select l.status, (select count(*)::int from flow_task t where t.tenant_id = l.tenant_id and t.instance_id = l.process_instance_id::bigint) as steps,
         (l.guard_pass_no is not null)::int as passes from leave l where l.tenant_id = '${demoTenant}' order by l.id`,
    )
    // Approved with a pass, back again, refused, three that wait, and a teacher's.
    expect(leaves.map(({ status, steps, passes }) => [status, steps, passes])).toEqual([
      [2, 1, 1],
      [6, 1, 0],
      [3, 1, 0],
      [1, 1, 0],
      [1, 1, 0],
      [1, 2, 0],
      [1, 1, 0],
    ])
    expect(await count('teacherabsence')).toBe(1)
    const waiting = async (account: string): Promise<number> =>
      count(
        'flow_task',
        `state = 0 and assignee = (select id from app_user where tenant_id = '${demoTenant}' and account = '${account}')`,
      )
    expect([await waiting('banzhuren'), await waiting('xiaozhang')]).toEqual([2, 2])
    // The absence is known from the moment that it is asked for, and its lessons want cover.
    await rows(`update credential set must_change = 0, expires_at = null where tenant_id = '${demoTenant}'`)
    const registrar = await world.as(demoTenant, 'jiaowu')
    const [absence] = await rows<{ school: string; day: string }>(
      `select school_id::text as school, begin_date::text as day from teacherabsence where tenant_id = '${demoTenant}'`,
    )
    const desk = await registrar.get<unknown[]>('blade-user/substitution/uncovered', {
      schoolId: absence!.school,
      from: absence!.day,
      to: absence!.day,
    })
    expect(desk.data.length).toBeGreaterThan(0)
  })

  it('has sent no message, since nothing sends any yet', async () => {
    expect(await rows('select distinct state from studentmessage')).toEqual([{ state: '0' }])
  })

  it('R-SCHOOL-1: has one current year and one current semester per school, around today', async () => {
    const current = await rows<{ b: string; e: string }>(
      `select y.begin_date::text as b, y.end_date::text as e from schoolyear y join schoolsemester s on s.tenant_id = y.tenant_id and s.year_id = y.id and s.is_current = 1
       where y.tenant_id = '${demoTenant}' and y.is_current = 1 and s.begin_date between y.begin_date and y.end_date and s.end_date between y.begin_date and y.end_date`,
    )
    expect(current).toHaveLength(3)
    for (const { b, e } of current) {
      expect(b <= day).toBe(true)
      expect(e >= day).toBe(true)
    }
  })

  it('ruling 22: every identity number is right in form, agrees with its bearer, and can belong to nobody', async () => {
    const context = {
      actor: system('test', demoTenant),
      circumstance: { requestId: '1', language: 'zh' as const },
      cipher: world.services.cipher,
    }
    const seen = new Set<string>()
    let without = 0
    await inTenant(world.services.pool, demoTenant, async (tx) => {
      const ids = await tx.run<{ id: string }>(sql`select id from student where tenant_id = ${demoTenant}`)
      const students = new Repository(entityOf('student'), { ...context, tx })
      for (const { id } of ids) {
        const row = await students.before(id)
        if (!row.idNo) {
          without += 1
          expect(String(row.birthDate) < '2010-07-02').toBe(true)
          continue
        }
        const idNo = String(row.idNo)
        expect(checkDocumentNo('1', idNo)).toBeNull()
        expect(idNo.slice(0, 6)).toBe('110103')
        expect(idNoFacts(idNo)).toEqual({ birthDate: row.birthDate, sex: row.sex })
        expect(String(row.birthDate) > '2010-07-01').toBe(true)
        expect(seen.has(idNo)).toBe(false)
        seen.add(idNo)
      }
      expect(
        await tx.one(sql`select 1 from studentparents where tenant_id = ${demoTenant} and id_no is not null limit 1`),
      ).toBeUndefined()
    })
    expect(seen.size).toBeGreaterThan(1_200)
    expect(without).toBeGreaterThan(100)
  })

  it('holds only what a save would have accepted, choices included', async () => {
    const offered = new Set(
      (
        await rows<{ k: string }>(
          `select code || '|' || dict_key as k from dict_biz_shared union select code || '|' || dict_key from dict`,
        )
      ).map((row) => row.k),
    )
    const context = {
      actor: system('test', demoTenant),
      circumstance: { requestId: '1', language: 'zh' as const },
      cipher: world.services.cipher,
    }
    let checked = 0
    await inTenant(world.services.pool, demoTenant, async (tx) => {
      for (const entity of entities) {
        const repository = new Repository(entity, { ...context, tx })
        const { model } = repository
        if (model.platform || ['dictbiz', 'role', 'attach'].includes(entity.name)) continue
        // A sample of each kind, spread over all of it.
        const ids = await tx.run<{ id: string }>(
          sql`select id from (select id, row_number() over (order by id) as n, count(*) over () as c from ${sql.raw(model.table)} where tenant_id = ${demoTenant}) t where c < 300 or n % (c / 150) = 0`,
        )
        for (const { id } of ids) {
          const row = await repository.before(id)
          const draft = Object.fromEntries(
            model.fields.filter((field) => !field.computed).map((field) => [field.name, row[field.name]]),
          )
          expect(checkDraft(model, draft).faults, `${entity.name} ${JSON.stringify(row)}`).toEqual([])
          for (const field of model.fields)
            if (field.dict)
              for (const key of [row[field.name] ?? []].flat())
                expect(offered.has(`${field.dict}|${key}`), `${entity.name}.${field.name} ${key}`).toBe(true)
          checked += 1
        }
      }
    })
    expect(checked).toBeGreaterThan(1_500)
  })

  it('R-SCHOOL-6: books no teacher, class or room twice in a period', async () => {
    const lessons = await rows<{
      weekday: string
      period_no: number
      class_id: string | null
      teach_class_id: string | null
      teacher_id: string
      room: string
      concurrency: number
    }>(
      `select l.weekday, l.period_no, l.class_id, l.teach_class_id, l.teacher_id, r.id as room, r.concurrency from classschedule l
       join schoolclassroom r on r.tenant_id = l.tenant_id and r.id = l.classroom_id where l.tenant_id = '${demoTenant}'`,
    )
    expect(lessons.length).toBe(await count('classschedule'))
    expect(lessons.length).toBeGreaterThan(1_200)
    const used = new Map<string, number>()
    for (const lesson of lessons) {
      const at = `${lesson.weekday}/${lesson.period_no}`
      for (const [key, most] of [
        [`teacher ${lesson.teacher_id} ${at}`, 1],
        [`class ${lesson.class_id ?? lesson.teach_class_id} ${at}`, 1],
        [`room ${lesson.room} ${at}`, lesson.concurrency],
      ] as const) {
        used.set(key, (used.get(key) ?? 0) + 1)
        expect(used.get(key), key).toBeLessThanOrEqual(most)
      }
    }
    // Every lesson is one that its teacher is assigned to, as often a week as the assignment says.
    expect(
      await number(`select count(*) as n from (select a.id, a.week_hours, count(l.id) as held from teacherclass a left join classschedule l
        on l.tenant_id = a.tenant_id and l.semester_id = a.semester_id and l.teacher_id = a.user_id and l.subject_id = a.subject_id
        and l.class_id is not distinct from a.class_id and l.teach_class_id is not distinct from a.teach_class_id
        where a.tenant_id = '${demoTenant}' group by a.id, a.week_hours) t where held <> week_hours`),
    ).toBe(0)
    // A subject fills no day of a class.
    expect(
      await number(
        `select max(n) as n from (select count(*) as n from classschedule where tenant_id = '${demoTenant}' group by class_id, subject_id, weekday) t`,
      ),
    ).toBeLessThanOrEqual(3)
  })

  it('R-SCHOOL-4: seats every enrolled pupil in one class, and the classes know how many they have', async () => {
    expect(
      await number(
        `select count(*) as n from schoolclass c where tenant_id = '${demoTenant}' and student_count <> (select count(*) from student s where s.tenant_id = c.tenant_id and s.class_id = c.id)`,
      ),
    ).toBe(0)
    expect(
      await number(
        `select count(*) as n from student s where tenant_id = '${demoTenant}' and class_id is distinct from (select h.class_id from studentclass h where h.tenant_id = s.tenant_id and h.student_id = s.id and h.end_date is null)`,
      ),
    ).toBe(0)
    expect(await count('studentclass', 'end_date is not null')).toBeGreaterThan(20)
  })

  it('gives five accounts passwords that work, and nobody else one', async () => {
    expect(told.map((each) => each.account)).toEqual(['admin', 'jiaowu', 'xiaozhang', 'jiaoyuju', 'banzhuren'])
    expect(new Set(told.map((each) => each.password)).size).toBe(5)
    for (const { account, password } of told) {
      const [kept] = await rows<{ hash: string }>(
        `select c.hash from credential c join app_user u on u.tenant_id = c.tenant_id and u.id = c.user_id where c.tenant_id = '${demoTenant}' and u.account = '${account}'`,
      )
      expect(await checkPassword(wireMd5(password), kept!.hash, world.services.secrets.pepper)).toBe(true)
    }
    expect(await count('credential')).toBe(5)
    const codes = async (account: string): Promise<string[]> =>
      (
        await rows<{ code: string }>(
          `select m.code from app_user u join app_user_role r on r.tenant_id = u.tenant_id and r.owner_id = u.id join role_menu_seen g on g.tenant_id = u.tenant_id and g.role_id = r.target_id join menu m on m.id = g.menu_id where u.tenant_id = '${demoTenant}' and u.account = '${account}'`,
        )
      ).map((row) => row.code)
    expect(await codes('jiaowu')).toEqual(
      expect.arrayContaining(
        [
          'student_import',
          'student_personal',
          'oneroster_export',
          'classschedule_edit',
          'student',
          'top-student',
        ].filter((code) => code !== 'top-student'),
      ),
    )
    // All that changes nothing, and the numbers of parents, which are read one by one and written down.
    for (const account of ['banzhuren', 'xiaozhang']) {
      const few = await codes(account)
      expect(few).toContain('student_view')
      // Whoever asks for leave proves it by files.
      expect(few.filter((code) => /_(add|edit|delete|personal|import)$/.test(code)).sort()).toEqual([
        ...(account === 'banzhuren' ? ['attach_add'] : []),
        // Their own subscriptions to what is shared with them.
        ...['add', 'delete', 'edit'].map((verb) => `reportsubscription_${verb}`),
        'studentparents_personal',
      ])
    }
    expect((await codes('jiaoyuju')).filter((code) => /_(add|edit|delete|personal|import)$/.test(code)).sort()).toEqual(
      [
        'attach_add',
        ...['fixedform_add', 'fixedform_delete', 'fixedform_edit'],
        ...['notice_add', 'notice_delete', 'notice_edit'],
        ...['report_add', 'report_delete', 'report_edit'],
        ...['reportsubscription_add', 'reportsubscription_delete', 'reportsubscription_edit'],
        'studentparents_personal',
      ],
    )
  })

  it('R-PERM-3 shows a principal the own school, and the bureau all of them', async () => {
    await rows(`update credential set must_change = 0, expires_at = null where tenant_id = '${demoTenant}'`)
    const principal = await world.as(demoTenant, 'xiaozhang')
    const bureau = await world.as(demoTenant, 'jiaoyuju')
    const [own] = await rows<{ id: string }>(
      `select s.id::text as id from school s join app_user u on u.id = s.principal_id where u.account = 'xiaozhang' and s.tenant_id = '${demoTenant}'`,
    )
    const total = async (who: Person, entity: Entity): Promise<number> => {
      const answer = await who.get<Page<Row>>(`${entity.path}/list`, { size: 1 })
      expect(answer.status, `${entity.name}: ${answer.msg}`).toBe(200)
      return answer.data.total
    }
    let narrower = 0
    for (const entity of entities.filter(({ path }) => path.startsWith('blade-user/'))) {
      const table = tableOf(entity)
      const all = await total(bureau, entity)
      if (!('schoolId' in entity.fields)) continue
      const [here] = await rows<{ own: number; all: number }>(
        `select count(*)::int as all, count(*) filter (where school_id = ${own!.id})::int as own from ${table} where tenant_id = '${demoTenant}'`,
      )
      expect(all, entity.name).toBe(here!.all)
      expect(await total(principal, entity), entity.name).toBe(here!.own)
      if (here!.own > 0 && here!.own < here!.all) narrower += 1
    }
    expect(narrower).toBeGreaterThan(10)
    // Of the people, those of the own school's departments.
    const [staff] = await rows<{ n: number }>(
      `select count(distinct u.id)::int as n from app_user u join app_user_dept l on l.owner_id = u.id join dept d on d.id = l.target_id where u.tenant_id = '${demoTenant}' and d.school_id = ${own!.id}`,
    )
    expect(await total(principal, entityOf('user'))).toBe(staff!.n)
    const home = await principal.get<{ kind: string; kinds: string[] }>('blade-desk/home')
    expect(home.data.kinds).toEqual(['office'])
    expect((await bureau.get<{ kind: string }>('blade-desk/home')).data.kind).toBe('bureau')
  })

  it('R-PERM-3 shows a class teacher the classes taught and their pupils, and no others', async () => {
    // As after the first log-in, at which the password is changed.
    await rows(`update credential set must_change = 0, expires_at = null where tenant_id = '${demoTenant}'`)
    const teacher = await world.as(demoTenant, 'banzhuren')
    const taught = (
      await rows<{ id: string }>(
        `select c.id::text as id from schoolclass c join app_user u on u.tenant_id = c.tenant_id and u.account = 'banzhuren'
         where c.tenant_id = '${demoTenant}' and (c.head_teacher_id = u.id or exists (select 1 from teacherclass a
           where a.tenant_id = c.tenant_id and a.class_id = c.id and a.user_id = u.id and a.end_date >= current_date))`,
      )
    ).map(({ id }) => id)
    expect(taught.length).toBeGreaterThan(0)
    expect(taught.length).toBeLessThan(10)
    const classes = await teacher.get<Page<Row>>('blade-user/schoolclass/list', { size: 200 })
    expect(classes.data.records.map(({ id }) => id).sort()).toEqual([...taught].sort())
    const pupils = await count('student', `class_id in (${taught.join(', ')})`)
    expect(pupils).toBeGreaterThan(20)
    const seen = await teacher.get<Page<Row>>('blade-user/student/list', { size: 200 })
    expect(seen.data.total).toBe(pupils)
    expect(seen.data.records.every(({ classId }) => taught.includes(String(classId)))).toBe(true)
    const [guardians, details] = await Promise.all([
      teacher.get<Page<Row>>('blade-user/studentparents/list'),
      teacher.get<Page<Row>>('blade-user/studentdetail/list'),
    ])
    expect(details.data.total).toBe(pupils)
    expect(guardians.data.total).toBe(
      await count(
        'studentparents p',
        `p.student_id in (select id from student where class_id in (${taught.join(', ')}))`,
      ),
    )
    // A pupil of somebody else’s does not exist for this teacher.
    const [other] = await rows<{ id: string }>(
      `select id::text as id from student where tenant_id = '${demoTenant}' and class_id is not null and class_id not in (${taught.join(', ')}) limit 1`,
    )
    expect((await teacher.get('blade-user/student/detail', { id: other!.id })).status).toBe(404)
    // The registrar of the district sees them all.
    const registrar = await world.as(demoTenant, 'jiaowu')
    expect((await registrar.get<Page<Row>>('blade-user/student/list')).data.total).toBe(await count('student'))
  })

  it('R-PERM-3 shows a class teacher the own lessons, assignments, groups and messages by every call, and no others', async () => {
    const teacher = await world.as(demoTenant, 'banzhuren')
    const t = `'${demoTenant}'`
    const me = `(select id from app_user where tenant_id = ${t} and account = 'banzhuren')`
    const classes = `(select c.id from schoolclass c where c.tenant_id = ${t} and (c.head_teacher_id = ${me} or exists (select 1 from teacherclass a
      where a.tenant_id = c.tenant_id and a.class_id = c.id and a.user_id = ${me} and a.end_date >= current_date)))`
    const school = `(select d.school_id from app_user_dept l join dept d on d.id = l.target_id where l.owner_id = ${me} and d.school_id is not null limit 1)`
    const own: Record<string, string> = {
      teacherclass: `user_id = ${me} or class_id in ${classes}`,
      classschedule: `teacher_id = ${me} or class_id in ${classes}`,
      studentgroup: `owner_id = ${me}`,
      studentmessage: `sender_id = ${me} or (school_id = ${school} and target_type = '5')`,
    }
    for (const [entity, condition] of Object.entries(own)) {
      const ids = (
        await rows<{ id: string }>(`select id::text as id from ${entity} where tenant_id = ${t} and (${condition})`)
      ).map(({ id }) => id)
      const all = await count(entity)
      expect(ids.length, entity).toBeGreaterThan(0)
      expect(ids.length, entity).toBeLessThan(all / 2)
      const list = await teacher.get<Page<Row>>(`blade-user/${entity}/list`, { size: 200 })
      expect(list.data.total, entity).toBe(ids.length)
      expect(
        list.data.records.every(({ id }) => ids.includes(id)),
        entity,
      ).toBe(true)
      const [other] = await rows<{ id: string }>(
        `select id::text as id from ${entity} where tenant_id = ${t} and not (${condition}) limit 1`,
      )
      for (const call of ['detail', 'history'])
        expect((await teacher.get(`blade-user/${entity}/${call}`, { id: other!.id })).status, `${entity} ${call}`).toBe(
          404,
        )
      const choice = await teacher.get<{ id: string }[]>(`blade-user/${entity}/select`, { ids: other!.id })
      expect(choice.status === 403 || choice.data.length === 0, `${entity} select`).toBe(true)
    }
  })

  it('ISSUE-15-3 says of a lesson in hand, looking at those that it meets, what all lessons of the plan would say', async () => {
    const registrar = await world.as(demoTenant, 'jiaowu')
    const plans = await rows<{ id: string }>(
      `select id::text as id from timetableplan where tenant_id = '${demoTenant}' and status = 2`,
    )
    let obstacles = 0
    for (const { id } of plans) {
      const [judge, lessons] = await inTenant(world.services.pool, demoTenant, async (tx) => {
        const plan = (await planFacts(tx, demoTenant, id))!
        const all = await lessonsOfPlan(tx, demoTenant, id)
        const around = await circumstancesOf(tx, demoTenant, plan)
        return [new Judge(plan, all, around, await dayShapeOf({ tx, actor: system('test', demoTenant) }, plan)), all]
      })
      for (let at = 0; at < lessons.length; at += 37) {
        const lesson = lessons[at]!
        const slots = await registrar.get<{ weekday: number; periodNo: number; obstacles: unknown[] }[]>(
          'blade-user/timetableplan/slots',
          { id, lessonId: lesson.id },
        )
        for (const { weekday, periodNo, obstacles: said } of slots.data) {
          const wanted = judge.obstacles({ ...lesson, weekday, periodNo })
          expect(said, `${lesson.id} ${weekday} ${periodNo}`).toEqual(wanted)
          obstacles += wanted.length
        }
      }
    }
    expect(obstacles).toBeGreaterThan(100)
  })

  it('adds nothing at a second start', async () => {
    const before = await number(`select count(*) as n from history where tenant_id = '${demoTenant}'`)
    expect(await seedDemo(world.services, day)).toEqual([])
    expect(await number(`select count(*) as n from history where tenant_id = '${demoTenant}'`)).toBe(before)
  })

  it('has the same people in every installation', async () => {
    const known = (offset: number): KnownRows => ({
      grades: new Map(
        ['11', '12', '13', '14', '15', '16', '21', '22', '23', '31', '32', '33'].map((code, at) => [
          code,
          { id: String(offset + at), name: code, minAge: 6 + at, no: Number(code[1]) },
        ]),
      ),
      subjects: new Map(
        ['YW', 'SX', 'YY', 'WL', 'HX', 'SW', 'DF', 'ZZ', 'LS', 'DL', 'KX', 'TY', 'YL', 'MS', 'XX', 'LD'].map(
          (code, at) => [
            code,
            { id: String(offset + 50 + at), name: code, short: code, category: '1', color: '#000000' },
          ],
        ),
      ),
      posts: new Map(
        [
          'principal',
          'vice-principal',
          'academic-dean',
          'moral-dean',
          'nurse',
          'guard',
          'teacher',
          'class-teacher',
        ].map((code, at) => [code, String(offset + 80 + at)]),
      ),
      rootDept: String(offset + 99),
      roles: { registrar: '1', classTeacher: '2', teacher: '3', principal: '4', bureau: '5' },
    })
    const people = (offset: number) => {
      const book = buildDemo(known(offset), day, [])
      return ['student', 'studentparents', 'user'].flatMap((entity) =>
        book.rows
          .get(entity)!
          .map(({ values }) =>
            [
              values.name,
              values.parentName,
              values.realName,
              values.idNo,
              values.phone,
              values.mobile,
              values.studentNo,
            ].join(),
          ),
      )
    }
    const first = people(1_000)
    expect(people(5_000)).toEqual(first)
    const stored = await inTenant(world.services.pool, demoTenant, (tx) =>
      tx.run<{ name: string }>(sql`select name from student where tenant_id = ${demoTenant} order by id`),
    )
    expect(stored.map((row) => row.name)).toEqual(first.slice(0, stored.length).map((text) => text.split(',')[0]))
    for (const phone of first.flatMap((text) => text.split(',').slice(4, 6)).filter(Boolean)) {
      expect(rules.mobile.check(phone)).toBeNull()
      expect(phone.startsWith('179')).toBe(true)
    }
    // Whatever the day of the first start, the week can be planned and the ages fit.
    for (const other of ['2027-02-20', '2027-08-05', '2031-06-30'])
      expect(buildDemo(known(9_000), other, []).rows.get('classschedule')!.length).toBeGreaterThan(1_200)
  })

  it('puts today into its school year', () => {
    for (const each of ['2026-09-01', '2027-01-30', '2027-02-17', '2027-07-31', '2027-08-01', '2028-02-29']) {
      const year = schoolYearOf(each)
      const [autumn, spring] = year.semesters
      expect(each < '2027-08-01' ? 2026 : 2027).toBe(year.startYear)
      expect(autumn.current).not.toBe(spring.current)
      expect(autumn.end < spring.begin && spring.end <= year.end && autumn.begin >= year.begin).toBe(true)
      for (const semester of year.semesters) {
        expect(weekdayOf(semester.firstMonday)).toBe(1)
        expect(semester.weeks).toBeLessThanOrEqual(30)
      }
    }
  })

  it('is removed whole, on demand and for good, and no other tenant with it', async () => {
    const other = await world.tenant()
    const owner = makePool(
      changeAddress(inject('database').owner, {
        database: (await rows<{ d: string }>('select current_database() as d'))[0]!.d,
      }),
      { size: 1 },
    )
    try {
      expect(await removeDemo(owner)).toBeGreaterThan(20_000)
      const tables = await rows<{ table_name: string }>(
        `select table_name from information_schema.columns where table_schema = 'public' and column_name = 'tenant_id'`,
      )
      expect(tables.length).toBeGreaterThan(30)
      for (const { table_name: table } of tables) expect(await count(`"${table}"`), table).toBe(0)
      expect(await number(`select count(*) as n from app_user where tenant_id = '${other.tenantId}'`)).toBe(1)
      expect(await seedDemo(world.services, day)).toEqual([])
      expect(await count('app_user')).toBe(0)
      // A tenant of that number that is not the demo is left alone.
      await inPlatform(owner, (tx) => tx.run(sql`delete from seed_mark where name = 'demo'`))
      expect(await removeDemo(owner)).toBeNull()
    } finally {
      await owner.end()
    }
  })
})
