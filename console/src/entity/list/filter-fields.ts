import type { Entity, Kind, Words } from '@data-brain/contract'

/** A patch of a list's parameters; null takes one away. */
export type Patch = (patch: Record<string, string | null>) => void
export type Filters = Readonly<Record<string, string>>

/** The server's two parameters of a range: days include both ends, instants are strictly between (R-LIST-2). */
export function boundsOf(name: string, kind: 'date' | 'instant'): readonly [string, string] {
  return kind === 'date' ? [`${name}_datege`, `${name}_datele`] : [`${name}_dategt`, `${name}_datelt`]
}

/** The parameter of the quick text: the server's search over names and numbers, or else the first text filter. */
export function quickOf(entity: Entity): { key: string; fields: readonly string[] } | null {
  if (entity.find && entity.find.length > 0) return { key: 'keyword', fields: entity.find }
  // A row that is called by another one is found by that one's name.
  if (entity.fields[entity.title]?.kind === 'reference') return { key: 'keyword', fields: [entity.title] }
  const first = entity.search.find((name) => entity.fields[name]?.kind === 'text')
  return first === undefined ? null : { key: first, fields: [first] }
}

/** What every row has beside its fields, and how it is filtered by. */
export const systemKinds: Readonly<Record<string, Kind>> = {
  createTime: 'instant',
  createUser: 'reference',
  updateTime: 'instant',
  updateUser: 'reference',
  extId: 'text',
}

/** How a list is filtered by one of its names; null where it is not. */
export function kindOf(entity: Entity, name: string): Kind | 'belonging' | null {
  const field = entity.fields[name]
  if (field) return field.inner || field.kind === 'secret' || field.kind === 'json' ? null : field.kind
  if (name === 'status') return entity.status ? 'choice' : null
  if (entity.belongings?.[name]) return 'belonging'
  return systemKinds[name] ?? null
}

/** What a name of a list is called. */
export function labelOf(entity: Entity, name: string, t: (key: string) => string, pick: (words: Words) => string) {
  const thing = entity.fields[name] ?? entity.belongings?.[name]
  return thing ? pick(thing.label) : t(`entity.${name}`)
}

/** The field that a parameter is about. */
export const nameIn = (param: string): string => param.split('_', 1)[0]!

/** The parameters in force by field, in their order; the quick text is none of them. */
export function inForce(entity: Entity, filters: Filters): readonly (readonly [string, Filters])[] {
  const quick = quickOf(entity)?.key
  const names = [
    ...new Set(
      Object.keys(filters)
        .filter((param) => param !== quick)
        .map(nameIn),
    ),
  ]
  return names.map((name) => [name, ofField(filters, name)] as const)
}

/** What the list is filtered by in one field. */
export const ofField = (filters: Filters, name: string): Filters =>
  Object.fromEntries(Object.entries(filters).filter(([param]) => nameIn(param) === name))

/** Takes away all that a field is filtered by. */
export const withoutFilter = (filters: Filters, name: string): Record<string, null> =>
  Object.fromEntries(Object.keys(ofField(filters, name)).map((param) => [param, null]))

export interface FilterGroup {
  /** The heading: of the form’s group, or the key of a word. */
  readonly label: Words | string
  readonly names: readonly string[]
}

/**
 * Every name that a list can be filtered by, under headings: those in use first, then the rest as the form has them,
 * last what every row has.
 */
export function filterGroups(entity: Entity): FilterGroup[] {
  const can = (name: string) => kindOf(entity, name) !== null
  const usual = [...entity.search, ...(entity.status ? ['status'] : []), ...Object.keys(entity.belongings ?? {})]
  const first = [...new Set(usual)].filter(can)
  const rest = Object.keys(entity.fields).filter((name) => can(name) && !first.includes(name))
  const groups = (entity.groups ?? []).map(({ label, fields }) => ({
    label,
    names: fields.filter((name) => rest.includes(name)),
  }))
  const claimed = new Set(groups.flatMap(({ names }) => names))
  return [
    { label: 'entity.filterUsual', names: first },
    { label: 'entity.filterOther', names: rest.filter((name) => !claimed.has(name)) },
    ...groups,
    { label: 'entity.filterSystem', names: Object.keys(systemKinds) },
  ].filter(({ names }) => names.length > 0)
}
