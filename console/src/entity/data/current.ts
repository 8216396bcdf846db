import type { Entity } from '@data-brain/contract'
import { useQuery } from '@tanstack/react-query'
import { useEntity } from './client.ts'

/** The first row of an entity that is the current one of its school, a year or a semester: what a page begins with. */
export function useCurrent<E extends Entity>(entity: E): string | null {
  const { list } = useEntity(entity)
  const found = useQuery(list({ isCurrent: 1, current: 1, size: 1 }))
  return found.data?.records[0]?.id ?? null
}
