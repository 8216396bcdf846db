import type { Entity } from '@data-brain/contract'

/** camelCase on the wire, snake_case in the database. */
export const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** The table of an entity. */
export const tableOf = (entity: Pick<Entity, 'name' | 'table'>): string => entity.table ?? snakeCase(entity.name)

/** The table of the rows that all tenants share, and the view of what a tenant sees of them and of its own. */
export const sharedName = (table: string): string => `${table}_shared`
export const seenName = (table: string): string => `${table}_seen`
export const seenOf = (entity: Pick<Entity, 'name' | 'table' | 'shares'>): string =>
  entity.shares ? seenName(tableOf(entity)) : tableOf(entity)

/** The link table that keeps a `references` field. */
export const linkTableOf = (entity: Pick<Entity, 'name' | 'table'>, field: string): string =>
  `${tableOf(entity)}_${snakeCase(field.endsWith('Ids') ? field.slice(0, -3) : field.endsWith('Id') ? field.slice(0, -2) : field)}`
