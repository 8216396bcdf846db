import type { AssigneeRule } from '@data-brain/contract/flow/plan'
import { sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import type { Variables } from './engine/host.ts'

/** Whom a step may be asked of: people, and groups of whom one takes the task. */
export interface Candidates {
  readonly users: readonly string[]
  readonly groups: readonly Group[]
}

export interface Group {
  readonly kind: 'role' | 'post' | 'dept'
  readonly id: string
}

/** Who was found to be there, within one transaction: twenty requests of one person are one question. */
export type PeopleMemory = Map<string, readonly string[]>

/** What is known of an instance when people are looked for. */
export interface Seeking {
  readonly memory?: PeopleMemory
  readonly tenantId: string
  readonly instanceId: string
  readonly startUser: string | null
  readonly variables: Variables
}

/** Where the people of a group stand: its table of links, by which column. */
const memberTables = {
  role: sql`app_user_role`,
  post: sql`app_user_post`,
  dept: sql`app_user_dept`,
} as const

const idPattern = /^\d{1,19}$/
const isId = (value: unknown): value is string => typeof value === 'string' && idPattern.test(value)
const idOf = (value: unknown): string | null => (isId(value) ? value : null)
const idsOf = (value: unknown): string[] => (Array.isArray(value) ? value.filter(isId) : isId(value) ? [value] : [])

/** The pupil, class and school that an instance is about, and the department of its applicant. */
const about = ({ variables }: Seeking) => ({
  studentId: idOf(variables.studentId),
  classId: idOf(variables.classId),
  schoolId: idOf(variables.schoolId),
})

/** Its class: given, or that of the pupil. */
const classOf = (seeking: Seeking) => {
  const { studentId, classId } = about(seeking)
  return sql`select c.* from schoolclass c where c.tenant_id = ${seeking.tenantId} and c.id = coalesce(${classId}::bigint,
    (select s.class_id from student s where s.tenant_id = ${seeking.tenantId} and s.id = ${studentId}::bigint))`
}

const column = async (tx: Tx, query: ReturnType<typeof sql>): Promise<string[]> =>
  (await tx.run<{ id: string | null }>(query)).flatMap(({ id }) => (id === null ? [] : [id]))

const byNames = (
  tx: Tx,
  tenantId: string,
  table: 'role' | 'post',
  by: 'role_alias' | 'post_code',
  names: readonly string[],
) =>
  column(
    tx,
    sql`select id from ${sql.table(table)} where tenant_id = ${tenantId} and ${sql.ref(by)} = any(${[...names]}::text[]) order by id`,
  )

async function usersOf(tx: Tx, rule: AssigneeRule, node: string, seeking: Seeking): Promise<string[]> {
  const { tenantId, instanceId, startUser, variables } = seeking
  switch (rule.kind) {
    case 'user':
      return [...rule.ids]
    case 'account':
      return column(
        tx,
        sql`select id from app_user where tenant_id = ${tenantId} and account = any(${[...rule.names]}::text[]) order by id`,
      )
    case 'applicant':
      return startUser ? [startUser] : []
    case 'chosen':
      return idsOf((variables.chosen as Record<string, unknown> | undefined)?.[node])
    case 'field':
      return idsOf(variables[rule.field])
    case 'doer':
      return column(
        tx,
        sql`select assignee as id from flow_task where tenant_id = ${tenantId} and instance_id = ${instanceId} and node = ${rule.node} and state = 1 and outcome in ('ok', 'no', 'back')
            order by end_time desc, id desc limit 1`,
      )
    case 'classTeacher':
      return column(tx, sql`select c.head_teacher_id as id from (${classOf(seeking)}) c`)
    case 'gradeHead':
      return column(
        tx,
        sql`select g.head_teacher_id as id from (${classOf(seeking)}) c
            join schoolgrade g on g.tenant_id = c.tenant_id and g.year_id = c.year_id and g.grade_id = c.grade_id`,
      )
    case 'principal':
      return column(
        tx,
        sql`select s.principal_id as id from school s where s.tenant_id = ${tenantId} and s.id = coalesce(${about(seeking).schoolId}::bigint,
              (select c.school_id from (${classOf(seeking)}) c),
              (select d.school_id from app_user_dept l join dept d on d.tenant_id = l.tenant_id and d.id = l.target_id
                where l.tenant_id = ${tenantId} and l.owner_id = ${startUser}::bigint and d.school_id is not null order by l.target_id limit 1),
              (select min(o.id) from school o where o.tenant_id = ${tenantId} having count(*) = 1))`,
      )
    case 'deptLeader':
      return column(
        tx,
        sql`with recursive up as (
              select d.id, d.parent_id, d.leader_id, 0 as level from app_user_dept l join dept d on d.tenant_id = l.tenant_id and d.id = l.target_id
                where l.tenant_id = ${tenantId} and l.owner_id = ${startUser}::bigint
              union select d.id, d.parent_id, d.leader_id, up.level + 1 from up join dept d on d.tenant_id = ${tenantId} and d.id = up.parent_id
                where up.level < 20
            ) select leader_id as id from up where level = ${rule.up}`,
      )
    default:
      return []
  }
}

async function groupsOf(tx: Tx, rule: AssigneeRule, tenantId: string): Promise<Group[]> {
  if (rule.kind === 'role' || rule.kind === 'post' || rule.kind === 'dept') {
    const { kind, ids } = rule
    return ids.map((id) => ({ kind, id }))
  }
  if (rule.kind === 'roleAlias')
    return (await byNames(tx, tenantId, 'role', 'role_alias', rule.names)).map((id) => ({ kind: 'role', id }))
  if (rule.kind === 'postCode')
    return (await byNames(tx, tenantId, 'post', 'post_code', rule.names)).map((id) => ({ kind: 'post', id }))
  return []
}

/** People of these groups who may work, at most two more than one: whether there is somebody, and whether only one. */
async function membersOf(
  tx: Tx,
  tenantId: string,
  { kind, id }: Group,
  without: readonly string[],
  most: number,
): Promise<string[]> {
  return column(
    tx,
    sql`select u.id from ${memberTables[kind]} l join app_user u on u.tenant_id = l.tenant_id and u.id = l.owner_id and u.status = 1
        where l.tenant_id = ${tenantId} and l.target_id = ${id}::bigint and not u.id = any(${[...without]}::bigint[]) order by u.id limit ${most}`,
  )
}

/** So many people a step is asked of at most, one task for each. */
export const peopleMost = 200

/** The people among these who are there and may log in, in the order in which they are named. */
export async function present(
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
  memory: PeopleMemory = new Map(),
): Promise<readonly string[]> {
  if (ids.length === 0) return []
  const asked = [...new Set(ids)]
  const key = `${tenantId} ${asked.join()}`
  const known = memory.get(key)
  if (known) return known
  const there = new Set(
    await column(
      tx,
      sql`select id from app_user where tenant_id = ${tenantId} and status = 1 and id = any(${asked}::bigint[])`,
    ),
  )
  const found = asked.filter((id) => there.has(id))
  memory.set(key, found)
  return found
}

/**
 * Whom the rules of a step name. The applicant never decides on the own request: only a step that is the applicant’s own,
 * such as handing in again, is asked of them.
 */
export async function candidatesOf(
  tx: Tx,
  rules: readonly AssigneeRule[],
  node: string,
  seeking: Seeking,
): Promise<Candidates> {
  const { tenantId, startUser } = seeking
  const named: string[] = []
  const groups: Group[] = []
  for (const rule of rules) {
    const users = await usersOf(tx, rule, node, seeking)
    named.push(...(rule.kind === 'applicant' ? users : users.filter((id) => id !== startUser)))
    groups.push(...(await groupsOf(tx, rule, tenantId)))
  }
  const without = startUser ? [startUser] : []
  const peopled: Group[] = []
  const alone = new Set<string>()
  for (const group of groups) {
    const members = await membersOf(tx, tenantId, group, without, 2)
    if (members.length === 1) alone.add(members[0]!)
    if (members.length > 1) peopled.push(group)
  }
  return { users: await present(tx, tenantId, [...named, ...alone], seeking.memory), groups: peopled }
}

/** Those who manage processes: the roles that administer the tenant. */
export async function managersOf(tx: Tx, tenantId: string): Promise<Candidates> {
  const roles = await column(
    tx,
    sql`select id from role where tenant_id = ${tenantId} and is_admin = 1 order by id limit 5`,
  )
  return { users: [], groups: roles.map((id) => ({ kind: 'role' as const, id })) }
}

/** Whoever is told of what goes wrong with processes: those who administer the tenant, and who has deployed them. */
export const managersAndMaker = (tx: Tx, tenantId: string, processIds: readonly string[]): Promise<string[]> =>
  column(
    tx,
    sql`select u.id from app_user u where u.tenant_id = ${tenantId} and u.status = 1 and (
          u.id in (select p.create_user from flowprocess p where p.tenant_id = ${tenantId} and p.id = any(${[...processIds]}::bigint[]))
          or u.id in (select l.owner_id from app_user_role l join role r on r.tenant_id = l.tenant_id and r.id = l.target_id
            where l.tenant_id = ${tenantId} and r.is_admin = 1)) order by u.id limit 50`,
  )

/** The deputies of somebody who heads the class that an instance is about. */
export const deputiesOf = (tx: Tx, userId: string, seeking: Seeking): Promise<string[]> =>
  column(
    tx,
    sql`select d.target_id as id from (${classOf(seeking)}) c join schoolclass_deputy_teacher d on d.tenant_id = c.tenant_id and d.owner_id = c.id
        where c.head_teacher_id = ${userId}::bigint order by d.target_id`,
  )

/** All the people whom candidates are, one by one: of a step that each of them decides. */
export async function everybody(tx: Tx, { users, groups }: Candidates, seeking: Seeking): Promise<string[]> {
  const without = seeking.startUser ? [seeking.startUser] : []
  const members: string[] = []
  for (const group of groups) members.push(...(await membersOf(tx, seeking.tenantId, group, without, peopleMost)))
  return [...new Set([...users, ...members])].slice(0, peopleMost)
}

/** The ids of the tasks that this person may take: named itself, or by a group. */
export const candidateTasks = (tenantId: string, userId: string) => sql`select c.task_id from flow_candidate c
  where c.tenant_id = ${tenantId} and (c.kind, c.target_id) in (
    select 'user', ${userId}::bigint
    union all select 'role', target_id from app_user_role where tenant_id = ${tenantId} and owner_id = ${userId}::bigint
    union all select 'post', target_id from app_user_post where tenant_id = ${tenantId} and owner_id = ${userId}::bigint
    union all select 'dept', target_id from app_user_dept where tenant_id = ${tenantId} and owner_id = ${userId}::bigint)`

/** Those who can take a task, for telling them that it is there. */
export const notifiableUsers = (tx: Tx, tenantId: string, taskIds: readonly string[]): Promise<string[]> =>
  column(
    tx,
    sql`select distinct u.id from flow_candidate c join app_user u on u.tenant_id = c.tenant_id and u.status = 1 and (
          (c.kind = 'user' and u.id = c.target_id)
          or (c.kind = 'role' and exists (select from app_user_role l where l.tenant_id = c.tenant_id and l.owner_id = u.id and l.target_id = c.target_id))
          or (c.kind = 'post' and exists (select from app_user_post l where l.tenant_id = c.tenant_id and l.owner_id = u.id and l.target_id = c.target_id))
          or (c.kind = 'dept' and exists (select from app_user_dept l where l.tenant_id = c.tenant_id and l.owner_id = u.id and l.target_id = c.target_id)))
        where c.tenant_id = ${tenantId} and c.task_id = any(${[...taskIds]}::bigint[]) limit 400`,
  )

/** So many candidates are named; of more there is a sign that they are there. */
const namedMost = 10

/**
 * Who can take a task that nobody has taken yet, by name, in SQL over a task `t`: people, roles, posts and departments, also
 * those that whoever asks could not look up. Null for any other task.
 */
export const candidateNames = sql`case when t.assignee is null and t.state = 0 then (
  select array_to_string((array_agg(n.name order by n.target_id))[1:${namedMost}::int], '、') || case when count(*) > ${namedMost}::int then '…' else '' end
  from (select c.target_id, coalesce(x.real_name, r.role_name, p.post_name, d.dept_name) as name from flow_candidate c
    left join app_user x on c.kind = 'user' and x.tenant_id = c.tenant_id and x.id = c.target_id
    left join role r on c.kind = 'role' and r.tenant_id = c.tenant_id and r.id = c.target_id
    left join post p on c.kind = 'post' and p.tenant_id = c.tenant_id and p.id = c.target_id
    left join dept d on c.kind = 'dept' and d.tenant_id = c.tenant_id and d.id = c.target_id
    where c.tenant_id = t.tenant_id and c.task_id = t.id) n) end`
