import {
  codeOf,
  type Entity,
  schoolclass,
  student,
  studentgroup,
  studentmessage,
  sysgrade,
  type Words,
} from '@data-brain/contract'
import { isId } from '../../database/id.ts'
import { bindingCodes } from '../../entity/choice-access.ts'
import { Repository } from '../../entity/repository.ts'
import type { Saving } from '../../entity/rules.ts'
import { scopesFor } from '../../entity/scopes-of-role.ts'
import { fieldProblem } from '../../kernel/problem.ts'

/** What the ids of a message name, by its kind of target (dictionary message_target); the whole school names nothing. */
const named: Readonly<Record<string, Entity>> = { '1': student, '2': schoolclass, '3': sysgrade, '4': studentgroup }

/** Kinds of target that take in pupils without naming them one by one or by class. */
const wide: ReadonlySet<unknown> = new Set(['3', '5'])

const most = 1_000

/**
 * A message goes to rows that exist and that its writer works with: whoever works with some pupils only writes to these,
 * to their classes and to own groups, and not to a grade or the whole school.
 */
export async function judgeTargets({ context, values, whole }: Saving<typeof studentmessage>): Promise<void> {
  if (!('targetType' in values) && !('targetIds' in values)) return
  const { actor, circumstance } = context
  const refuse = (field: 'targetType' | 'targetIds', reason: Words): never => {
    throw fieldProblem([{ field, label: studentmessage.fields[field].label, reason }], circumstance.language)
  }
  const type = whole.targetType
  const isNarrowed = !context.unscoped && scopesFor(actor, student, [codeOf(student, 'view')]) !== undefined
  if (isNarrowed && wide.has(type))
    refuse('targetType', {
      zh: '超出您的数据权限，请选择学生、班级或分组',
      en: 'is beyond your data scope: choose students, classes or groups',
    })
  const ids: unknown = whole.targetIds ?? []
  if (!Array.isArray(ids) || !ids.every(isId) || ids.length > most)
    return refuse('targetIds', { zh: '须为编号列表', en: 'must be a list of ids' })
  const entity = named[type]
  // The whole school names nobody, also where somebody was named before.
  if (!entity && ids.length > 0) values.targetIds = null
  if (ids.length === 0 || !entity) return
  const codes = bindingCodes(entity, actor)
  const rows = new Repository(entity, codes ? context : { ...context, unscoped: true })
  const found = await rows.rows(ids, [], { codes: codes ?? [] })
  if (found.length < new Set(ids).size)
    refuse('targetIds', {
      zh: '有不存在的接收对象，请重新选择',
      en: 'names recipients that do not exist: choose again',
    })
}
