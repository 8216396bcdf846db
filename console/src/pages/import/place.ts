import { entityFormKinds } from '@data-brain/contract/import/kinds'

/** Where users are imported: no entry of a menu leads there, the list of users does. */
export const userImportPath = '/system/user/import'

/** Entities whose rows are brought in from their own list. */
export const entityKinds = ['studentparents', ...entityFormKinds] as const
export type EntityKind = (typeof entityKinds)[number]
export const isEntityKind = (name: string): name is EntityKind => (entityKinds as readonly string[]).includes(name)
export const entityImportPath = (kind: EntityKind): string => `/import/${kind}`
