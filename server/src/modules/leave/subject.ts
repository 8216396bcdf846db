import type { RawBuilder } from 'kysely'
import { sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'

/** Whom a leave is about. */
export interface Subject {
  readonly kind: 'pupil' | 'staff'
  readonly id: string
  readonly name: string
  readonly schoolId: string
  /** The account of the person: the pupil's own, where there is one. */
  readonly accountId: string | null
  /** Of a pupil: the class. */
  readonly classId: string | null
  readonly className: string | null
  readonly campusId: string | null
  readonly gradeId: string | null
}

export const pupilOf = (tx: Tx, tenantId: string, studentId: string): Promise<Subject | undefined> =>
  tx.one<Subject>(
    sql`select 'pupil' as kind, s.id, s.name, s.school_id as "schoolId", s.user_id as "accountId", c.id as "classId", c.class_name as "className",
          c.campus_id as "campusId", coalesce(c.grade_id, s.grade_id) as "gradeId"
        from student s left join schoolclass c on c.tenant_id = s.tenant_id and c.id = s.class_id
        where s.tenant_id = ${tenantId} and s.id = ${studentId}`,
  )

/**
 * Somebody of the staff with the school: that of a department, else of a class that is headed or taught, else the only one
 * that there is. Where a school is asked for, it must be one of these.
 */
export const staffOf = (
  tx: Tx,
  tenantId: string,
  userId: string,
  schoolId: string | undefined,
): Promise<Subject | undefined> =>
  tx.one<Subject>(
    sql`with own as (
          select (select a.school_id from dept a where a.tenant_id = d.tenant_id and a.school_id is not null
                and (a.id = d.id or a.id::text = any(string_to_array(d.ancestors, ',')))
              order by char_length(coalesce(a.ancestors, '')) desc limit 1) as id, 1 as rank
            from app_user_dept l join dept d on d.tenant_id = l.tenant_id and d.id = l.target_id
            where l.tenant_id = ${tenantId} and l.owner_id = ${userId}
          union all select school_id, 2 from schoolclass where tenant_id = ${tenantId} and head_teacher_id = ${userId} and status <= 1
          union all select school_id, 3 from teacherclass where tenant_id = ${tenantId} and user_id = ${userId} and end_date >= current_date
          union all select id, 4 from school where tenant_id = ${tenantId} and principal_id = ${userId}
          union all select min(id), 5 from school where tenant_id = ${tenantId} having count(*) = 1
        )
        select 'staff' as kind, u.id, u.real_name as name, o.id as "schoolId", u.id as "accountId", null as "classId", null as "className",
          null as "campusId", null as "gradeId"
        from app_user u join own o on o.id is not null
        where u.tenant_id = ${tenantId} and u.id = ${userId} and u.status = 1 and (${schoolId ?? null}::bigint is null or o.id = ${schoolId ?? null}::bigint)
          and not exists (select from student s where s.tenant_id = u.tenant_id and s.user_id = u.id)
        order by o.rank, o.id limit 1`,
  )

/** Whether somebody, whose id a column gives, works in a school: by a department of it, or because there is no other school. */
export const worksIn = (
  tenantId: string,
  person: RawBuilder<unknown>,
  schoolId: string | RawBuilder<unknown>,
): RawBuilder<unknown> =>
  sql`(exists (select from app_user_dept x join dept d on d.tenant_id = x.tenant_id and d.id = x.target_id
          join dept a on a.tenant_id = d.tenant_id and (a.id = d.id or a.id::text = any(string_to_array(d.ancestors, ',')))
          where x.tenant_id = ${tenantId} and x.owner_id = ${person} and a.school_id = ${schoolId})
        or (select count(*) from school s where s.tenant_id = ${tenantId}) = 1)`

/** Those who stand at the gate of a school: by their post, or by a role of that alias. In SQL that finds users as `id`. */
export const guardsOf = (tenantId: string, schoolId: string | RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`select g.id from (
          select l.owner_id as id from app_user_role l join role r on r.tenant_id = l.tenant_id and r.id = l.target_id and r.role_alias = 'guard' where l.tenant_id = ${tenantId}
          union select l.owner_id from app_user_post l join post p on p.tenant_id = l.tenant_id and p.id = l.target_id and p.post_code = 'guard' where l.tenant_id = ${tenantId}) g
        where ${worksIn(tenantId, sql`g.id`, schoolId)}`

/** The pupil whose account somebody has. */
export const ownPupil = async (tx: Tx, tenantId: string, userId: string): Promise<string | undefined> =>
  (
    await tx.one<{ id: string }>(
      sql`select id from student where tenant_id = ${tenantId} and user_id = ${userId} limit 1`,
    )
  )?.id
