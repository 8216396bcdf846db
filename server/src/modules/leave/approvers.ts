import { dictionaryOf } from '@data-brain/contract/dictionaries'
import { type Approver, applicants, approvers, type LeaveRoute, usualRoutes } from '@data-brain/contract/rules/leave'
import type { RawBuilder } from 'kysely'
import { sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import type { Language } from '../../kernel/problem.ts'
import type { StepTerms } from '../flow/index.ts'
import { type Subject, worksIn } from './subject.ts'

export interface ApproverPerson {
  readonly id: string
  readonly name: string
}

/** A step of a route with those of whom one decides. */
export interface RouteStep {
  /** A key of leave_approver, or `admin` where nobody above is found. */
  readonly approver: Approver | 'admin'
  readonly people: readonly ApproverPerson[]
  /** What the rule of the school promises of it. */
  readonly terms?: StepTerms
}

/** What a school's rule says of a step. */
interface Wanted {
  readonly approver: Approver
  readonly userId: string | null
}

/** What it says of all of them: hours to decide, a key of leave_timeout, and whether a step can be delegated. */
interface Promised {
  readonly timeoutHours: number | null
  readonly onTimeout: string | null
  readonly allowDelegate: number
}

interface Rule {
  readonly steps: readonly Wanted[]
  readonly promised?: Promised
}

/** The key of leave_timeout that hands an overdue step up. */
const handsUp = '2'

const { classTeacher, gradeHead, dean, vicePrincipal, principal, deptHead, deptHeadAbove, subjectHead, named } =
  approvers

/** Who is asked where nobody of a kind is found, or the applicant alone would be. */
const above: Readonly<Record<Approver, Approver | 'admin'>> = {
  [classTeacher]: gradeHead,
  [gradeHead]: dean,
  [subjectHead]: deptHead,
  [deptHead]: dean,
  [dean]: vicePrincipal,
  [vicePrincipal]: principal,
  [principal]: deptHeadAbove,
  [named]: principal,
  [deptHeadAbove]: 'admin',
}

/** Codes of the posts whose holders are meant. */
const posts: Partial<Record<Approver, readonly string[]>> = {
  [dean]: ['academic-dean', 'moral-dean'],
  [vicePrincipal]: ['vice-principal'],
}

/** The people of one kind for somebody, in SQL that finds ids of users as `id`. */
function seek(tenantId: string, approver: Approver | 'admin', subject: Subject, day: string, userId: string | null) {
  const { kind, id, schoolId, classId } = subject
  const theirClasses: RawBuilder<unknown> =
    kind === 'pupil'
      ? sql`select c.* from schoolclass c where c.tenant_id = ${tenantId} and c.id = ${classId}::bigint`
      : sql`select c.* from schoolclass c where c.tenant_id = ${tenantId} and c.status <= 1 and (c.head_teacher_id = ${id}
          or exists (select from teacherclass a where a.tenant_id = c.tenant_id and a.class_id = c.id and a.user_id = ${id} and ${day}::date between a.begin_date and a.end_date))`
  // Departments of the person: of a pupil there are none, so that the school's own stands in.
  const theirDepts: RawBuilder<unknown> =
    kind === 'pupil'
      ? sql`select d.* from dept d join school s on s.tenant_id = d.tenant_id and s.dept_id = d.id where d.tenant_id = ${tenantId} and s.id = ${schoolId}`
      : sql`select d.* from app_user_dept l join dept d on d.tenant_id = l.tenant_id and d.id = l.target_id where l.tenant_id = ${tenantId} and l.owner_id = ${id}`
  switch (approver) {
    case classTeacher:
      return sql`select c.head_teacher_id as id from (${theirClasses}) c where ${kind === 'pupil'}`
    case gradeHead:
      return sql`select g.head_teacher_id as id from (${theirClasses}) c
        join schoolgrade g on g.tenant_id = c.tenant_id and g.school_id = c.school_id and g.year_id = c.year_id and g.grade_id = c.grade_id`
    case subjectHead:
      return sql`select b.leader_id as id from teacherclass a join schoolsubject b on b.tenant_id = a.tenant_id and b.id = a.subject_id
        where a.tenant_id = ${tenantId} and a.school_id = ${schoolId} and a.user_id = ${id} and ${day}::date between a.begin_date and a.end_date`
    case principal:
      return sql`select principal_id as id from school where tenant_id = ${tenantId} and id = ${schoolId}`
    case deptHead:
      return sql`select d.leader_id as id from (${theirDepts}) d`
    case deptHeadAbove:
      return sql`select p.leader_id as id from school s join dept d on d.tenant_id = s.tenant_id and d.id = s.dept_id
        join dept p on p.tenant_id = d.tenant_id and p.id = d.parent_id where s.tenant_id = ${tenantId} and s.id = ${schoolId}`
    case named:
      return sql`select ${userId}::bigint as id`
    case 'admin':
      return sql`select l.owner_id as id from app_user_role l join role r on r.tenant_id = l.tenant_id and r.id = l.target_id
        where l.tenant_id = ${tenantId} and r.is_admin = 1`
    default:
      // Holders of a post who work in the school.
      return sql`select l.owner_id as id from app_user_post l join post p on p.tenant_id = l.tenant_id and p.id = l.target_id
        where l.tenant_id = ${tenantId} and p.post_code = any(${[...(posts[approver] ?? [])]}::text[])
          and ${worksIn(tenantId, sql`l.owner_id`, schoolId)}`
  }
}

/** A step is asked of so many at most. */
const peopleMost = 50

const peopleOf = (
  tx: Tx,
  tenantId: string,
  query: RawBuilder<unknown>,
  without: readonly string[],
): Promise<ApproverPerson[]> =>
  tx.run<ApproverPerson>(
    sql`select u.id, u.real_name as name from app_user u where u.tenant_id = ${tenantId} and u.status = 1 and u.id in (${query})
          and not u.id = any(${[...without]}::bigint[]) order by u.real_name, u.id limit ${peopleMost}`,
  )

/** The rule of a school for a leave; the usual one where the school has none for such people. */
async function ruleOf(
  tx: Tx,
  tenantId: string,
  { kind, schoolId }: Subject,
  leaveType: string,
  days: number,
): Promise<Rule | undefined> {
  const type = kind === 'pupil' ? applicants.pupil : applicants.staff
  const rules = await tx.run<Promised & { fits: boolean; steps: [Approver | null, string | null][] }>(
    sql`select r.status = 1 and r.min_days < ${days} and (r.max_days is null or r.max_days >= ${days})
            and (r.leave_type is null or r.leave_type = ${leaveType}) as fits,
          r.timeout_hours as "timeoutHours", r.on_timeout as "onTimeout", r.allow_delegate as "allowDelegate",
          jsonb_build_array(jsonb_build_array(r.step1, r.step1_user::text), jsonb_build_array(r.step2, r.step2_user::text),
            jsonb_build_array(r.step3, r.step3_user::text), jsonb_build_array(r.step4, r.step4_user::text)) as steps
        from leaveapprovalrule r where r.tenant_id = ${tenantId} and r.school_id = ${schoolId} and r.applicant_type = ${type} and r.status = 1
        order by r.leave_type nulls last, r.min_days, r.id limit 200`,
  )
  if (rules.length > 0) {
    const found = rules.find(({ fits }) => fits)
    const steps = found?.steps.flatMap(([approver, userId]) => (approver === null ? [] : [{ approver, userId }]))
    return steps && { steps, promised: found! }
  }
  const usual = routeFor(type, days)
  return usual && { steps: usual.steps.map((approver) => ({ approver, userId: null })) }
}

const routeFor = (type: string, days: number): LeaveRoute | undefined =>
  usualRoutes.find(
    (each) => each.applicantType === type && days > each.minDays && days <= (each.maxDays ?? Number.POSITIVE_INFINITY),
  )

const samePeople = (one: readonly ApproverPerson[], other: readonly ApproverPerson[]): boolean =>
  one.length === other.length && one.every(({ id }) => other.some((each) => each.id === id))

/** What of a leave says who approves it; `day` is its first one. */
interface LeaveAsked {
  readonly leaveType: string
  readonly days: number
  readonly day: string
  readonly applicant: string | null
}

/**
 * Who approves a leave, step by step. Neither the applicant nor whoever is away decides; where nobody else is found, the next
 * one above is asked, in the end the administrators. Whoever stands twice in a route is asked once, at the later step. Undefined where the rules of the
 * school say nothing of so many days; a step without people where really nobody is there.
 */
export async function routeOf(
  tx: Tx,
  tenantId: string,
  subject: Subject,
  { leaveType, days, day, applicant }: LeaveAsked,
): Promise<readonly RouteStep[] | undefined> {
  const without = [applicant, subject.accountId].filter((id) => id !== null)
  const find = (asked: Approver | 'admin', userId: string | null = null) =>
    peopleOf(tx, tenantId, seek(tenantId, asked, subject, day, userId), without)
  const heads = subject.kind === 'staff' && (await isPrincipal(tx, tenantId, subject))
  // Nobody within the school stands above its principal.
  const rule: Rule | undefined = heads
    ? { steps: [{ approver: deptHeadAbove, userId: null }] }
    : await ruleOf(tx, tenantId, subject, leaveType, days)
  if (rule === undefined) return undefined
  const steps: RouteStep[] = []
  for (const { approver, userId } of rule.steps) {
    let asked: Approver | 'admin' = approver
    let people = await find(asked, userId)
    while (people.length === 0 && asked !== 'admin') {
      asked = above[asked]
      people = await find(asked)
    }
    // Whoever stands twice in a route decides once, and last: nobody decides below what they have agreed to.
    const twin = steps.findIndex((each) => samePeople(each.people, people))
    if (twin !== -1) steps.splice(twin, 1)
    const terms = rule.promised && (await termsOf(rule.promised, asked, find))
    steps.push({ approver: asked, people, ...(terms ? { terms } : {}) })
  }
  return steps
}

/** What a rule promises of a step: where it hands up, to everybody above, level by level. */
async function termsOf(
  { timeoutHours, onTimeout, allowDelegate }: Promised,
  asked: Approver | 'admin',
  find: (approver: Approver | 'admin') => Promise<readonly ApproverPerson[]>,
): Promise<StepTerms> {
  const mayDelegate = allowDelegate === 1
  if (timeoutHours === null) return { mayDelegate }
  const to: string[][] = []
  if (onTimeout === handsUp)
    for (let level = asked; level !== 'admin'; ) {
      level = above[level]
      to.push((await find(level)).map(({ id }) => id))
    }
  return { dueHours: timeoutHours, onDue: onTimeout === handsUp ? { to } : 'remind', mayDelegate }
}

const isPrincipal = async (tx: Tx, tenantId: string, { id, schoolId }: Subject): Promise<boolean> =>
  (await tx.one(
    sql`select 1 from school where tenant_id = ${tenantId} and id = ${schoolId} and principal_id = ${id}`,
  )) !== undefined

/** What a step is called. */
export function nameOfStep({ approver }: Pick<RouteStep, 'approver'>, language: Language): string {
  if (approver === 'admin') return language === 'zh' ? '管理员' : 'Administrator'
  const item = dictionaryOf('leave_approver')?.items.find(({ key }) => key === approver)
  return item?.label[language] ?? approver
}
