import { type AlongPart, type Entity, entityOf, type Field, type Words } from '@data-brain/contract'
import type { FormStore } from '../../ui/form/store.ts'

const inside = (part: AlongPart, line: number, name: string): string => `${part.name}.${line}.${name}`
/** Where the form keeps how many lines somebody has asked for: it comes back with the draft, and is never sent. */
const countOf = (part: AlongPart): string => `${part.name}.count`

const known = new WeakMap<Entity, Entity>()

/** An entity as the form of a new row sees it: with the fields of the rows that are made along with it, line by line. */
export function withAlong(entity: Entity): Entity {
  const { along } = entity
  if (!along) return entity
  const found = known.get(entity)
  if (found) return found
  const target = entityOf(along.of)
  const lines = along.called.map((label, line) => ({
    label,
    folded: false,
    fields: along.fields.map((name) => inside(along, line, name)),
  }))
  const fields = lines.flatMap(({ label }, line) =>
    along.fields.map((name) => {
      const field: Field = target.fields[name]!
      const whole = { zh: label.zh + field.label.zh, en: `${label.en}: ${field.label.en}` }
      const only = field.only && { ...field.only, by: inside(along, line, field.only.by) }
      return [inside(along, line, name), { ...field, label: whole, ...(only ? { only } : {}) }] as const
    }),
  )
  const groups = entity.groups ?? []
  // After who it is and where it belongs.
  const made: Entity = {
    ...entity,
    fields: { ...entity.fields, ...Object.fromEntries(fields) },
    groups: [...groups.slice(0, 2), ...lines, ...groups.slice(2)],
  }
  known.set(entity, made)
  return made
}

/** The line that a field of the form stands in, with the field’s own label; nothing for the row’s own fields. */
export function lineOf(entity: Entity, name: string): { readonly line: number; readonly label: Words } | undefined {
  const { along } = entity
  if (!along || !name.startsWith(`${along.name}.`)) return undefined
  const [, line, own] = name.split('.')
  return { line: Number(line), label: entityOf(along.of).fields[own!]!.label }
}

const isGiven = (value: unknown): boolean => value !== null && value !== undefined && value !== ''

/** How many lines the form shows: one, those asked for, and those in which something stands. */
export function linesOf(part: AlongPart, form: FormStore): number {
  const filled = part.called.map((_, line) => part.fields.some((name) => isGiven(form.value(inside(part, line, name)))))
  return Math.max(1, Number(form.value(countOf(part)) ?? 1), filled.lastIndexOf(true) + 1)
}

/** Adds a line; answers the field to go to. */
export function addLine(part: AlongPart, form: FormStore): string {
  const line = linesOf(part, form)
  form.set(countOf(part), line + 1)
  return inside(part, line, part.fields[0]!)
}

/** Takes a line away; those after it move up, with what is wrong in them. */
export function removeLine(part: AlongPart, form: FormStore, line: number): void {
  const count = linesOf(part, form)
  for (let at = line; at < count; at += 1)
    for (const name of part.fields) {
      const next = at + 1 < count ? inside(part, at + 1, name) : undefined
      form.set(inside(part, at, name), next ? (form.value(next) ?? null) : null)
      form.setWrong(inside(part, at, name), next ? form.wrong(next) : null)
    }
  form.set(countOf(part), count > 2 ? count - 1 : null)
}

/** A draft as it travels: the lines stand together in their order, or are left out where nothing is said in any. */
export function nestAlong(entity: Entity, draft: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { along } = entity
  if (!along) return { ...draft }
  const lines: Record<string, unknown>[] = []
  const own: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(draft)) {
    if (!name.startsWith(`${along.name}.`)) {
      own[name] = value
      continue
    }
    const [, line, field] = name.split('.')
    while (lines.length <= Number(line)) lines.push({})
    lines[Number(line)]![field!] = value
  }
  return lines.length > 0 ? { ...own, [along.name]: lines } : own
}
