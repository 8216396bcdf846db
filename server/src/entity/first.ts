import { codeOf, type Entity, entityOf, type FirstPart } from '@data-brain/contract'
import { Problem } from '../kernel/problem.ts'
import type { Call } from '../kernel/route.ts'
import { type Context, Repository, type WireRow } from './repository.ts'

/** The name under which a draft brings the row that is made along with a new one. */
const key = 'first'

type Draft = Readonly<Record<string, unknown>>

const isDraft = (value: unknown): value is Draft => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Takes from the draft of a new row what is said of the row that is made along with it, where its caller may make one. */
export function takeFirst(entity: Entity, call: Call): { readonly body: unknown; readonly first?: Draft } {
  const { body, actor } = call
  if (!entity.first || !isDraft(body) || !(key in body)) return { body }
  const { [key]: first, ...rest } = body
  if (first === null || first === undefined) return { body: rest }
  const part = entityOf(entity.first.of)
  const { fields } = entity.first
  if (body.id || !isDraft(first) || Object.keys(first).some((name) => !fields.includes(name)))
    throw new Problem('field_unknown', { field: key }, { field: key, fields: [] })
  const needed = codeOf(part, 'add')
  if (actor.kind === 'user' && !actor.codes.has(needed)) throw new Problem('forbidden', { code: needed })
  // What an API scope keeps for others is not reached by way of another call.
  if (actor.refused.has(`POST /${part.path}/submit`)) throw new Problem('forbidden', { code: needed })
  return { body: rest, first }
}

/** Makes the row that hangs on the new one; what is wrong with it is said of its fields in the same form. */
export async function addFirst(entity: Entity, context: Context, row: WireRow, first: Draft): Promise<void> {
  const { of, by, given } = entity.first!
  const rows = new Repository(entityOf(of), context)
  try {
    await rows.save({ ...given, ...(await joined(entity.first!, rows, first)), ...first, [by]: row.id })
  } catch (thrown) {
    throw thrown instanceof Problem ? named(thrown) : thrown
  }
}

/** What is known of the same person from another row: the account, so that one guardian of two children has one. */
async function joined({ knownBy, joins }: FirstPart, rows: Repository, first: Draft): Promise<Draft> {
  const { actor } = rows.context
  const mayLook = actor.kind !== 'user' || actor.codes.has(codeOf(rows.model.entity, 'view'))
  if (!mayLook || joins.length === 0 || knownBy.some((name) => typeof first[name] !== 'string' || !first[name]))
    return {}
  const known = Object.fromEntries(knownBy.map((name) => [`${name}_equal`, String(first[name])]))
  const held = Object.fromEntries(joins.map((name) => [`${name}_notnull`, '1']))
  const { records } = await rows.page({ ...known, ...held, columns: joins.join(), current: '1', size: '1' })
  return Object.fromEntries(joins.flatMap((name) => (records[0]?.[name] ? [[name, records[0][name]]] : [])))
}

const inside = (name: string): string => `${key}.${name}`

function named(problem: Problem): Problem {
  const data = problem.data as { field?: string; fields?: readonly { field: string; message: string }[] } | null
  if (typeof data?.field !== 'string') return problem
  const fields = (data.fields ?? []).map((fault) => ({ ...fault, field: inside(fault.field) }))
  return new Problem(problem.problem, problem.detail, { ...data, field: inside(data.field), fields })
}
