import type { RawBuilder } from 'kysely'
import { sql } from '../../database/statement.ts'
import { addStanding, type Person } from '../../entity/personal-scope.ts'

/** Classes of `c` that somebody heads, or teaches in a term that has not ended. */
const taught = ({ actor }: Person): RawBuilder<unknown> =>
  sql`c.status <= 1 and (c.head_teacher_id = ${actor.userId}
    or exists (select 1 from schoolclass_deputy_teacher l where l.tenant_id = c.tenant_id and l.owner_id = c.id and l.target_id = ${actor.userId})
    or exists (select 1 from teacherclass a where a.tenant_id = c.tenant_id and a.class_id = c.id and a.user_id = ${actor.userId} and a.end_date >= current_date))`

const idsIn = async ({ tx }: Person, query: RawBuilder<unknown>): Promise<readonly string[]> =>
  (await tx.run<{ id: string | null }>(query)).flatMap(({ id }) => id ?? [])

/** What is one's own in schools: those of one's departments, the classes that one teaches, and the grades that one heads. */
export function addSchoolStandings(): void {
  // The school of a department is its own, or that of the nearest one above that has any.
  addStanding('schools', (person) =>
    idsIn(
      person,
      sql`select distinct (select a.school_id from dept a where a.tenant_id = d.tenant_id and a.school_id is not null
              and (a.id = d.id or a.id::text = any(string_to_array(d.ancestors, ',')))
            order by char_length(coalesce(a.ancestors, '')) desc limit 1) as id
          from dept d where d.tenant_id = ${person.actor.tenantId} and d.id = any(${person.actor.deptIds}::bigint[])`,
    ),
  )
  // Grades that somebody heads, in a year that is current.
  addStanding('grade', (person) =>
    idsIn(
      person,
      sql`select distinct g.school_id || ':' || g.grade_id as id from schoolgrade g
            join schoolyear y on y.tenant_id = g.tenant_id and y.id = g.year_id and y.is_current = 1
          where g.tenant_id = ${person.actor.tenantId} and g.head_teacher_id = ${person.actor.userId}`,
    ),
  )
  addStanding('classes', (person) =>
    idsIn(
      person,
      sql`select c.id from schoolclass c where c.tenant_id = ${person.actor.tenantId} and ${taught(person)}`,
    ),
  )
}
