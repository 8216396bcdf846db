import { substitution } from '@data-brain/contract'
import { acceptSubstitutions, cancelSubstitutions, declineSubstitutions } from '@data-brain/contract/calls/substitution'
import { sql } from '../../database/statement.ts'
import { modelOf } from '../../entity/model.ts'
import { type Context, Repository } from '../../entity/repository.ts'
import { contextOf, rowsOf } from '../../entity/routes.ts'
import type { StoredRow } from '../../entity/rules.ts'
import { on } from '../../entity/serve-call.ts'
import { writeOver } from '../../entity/write.ts'
import { holdsCode } from '../../kernel/actor.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Call, Route } from '../../kernel/route.ts'
import { notifyWeeks } from '../timetable/index.ts'
import { holdSchool, substitutionQueue, writeTogether } from './collide.ts'
import { type Decision, tellDecided } from './notices.ts'
import { isInForce, states } from './states.ts'

type Stored = StoredRow<typeof substitution> & { readonly id: string }

const deciding = 'substitution_decide'

/** Who is asked: whoever gives the lesson from now on. */
const askedOf = ({ newTeacherId, teacherId }: Pick<Stored, 'newTeacherId' | 'teacherId'>): string | null =>
  newTeacherId ?? teacherId

/** One that is the caller's own to answer, or that the caller may decide, locked; any other is not there. */
async function decidable(call: Call, id: string, { own }: { readonly own: boolean }): Promise<Stored> {
  const rows = new Repository(substitution, { ...contextOf(call), unscoped: true })
  const row = await rows.before(id, { lock: true })
  const isOwn = own && call.actor.userId !== null && askedOf(row) === call.actor.userId
  if (!isOwn && !holdsCode(call.actor, deciding)) throw new Problem('not_found')
  if (!isOwn) await rowsOf(substitution, call).before(id, { codes: [deciding] })
  return { ...row, id }
}

/** The ids of substitutions with those of the other halves of their exchanges, in order; their schools are held. */
async function withOtherHalves(call: Call, ids: readonly string[], halves: boolean): Promise<string[]> {
  const { tx, actor } = call
  const found = await tx.run<{ id: string; school_id: string; semester_id: string }>(
    sql`select s.id, s.school_id, l.semester_id from substitution s
          join classschedule l on l.tenant_id = s.tenant_id and l.id = s.schedule_id where s.tenant_id = ${actor.tenantId} and (s.id = any(${[...ids]}::bigint[])
          or (${halves} and (s.pair_id = any(${[...ids]}::bigint[])
            or s.id in (select p.pair_id from substitution p where p.tenant_id = ${actor.tenantId} and p.id = any(${[...ids]}::bigint[])))))
        order by s.id`,
  )
  const there = new Set(found.map(({ id }) => id))
  if (ids.some((id) => !there.has(id))) throw new Problem('not_found')
  const semesters = new Map(found.map((row) => [row.semester_id, row.school_id]))
  for (const [semesterId, schoolId] of [...semesters].toSorted()) await holdSchool(call, schoolId, semesterId)
  return [...there]
}

/**
 * Cancels substitutions that are no longer needed, of those that hold; the lessons are again as they were. It is for what
 * somebody undoes by a right of another kind. Answers how many there were.
 */
export async function cancelCovers(context: Context, schoolId: string, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0
  const model = modelOf(substitution)
  await holdSchool(context, schoolId)
  const decided: Stored[] = []
  await writeTogether(context, async (changed) => {
    for (const id of ids) {
      const rows = new Repository(substitution, { ...context, unscoped: true })
      const row = { ...(await rows.before(id, { lock: true })), id }
      // What has been given stays given, and counts.
      if (!isInForce(row.status) || row.status === states.done) continue
      await writeOver(model, context, id, row, {}, { status: states.cancelled, extId: undefined })
      changed(row.scheduleId)
      decided.push(row)
    }
  })
  await notifyWeeks(context)
  await tellDecided(context, decided, 'cancelled')
  return decided.length
}

const words: Readonly<Record<Decision, { readonly zh: string; readonly en: string }>> = {
  accepted: { zh: '只有待确认的可以接受', en: 'Only one that waits for an answer can be accepted' },
  declined: {
    zh: '只有待确认的可以拒绝；已确认的请教务取消',
    en: 'Only one that waits for an answer can be declined: ask the office to cancel it',
  },
  cancelled: { zh: '已拒绝或已取消', en: 'It has been declined or cancelled before' },
}

/** Changes the state of substitutions; what they took is given back, or refused in words where that is taken by now. */
async function decide(call: Call, ids: readonly string[], decision: Decision): Promise<void> {
  const status = { accepted: states.confirmed, declined: states.declined, cancelled: states.cancelled }[decision]
  const context = contextOf(call)
  const model = modelOf(substitution)
  const asked = new Set(ids)
  const decided: Stored[] = []
  // Half of an exchange is nothing: who declines or cancels it does so of both.
  const all = await withOtherHalves(call, ids, decision !== 'accepted')
  await writeTogether(context, async (changed) => {
    for (const id of all) {
      const rows = new Repository(substitution, { ...context, unscoped: true })
      const row = asked.has(id)
        ? await decidable(call, id, { own: decision !== 'cancelled' })
        : { ...(await rows.before(id, { lock: true })), id }
      const fits = decision === 'cancelled' ? isInForce(row.status) : row.status === states.waiting
      // The other half may have been accepted already.
      if (!fits && asked.has(id)) throw new Problem('rule_broken', { reason: words[decision] })
      if (!fits && !isInForce(row.status)) continue
      await writeOver(model, context, id, row, {}, { status, extId: undefined })
      changed(row.scheduleId)
      decided.push(row)
    }
  })
  await notifyWeeks(call)
  await tellDecided(call, decided, decision)
}

export const decideRoutes: readonly Route[] = [
  on(acceptSubstitutions, ({ ids }, call) => decide(call, ids, 'accepted'), { turns: substitutionQueue }),
  on(declineSubstitutions, ({ ids }, call) => decide(call, ids, 'declined'), { turns: substitutionQueue }),
  on(cancelSubstitutions, ({ ids }, call) => decide(call, ids, 'cancelled'), { turns: substitutionQueue }),
]
