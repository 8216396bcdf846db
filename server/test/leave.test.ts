import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  am,
  decide,
  detailOf,
  file,
  type LeaveSchool,
  leavePath,
  makeLeaveSchool,
  pm,
  preview,
  shownTo,
  upload,
  wholeDays,
} from './leave-parts.ts'
import { cover, dayOf, inboxOf, uncoveredOn } from './substitution-parts.ts'
import { makeWorld, type Person, type Row, type World } from './world.ts'

let world: World
let admin: Person
let stranger: Person
let school: LeaveSchool
beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  stranger = await world.tenant()
  school = await makeLeaveSchool(world, admin)
}, 120_000)
afterAll(() => world.close())

/** A week in which nobody files anything. */
const quietWeek = 2
let week = 3
/** A week that no other test has used. */
const nextWeek = (): number => {
  week += 1
  return week
}
const names = (steps: readonly { readonly people: readonly { readonly name: string }[] }[]): string[] =>
  steps.map(({ people }) => people.map(({ name }) => name).join('+'))

describe('who approves', () => {
  it('R-SCHOOL-15 ISSUE-16-9 a pupil’s leave goes by its days: one, two, four of them', async () => {
    const at = quietWeek
    const asked = (until: number) =>
      preview(school.pupilSelf, { applicantType: '1', ...wholeDays(dayOf(school, at), dayOf(school, at, until)) })
    const [one, two, four] = [await asked(1), await asked(2), await asked(4)]
    expect([one.days, two.days, four.days]).toEqual([1, 2, 4])
    expect(names(one.approvers)).toEqual(['班主任甲'])
    expect(names(two.approvers)).toEqual(['班主任甲', '年级主任'])
    expect(names(four.approvers)).toEqual(['班主任甲', '年级主任', '校长'])
    expect([...one.problems, ...two.problems, ...four.problems]).toEqual([])
  })

  it('R-SCHOOL-15 ISSUE-16-9 leave of staff goes by its days: head of subject, dean, principal', async () => {
    const at = quietWeek
    const asked = (until: number) =>
      preview(school.people[0], { applicantType: '2', ...wholeDays(dayOf(school, at), dayOf(school, at, until)) })
    expect(names((await asked(1)).approvers)).toEqual(['年级主任'])
    expect(names((await asked(2)).approvers)).toEqual(['年级主任', '教务主任'])
    expect(names((await asked(4)).approvers)).toEqual(['年级主任', '教务主任', '校长'])
  })

  it('R-SCHOOL-15 nobody approves the own leave: the next one above is asked', async () => {
    const at = quietWeek
    const own = await preview(school.gradeHead, { applicantType: '2', ...wholeDays(dayOf(school, at)) })
    expect(names(own.approvers)).not.toContain('年级主任')
    // Whoever files for a pupil of the own class does not decide on that.
    const filed = await preview(school.head, { studentId: school.pupil, ...wholeDays(dayOf(school, at)) })
    expect(names(filed.approvers)).toEqual(['年级主任'])
    // Above the principal nobody is in the school; the administrators stand in where no bureau has a leader.
    const top = await preview(school.principal, { applicantType: '2', ...wholeDays(dayOf(school, at)) })
    expect(top.approvers).toHaveLength(1)
    expect(names(top.approvers)).not.toContain('校长')
  })

  it('ISSUE-16-9 a school’s own rules are rows: they say who approves, and for how many days nobody does', async () => {
    const at = quietWeek
    const draft = { schoolId: school.schoolId, applicantType: '1', minDays: 0, maxDays: 1, step1: '5' }
    const rule = await admin.post<Row>('blade-desk/leaveapprovalrule/submit', draft)
    expect(rule.code, rule.msg).toBe(200)
    const again = await admin.post<Row>('blade-desk/leaveapprovalrule/submit', { ...draft, minDays: 0.5, maxDays: 2 })
    expect(again.msg).toContain('重叠')
    const day = dayOf(school, at)
    const one = await preview(school.pupilSelf, { applicantType: '1', ...wholeDays(day) })
    expect(names(one.approvers)).toEqual(['校长'])
    const two = await preview(school.pupilSelf, { applicantType: '1', ...wholeDays(day, dayOf(school, at, 2)) })
    expect(two.problems.map(({ message }) => message.zh).join()).toContain('没有涵盖2天')
    const named = await admin.post<Row>('blade-desk/leaveapprovalrule/submit', {
      ...draft,
      ...{ leaveType: '2', step1: '9', step1User: school.dean.userId },
    })
    expect(named.code, named.msg).toBe(200)
    const sick = await preview(school.pupilSelf, { applicantType: '1', leaveType: '2', ...wholeDays(day) })
    expect(names(sick.approvers)).toEqual(['教务主任'])
    await admin.remove('blade-desk/leaveapprovalrule', `${rule.data.id},${named.data.id}`)
  })
})

describe('what is asked for', () => {
  it('R-SCHOOL-15 counts school days in halves and the lessons that are missed', async () => {
    const at = quietWeek
    const [mon, tue, sun] = [dayOf(school, at), dayOf(school, at, 2), dayOf(school, at, 7)]
    // Of the first class: periods 1 and 2 on Monday, 1 on Tuesday, all in the morning.
    const half = await preview(school.pupilSelf, { applicantType: '1', ...am(mon) })
    expect([half.days, half.lessons.length]).toEqual([0.5, 2])
    const later = await preview(school.pupilSelf, { applicantType: '1', ...pm(mon) })
    expect([later.days, later.lessons.length]).toEqual([0.5, 0])
    const over = await preview(school.pupilSelf, {
      applicantType: '1',
      startTime: pm(mon).startTime,
      endTime: am(tue).endTime,
    })
    expect([over.days, over.lessons.length]).toEqual([1, 1])
    const off = await preview(school.pupilSelf, { applicantType: '1', ...wholeDays(sun) })
    expect(off.problems[0]?.message.zh).toContain('放假')
    // Any moment means its half-day.
    const loose = await preview(school.pupilSelf, {
      applicantType: '1',
      startTime: `${mon} 09:13:00`,
      endTime: `${mon} 10:40:00`,
    })
    expect([loose.startTime, loose.endTime]).toEqual([`${mon} 08:00:00`, `${mon} 12:00:00`])
  })

  it('R-SCHOOL-15 a day that makes up for another counts, with the lessons of that other day', async () => {
    const at = quietWeek + 1
    const sunday = dayOf(school, at, 7)
    await school.add('schoolcalendarday', {
      ...{ schoolId: school.schoolId, day: sunday, dayType: '3', useWeekday: '1', dayName: '补周一的课' },
    })
    const made = await preview(school.pupilSelf, { applicantType: '1', ...wholeDays(sunday) })
    expect(made.days).toBe(1)
    expect(made.lessons.map(({ periodNo }) => periodNo)).toEqual([1, 2])
  })

  it('R-SCHOOL-15 refuses a second leave at the same time, and takes the half-day beside it', async () => {
    const day = dayOf(school, nextWeek())
    const first = await file(school.pupilSelf, school, { applicantType: '1', ...am(day) })
    expect(first.code, first.msg).toBe(200)
    const again = await file(school.pupilSelf, school, { applicantType: '1', ...wholeDays(day) })
    expect(again.msg).toContain('重叠')
    const beside = await file(school.pupilSelf, school, { applicantType: '1', ...pm(day) })
    expect(beside.code, beside.msg).toBe(200)
    const whole = await file(school.head, school, { studentId: school.pupil, ...wholeDays(day) })
    expect(whole.msg).toContain('重叠')
  })

  it('R-SCHOOL-15 of two that are filed at once for one person one is refused in words', async () => {
    const day = dayOf(school, nextWeek())
    const both = await Promise.all([
      file(school.pupilSelf, school, { applicantType: '1', ...wholeDays(day) }),
      file(school.head, school, { studentId: school.pupil, ...am(day) }),
    ])
    expect(both.map(({ code }) => code).toSorted()).toEqual([200, 400])
    expect(both.find(({ code }) => code !== 200)!.msg).toContain('重叠')
  })

  it('R-SCHOOL-15 the database itself refuses overlapping leave, from two connections', async () => {
    const day = dayOf(school, nextWeek())
    const draft = {
      ...{ schoolId: school.schoolId, applicantType: '1', studentId: school.pupil },
      leaveType: '1',
      reason: '同时提交两次',
    }
    const ids = await Promise.all(
      [am(day), { ...wholeDays(day) }].map(async (times) => {
        const made = await admin.post<Row>(`${leavePath}/submit`, { ...draft, ...times })
        expect(made.code, made.msg).toBe(200)
        return made.data.id
      }),
    )
    const opened = await Promise.allSettled(
      ids.map((id) =>
        world.inTenant(admin.tenantId, async (tx) => {
          await tx.run({
            text: 'update leave set status = 1 where tenant_id = $1 and id = $2',
            values: [admin.tenantId, id],
          } as never)
        }),
      ),
    )
    expect(opened.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    await world.owner.query('update leave set status = 5 where id = any($1)', [ids])
  })

  it('R-SCHOOL-15 refuses in words what cannot be', async () => {
    const day = dayOf(school, quietWeek)
    const semester = (await admin.get<Row>('blade-user/schoolsemester/detail', { id: school.semesterId })).data
    const after = `${String(semester.endDate).slice(0, 4)}-08-20`
    const said = async (who: Person, body: Record<string, unknown>) => (await file(who, school, body)).msg
    const self = school.pupilSelf
    expect(
      await said(self, { applicantType: '1', startTime: `${day} 18:00:00`, endTime: `${day} 08:00:00` }),
    ).toContain('晚于')
    expect(await said(self, { applicantType: '1', ...wholeDays(after) })).toContain('学期')
    expect(await said(self, { applicantType: '1', ...am(day), reason: '有事' })).toContain('5')
    expect(await said(self, { applicantType: '1', ...am(day), leaveType: '77' })).toMatch(/请假类型/)
    expect(await said(self, { applicantType: '1', ...am(day), processDefinitionId: '1' })).toContain('流程')
    // A pupil of another class, and somebody else of the staff.
    expect(await said(school.head, { studentId: school.other, ...am(day) })).toContain('不能为其请假')
    expect(await said(self, { userId: school.people[0].userId, ...am(day) })).toContain('不能为其请假')
    expect(await said(stranger, { studentId: school.pupil, ...am(day) })).toMatch(/找不到|流程/)
  })
})

describe('deciding', () => {
  it('R-FLOW-9 ISSUE-16-9 is decided step by step, and everybody who has to know is told', async () => {
    const at = nextWeek()
    const [mon, tue] = [dayOf(school, at), dayOf(school, at, 2)]
    const filed = await file(school.pupilSelf, school, {
      ...{ applicantType: '1', leavesCampus: 1 },
      ...wholeDays(mon, tue),
    })
    expect(filed.code, filed.msg).toBe(200)
    const { id, processInstanceId } = filed.data
    const waiting = await shownTo(school.pupilSelf, id)
    expect([waiting.status, waiting.days, waiting.lessons]).toEqual([1, 2, 3])
    expect(waiting.flow?.assigneeName).toBe('班主任甲')
    expect((await decide(school.head, processInstanceId)).code).toBe(200)
    expect((await shownTo(school.pupilSelf, id)).flow?.assigneeName).toBe('年级主任')
    expect((await decide(school.gradeHead, processInstanceId)).code).toBe(200)
    const done = await shownTo(school.pupilSelf, id)
    expect(done.status).toBe(2)
    expect(done.guardPassNo).toMatch(/^[A-Z2-9]{8}$/)
    expect((await inboxOf(school.people[0])).map(({ title }) => title)).toContain('学生请假')
    expect((await inboxOf(school.head)).map(({ title }) => title)).toContain('学生请假')
    const pass = await school.head.get<{ studentName: string; isValid: boolean }>(`${leavePath}/pass`, {
      code: String(done.guardPassNo),
    })
    expect(pass.data.studentName).toBe('王小明')
    expect((await school.otherHead.get(`${leavePath}/pass`, { code: String(done.guardPassNo) })).code).toBe(404)
    // Cancelled, it opens no gate.
    expect((await school.pupilSelf.post(`${leavePath}/cancel`, { businessId: id })).code).toBe(200)
    expect((await shownTo(school.pupilSelf, id)).status).toBe(5)
    // Whoever shows it all the same is told why it holds no more.
    expect((await school.head.get(`${leavePath}/pass`, { code: String(done.guardPassNo) })).data).toMatchObject({
      isValid: false,
      message: { zh: '请假已取消' },
    })
  })

  it('R-FLOW-9 a refusal ends it, and the time is free again', async () => {
    const day = dayOf(school, nextWeek())
    const filed = await file(school.pupilSelf, school, { applicantType: '1', ...wholeDays(day) })
    expect((await decide(school.head, filed.data.processInstanceId, 'no')).code).toBe(200)
    expect((await shownTo(school.pupilSelf, filed.data.id)).status).toBe(3)
    expect((await file(school.pupilSelf, school, { applicantType: '1', ...wholeDays(day) })).code).toBe(200)
  })

  it('R-FLOW-9 ISSUE-16-9 lessons of staff are covered before the last approval, and cancelling undoes all of it', async () => {
    const at = nextWeek()
    const [mon, tue] = [dayOf(school, at), dayOf(school, at, 2)]
    const [wang] = school.people
    const filed = await file(wang, school, { applicantType: '2', ...wholeDays(mon, tue) })
    expect(filed.code, filed.msg).toBe(200)
    const { id, processInstanceId } = filed.data
    // By the timetable: mon1, mon3, tue1.
    expect(filed.data.lessons).toBe(3)
    expect((await decide(school.gradeHead, processInstanceId)).code).toBe(200)
    const refused = await decide(school.dean, processInstanceId)
    expect(refused.msg).toContain('还有3节课没有确认的代课')
    const bare = await uncoveredOn(admin, school, mon)
    expect(bare).toHaveLength(2)
    for (const { scheduleId, day } of [...bare, ...(await uncoveredOn(admin, school, tue))]) {
      const covered = await cover(admin, scheduleId, day, school.third, { confirmed: true })
      expect(covered.code, covered.msg).toBe(200)
    }
    // One whom somebody may still decline is none.
    await world.owner.query('update substitution set status = 0 where tenant_id = $1 and day = $2', [
      admin.tenantId,
      tue,
    ])
    expect((await decide(school.dean, processInstanceId)).msg).toContain('还有1节课没有确认的代课')
    await world.owner.query('update substitution set status = 1 where tenant_id = $1 and day = $2', [
      admin.tenantId,
      tue,
    ])
    expect((await decide(school.dean, processInstanceId)).code).toBe(200)
    const done = await shownTo(wang, id)
    expect(done.status).toBe(2)
    expect(done.missed.every(({ isCovered }) => isCovered)).toBe(true)
    const cancelled = await wang.post<{ covers: number }>(`${leavePath}/cancel`, { businessId: id })
    expect(cancelled.code, cancelled.msg).toBe(200)
    expect(cancelled.data.covers).toBe(3)
    expect(await uncoveredOn(admin, school, mon)).toEqual([])
    const left = await admin.get<{ total: number }>('blade-user/teacherabsence/list', { teacherId: wang.userId })
    expect(left.data.total).toBe(0)
  })

  it('R-SCHOOL-15 whoever is away decides nothing about it, even when it is handed over', async () => {
    const day = dayOf(school, nextWeek())
    // The dean files for a teacher: it is about 李强, who is given the task.
    const filed = await file(admin, school, {
      userId: school.people[1].userId,
      needSubstitute: 0,
      substitutePlan: '与张老师换课',
      ...wholeDays(day),
    })
    expect(filed.code, filed.msg).toBe(200)
    const waiting = (
      await school.gradeHead.get<{ records: { taskId: string; processInstanceId: string }[] }>(
        'blade-flow/work/todo-list',
        { size: 50 },
      )
    ).data.records.find((each) => each.processInstanceId === filed.data.processInstanceId)!
    await school.gradeHead.post('blade-flow/work/transfer', { taskId: waiting.taskId, userId: school.people[1].userId })
    const own = await decide(school.people[1], filed.data.processInstanceId)
    expect(own.msg).toContain('不能审批自己的请假')
    expect((await shownTo(school.people[1], filed.data.id)).status).toBe(1)
  })

  it('ISSUE-16-9 a return is confirmed by whoever answers for the person, with the proof of a long illness', async () => {
    const at = nextWeek()
    const filed = await file(school.pupilSelf, school, {
      ...{ applicantType: '1', leaveType: '2', reason: '发烧住院治疗' },
      ...wholeDays(dayOf(school, at), dayOf(school, at, 4)),
    })
    expect(filed.code, filed.msg).toBe(200)
    for (const who of [school.head, school.gradeHead, school.principal])
      expect((await decide(who, filed.data.processInstanceId)).code).toBe(200)
    const back = (who: Person, more: Record<string, unknown> = {}) =>
      who.post(`${leavePath}/back`, { businessId: filed.data.id, ...more })
    expect((await back(school.pupilSelf)).msg).toContain('本人')
    expect((await back(school.otherHead)).code).toBe(404)
    // Time passes: it has begun, and is not over.
    await world.owner.query(
      "update leave set start_time = now() - interval '3 days', end_time = now() + interval '1 day' where id = $1",
      [filed.data.id],
    )
    const late = new Date(Date.now() + 9 * 86_400_000).toISOString().slice(0, 10)
    expect((await back(school.head, { backTime: `${late} 08:00:00` })).msg).toContain('不能晚于现在')
    expect((await back(school.head, { backTime: '2020-01-01 08:00:00' })).msg).toContain('不能早于')
    expect((await back(school.head)).msg).toContain('医院证明')
    const foreign = await upload(world, admin, '证明.pdf')
    expect((await back(school.head, { attachIds: [foreign] })).msg).toContain('不是您上传')
    const proof = await upload(world, school.head, '出院小结.pdf')
    const done = await back(school.head, { attachIds: [proof] })
    expect(done.code, done.msg).toBe(200)
    const row = await shownTo(school.pupilSelf, filed.data.id)
    expect([row.status, row.backConfirmUser, row.files.map(({ name }) => name)]).toEqual([
      6,
      school.head.userId,
      ['出院小结.pdf'],
    ])
    expect((await back(school.head)).msg).toContain('已批准')
  })
})

describe('who sees it', () => {
  it('R-ROUTE-4 R-FLOW-10 own, deciding, heading the class or by scope; nobody else, and no other tenant', async () => {
    const day = dayOf(school, nextWeek())
    const filed = await file(school.pupilSelf, school, { applicantType: '1', ...wholeDays(day) })
    const { id } = filed.data
    for (const who of [school.pupilSelf, school.head, admin]) expect((await detailOf(who, id)).code).toBe(200)
    for (const who of [school.otherHead, school.people[0], stranger]) expect((await detailOf(who, id)).code).toBe(404)
    expect((await stranger.get<{ total: number }>(`${leavePath}/list`)).data.total).toBe(0)
    expect((await stranger.post(`${leavePath}/cancel`, { businessId: id })).code).toBe(404)
    expect((await stranger.post(`${leavePath}/back`, { businessId: id })).code).toBe(404)
    // By the other name of the family too.
    expect((await school.pupilSelf.get(`${leavePath}/detail`, { id })).code).toBe(200)
  })

  it('R-FLOW-9 a draft is sent as it stands, once, and changed only before', async () => {
    const day = dayOf(school, nextWeek())
    const draft = await admin.post<Row>(`${leavePath}/submit`, {
      ...{ schoolId: school.schoolId, applicantType: '1', studentId: school.pupil, leaveType: '1' },
      ...{ reason: '回老家看望祖父', ...am(day) },
    })
    expect(draft.code, draft.msg).toBe(200)
    const sent = await admin.post<{ id: string }>(`${leavePath}/start-process`, {
      // Whoever is named besides is not judged in place of the draft's own.
      ...{ id: draft.data.id, studentId: school.other },
      processDefinitionId: school.processId,
    })
    expect(sent.code, sent.msg).toBe(200)
    expect(sent.data.id).toBe(draft.data.id)
    expect(
      (await preview(school.head, { studentId: school.pupil, applicantType: '1', ...am(day) })).problems[0]?.message.zh,
    ).toContain('重叠')
    expect((await admin.post(`${leavePath}/start-process`, { id: draft.data.id })).msg).toContain('提交过')
    expect((await admin.post(`${leavePath}/submit`, { id: draft.data.id, reason: '改成别的事由' })).msg).toContain(
      '不能修改',
    )
    expect((await admin.post(`${leavePath}/remove?ids=${draft.data.id}`)).msg).toContain('不能删除')
  })
})
