import type { FlowTask } from '@data-brain/contract/calls/flow'
import type { LeaveDetail, LeavePreview } from '@data-brain/contract/calls/leave'
import type { PlanFlow, PlanNode, ProcessPlan, TaskPlan } from '@data-brain/contract/flow/plan'
import { newId } from '../src/database/id.ts'
import { latin, put } from './storage-parts.ts'
import { makeStaffed, type Staffed } from './substitution-parts.ts'
import type { Answer, Person, Row, World } from './world.ts'

export const leavePath = 'blade-desk/process/leave'

/** A school with people who ask for leave and decide on it. */
export interface LeaveSchool extends Staffed {
  /** The version of the leave process. */
  readonly processId: string
  readonly pupil: string
  /** A pupil of the second class. */
  readonly other: string
  /** Head of the first class, of the second, of the grade; the dean; the principal. */
  readonly head: Person
  readonly otherHead: Person
  readonly gradeHead: Person
  readonly dean: Person
  readonly principal: Person
  /** The pupil’s own account. */
  readonly pupilSelf: Person
}

const task: TaskPlan = {
  assignees: [{ kind: 'chosen' }],
  ifNobody: 'incident',
  skipSame: true,
  onRefuse: 'end',
  may: { delegate: true, transfer: true, return: true, addSigner: true },
  fields: {},
  copies: [],
}

/** Up to four approvals, one after another; those beyond `steps` are passed by. */
function plan(): ProcessPlan {
  const nodes: Record<string, PlanNode> = {}
  const flows: Record<string, PlanFlow> = {}
  const link = (id: string, from: string, to: string, more: Partial<PlanFlow> = {}): void => {
    flows[id] = { id, from, to, ...more }
  }
  link('begin', 'start', 'step1')
  for (let at = 1; at < 4; at += 1) {
    link(`on${at}`, `step${at}`, `need${at + 1}`)
    link(`yes${at + 1}`, `need${at + 1}`, `step${at + 1}`, {
      condition: { op: '>=', left: { op: 'name', path: ['steps'] }, right: { op: 'value', value: at + 1 } },
    })
    link(`no${at + 1}`, `need${at + 1}`, 'end')
  }
  link('on4', 'step4', 'end')
  const of = (id: string, side: 'from' | 'to'): string[] =>
    Object.values(flows).flatMap((each) => (each[side] === id ? [each.id] : []))
  const node = (id: string, more: Pick<PlanNode, 'type'> & Partial<PlanNode>): void => {
    nodes[id] = { id, scope: null, incoming: of(id, 'to'), outgoing: of(id, 'from'), ...more }
  }
  node('start', { type: 'start' })
  node('end', { type: 'end' })
  for (let at = 1; at <= 4; at += 1) {
    node(`step${at}`, { type: 'user', name: `第${at}步`, task })
    if (at > 1) node(`need${at}`, { type: 'exclusive', defaultFlow: `no${at}` })
  }
  return { key: 'leave-test', name: '请假', nodes, flows, form: [], formKey: 'leave' }
}

/** Deploys the process of the tests in a tenant; answers its version. */
export async function deployLeave(world: World, tenantId: string): Promise<string> {
  const id = newId()
  await world.owner.query(
    `insert into flowprocess (tenant_id, id, name, key, version_no, category, suspension_state, form_key, deployment_time, xml, plan)
     values ($1, $2, '请假', 'leave-test', 1, '1', '1', 'leave', now(), '<x/>', $3)`,
    [tenantId, id, JSON.stringify(plan())],
  )
  return id
}

let hired = 0

/** Somebody new of the school, in a session. */
export async function hire(
  world: World,
  admin: Person,
  realName: string,
  more: Record<string, unknown> = {},
): Promise<Person> {
  hired += 1
  const account = `leave${hired}`
  const answer = await admin.post<Row>('blade-user/submit', { account, realName, ...more })
  if (answer.code !== 200) throw new Error(answer.msg)
  await world.owner.query('update credential set must_change = 0 where user_id = $1', [answer.data.id])
  return world.as(admin.tenantId, account)
}

/** Makes one in the tenant of an administrator. */
export async function makeLeaveSchool(world: World, admin: Person): Promise<LeaveSchool> {
  // A term that lies ahead: what is over is not cancelled any more.
  const term = await makeStaffed(world, admin, new Date().getFullYear() + 1)
  const school = (await admin.get<Row>('blade-user/school/detail', { id: term.schoolId })).data
  const first = (await admin.get<Row>('blade-user/schoolclass/detail', { id: term.classes[0] })).data
  const own = { deptId: school.deptId }
  const postOf = async (code: string): Promise<string> =>
    (await admin.get<{ records: Row[] }>('blade-system/post/list', { postCode_equal: code })).data.records[0]!.id
  const head = await world.colleague(admin, ['attach_add'])
  await world.owner.query("update app_user set real_name = '班主任甲' where id = $1", [head.userId])
  const otherHead = await hire(world, admin, '班主任乙', own)
  const gradeHead = await hire(world, admin, '年级主任', own)
  const dean = await hire(world, admin, '教务主任', { ...own, postId: await postOf('academic-dean') })
  const principal = await hire(world, admin, '校长', own)
  const pupilSelf = await hire(world, admin, '王小明')
  const set = async (path: string, body: Record<string, unknown>): Promise<void> => {
    const answer = await admin.post(`${path}/submit`, body)
    if (answer.code !== 200) throw new Error(`${path}: ${answer.msg}`)
  }
  await set('blade-user/schoolclass', { id: term.classes[0], headTeacherId: head.userId })
  await set('blade-user/schoolclass', { id: term.classes[1], headTeacherId: otherHead.userId })
  await set('blade-user/school', { id: term.schoolId, principalId: principal.userId })
  await set('blade-user/schoolsubject', { id: term.subjectId, leaderId: gradeHead.userId })
  await set('blade-user/schoolyear', { id: term.yearId, isCurrent: 1 })
  await term.add('schoolgrade', {
    ...{ schoolId: term.schoolId, yearId: term.yearId, gradeId: first.gradeId },
    headTeacherId: gradeHead.userId,
  })
  const enrol = async (name: string, classId: string, userId: string | null): Promise<string> =>
    (await term.add('student', { schoolId: term.schoolId, name, gradeId: first.gradeId, classId, userId })).id
  return {
    ...term,
    ...{ head, otherHead, gradeHead, dean, principal, pupilSelf },
    pupil: await enrol('王小明', term.classes[0], pupilSelf.userId),
    other: await enrol('李小红', term.classes[1], null),
    processId: await deployLeave(world, admin.tenantId),
  }
}

/** Files a leave, of the kinds and times that are named. */
export const file = (
  who: Person,
  { processId }: Pick<LeaveSchool, 'processId'>,
  body: Record<string, unknown>,
): Promise<Answer<{ id: string; processInstanceId: string; days: number; lessons: number }>> =>
  who.post(`${leavePath}/start-process`, {
    ...{ processDefinitionId: processId, leaveType: '1', reason: '家中有事需要处理' },
    ...body,
  })

export const preview = async (who: Person, body: Record<string, unknown>): Promise<LeavePreview> => {
  const answer = await who.post<LeavePreview>(`${leavePath}/preview`, { leaveType: '1', ...body })
  if (answer.code !== 200) throw new Error(answer.msg)
  return answer.data
}

export const detailOf = (who: Person, id: string): Promise<Answer<LeaveDetail>> =>
  who.get<LeaveDetail>(`${leavePath}/detail`, { businessId: id })

/** Of one to whom it is shown. */
export const shownTo = async (who: Person, id: string): Promise<LeaveDetail> => {
  const answer = await detailOf(who, id)
  if (answer.code !== 200) throw new Error(answer.msg)
  return answer.data
}

/** Takes the task that waits about an instance, where that is needed, and decides it. */
export async function decide(who: Person, instanceId: string, flag: 'ok' | 'no' = 'ok'): Promise<Answer> {
  const waiting = async (list: string): Promise<FlowTask | undefined> =>
    (await who.get<{ records: FlowTask[] }>(`blade-flow/work/${list}`, { size: 100 })).data.records.find(
      (each) => each.processInstanceId === instanceId,
    )
  const taken = await waiting('todo-list')
  const found = taken ?? (await waiting('claim-list'))
  if (!found) throw new Error(`nothing waits for ${who.userId} about ${instanceId}`)
  if (!taken) await who.post(`blade-flow/work/claim-task?taskId=${found.taskId}`)
  return who.post('blade-flow/work/complete-task', {
    taskId: found.taskId,
    flag,
    ...(flag === 'no' ? { comment: '不同意' } : {}),
    comment: flag === 'ok' ? '同意' : '请补充',
  })
}

/** A file that somebody has uploaded. */
export async function upload(world: World, who: Person, name: string): Promise<string> {
  const answer = await put(world, who.token, name, latin('%PDF-1.4 proof'), { attach: true })
  if (answer.code !== 200) throw new Error(answer.msg)
  return answer.data.attachId
}

export const am = (day: string) => ({ startTime: `${day} 08:00:00`, endTime: `${day} 12:00:00` })
export const pm = (day: string) => ({ startTime: `${day} 12:00:00`, endTime: `${day} 18:00:00` })
export const wholeDays = (from: string, until = from) => ({
  startTime: `${from} 08:00:00`,
  endTime: `${until} 18:00:00`,
})
