import { StartError } from '../start-error.ts'

/*
 * A backup is a tar archive, packed: what it is, the keys, the files of PostgreSQL as they were copied from under a
 * server that works, the uploaded files, and an end by which a whole archive is told from one that was cut off. The
 * database travels as its files and not as its rows: so the chain of the history holds, whatever other parts the
 * database has come along, and bringing it back takes seconds.
 */

export const manifestName = 'backup.json'
export const keysName = 'secrets.json'
export const passwordName = 'postgres.password'
export const databaseFolder = 'postgres/'
export const filesFolder = 'files/'
export const endName = 'end.json'

/** What must be known before anything of a backup is unpacked. */
export interface Manifest {
  readonly format: 1
  readonly at: string
  /** Major version of PostgreSQL, and the system and processor that its files are of. */
  readonly postgres: string
  readonly platform: string
  /** The newest migration of the database. */
  readonly migration: number
  readonly keys: boolean
}

/** What a whole archive holds. */
export interface End {
  readonly entries: number
  readonly files: number
}

export const platformHere = `${process.platform}-${process.arch}`

/** The words for an installation whose database is not ours. */
export const ownDatabase = (): StartError =>
  new StartError(
    '此命令只用于内置数据库。DATABASE_URL 所指的数据库请用 PostgreSQL 自己的工具备份和恢复（见 docs/operators/backup.md）。',
    'This is for the built-in database. Back up and restore the one that DATABASE_URL names with the tools of PostgreSQL (docs/operators/backup.md).',
  )
