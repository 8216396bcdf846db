import type { RawBuilder } from 'kysely'
import { sql } from './statement.ts'

/**
 * Held alone by a backup while it copies, and shared by whoever removes the bytes of uploaded files: a sweep for moments,
 * the purge of a tenant until it is done.
 */
export const backupLock = 2024112113

/** What a tenant's code is held by, alone by whoever makes or purges the tenant, and shared by whoever writes its logs. */
export const codeLock = (tenantId: string): RawBuilder<unknown> => sql`hashtextextended(${`tenant|${tenantId}`}, 0)`
