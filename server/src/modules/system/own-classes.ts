import { schoolclass, teacherclass } from '@data-brain/contract'
import type { StandingName } from '@data-brain/contract/scope-kinds'
import { sql } from '../../database/statement.ts'
import { personalScopeIds } from '../../entity/personal-scope.ts'
import type { Context } from '../../entity/repository.ts'
import { addRules, type Saving } from '../../entity/rules.ts'
import { type Actor, isAdmin } from '../../kernel/actor.ts'
import { Problem } from '../../kernel/problem.ts'
import { standingsOfActor } from './held-rights.ts'

/*
 * A data scope may go by the classes that somebody heads or teaches. Nobody widens an own scope by naming oneself there:
 * whoever works with some classes takes on another one when a colleague says so.
 */

/** A class as it will be. */
interface Taken {
  readonly id: string
  readonly schoolId: unknown
  readonly gradeId: unknown
}

/** Refuses a class by which the actor, who teaches it by this save, would reach more than before. */
async function mustHold({ tx, actor }: Pick<Context, 'tx' | 'actor'>, taken: Taken): Promise<void> {
  const bound = [...standingsOfActor(actor)].filter((kind) => kind === 'classes' || kind === 'grade')
  const within = async (kind: StandingName): Promise<boolean> =>
    (await personalScopeIds(kind, tx, actor)).includes(
      kind === 'classes' ? taken.id : `${taken.schoolId}:${taken.gradeId}`,
    )
  for (const kind of bound)
    if (!(await within(kind)))
      throw new Problem('rule_broken', {
        reason: {
          zh: '您的数据范围随任教班级而定，不能自己把自己排入其他班级，请由其他人安排',
          en: 'Your data scope is limited to the classes you teach: ask a colleague to assign you another class',
        },
      })
}

/** Whether the actor may name oneself anywhere: only whoever is bound by a scope is judged. */
const isFree = (actor: Actor): boolean =>
  actor.userId === null || isAdmin(actor) || actor.roles.every((role) => role.scopes.length === 0)

const isOpen = (status: unknown): boolean => Number(status ?? 0) <= 1

async function judgeClass({ context, id, before, whole, status }: Saving<typeof schoolclass>): Promise<void> {
  const { tx, actor } = context
  if (isFree(actor) || !isOpen(status ?? before?.status)) return
  const named = [whole.headTeacherId, ...(whole.deputyTeacherIds ?? [])].map(String)
  const teaches =
    named.includes(actor.userId!) ||
    (before !== undefined &&
      (await tx.one(
        sql`select 1 from teacherclass where tenant_id = ${actor.tenantId} and class_id = ${id} and user_id = ${actor.userId} and end_date >= current_date limit 1`,
      )) !== undefined)
  if (teaches) await mustHold(context, { id, schoolId: whole.schoolId, gradeId: whole.gradeId })
}

async function judgeAssignment({ context, whole }: Saving<typeof teacherclass>): Promise<void> {
  const { tx, actor } = context
  if (isFree(actor) || !whole.classId || whole.userId !== actor.userId) return
  const taken = await tx.one<Taken>(
    sql`select id, school_id as "schoolId", grade_id as "gradeId" from schoolclass
        where tenant_id = ${actor.tenantId} and id = ${whole.classId} and status <= 1 and ${String(whole.endDate ?? '')} >= current_date::text`,
  )
  if (taken) await mustHold(context, taken)
}

export function addOwnClassRules(): void {
  addRules(schoolclass, { beforeSave: judgeClass })
  addRules(teacherclass, { beforeSave: judgeAssignment })
}
