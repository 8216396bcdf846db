import type pg from 'pg'
import type { Environment } from '../environment.ts'
import type { Cipher } from './cipher.ts'
import type { Log } from './log.ts'

/** What a process has one of; made in app.ts and handed down, never imported as a global. */
export interface Services {
  readonly environment: Environment
  /** Connections of the app role: everything that belongs to a tenant. */
  readonly pool: pg.Pool
  /** How the app role reaches PostgreSQL itself, where the pool leads through a pooler: that carries no notifications. */
  readonly direct?: pg.ClientConfig
  /** Connections of the platform role: tenants, menus, regions, dictionaries. */
  readonly platform: pg.Pool
  readonly cipher: Cipher
  readonly secrets: {
    readonly pepper: Buffer
    readonly clientId: string
    readonly clientSecret: string
  }
  readonly log: Log
  /** Extensions whose tables are there, and which are not built in. */
  readonly absent?: readonly string[]
}
