import { codeOf, type Entity } from '@data-brain/contract'
import { type Actor, holdsCode } from '../kernel/actor.ts'
import { pointersAt } from './model.ts'

/** Who may choose a row of an entity: its viewers, and those who fill in a form that points at it. */
export function codesThatChoose(entity: Entity): string[] {
  // Who works with what a file hangs on is shown that file, and not the names of all others.
  if (entity.isFile) return [codeOf(entity, 'view')]
  // Rows of what nobody fills in are looked at alone.
  const pointing = pointersAt(entity.name).flatMap(({ model }) =>
    (model.entity.readOnly ? (['view'] as const) : (['view', 'add', 'edit'] as const)).map((action) =>
      codeOf(model.entity, action),
    ),
  )
  return [...new Set([codeOf(entity, 'view'), ...pointing])]
}

/**
 * The codes by whose scopes the choices of an entity are bound. Who holds none of them sees names that anybody who
 * works here may know: none of what is drafted, which is bound for everybody.
 */
export function bindingCodes(entity: Entity, actor: Actor): string[] | undefined {
  const codes = codesThatChoose(entity)
  return entity.drafted || codes.some((each) => holdsCode(actor, each)) ? codes : undefined
}
