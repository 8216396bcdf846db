import type pg from 'pg'
import { StartError } from '../start-error.ts'
import type { Roles } from './roles.ts'

const untouched = { zh: '未启动，也未作任何改动。', en: 'Nothing was started and nothing was changed.' }

interface Standing {
  readonly version: number
  readonly standby: boolean
  readonly read_only: boolean
  readonly superuser: boolean
  readonly creates_roles: boolean
  readonly creates_schemas: boolean
  readonly creates_tables: boolean
  readonly who: string
  readonly name: string
  readonly foreign_owner: string | null
}

/** Refuses, before anything is written, a database that this start could not bring up to date. */
export async function refuseUnfit(owner: pg.ClientBase, roles: Roles, pending: number): Promise<void> {
  const { rows } = await owner.query<Standing>(
    `select current_setting('server_version_num')::int as version, pg_is_in_recovery() as standby,
       current_setting('default_transaction_read_only')::bool as read_only, r.rolsuper as superuser,
       r.rolsuper or r.rolcreaterole as creates_roles, current_user as who, current_database() as name,
       has_database_privilege(current_database(), 'create') as creates_schemas,
       coalesce(has_schema_privilege('public', 'create'), false) as creates_tables,
       (select tableowner from pg_tables where schemaname = 'public' and not pg_has_role(tableowner, 'usage') limit 1) as foreign_owner
     from pg_roles r where r.rolname = current_user`,
  )
  const found = rows[0]!
  const refuse = (zh: string, en: string): never => {
    throw new StartError(`${zh}${untouched.zh}`, `${en} ${untouched.en}`)
  }
  if (found.version < 150_000) refuse('需要 PostgreSQL 15 或更高版本。', 'PostgreSQL 15 or newer is needed.')
  if (found.standby || found.read_only)
    refuse(
      `DATABASE_URL 所指的数据库 ${found.name} 是只读的${found.standby ? '（备用服务器）' : ''}。请让它指向可写的主服务器。`,
      `The database ${found.name} that DATABASE_URL names is read-only${found.standby ? ' (a standby)' : ''}. Let it lead to the primary, which can be written to.`,
    )
  if (found.foreign_owner)
    refuse(
      `数据库 ${found.name} 中的表属于角色 ${found.foreign_owner}，而 DATABASE_URL 使用的是 ${found.who}。请让 DATABASE_URL 使用表的所有者，或执行 grant ${found.foreign_owner} to ${found.who}。`,
      `The tables of ${found.name} belong to the role ${found.foreign_owner}, and DATABASE_URL logs in as ${found.who}. Log in as the owner of the tables, or run: grant ${found.foreign_owner} to ${found.who}.`,
    )
  if (pending > 0 && !(found.creates_tables && found.creates_schemas))
    refuse(
      `角色 ${found.who} 无权在数据库 ${found.name} 中建表或建模式。请以管理员执行 alter database ${found.name} owner to ${found.who}。`,
      `The role ${found.who} may not create tables and schemas in the database ${found.name}. As an administrator, run: alter database ${found.name} owner to ${found.who}.`,
    )
  const known = await owner.query('select 1 from pg_roles where rolname = any($1)', [Object.values(roles)])
  if (known.rowCount !== Object.keys(roles).length && !found.creates_roles)
    refuse(
      `角色 ${found.who} 无权创建角色，而启动需要创建 ${Object.values(roles).join('、')}。请以管理员执行 alter role ${found.who} createrole。`,
      `The role ${found.who} may not create roles, and the start makes ${Object.values(roles).join(', ')}. As an administrator, run: alter role ${found.who} createrole.`,
    )
}
