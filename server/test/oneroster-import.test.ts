import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../src/database/statement.ts'
import { checked, commit, download, imported, packed, type Report, small, textsOf, total } from './oneroster-parts.ts'
import { makeWorld, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world?.close())

describe('the OneRoster import', () => {
  it('takes an archive of another system, filling in what it leaves out', async () => {
    const person = await world.tenant()
    const first = await imported(world, person, packed(small()))
    expect(first.report.passed).toContainEqual(expect.objectContaining({ file: 'academicSessions.csv', count: 1 }))
    const { data: page } = await person.get<{ records: Record<string, unknown>[] }>('blade-user/student/list', {
      ascs: 'studentNo',
    })
    expect(page.records).toMatchObject([
      {
        studentNo: 'S001',
        name: '欧阳小雨',
        sex: '2',
        birthDate: '2018-03-04',
        className: 'Class 1',
        gradeName: '二年级',
      },
      { studentNo: 'S002', name: 'Anna May', className: 'Class 1' },
    ])
    const [kept] = await world.inTenant(person.tenantId, (tx) =>
      tx.run<
        Record<string, unknown>
      >(sql`select s.ext_id, c.student_count, c.cohort_year, h.begin_date, p.parent_name, p.relation, p.contact_priority, u.real_name, d.school_id = s.school_id as at_school
        from student s join schoolclass c on c.tenant_id = s.tenant_id and c.id = s.class_id join studentclass h on h.tenant_id = s.tenant_id and h.student_id = s.id
        join studentparents p on p.tenant_id = s.tenant_id and p.student_id = s.id join app_user u on u.tenant_id = s.tenant_id and u.id = c.head_teacher_id
        join app_user_dept l on l.tenant_id = s.tenant_id and l.owner_id = u.id join dept d on d.tenant_id = s.tenant_id and d.id = l.target_id
        where s.tenant_id = ${person.tenantId} order by s.student_no`),
    )
    expect(kept).toEqual({
      ext_id: 'stu-1',
      student_count: 2,
      cohort_year: 2025,
      begin_date: '2026-09-01',
      parent_name: '欧阳明',
      relation: '51',
      contact_priority: 1,
      real_name: '王老师',
      at_school: true,
    })
    // A guardian of two pupils is a row with each.
    expect(
      await world.inTenant(person.tenantId, (tx) =>
        tx.run(sql`select 1 from studentparents where tenant_id = ${person.tenantId}`),
      ),
    ).toHaveLength(2)
    const again = await checked(world, person, packed(small()))
    expect([total(again.report, 'add'), total(again.report, 'update'), total(again.report, 'missing')]).toEqual([
      0, 0, 0,
    ])
    expect((await commit(person, again.id)).msg).toBe('没有可导入的变化')
  })

  it('shows first what it would retire, lists it and leaves it, and retires only when told', async () => {
    const person = await world.tenant()
    await imported(world, person, packed(small()))
    // Somebody who never came by a file is nobody's to retire.
    const schoolId = (await person.get<{ records: { id: string }[] }>('blade-user/school/list')).data.records[0]!.id
    await world.inTenant(person.tenantId, (tx) =>
      tx.run(sql`insert into student (tenant_id, id, school_id, student_no, name, sex, birth_date, id_type, nation, nationality, overseas, politics, health, enroll_date, enroll_way, source, study_way)
        values (${person.tenantId}, 77, ${schoolId}, 'H1', '手工录', '1', '2018-01-01', 'Z', '01', 'CHN', '00', '13', '10', '2025-09-01', '11', '1', '1')`),
    )
    const less = small()
    for (const name of ['users', 'roles', 'enrollments', 'demographics'])
      less[`${name}.csv`] = less[`${name}.csv`]!.split('\r\n')
        .filter((line) => !/(^|,)stu-2(,|$)/.test(line))
        .join('\r\n')
        .replace('"stu-1,stu-2"', 'stu-1')
    less['orgs.csv'] = less['orgs.csv']!.replace('Demo School', 'Renamed School')
    const dry = await checked(world, person, packed(less))
    expect(dry.report.faults).toEqual([])
    const of = (report: Report, entity: string) => report.counts.find((count) => count.entity === entity)!
    expect(of(dry.report, 'student')).toMatchObject({
      file: 'users.csv',
      add: 0,
      unchanged: 1,
      missing: 1,
      missingNames: ['Anna May'],
    })
    expect(of(dry.report, 'school')).toMatchObject({ update: 1, missing: 0 })
    const status = async (no: string): Promise<number> =>
      (await world.inTenant(person.tenantId, (tx) =>
        tx.one<{ status: number }>(
          sql`select status from student where tenant_id = ${person.tenantId} and student_no = ${no}`,
        ),
      ))!.status
    await imported(world, person, packed(less))
    expect(await status('S002')).toBe(1)
    const retiring = await imported(world, person, packed(less), true)
    expect(of(retiring.report, 'student')).toMatchObject({ missing: 1, missingNames: [] })
    expect([await status('S001'), await status('S002'), await status('H1')]).toEqual([1, 10, 1])
    const history = await world.inTenant(person.tenantId, (tx) =>
      tx.run(
        sql`select 1 from history where tenant_id = ${person.tenantId} and batch_id = ${retiring.id} and entity = 'student' and before is not null`,
      ),
    )
    expect(history).toHaveLength(1)
  })

  it('keeps masked values as they are, and lets nobody but an administrator change one', async () => {
    const person = await world.tenant()
    await imported(world, person, packed(small()))
    const clerk = await world.colleague(person, ['oneroster_export', 'oneroster_import'])
    const masked = await download(world, clerk)
    expect(textsOf(masked)['users.csv']).toContain('*********01')
    const back = textsOf(masked)
    back['orgs.csv'] = back['orgs.csv']!.replace('Demo School', 'Renamed School')
    const changed = await imported(world, clerk, packed(back))
    expect([total(changed.report, 'add'), total(changed.report, 'update')]).toEqual([0, 1])
    expect(textsOf(await download(world, person))['users.csv']).toContain('17900000001')
    await world.inTenant(person.tenantId, (tx) =>
      tx.run(sql`update app_user set staff_no = 'A1' where tenant_id = ${person.tenantId} and id = ${person.userId}`),
    )
    const texts = textsOf(await download(world, person))
    texts['users.csv'] = texts['users.csv']!.replace('管理员', '别人家')
    const refused = await checked(world, clerk, packed(texts))
    expect(refused.report.faults).toContainEqual(
      expect.objectContaining({ file: 'users.csv', message: expect.stringContaining('管理员') }),
    )
    await imported(world, person, packed(texts))
  })

  it('ruling 25: odd values and odd ids survive the way there and back', async () => {
    const source = await world.tenant()
    await imported(world, source, packed(small()))
    const { tenantId } = source
    const odd = '第一行\n"第二行",\\n不是换行\t尾'
    await world.inTenant(tenantId, async (tx) => {
      const pupil = (no: string) => sql`(select id from student where tenant_id = ${tenantId} and student_no = ${no})`
      const teacher = sql`(select id from app_user where tenant_id = ${tenantId} and account = 'wang')`
      const second = sql`(select id::text from sysgrade where tenant_id = ${tenantId} and grade_code = '12')`
      for (const statement of [
        sql`update student set remark = ${odd}, sort = null, name = '阿卜杜拉·买买提', ext_id = '学生 1', status = 2, seat_no = 7, former_name = ${"O'Neil Ann"} where tenant_id = ${tenantId} and student_no = 'S001'`,
        sql`update student set ext_id = null, email = 'a@b.example' where tenant_id = ${tenantId} and student_no = 'S002'`,
        // The same sourcedId in two tables of one file.
        sql`update app_user set ext_id = 'same', unavailable_slots = '[{"weekday":1,"periodNo":2}]'::jsonb, title = '2', sex = '9' where tenant_id = ${tenantId} and account = 'wang'`,
        sql`update studentparents set ext_id = 'same', relation_note = '=1+1', notify_sms = 1 where tenant_id = ${tenantId} and student_id = ${pupil('S001')}`,
        sql`update school set longitude = 116.4, stages = array['3', '2'], principal_id = ${teacher} where tenant_id = ${tenantId}`,
        sql`update schoolclass set motto = ${'a\\b'}, status = 4, sort = null where tenant_id = ${tenantId}`,
        sql`update schoolcampus set area_sqm = 12.5, manager_id = ${teacher} where tenant_id = ${tenantId}`,
        sql`update schoolsubject set week_hours = jsonb_build_array(jsonb_build_object('gradeId', ${second}, 'hours', 8, 'doubleCount', 1)), full_score = 99.5, research_slot = '{"weekday": 3, "half": "am"}' where tenant_id = ${tenantId}`,
        sql`update studentclass set end_date = '2026-10-10', reason = '转班' where tenant_id = ${tenantId} and student_id = ${pupil('S002')}`,
      ])
        expect(await tx.count(statement)).toBe(1)
    })
    const first = await download(world, source)
    const target = await world.tenant()
    await imported(world, target, first)
    const again = await download(world, target)
    expect(textsOf(again)).toEqual(textsOf(first))
    expect(again.equals(first)).toBe(true)
    const kept = await world.inTenant(target.tenantId, (tx) =>
      tx.one(sql`select remark, name, sort from student where tenant_id = ${target.tenantId} and student_no = 'S001'`),
    )
    expect(kept).toEqual({ remark: odd, name: '阿卜杜拉·买买提', sort: null })
  })
})
