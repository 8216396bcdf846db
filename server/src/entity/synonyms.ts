import type { Entity } from '@data-brain/contract'
import type { RawBuilder } from 'kysely'

/** Rows that a text means although they are called otherwise: a condition over the slot `meant`, and what fills it. */
export interface SynonymSearch {
  readonly sql: RawBuilder<unknown>
  readonly value: string
}

const readers = new Map<string, (text: string) => SynonymSearch | undefined>()

/** Lets rows of an entity be found by the many ways in which people spell what they are called. */
export function addMeaning(entity: Entity, read: (text: string) => SynonymSearch | undefined): void {
  readers.set(entity.name, read)
}

/** The rows of an entity that a text means. */
export const meantBy = (entity: string, text: string): SynonymSearch | undefined => readers.get(entity)?.(text)
