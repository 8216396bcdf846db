import { isDeepStrictEqual } from 'node:util'
import { newId } from '../../../database/id.ts'
import { sql } from '../../../database/statement.ts'
import type { Values } from '../../../entity/check.ts'
import type { Model } from '../../../entity/model.ts'
import type { Context } from '../../../entity/repository.ts'
import { judgeSaving, rulesOf, type StoredRow } from '../../../entity/rules.ts'
import { type FieldFault, Problem } from '../../../kernel/problem.ts'
import { type DatabaseError, problemOfDatabase } from '../../../kernel/problem-of.ts'

/** What the rules of an entity make of a row: what will be stored, or what they refuse, by field. */
export type Ruled = { readonly values: Values } | { readonly faults: readonly Pick<FieldFault, 'field' | 'reason'>[] }

/** Whether an entity has rules that look before a save. */
export const hasRules = ({ entity }: Pick<Model, 'entity'>): boolean =>
  rulesOf(entity).some((rules) => rules.beforeSave)

/**
 * Asks the rules that look before a save what they would say to a row of a file, so that it is told while the file is
 * checked, beside all else, and not by the first row that is stored. What they lock or write along is taken back.
 */
export async function askRules(
  { entity }: Model,
  context: Context,
  {
    id,
    before,
    values,
  }: { readonly id: string | undefined; readonly before: Values | undefined; readonly values: Values },
): Promise<Ruled> {
  const { tx } = context
  const changed = Object.fromEntries(
    Object.entries(values).filter(([name, value]) => !before || !isDeepStrictEqual(value, before[name])),
  )
  const saving = {
    context: { ...context, unscoped: true },
    id: id ?? newId(),
    before: before as StoredRow<typeof entity> | undefined,
    ...{ values: changed, whole: { ...before, ...changed } },
  }
  await tx.run(sql`savepoint rules_asked`)
  try {
    await judgeSaving(entity, saving)
    return { values: { ...values, ...saving.values } }
  } catch (thrown) {
    const problem = thrown instanceof Problem ? thrown : problemOfDatabase(thrown as DatabaseError)
    if (!problem || problem.status >= 500) throw thrown
    return { faults: faultsOf(problem, entity.title) }
  } finally {
    await tx.run(sql`rollback to savepoint rules_asked`)
  }
}

/** What a problem says of which field; of no field, of the one that names the row. */
function faultsOf(problem: Problem, title: string): Pick<FieldFault, 'field' | 'reason'>[] {
  const { data, detail } = problem
  const field = data && typeof data === 'object' && 'field' in data ? data.field : undefined
  const { reason } = detail
  const own = problem.problem === 'field_invalid' && typeof reason === 'object' ? reason : undefined
  return [
    {
      field: typeof field === 'string' ? field : title,
      reason: own ?? { zh: problem.words('zh'), en: problem.words('en') },
    },
  ]
}
