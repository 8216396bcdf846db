import { sql } from '../../database/statement.ts'
import { inTenant } from '../../database/transaction.ts'
import { platformTenant } from '../../entity/model.ts'
import type { Services } from '../../kernel/services.ts'

/** So long (ms) a reading of the menus serves: a new entry that frames another host is there after it and a reload. */
const keptFor = 5_000
/** A source as the content-security policy takes it; a host with other signs in it would end the directive. */
const origin = /^https?:\/\/[a-z0-9.-]+(:[0-9]+)?$/

const kept = new WeakMap<Services, { at: number; sources: Promise<string> }>()

async function read(services: Services): Promise<string> {
  const rows = await inTenant(services.pool, platformTenant, (tx) =>
    tx.run<{ path: string }>(
      sql`select distinct path from menu where status = 1 and (path ~* 'html$' or (path ~* '^https?://' and is_open <> '2'))`,
    ),
  )
  const sources = new Set(rows.map(({ path }) => (path.startsWith('/') ? "'self'" : (URL.parse(path)?.origin ?? ''))))
  return [...sources].filter((source) => source === "'self'" || origin.test(source)).join(' ') || "'none'"
}

/**
 * The sources of the console's `frame-src`: the origins of the menu entries that open inside the console, and no other
 * (R-ROUTE-3). What could not be read frames nothing.
 */
export function frameSources(services: Services): Promise<string> {
  const known = kept.get(services)
  if (known && Date.now() - known.at < keptFor) return known.sources
  const sources = read(services).catch((error: Error) => {
    services.log.warn('frames', { error: error.message })
    return "'none'"
  })
  kept.set(services, { at: Date.now(), sources })
  return sources
}
