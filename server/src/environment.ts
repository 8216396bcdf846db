import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { logLevels } from './kernel/log.ts'
import { StartError } from './start-error.ts'

export interface Environment {
  readonly port: number
  readonly host: string
  readonly dataDir: string
  /** The owner's connection; empty means the embedded PostgreSQL. */
  readonly databaseUrl: string | null
  /** Overrides the app role's connection, for example behind a pooler. */
  readonly databaseAppUrl: string | null
  readonly adminPassword: string | null
  readonly demo: boolean
  readonly publicUrl: string | null
  readonly trustProxy: string[]
  readonly logLevel: string
  /** Prepared statements; off behind an old pooler. */
  readonly prepare: boolean
  /** Connections of this process for requests. */
  readonly poolSize: number
  /** Log-ins that one address may try in a minute before it is slowed: a school is one address. */
  readonly loginsPerMinute: number
  /** Hosts of the operator's own network that the server may call: `host`, or `host:port`, in small letters. */
  readonly outboundAllow: readonly string[]
  /** The folder of the operator's whose SQLite files may be data sources; null where there is none. */
  readonly datasourceDir: string | null
  /** Whether texts may go to the development outbox, which shows them: not in production. */
  readonly smsOutbox: boolean
  /** What Prometheus must show at `/metrics`; null where only this machine itself may read them. */
  readonly metricsToken: string | null
  /** How long requests in flight are waited for at a stop, in seconds. */
  readonly stopSeconds: number
  /** Bytes that the disks of the data folder and of temporary files must have left for the server to be ready. */
  readonly diskReserve: number
}

/**
 * Reads the environment once, at start. Throws an Error in words that name the variable and what it must be.
 */
export function readEnvironment(env: NodeJS.ProcessEnv = process.env): Environment {
  const whole = (name: string, fallback: number, min: number, max: number): number => {
    const given = env[name]
    if (given === undefined || given === '') return fallback
    const value = Number(given)
    if (!Number.isInteger(value) || value < min || value > max)
      throw new StartError(
        `${name} 必须是 ${min} 到 ${max} 之间的整数，而不是“${given}”。`,
        `${name} must be a whole number from ${min} to ${max}, not "${given}"`,
      )
    return value
  }
  const off = (name: string): boolean => ['off', '0', 'false', 'no'].includes((env[name] ?? '').toLowerCase())
  const databaseUrl = env.DATABASE_URL?.trim() || null
  if (databaseUrl && !/^postgres(ql)?:\/\//.test(databaseUrl))
    throw new StartError(
      'DATABASE_URL 必须以 postgres:// 或 postgresql:// 开头。',
      'DATABASE_URL must begin with postgres:// or postgresql://',
    )
  const list = (name: string): string[] =>
    (env[name] ?? '')
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean)
  const outboundAllow = list('OUTBOUND_ALLOW').map((entry) => entry.toLowerCase())
  for (const entry of outboundAllow)
    if (!/^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/.test(entry))
      throw new StartError(
        `OUTBOUND_ALLOW 必须是以逗号分隔的主机（可带端口）；“${entry}”不是。`,
        `OUTBOUND_ALLOW must be hosts with or without a port, comma separated; "${entry}" is none`,
      )
  const logLevel = env.LOG_LEVEL?.trim() || 'info'
  // A word that nobody knows would silence the log.
  if (!logLevels.includes(logLevel))
    throw new StartError(
      `LOG_LEVEL 必须是 ${logLevels.join('、')} 之一。`,
      `LOG_LEVEL must be one of ${logLevels.join(', ')}`,
    )
  const metricsToken = env.METRICS_TOKEN?.trim() || null
  if (metricsToken !== null && !/^[\x21-\x7e]{16,}$/.test(metricsToken))
    throw new StartError(
      'METRICS_TOKEN 必须是至少 16 个可见的 ASCII 字符。',
      'METRICS_TOKEN must be at least 16 visible ASCII characters',
    )
  return {
    port: whole('PORT', 8000, 0, 65535),
    host: env.HOST?.trim() || '127.0.0.1',
    dataDir: resolve(env.DATA_DIR?.trim() || defaultDataDir(env)),
    databaseUrl,
    databaseAppUrl: env.DATABASE_APP_URL?.trim() || null,
    adminPassword: env.ADMIN_PASSWORD || null,
    demo: !off('DEMO'),
    publicUrl: env.PUBLIC_URL?.trim() || null,
    trustProxy: list('TRUST_PROXY'),
    logLevel,
    prepare: !off('DATABASE_PREPARE'),
    poolSize: whole('DATABASE_POOL', 16, 2, 200),
    loginsPerMinute: whole('LOGIN_PER_MINUTE', 120, 1, 1_000_000_000),
    outboundAllow,
    datasourceDir: env.DATASOURCE_DIR?.trim() ? resolve(env.DATASOURCE_DIR.trim()) : null,
    smsOutbox: env.NODE_ENV !== 'production',
    metricsToken,
    stopSeconds: whole('STOP_SECONDS', 8, 0, 600),
    diskReserve: whole('DISK_RESERVE_MB', 64, 0, 1_000_000) * 1_048_576,
  }
}

/** `data/` of the folder the product is started from, so that two checkouts never share a database by accident. */
function defaultDataDir(env: NodeJS.ProcessEnv): string {
  return join(env.INIT_CWD ?? process.cwd() ?? homedir(), 'data')
}
