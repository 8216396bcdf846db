import { entities } from '@data-brain/contract'
import { linkTableOf, tableOf } from './name.ts'

/**
 * Every table, and who owns its rows. A table that is in no list fails the catalogue test; the app role may do only
 * what stands here.
 */
export type Access = 'read' | 'write' | 'append'

/** Shared by all tenants: the app role reads, the platform role writes. */
export const platformTables: Record<string, { app: 'read' | 'none' }> = {
  tenant: { app: 'read' },
  client: { app: 'read' },
  region: { app: 'read' },
  menu: { app: 'read' },
  dict: { app: 'read' },
  seed_mark: { app: 'none' },
  migration: { app: 'none' },
}

/** Owned by one tenant each: forced row-level security. `append` is written once and never changed. */
export const tenantTables: Record<string, 'write' | 'append'> = {
  credential: 'write',
  login_failure: 'write',
  session: 'write',
  refresh_token: 'write',
  grant_stamp: 'write',
  entity_stamp: 'write',
  role_menu: 'write',
  top_menu: 'write',
  top_menu_setting: 'write',
  history: 'append',
  search_key: 'write',
  import_batch: 'write',
  import_row: 'write',
  ...Object.fromEntries(
    entities.flatMap((entity) => [
      [tableOf(entity), 'write' as const],
      ...Object.entries(entity.fields)
        .filter(([, field]) => field.kind === 'references')
        .map(([name]) => [linkTableOf(entity, name), 'write' as const]),
    ]),
  ),
}
