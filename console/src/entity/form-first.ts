import { type Entity, entityOf, type Field } from '@data-brain/contract'

/** Under this the fields of the row that is made along with a new one stand in its form, and travel. */
const key = 'first'
const inside = (name: string): string => `${key}.${name}`

const known = new WeakMap<Entity, Entity>()

/** An entity as the form of a new row sees it: with the fields of the row that is made along with it, in a group of their own. */
export function withFirst(entity: Entity): Entity {
  const { first } = entity
  if (!first) return entity
  const found = known.get(entity)
  if (found) return found
  const part = entityOf(first.of)
  const fields = Object.fromEntries(
    first.fields.map((name) => {
      const field = part.fields[name]!
      const label = { zh: first.called.zh + field.label.zh, en: first.called.en + field.label.en }
      return [inside(name), { ...field, label } satisfies Field]
    }),
  )
  const group = { label: first.label, folded: false, fields: Object.keys(fields) }
  const groups = entity.groups ?? []
  // After who it is and where it belongs.
  const made: Entity = {
    ...entity,
    fields: { ...entity.fields, ...fields },
    groups: [...groups.slice(0, 2), group, ...groups.slice(2)],
  }
  known.set(entity, made)
  return made
}

/** A draft as it travels: what is said of the row that is made along stands together, or is left out. */
export function nestFirst(draft: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const start = inside('')
  const own = Object.entries(draft).filter(([name]) => !name.startsWith(start))
  const first = Object.entries(draft).flatMap(([name, value]) =>
    name.startsWith(start) ? [[name.slice(start.length), value] as const] : [],
  )
  return Object.fromEntries(first.length > 0 ? [...own, [key, Object.fromEntries(first)]] : own)
}
