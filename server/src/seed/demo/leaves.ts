import type { InputOf } from '@data-brain/contract/call'
import type { startLeave } from '@data-brain/contract/calls/leave'
import { addDays } from '@data-brain/contract/rules/school-year'
import { newId } from '../../database/id.ts'
import { sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { system } from '../../kernel/actor.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Call } from '../../kernel/route.ts'
import type { Services } from '../../kernel/services.ts'
import { addFlowBusiness, type Decision, decide, flowContext, ship } from '../../modules/flow/index.ts'
import { confirmBack, fileLeave, leaveBusiness } from '../../modules/leave/index.ts'

const tenantId = '000001'

interface Person {
  readonly id: string
  readonly name: string
}

/** Of the class teacher who can log in: the own class, and whom its leave concerns. */
interface Cast {
  readonly registrar: Person
  readonly classTeacher: Person
  readonly gradeHead: Person
  /** Pupils of the class, in order, each with somebody who may fetch them. */
  readonly pupils: readonly { readonly id: string; readonly pickup: string }[]
  /** A teacher of the class who does not head it. */
  readonly teacher: Person
}

const castOf = async (tx: Tx): Promise<Cast> => {
  const person = (id: ReturnType<typeof sql>) =>
    sql`(select jsonb_build_object('id', u.id::text, 'name', u.real_name) from app_user u where u.tenant_id = ${tenantId} and u.id = ${id})`
  const row = await tx.one<Cast>(
    sql`with own as (select c.* from schoolclass c join app_user u on u.tenant_id = c.tenant_id and u.id = c.head_teacher_id and u.account = 'banzhuren'
            where c.tenant_id = ${tenantId} order by c.id limit 1)
        select ${person(sql`(select id from app_user where tenant_id = ${tenantId} and account = 'jiaowu')`)} as registrar,
          ${person(sql`own.head_teacher_id`)} as "classTeacher",
          ${person(sql`(select g.head_teacher_id from schoolgrade g where g.tenant_id = own.tenant_id and g.school_id = own.school_id and g.year_id = own.year_id and g.grade_id = own.grade_id)`)} as "gradeHead",
          ${person(sql`(select min(a.user_id) from teacherclass a where a.tenant_id = own.tenant_id and a.class_id = own.id and a.user_id <> own.head_teacher_id and a.end_date >= current_date)`)} as teacher,
          (select jsonb_agg(jsonb_build_object('id', p.id::text, 'pickup', p.pickup::text) order by p.seat_no) from (
            select s.id, s.seat_no, (select min(g.id) from studentparents g where g.tenant_id = s.tenant_id and g.student_id = s.id and g.can_pickup = 1 and g.custody_restricted = 0) as pickup
            from student s where s.tenant_id = own.tenant_id and s.class_id = own.id and s.status = 1) p where p.pickup is not null) as pupils
        from own`,
  )
  return row!
}

/** A call as somebody of the demo makes it. */
const callOf = (services: Services, tx: Tx, { id, name }: Person): Call => ({
  ...{ services, tx, parameters: {}, query: {}, body: undefined, stamp: '' },
  actor: { ...system('demo', tenantId), userId: id, name, account: name },
  circumstance: { requestId: newId(), language: 'zh', address: '', agent: '' },
})

/**
 * Lays some requests for leave, each filed and decided by people of the demo through the engine itself, so that home, work
 * lists, cover desk and gate have something to show. Where no school day is near, as in the holidays, there are fewer.
 */
export async function layLeaves(services: Services, tx: Tx, today: string): Promise<void> {
  // Its module joins the two when the server is put together, which is after the demo is laid.
  addFlowBusiness(leaveBusiness)
  const { registrar, classTeacher, gradeHead, pupils, teacher } = await castOf(tx)
  const as = (who: Person): Call => callOf(services, tx, who)
  const shipping = flowContext(as(registrar))
  await ship(shipping.services, { ...shipping, unscoped: true })

  type Asked = Omit<InputOf<typeof startLeave>, 'startTime' | 'endTime'>
  /** Files a request for so many days from the first of these days on which there is school; undefined where there is none. */
  const file = async (who: Person, asked: Asked, from: number, days = 1, step: 1 | -1 = 1) => {
    for (let at = from; at !== from + 12 * step; at += step) {
      const first = addDays(today, at)
      const times = { startTime: `${first} 08:00:00`, endTime: `${addDays(first, days - 1)} 18:00:00` }
      await tx.run(sql`savepoint one_leave`)
      try {
        const filed = await fileLeave({ ...asked, ...times }, as(who))
        await tx.run(sql`release savepoint one_leave`)
        return filed
      } catch (problem) {
        if (!(problem instanceof Problem)) throw problem
        await tx.run(sql`rollback to savepoint one_leave`)
      }
    }
    return undefined
  }
  const say = async (who: Person, instanceId: string, flag: Decision['flag'], comment: string): Promise<void> => {
    const task = await tx.one<{ id: string }>(
      sql`select id from flow_task where tenant_id = ${tenantId} and instance_id = ${instanceId} and assignee = ${who.id} and state = 0`,
    )
    if (task) await decide(flowContext(as(who)), { taskId: task.id, flag, comment })
  }
  const pupil = (at: number): { studentId: string; pickupParentId: string } => ({
    studentId: pupils[at]!.id,
    pickupParentId: pupils[at]!.pickup,
  })

  const gone = await file(registrar, { ...pupil(0), leaveType: '2', leavesCampus: 1, reason: '牙科复诊，家长接送' }, 0)
  if (gone) await say(classTeacher, gone.processInstanceId, 'ok', '同意，注意安全')
  const back = await file(registrar, { ...pupil(1), leaveType: '2', reason: '感冒发热，在家休息' }, -1, 1, -1)
  if (back) {
    await say(classTeacher, back.processInstanceId, 'ok', '同意，好好休息')
    await confirmBack({ businessId: back.id }, as(classTeacher))
  }
  const refused = await file(registrar, { ...pupil(2), leaveType: '1', reason: '随家人外出旅行' }, 1, 2)
  if (refused) await say(classTeacher, refused.processInstanceId, 'no', '临近测验，请假期再安排')
  // What waits for the class teacher, the head of the grade after them, and the principal.
  await file(registrar, { ...pupil(3), leaveType: '1', reason: '参加亲属婚礼' }, 1)
  await file(registrar, { ...pupil(4), leaveType: '2', leavesCampus: 1, reason: '到医院复查视力' }, 2)
  const further = await file(registrar, { ...pupil(5), leaveType: '1', reason: '参加市青少年科技创新大赛' }, 3, 7)
  if (further) {
    await say(classTeacher, further.processInstanceId, 'ok', '同意，返校后补课')
    await say(gradeHead, further.processInstanceId, 'ok', '同意')
  }
  // A teacher is away: the lessons stand on the cover desk.
  await file(teacher, { applicantType: '2', leaveType: '2', needSubstitute: 1, reason: '身体不适，需就医' }, 1)
}
