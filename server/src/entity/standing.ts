import type { RawBuilder } from 'kysely'
import { sql } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import type { Actor } from '../kernel/actor.ts'

/*
 * What is a person's own, as data scopes look at it: departments, schools, classes, grades.
 */

/** What a rule looks at. */
export type Kind = 'me' | 'depts' | 'below' | 'schools' | 'grade' | 'classes'

/** The kinds of rule that take in other rows for one person than for another, by where the person works. */
export type Standing = Exclude<Kind, 'me'>

/** A person, as far as what is theirs depends on it. */
interface Stand {
  readonly tx: Tx
  readonly actor: Pick<Actor, 'tenantId' | 'userId' | 'deptIds'>
}

const idRows = async (ground: Stand, query: RawBuilder<unknown>): Promise<readonly string[]> =>
  (await ground.tx.run<{ id: string }>(query)).map((row) => row.id)

/** What an actor's own things are, read when they are needed: today's, never those of the log-in. */
export const idsOf: Record<Kind, (ground: Stand) => Promise<readonly string[]>> = {
  me: async ({ actor }) => (actor.userId === null ? [] : [actor.userId]),
  depts: async ({ actor }) => actor.deptIds,
  below: (ground) =>
    idRows(
      ground,
      sql`select d.id from dept d where d.tenant_id = ${ground.actor.tenantId}
          and (d.id = any(${ground.actor.deptIds}::bigint[]) or string_to_array(d.ancestors, ',') && ${ground.actor.deptIds}::text[])`,
    ),
  // The school of a department is its own, or that of the nearest one above that has any.
  schools: (ground) =>
    idRows(
      ground,
      sql`select distinct (select a.school_id from dept a where a.tenant_id = d.tenant_id and a.school_id is not null
              and (a.id = d.id or a.id::text = any(string_to_array(d.ancestors, ',')))
            order by char_length(coalesce(a.ancestors, '')) desc limit 1) as id
          from dept d where d.tenant_id = ${ground.actor.tenantId} and d.id = any(${ground.actor.deptIds}::bigint[])`,
    ).then((ids) => ids.filter((id) => id !== null)),
  grade: (ground) =>
    idRows(
      ground,
      sql`select distinct c.school_id || ':' || c.grade_id as id from schoolclass c where c.tenant_id = ${ground.actor.tenantId} and ${taught(ground)}`,
    ),
  classes: (ground) =>
    idRows(
      ground,
      sql`select c.id from schoolclass c where c.tenant_id = ${ground.actor.tenantId} and ${taught(ground)}`,
    ),
}

/** Classes of `c` that the actor heads, or teaches in a term that has not ended. */
const taught = ({ actor }: Stand): RawBuilder<unknown> =>
  sql`c.status <= 1 and (c.head_teacher_id = ${actor.userId}
    or exists (select 1 from schoolclass_deputy_teacher l where l.tenant_id = c.tenant_id and l.owner_id = c.id and l.target_id = ${actor.userId})
    or exists (select 1 from teacherclass a where a.tenant_id = c.tenant_id and a.class_id = c.id and a.user_id = ${actor.userId} and a.end_date >= current_date))`

/** What a person stands in: ids of departments, schools or classes, or of grades with their schools. */
export const standing = (
  kind: Standing,
  tx: Tx,
  person: Pick<Actor, 'tenantId' | 'userId' | 'deptIds'>,
): Promise<readonly string[]> => idsOf[kind]({ tx, actor: person })
