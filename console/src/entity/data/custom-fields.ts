import { type Entity, entityOf } from '@data-brain/contract'
import { type CustomField, withCustom } from '@data-brain/contract/custom'
import { useCallback } from 'react'
import { useSession } from '../../session/session.ts'

/* The entities as the caller's tenant has them: with the fields of its own, which come with the session. */

const known = new WeakMap<readonly CustomField[], Map<string, Entity>>()

function withFields(entity: Entity, fields: readonly CustomField[] | undefined): Entity {
  if (!fields) return entity
  const made = known.get(fields) ?? new Map<string, Entity>()
  known.set(fields, made)
  const found = made.get(entity.name) ?? withCustom(entity, fields)
  made.set(entity.name, found)
  return found
}

/** Gives entities the tenant's own fields; drawn again when these change. */
export function useOwnFields(): (entity: Entity) => Entity {
  const fields = useSession()?.customFields
  return useCallback((entity) => withFields(entity, fields), [fields])
}

/** The entity of that name with the tenant's own fields. */
export const useEntityOf = (name: string): Entity => useOwnFields()(entityOf(name))
