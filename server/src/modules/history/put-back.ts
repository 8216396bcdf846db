import { refuseBlocked } from '../../entity/blockers.ts'
import { bornOf, isChanged, type KeptRow, plainValues, rowNow, statesOf } from '../../entity/history-row.ts'
import type { Model } from '../../entity/model.ts'
import { type Context, Repository } from '../../entity/repository.ts'
import { removeWithRules, saveWithRules } from '../../entity/rules.ts'
import { removeRow, writeNew, writeOver } from '../../entity/write.ts'
import { holdsCode } from '../../kernel/actor.ts'
import { Problem } from '../../kernel/problem.ts'

/** One thing that was done to a row, as the history tells it. */
export interface Step {
  readonly row_id: string
  readonly version: number
  /** The row before it; null where there was none. */
  readonly before: KeptRow | null
}

/**
 * Puts a row back to what it was before a step: exactly as it was stored, what the server works out included. Rules
 * judge it, and keep what they count; those that wrote rows along at the time are skipped, for these have steps of their own.
 */
export async function putBack(model: Model, given: Context, step: Step): Promise<void> {
  const context: Context = { ...given, action: 'undo', unscoped: true }
  const { row_id: id, before: wanted } = step
  const now = await rowNow(model, context, id, true)
  if (wanted && now) return change(model, context, id, wanted, now)
  if (wanted) return bringBack(model, context, step, wanted)
  if (now) return takeAway(model, context, id)
}

const rowsFor = (model: Model, context: Context): Repository => new Repository(model.entity, context)

async function takeAway(model: Model, context: Context, id: string): Promise<void> {
  const before = await rowsFor(model, context).before(id)
  await removeWithRules(model.entity, { context, id, before }, async () => {
    await refuseBlocked(model, context, id)
    await removeRow(model, context, id, before)
  })
}

async function bringBack(model: Model, context: Context, { row_id: id, version }: Step, row: KeptRow): Promise<void> {
  const values = plainValues(model, model.fields, row, context, id)
  const saving = { context, id, before: undefined, values, whole: values, status: statesOf(row).status }
  await saveWithRules(model.entity, saving, async () => {
    await writeNew(model, context, id, values, statesOf(row), undefined, bornOf(row, version))
    return true
  })
}

async function change(model: Model, context: Context, id: string, wanted: KeptRow, now: KeptRow): Promise<void> {
  const fields = model.fields.filter((field) => isChanged(field, wanted, now))
  const states = statesOf(wanted)
  const same = Number(now.status) === states.status && ((now.ext_id as string | null) ?? null) === states.extId
  if (fields.length === 0 && same) return
  // Who could not switch it on or off does not do so by taking something back.
  const switching = model.entity.status?.switchedBy
  if (switching && Number(now.status) !== states.status && !holdsCode(context.actor, switching))
    throw new Problem('forbidden', { code: switching })
  const before = await rowsFor(model, context).before(id)
  const values = plainValues(model, fields, wanted, context, id)
  const status = Number(now.status) === states.status ? undefined : states.status
  const saving = { context, id, before, values, whole: { ...before, ...values }, status }
  await saveWithRules(model.entity, saving, async () => {
    await writeOver(model, context, id, before, values, states)
    return true
  })
}
