import { type LeavePeople, leavePeople } from '@data-brain/contract/calls/leave'
import { applicants } from '@data-brain/contract/rules/leave'
import { sql } from '../../database/statement.ts'
import { on } from '../../entity/serve-call.ts'
import type { Call, Route } from '../../kernel/route.ts'
import { ownPupil, staffOf } from './subject.ts'

type Pupil = LeavePeople['pupils'][number]

/** Pupils of the classes that somebody heads or helps to head, and oneself where one is a pupil. */
const pupilsOf = ({ tx, actor }: Call): Promise<Pupil[]> =>
  tx.run<Pupil>(
    sql`select s.id, s.name, c.class_name as "className", coalesce((select jsonb_agg(jsonb_build_object('id', p.id::text, 'name', p.parent_name) order by p.contact_priority)
            from studentparents p where p.tenant_id = s.tenant_id and p.student_id = s.id and p.can_pickup = 1 and p.custody_restricted = 0 and p.parent_name is not null), '[]') as parents
        from student s join schoolclass c on c.tenant_id = s.tenant_id and c.id = s.class_id
        where s.tenant_id = ${actor.tenantId} and s.status in (1, 5) and (s.user_id = ${actor.userId} or (c.status <= 1 and (c.head_teacher_id = ${actor.userId}
          or exists (select from schoolclass_deputy_teacher d where d.tenant_id = c.tenant_id and d.owner_id = c.id and d.target_id = ${actor.userId}))))
        order by c.class_name, s.seat_no nulls last, s.name, s.id limit 500`,
  )

/** For whom the shipped processes are meant, by their keys. */
const meant: Readonly<Record<string, '1' | '2'>> = {
  'leave-student': applicants.pupil,
  'leave-staff': applicants.staff,
}

/** For whom somebody can ask for leave without a right of its own. */
export const peopleRoute: Route = on(leavePeople, async ({ processDefinitionId }, call) => {
  const { tx, actor } = call
  const { tenantId, userId } = actor
  const process = await tx.one<{ key: string; name: string }>(
    sql`select key, name from flowprocess where tenant_id = ${tenantId} and id = ${processDefinitionId ?? null}::bigint and form_key = 'leave'`,
  )
  const pupilId = userId === null ? undefined : await ownPupil(tx, tenantId, userId)
  const pupils = await pupilsOf(call)
  const staff = userId === null || pupilId ? undefined : await staffOf(tx, tenantId, userId, undefined)
  const own = pupils.find(({ id }) => id === pupilId)
  return {
    processName: process?.name ?? null,
    meantFor: (process && meant[process.key]) ?? null,
    self: own
      ? { applicantType: applicants.pupil, id: own.id, name: own.name }
      : staff
        ? { applicantType: applicants.staff, id: staff.id, name: staff.name }
        : null,
    pupils,
  }
})
