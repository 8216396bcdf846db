import { type AlongPart, codeOf, type Entity, entityOf, type Words } from '@data-brain/contract'
import { holdsCode } from '../kernel/actor.ts'
import { Problem } from '../kernel/problem.ts'
import { type DatabaseError, problemOfDatabase } from '../kernel/problem-of.ts'
import type { Call } from '../kernel/route.ts'
import { type Context, Repository } from './repository.ts'

type Draft = Readonly<Record<string, unknown>>

const isDraft = (value: unknown): value is Draft => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Takes from the draft of a new row what is said of the rows that are made along with it, where its caller may make them. */
export function takeAlong(entity: Entity, call: Call): { readonly body: unknown; readonly along: readonly Draft[] } {
  const { body, actor } = call
  const part = entity.along
  if (!part || !isDraft(body) || !(part.name in body)) return { body, along: [] }
  const { [part.name]: along, ...rest } = body
  if (along === null || along === undefined) return { body: rest, along: [] }
  const lines = linesOf(entity, part, body.id, along)
  const target = entityOf(part.of)
  const needed = codeOf(target, 'add')
  if (!holdsCode(actor, needed)) throw new Problem('forbidden', { code: needed })
  // What an API scope keeps for others is not reached by way of another call.
  if (actor.refused.has(`POST /${target.path}/submit`)) throw new Problem('forbidden', { code: needed })
  return { body: rest, along: lines }
}

/** What is said of the rows that are made along, where it can be read; else what is wrong, and in which line. */
function linesOf(entity: Entity, part: AlongPart, id: unknown, along: unknown): readonly Draft[] {
  const { name, of, fields, called } = part
  const { label } = entityOf(of)
  const refuse = (field: string, named: Words, zh: string, en: string): never => {
    throw new Problem('field_invalid', { label: named, reason: { zh, en } }, { field, fields: [] })
  }
  if (id) refuse(name, label, '只能随新增一起保存', `are only saved along with a new ${entity.label.en.toLowerCase()}`)
  if (!Array.isArray(along)) return refuse(name, label, '须为列表', 'must be a list')
  if (along.length > called.length)
    refuse(name, label, `最多 ${called.length} 项`, `at most ${called.length} may be given`)
  for (const [at, line] of along.entries()) {
    if (!isDraft(line)) return refuse(`${name}.${at}`, called[at]!, '须为一组字段', 'must be a set of fields')
    const stray = Object.keys(line)
      .find((each) => !fields.includes(each))
      ?.slice(0, 64)
    if (stray !== undefined)
      refuse(`${name}.${at}.${stray}`, called[at]!, `没有名为 ${stray} 的字段`, `there is no field named ${stray}`)
  }
  return along
}

/**
 * Makes the rows that hang on the new one, in the order in which they were given; a line in which nothing is said is
 * none. What is wrong is said of the field of its line in the same form.
 */
export async function addAlong(
  entity: Entity,
  context: Context,
  row: { readonly id: string },
  along: readonly Draft[],
): Promise<void> {
  const part = entity.along!
  let order = 0
  for (const [at, draft] of along.entries()) {
    if (Object.values(draft).every((value) => value === null || value === '')) continue
    order += 1
    const { of, by, given, givenFirst, counted } = part
    const rows = new Repository(entityOf(of), context)
    const own = { ...given, ...(order === 1 ? givenFirst : {}), [counted]: order, [by]: row.id }
    try {
      await rows.save({ ...(await joined(part, rows, draft)), ...draft, ...own })
    } catch (thrown) {
      const problem = thrown instanceof Problem ? thrown : problemOfDatabase(thrown as DatabaseError)
      throw problem ? named(problem, `${part.name}.${at}`) : thrown
    }
  }
}

/** What is known of the same person from another row: the account, so that one guardian of two children has one. */
async function joined({ knownBy, joins }: AlongPart, rows: Repository, draft: Draft): Promise<Draft> {
  const { actor } = rows.context
  const mayLook = holdsCode(actor, codeOf(rows.model.entity, 'view'))
  if (!mayLook || joins.length === 0 || knownBy.some((name) => typeof draft[name] !== 'string' || !draft[name]))
    return {}
  const known = Object.fromEntries(knownBy.map((name) => [`${name}_equal`, String(draft[name])]))
  const held = Object.fromEntries(joins.map((name) => [`${name}_notnull`, '1']))
  const { records } = await rows.page({ ...known, ...held, columns: joins.join(), current: '1', size: '1' })
  return Object.fromEntries(joins.flatMap((name) => (records[0]?.[name] ? [[name, records[0][name]]] : [])))
}

function named(problem: Problem, line: string): Problem {
  const data = problem.data as { field?: string; fields?: readonly { field: string; message: string }[] } | null
  if (typeof data?.field !== 'string') return problem
  const inside = (name: string): string => `${line}.${name}`
  const fields = (data.fields ?? []).map((fault) => ({ ...fault, field: inside(fault.field) }))
  return new Problem(problem.problem, problem.detail, { ...data, field: inside(data.field), fields })
}
