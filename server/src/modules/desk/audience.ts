import type { RawBuilder } from 'kysely'
import { sql } from '../../database/statement.ts'

/*
 * Whom a notice is for: one condition on a notice `n` and a user, from which a reader's list, what is unread, and the
 * list of who has not read yet are all made. Whoever is meant is meant as a person: a session that was narrowed to one
 * department or role hides no notice from anybody.
 */

/** Whether a notice is out: published, its time has come, and it has not expired. */
export const isOut = sql`n.status in (1, 2) and n.release_time <= now() and (n.expire_time is null or n.expire_time > now())`

const targets = sql`n.target_ids`

const ofDepts = (user: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`exists (select 1 from app_user_dept l join dept d on d.tenant_id = l.tenant_id and d.id = l.target_id
        where l.tenant_id = n.tenant_id and l.owner_id = ${user}
          and (${targets} ? d.id::text or ${targets} ?| string_to_array(coalesce(d.ancestors, ''), ',')))`

const ofRoles = (user: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`exists (select 1 from app_user_role l where l.tenant_id = n.tenant_id and l.owner_id = ${user} and ${targets} ? l.target_id::text)`

/** The school of a department is its own, or that of the nearest one above that has any. */
const ofSchools = (user: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`exists (select 1 from app_user_dept l join dept d on d.tenant_id = l.tenant_id and d.id = l.target_id
        where l.tenant_id = n.tenant_id and l.owner_id = ${user} and ${targets} ? (
          select a.school_id::text from dept a where a.tenant_id = d.tenant_id and a.school_id is not null
            and (a.id = d.id or a.id::text = any(string_to_array(d.ancestors, ',')))
          order by char_length(coalesce(a.ancestors, '')) desc limit 1))`

/** Those who head or teach a class that is named by one of its columns. */
const ofClasses = (user: RawBuilder<unknown>, named: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`exists (select 1 from schoolclass c where c.tenant_id = n.tenant_id and c.status <= 1 and ${targets} ? ${named}::text
        and (c.head_teacher_id = ${user}
          or exists (select 1 from schoolclass_deputy_teacher l where l.tenant_id = c.tenant_id and l.owner_id = c.id and l.target_id = ${user})
          or exists (select 1 from teacherclass a where a.tenant_id = c.tenant_id and a.class_id = c.id and a.user_id = ${user} and a.end_date >= current_date)))`

/** Those who head or teach a class of the grade, or a teaching class of it. */
const ofGrades = (user: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(${ofClasses(user, sql`c.grade_id`)}
      or exists (select 1 from teacherclass a join schoolteachclass_grade g on g.tenant_id = a.tenant_id and g.owner_id = a.teach_class_id
        where a.tenant_id = n.tenant_id and a.user_id = ${user} and a.end_date >= current_date and ${targets} ? g.target_id::text))`

/** Whether a notice `n` is for a user. */
export const isFor = (user: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`case n.target_type when '1' then true when '2' then ${ofDepts(user)} when '3' then ${ofRoles(user)}
      when '4' then ${ofSchools(user)} when '5' then ${ofGrades(user)} when '6' then ${ofClasses(user, sql`c.id`)}
      when '7' then ${targets} ? ${user}::text else false end`

/** Whether a notice `n` is for an application, by the id that it logs in with. */
export const isForClient = (clientId: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(coalesce(n.client_ids, '') = '' or ${clientId} = any(string_to_array(n.client_ids, ',')))`

/** The table of what each kind of target names; everybody needs none. */
export const targetTables: ReadonlyMap<string, string> = new Map([
  ['2', 'dept'],
  ['3', 'role'],
  ['4', 'school'],
  ['5', 'sysgrade_seen'],
  ['6', 'schoolclass'],
  ['7', 'app_user'],
])
