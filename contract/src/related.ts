import { entities } from './entities/index.ts'
import type { Entity } from './entity.ts'

/** Rows elsewhere that refer to a row: of which entity, and by which field of theirs. */
export interface Related {
  readonly of: Entity
  readonly by: string
}

/**
 * What a record shows as belonging to it: every reference to its entity, the other way round. Left out are references that
 * the server copies from a nearer row (a guardian's school is the child's), rows that the server alone writes, which are
 * logs, and files, which hang on what refers to them and not the other way round.
 */
export function relatedOf(entity: Entity): Related[] {
  if (entity.name === 'attach') return []
  return entities
    .filter((other) => !other.readOnly)
    .flatMap((of) =>
      Object.entries(of.fields)
        .filter(([, field]) => field.to === entity.name && !field.computed)
        .map(([by]) => ({ of, by })),
    )
}
