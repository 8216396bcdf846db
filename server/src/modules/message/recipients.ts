import { codeOf, rules, student, type studentmessage } from '@data-brain/contract'
import { sql } from '../../database/statement.ts'
import { type Context, Repository } from '../../entity/repository.ts'
import type { StoredRow } from '../../entity/rules.ts'

type Message = Pick<StoredRow<typeof studentmessage>, 'schoolId' | 'targetType' | 'targetIds' | 'audience'>

/** Dictionary message_audience. */
const audience = { students: '1', parents: '2', guardians: '3' } as const
/** Of those who are meant by their class or the like: who is at school now. */
const atSchool = [1, 5]
const bunch = 1_000

/** The pupils that a message is about, of those whom its sender works with. */
async function pupilsOf(context: Context, { schoolId, targetType, targetIds }: Message): Promise<string[]> {
  const { tx, actor } = context
  const ids = (targetIds ?? []) as readonly string[]
  const named = sql`${[...ids]}::bigint[]`
  const meant = {
    '1': sql`s.id = any(${named})`,
    '2': sql`s.class_id = any(${named})`,
    '3': sql`s.grade_id = any(${named})`,
    '4': sql`exists (select 1 from studentgrouprelevance g where g.tenant_id = s.tenant_id and g.student_id = s.id and g.group_id = any(${named}))`,
    '5': sql`true`,
  }[targetType]
  if (!meant) return []
  const rows = await tx.run<{ id: string }>(
    sql`select s.id from student s where s.tenant_id = ${actor.tenantId} and s.school_id = ${schoolId} and ${meant}
          ${targetType === '1' ? sql`` : sql`and s.status = any(${atSchool}::int[])`} order by s.id`,
  )
  const seen = new Repository(student, context)
  const reached: string[] = []
  for (let at = 0; at < rows.length; at += bunch) {
    const some = rows.slice(at, at + bunch).map(({ id }) => id)
    reached.push(...(await seen.rows(some, [], { codes: [codeOf(student, 'view')] })).map(({ id }) => id))
  }
  return reached
}

export interface Recipients {
  /** Each address once, however many children somebody has. */
  readonly addresses: readonly string[]
  /** People who are meant and have no address. */
  readonly without: number
}

/**
 * Where a message goes by mail: pupils by their address or their account's, parents and guardians by their account's if
 * they want mail. Whose contact is restricted gets none.
 */
export async function recipientsOf(context: Context, message: Message): Promise<Recipients> {
  const { tx, actor } = context
  const { tenantId } = actor
  const pupils = await pupilsOf(context, message)
  const meant = new Set(message.audience)
  const people: { email: string | null }[] = []
  if (meant.has(audience.students))
    people.push(
      ...(await tx.run<{ email: string | null }>(
        sql`select coalesce(nullif(s.email, ''), nullif(u.email, '')) as email from student s
              left join app_user u on u.tenant_id = s.tenant_id and u.id = s.user_id and u.status = 1
            where s.tenant_id = ${tenantId} and s.id = any(${pupils}::bigint[])`,
      )),
    )
  if (meant.has(audience.parents) || meant.has(audience.guardians))
    people.push(
      ...(await tx.run<{ email: string | null }>(
        sql`select case when p.notify_email = 1 then nullif(u.email, '') end as email from studentparents p
              left join app_user u on u.tenant_id = p.tenant_id and u.id = p.user_id and u.status = 1
            where p.tenant_id = ${tenantId} and p.student_id = any(${pupils}::bigint[]) and p.custody_restricted = 0
              and (${meant.has(audience.parents)} or p.is_guardian = 1)`,
      )),
    )
  const right = people.flatMap(({ email }) => (email === null || rules.email.check(email) ? [] : [email]))
  const once = new Map(right.map((address) => [address.toLowerCase(), address]))
  return { addresses: [...once.values()], without: people.length - right.length }
}
