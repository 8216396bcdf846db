import { type Entity, entities, entityOf, ownerOf, personalCode } from '@data-brain/contract'
import { type Actor, type DataScope, holdsCode, isAdmin } from '../kernel/actor.ts'
import { Problem } from '../kernel/problem.ts'

/*
 * Which data scopes bind somebody for an entity: those that name it, and those that it inherits. What they mean in SQL
 * is in scope.ts.
 */

/** Which scopes bind an actor for an entity: undefined for none, empty where no role gives the codes. */
export function scopesFor(
  actor: Actor,
  entity: Entity,
  codes: readonly string[],
): readonly (DataScope | InheritedScope)[] | undefined {
  if (isAdmin(actor)) return undefined
  const found = new Map<string, DataScope | InheritedScope>()
  for (const role of actor.roles) {
    if (!codes.some((code) => role.codes.has(code))) continue
    const scopes = scopesOfRole(role.scopes, entity)
    if (scopes === undefined) return undefined
    for (const scope of scopes) found.set(pathOf(scope), scope)
  }
  return [...found.values()]
}

/** Whether an actor sees the personal values of all rows of an entity in full. */
export const opensAll = (actor: Actor, entity: Entity): boolean => {
  const code = personalCode(entity)
  return holdsCode(actor, code) && scopesFor(actor, entity, [code]) === undefined
}

/** Whether an actor, by these codes, works with all rows of each of these entities. */
export const reachesAll = (actor: Actor, entities: readonly Entity[], codes: readonly string[]): boolean =>
  entities.every((entity) => scopesFor(actor, entity, codes) === undefined)

/**
 * Refuses an actor who, by these codes, does not work with all rows of each of these entities: what judges or writes a
 * tenant as a whole cannot be done within a part of it.
 */
export function mustReachAll(actor: Actor, entities: readonly Entity[], codes: readonly string[]): void {
  if (!reachesAll(actor, entities, codes)) throw new Problem('out_of_scope')
}

/** A scope of the entity that the rows are a part of. */
export interface InheritedScope {
  /** The reference that leads there. */
  readonly within: string
  readonly scope: DataScope | InheritedScope
}

/** The scope itself, from whatever it was inherited through. */
export const scopeOf = (scope: DataScope | InheritedScope): DataScope =>
  'within' in scope ? scopeOf(scope.scope) : scope

/** What a scope is known by among those of an entity: the references that it came through, and its id. */
const pathOf = (scope: DataScope | InheritedScope): string =>
  'within' in scope ? `${scope.within}>${pathOf(scope.scope)}` : scope.id

/** A scope that nobody wrote: it follows from those that a role has. */
const implied = (entity: Entity, id: string, type: string, column: string | null): DataScope => ({
  id,
  name: entity.label.zh,
  entity: entity.name,
  type,
  column,
  value: null,
})

/**
 * What a role's scopes say of an entity: those that name it, or else those of what its rows are a part of, or else
 * those of what they belong to inside the tenant. Undefined where they leave it whole.
 */
export function scopesOfRole(
  scopes: readonly DataScope[],
  entity: Entity,
): readonly (DataScope | InheritedScope)[] | undefined {
  if (scopes.length === 0) return undefined
  const said = sayingOf(scopes, entity) ?? ofOwner(scopes, entity)
  return said === 'all' ? undefined : said
}

type Saying = readonly (DataScope | InheritedScope)[] | 'all' | undefined

/** What scopes say of an entity by its name, or by the references that its rows are reached by. */
function sayingOf(scopes: readonly DataScope[], entity: Entity): Saying {
  const own = scopes.filter((scope) => scope.entity === entity.name)
  if (own.some((scope) => scope.type === '1')) return 'all'
  if (own.length > 0) return own
  const paths = [...(entity.within ? [entity.within] : []), ...(entity.reachedBy ?? [])]
  const above = paths.map((within) => {
    const target = entityOf(entity.fields[within]!.to!)
    return { within, target, said: sayingOf(scopes, target) }
  })
  if (above.some(({ said }) => narrows(said)))
    return above.flatMap(({ within, target, said }) => {
      // What no scope names is reached as far as what it belongs to.
      const reached = narrows(said) ? said : said === 'all' ? undefined : ofOwner(scopes, target)
      if (!narrows(reached) && said !== 'all' && entity.reachedApart) return []
      return (narrows(reached) ? reached : [implied(target, `all-${target.name}`, '1', null)]).map((scope) => ({
        within,
        scope,
      }))
    })
  if (entity.keptBy && isPart(scopes, entity)) return [implied(entity, `own-${entity.name}`, '2', entity.keptBy)]
  return above.some(({ said }) => said === 'all') ? 'all' : undefined
}

/** Whether scopes leave a part only of those whom rows without a column for it may be about. */
const isPart = (scopes: readonly DataScope[], entity: Entity): boolean =>
  entities.some(
    (each) =>
      (each.narrowsKept === 'all' || (each.narrowsKept === 'unowned' && !ownerOf(entity))) &&
      narrows(sayingOf(scopes, each)),
  )

const narrows = (said: Saying): said is readonly (DataScope | InheritedScope)[] => said !== undefined && said !== 'all'

/** The scopes of what rows belong to inside the tenant. */
function ofOwner(scopes: readonly DataScope[], entity: Entity): Saying {
  const owner = ownerOf(entity)
  if (!owner) return undefined
  const said = sayingOf(scopes, entityOf(owner.entity))
  return narrows(said) ? said.map((scope) => ({ within: owner.field, scope })) : undefined
}
