import type { LogKind } from '@data-brain/contract/entities/log/logs'
import { sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { nameRef } from '../../entity/select.ts'
import type { LogRow } from './row.ts'

const common = [
  ['id', 'bigint'],
  ['create_time', 'timestamptz'],
  ['title', 'text'],
  ['service_id', 'text'],
  ['server_host', 'text'],
  ['env', 'text'],
  ['method', 'text'],
  ['request_uri', 'text'],
  ['remote_ip', 'text'],
  ['user_agent', 'text'],
  ['status', 'smallint'],
  ['time', 'integer'],
  ['trace_id', 'text'],
] as const

const own: Record<LogKind, readonly (readonly [string, string])[]> = {
  usual: [
    ['log_id', 'text'],
    ['log_level', 'text'],
    ['log_data', 'text'],
  ],
  api: [
    ['result', 'text'],
    ['params', 'text'],
  ],
  error: [
    ['exception_name', 'text'],
    ['message', 'text'],
    ['stack_trace', 'text'],
    ['file_name', 'text'],
    ['line_number', 'integer'],
    ['params', 'text'],
  ],
}

const names = (columns: readonly (readonly [string, string])[], before = ''): string =>
  columns.map(([name]) => `${before}${name}`).join(', ')
const typed = (columns: readonly (readonly [string, string])[]): string =>
  columns.map(([name, type]) => `${name} ${type}`).join(', ')

/** Who it was, of a log-in by the account and of a log-out by the token; an account that is none is not told whole. */
const people = `left join session s on r.token_hash is not null and s.tenant_id = t.tenant_id and s.access_hash = decode(r.token_hash, 'hex')
  left join app_user u on u.tenant_id = t.tenant_id and (u.id = s.user_id or u.account = r.account)`
const person = `coalesce(r.user_id, u.id), coalesce(r.create_by, u.real_name, left(r.account, 2) || '***')`

/**
 * Writes rows of one tenant and one log at once. Rows of a tenant that is none are not written, and a row that is there
 * already (its acknowledgement was lost) is not written again.
 */
export async function writeRows(tx: Tx, tenantId: string, kind: LogKind, rows: readonly LogRow[]): Promise<void> {
  const columns = [...common, ...own[kind]]
  const asks = kind === 'usual'
  await tx.run(
    sql`insert into ${nameRef(`log_${kind}`)} (tenant_id, ${nameRef(names(columns))}, user_id, create_by)
        select t.tenant_id, ${nameRef(names(columns, 'r.'))}, ${nameRef(asks ? person : 'r.user_id, r.create_by')}
        from jsonb_to_recordset(${JSON.stringify(rows.map((row) => row.columns))}::jsonb)
          as r(${nameRef(typed(columns))}, user_id bigint, create_by text, account text, token_hash text)
        join tenant t on t.tenant_id = ${tenantId}
        ${nameRef(asks ? people : '')}
        on conflict do nothing`,
  )
}
